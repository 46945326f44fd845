/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the dynamic section of loaded objects.  Context: library_object.h.
 */
#include "intercept/library/library_object.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>

extern const char __ehdr_start[] __attribute__((visibility("hidden")));

struct visit {
    void (*found)(const struct tnd_library_object *object);
    bool is_asked, is_changed;
};

static unsigned long long n_adds, n_subs;

/* The C library has added the bias to these addresses, but in objects whose dynamic section cannot be written. */
static const void *address_of(const struct tnd_library_object *object, uint64_t value)
{
    return (const void *)(value < object->bias ? value + object->bias : value);
}

static void read_entry(struct tnd_library_object *object, const ElfW(Dyn) * entry)
{
    uint64_t value = entry->d_un.d_val;
    switch (entry->d_tag) {
    case DT_SYMTAB:
        object->symbols = address_of(object, value);
        break;
    case DT_STRTAB:
        object->strings = address_of(object, value);
        break;
    case DT_JMPREL:
        object->calls = address_of(object, value);
        break;
    case DT_PLTRELSZ:
        object->n_calls = value / sizeof *object->calls;
        break;
    case DT_RELA:
        object->others = address_of(object, value);
        break;
    case DT_RELASZ:
        object->n_others = value / sizeof *object->others;
        break;
    case DT_VERSYM:
        object->versions = address_of(object, value);
        break;
    case DT_VERNEED:
        object->needed = address_of(object, value);
        break;
    case DT_GNU_HASH:
        object->hash = address_of(object, value);
        break;
    case DT_SYMBOLIC:
        object->is_symbolic = true;
        break;
    case DT_FLAGS:
        object->is_symbolic |= (value & DF_SYMBOLIC) != 0;
        break;
    }
}

static void read_parts(struct tnd_library_object *object)
{
    object->low = UINT64_MAX;
    for (unsigned i = 0; i < object->n_parts; i++) {
        const ElfW(Phdr) *part = &object->parts[i];
        uint64_t begin = object->bias + part->p_vaddr, end = begin + part->p_memsz;
        if (part->p_type == PT_GNU_RELRO) {
            object->guarded = begin;
            object->guarded_size = part->p_memsz;
        } else if (part->p_type == PT_LOAD) {
            object->low = begin < object->low ? begin : object->low;
            object->high = end > object->high ? end : object->high;
        }
    }
    for (unsigned i = 0; i < object->n_parts; i++)
        if (object->parts[i].p_type == PT_DYNAMIC)
            for (const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->bias + object->parts[i].p_vaddr);
                 entry->d_tag != DT_NULL; entry++)
                read_entry(object, entry);
}

static int visit_one(struct dl_phdr_info *info, size_t size, void *data)
{
    struct visit *visit = data;
    if (!visit->is_asked) {
        visit->is_asked = true;
        visit->is_changed = info->dlpi_adds != n_adds || info->dlpi_subs != n_subs;
        n_adds = info->dlpi_adds;
        n_subs = info->dlpi_subs;
    }
    if (!visit->is_changed)
        return 1;
    struct tnd_library_object object = {.bias = info->dlpi_addr,
                                        .path = info->dlpi_name,
                                        .is_program = !info->dlpi_name[0],
                                        .parts = info->dlpi_phdr,
                                        .n_parts = info->dlpi_phnum};
    read_parts(&object);
    bool is_other = object.low != getauxval(AT_SYSINFO_EHDR) && object.low != getauxval(AT_BASE) &&
                    object.low != (uint64_t)__ehdr_start;
    if (is_other && object.symbols && object.strings)
        visit->found(&object);
    return 0;
}

bool tnd_library_object_each(void (*found)(const struct tnd_library_object *object))
{
    struct visit visit = {found, false, false};
    dl_iterate_phdr(visit_one, &visit);
    return visit.is_changed;
}

bool tnd_library_object_has_code(const struct tnd_library_object *object, uint64_t address)
{
    if (address < object->low || address >= object->high)
        return false;
    for (unsigned i = 0; i < object->n_parts; i++) {
        const ElfW(Phdr) *part = &object->parts[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X && address - object->bias - part->p_vaddr < part->p_memsz)
            return true;
    }
    return false;
}

/* The table: number of buckets, first symbol, words of the filter, its shift; the filter; the buckets; the chains, of
 * which the lowest bit says where one ends. */
bool tnd_library_object_exports(const struct tnd_library_object *object, const char *name)
{
    if (!object->hash)
        return true;
    uint32_t n_buckets = object->hash[0], first = object->hash[1], n_filter = object->hash[2], shift = object->hash[3];
    const uint64_t *filter = (const uint64_t *)(const void *)(object->hash + 4);
    const uint32_t *buckets = (const uint32_t *)(filter + n_filter), *chains = buckets + n_buckets;
    uint32_t hash = 5381;
    for (const char *c = name; *c; c++)
        hash = hash * 33 + (uint8_t)*c;
    uint64_t word = filter[hash / 64 % n_filter];
    if (!(word >> hash % 64 & word >> (hash >> shift) % 64 & 1) || !n_buckets)
        return false;
    for (uint32_t i = buckets[hash % n_buckets]; i >= first && i; i++) {
        if ((chains[i - first] | 1) == (hash | 1) && strcmp(object->strings + object->symbols[i].st_name, name) == 0)
            return true;
        if (chains[i - first] & 1)
            break;
    }
    return false;
}

const char *tnd_library_object_version(const struct tnd_library_object *object, size_t symbol)
{
    uint16_t wanted = object->versions && object->needed ? object->versions[symbol] & 0x7fff : 0;
    const char *file = (const char *)object->needed;
    while (wanted > 1) {
        const ElfW(Verneed) *of_file = (const ElfW(Verneed) *)(const void *)file;
        const char *at = file + of_file->vn_aux;
        for (unsigned i = 0; i < of_file->vn_cnt; i++) {
            const ElfW(Vernaux) *version = (const ElfW(Vernaux) *)(const void *)at;
            if (version->vna_other == wanted)
                return object->strings + version->vna_name;
            at += version->vna_next;
        }
        if (!of_file->vn_next)
            break;
        file += of_file->vn_next;
    }
    return NULL;
}

static void *look_up(void *scope, const char *name, const char *version)
{
    return version ? dlvsym(scope, name, version) : dlsym(scope, name);
}

/* Whether the object comes before the other one where the loader looks. */
static bool comes_before(const struct link_map *map, const struct link_map *other)
{
    while (map && map != other)
        map = map->l_next;
    return map != NULL;
}

/* Whether a symbol of the object has no version: it then stands for any that is wanted. */
static bool is_for_any_version(const struct link_map *map, const ElfW(Sym) * symbol)
{
    struct tnd_library_object object = {.bias = map->l_addr};
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
        read_entry(&object, entry);
    return !object.versions || (object.versions[symbol - object.symbols] & 0x7fff) <= VER_NDX_GLOBAL;
}

/* As the loader finds it for a call.  dlvsym passes over functions without a version, with which libraries that are
 * preloaded (ours, too) take the place of the C library's. */
static void *look_up_call(const char *name, const char *version)
{
    Dl_info info;
    struct link_map *map = NULL, *first_map = NULL;
    const ElfW(Sym) *symbol = NULL;
    void *found = look_up(RTLD_DEFAULT, name, version), *first = version ? dlsym(RTLD_DEFAULT, name) : NULL;
    if (!first || first == found || !dladdr1(first, &info, (void **)&first_map, RTLD_DL_LINKMAP) ||
        !dladdr1(first, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol || !is_for_any_version(first_map, symbol))
        return found;
    bool is_behind = found && dladdr1(found, &info, (void **)&map, RTLD_DL_LINKMAP) && !comes_before(first_map, map);
    return is_behind ? found : first;
}

/* Whether the address is a stub in the program's own file that stands for a function elsewhere: the function's address,
 * where the program is linked to a fixed place, but not what calls are bound to. */
static bool is_stand_in(const void *address)
{
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    const ElfW(Phdr) *parts = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    return (uint64_t)address - (uint64_t)parts < INT32_MAX &&
           dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol && symbol->st_shndx == SHN_UNDEF;
}

/* The loader looks in what the whole program sees, then in what the object was loaded with; the other way round for an
 * object that is linked so. */
uint64_t tnd_library_object_bind(const struct tnd_library_object *object, size_t symbol)
{
    int before = errno;
    const char *name = object->strings + object->symbols[symbol].st_name;
    const char *version = tnd_library_object_version(object, symbol);
    void *found = object->is_symbolic ? NULL : look_up_call(name, version);
    void *own = !found && !object->is_program ? dlopen(object->path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (own) {
        found = look_up(own, name, version);
        dlclose(own);
    }
    if (!found)
        found = look_up_call(name, version);
    if (found && is_stand_in(found))
        found = look_up(RTLD_NEXT, name, version);
    errno = before;
    return (uint64_t)found;
}
