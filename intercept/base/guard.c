/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose function a name is.  Context: guard.h.
 */
#include "intercept/base/guard.h"

#include "intercept/base/callee.h"
#include "runtime/modules.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

#define MAX_OWNERS 16 /* files that define a name, of which more than one has to be known only rarely */

extern const char __ehdr_start[] __attribute__((visibility("hidden")));

/* What a loaded file says of its symbols. */
struct file {
    uintptr_t bias;
    const ElfW(Sym) * symbols;
    const char *strings;
    const uint32_t *gnu_hash, *hash;
};

struct owners {
    const char *name, *twin;
    uint32_t name_hash, twin_hash;
    unsigned n, n_meant, n_tools;
    struct owner {
        const void *address;
        bool is_meant, is_tool;
    } files[MAX_OWNERS];
};

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

static const void *address_of(const struct file *file, uintptr_t value)
{
    return (const void *)(value < file->bias ? value + file->bias : value);
}

static void read_dynamic(struct file *file, const ElfW(Dyn) * entry)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        const void *address = address_of(file, entry->d_un.d_ptr);
        if (entry->d_tag == DT_SYMTAB)
            file->symbols = address;
        else if (entry->d_tag == DT_STRTAB)
            file->strings = address;
        else if (entry->d_tag == DT_GNU_HASH)
            file->gnu_hash = address;
        else if (entry->d_tag == DT_HASH)
            file->hash = address;
    }
}

static bool is_defined(const struct file *file, const ElfW(Sym) * symbol, const char *name)
{
    return symbol->st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) != STB_LOCAL &&
           strcmp(file->strings + symbol->st_name, name) == 0;
}

/* The symbol that the file defines by a name; NULL: none. */
static const ElfW(Sym) * find_symbol(const struct file *file, const char *name, uint32_t hash)
{
    const uint32_t *table = file->gnu_hash;
    if (!table) {
        for (uint32_t i = 1; file->hash && i < file->hash[1]; i++)
            if (is_defined(file, &file->symbols[i], name))
                return &file->symbols[i];
        return NULL;
    }
    uint32_t n_buckets = table[0], first = table[1], n_words = table[2];
    enum { BITS = 8 * sizeof(ElfW(Addr)) };
    const ElfW(Addr) *bloom = (const ElfW(Addr) *)(table + 4);
    const uint32_t *buckets = (const uint32_t *)(bloom + n_words), *chains = buckets + n_buckets;
    ElfW(Addr) word = bloom[hash / BITS % n_words];
    if (!(word >> hash % BITS & word >> (hash >> table[3]) % BITS & 1) || n_buckets == 0)
        return NULL;
    for (uint32_t i = buckets[hash % n_buckets]; i >= first; i++) {
        if ((chains[i - first] | 1) == (hash | 1) && is_defined(file, &file->symbols[i], name))
            return &file->symbols[i];
        if (chains[i - first] & 1)
            return NULL;
    }
    return NULL;
}

/* Whether the file refers to a function: what is in no hash table comes first. */
static bool refers_to(const struct file *file, const char *name)
{
    uint32_t n = file->gnu_hash ? file->gnu_hash[1] : file->hash[1];
    for (uint32_t i = 1; i < n; i++)
        if (file->symbols[i].st_shndx == SHN_UNDEF && strcmp(file->strings + file->symbols[i].st_name, name) == 0)
            return true;
    return false;
}

static int look_into(struct dl_phdr_info *info, size_t size, void *data)
{
    struct owners *owners = data;
    struct file file = {.bias = info->dlpi_addr};
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            read_dynamic(&file, (const ElfW(Dyn) *)(file.bias + info->dlpi_phdr[i].p_vaddr));
    if (file.bias == (uintptr_t)__ehdr_start || !file.symbols || !file.strings || (!file.gnu_hash && !file.hash))
        return 0;
    const ElfW(Sym) *found = find_symbol(&file, owners->name, owners->name_hash);
    if (!found)
        return 0;
    struct owner owner = {.address = (const void *)(file.bias + found->st_value),
                          .is_meant = find_symbol(&file, owners->twin, owners->twin_hash) != NULL};
    owner.is_tool = !owner.is_meant && (refers_to(&file, owners->twin) || refers_to(&file, "dlsym"));
    owners->n_meant += owner.is_meant;
    owners->n_tools += owner.is_tool;
    if (owners->n < MAX_OWNERS)
        owners->files[owners->n] = owner;
    owners->n++;
    return 0;
}

/* What the caller's own file, or one that was loaded for it, defines. */
static const void *find_local(const struct owners *owners, const void *caller)
{
    for (unsigned i = 0; i < owners->n && i < MAX_OWNERS; i++)
        if (tnd_callee_file_of(owners->files[i].address) == tnd_callee_file_of(caller))
            return owners->files[i].address;
    Dl_info info;
    struct link_map *file = NULL; /* which is what dlopen returns; so nothing is opened, nor closed */
    bool is_known = dladdr1(caller, &info, (void **)&file, RTLD_DL_LINKMAP) && file;
    const void *found = is_known ? dlsym(file, owners->name) : NULL;
    return found && tnd_callee_file_of(found) != (const void *)__ehdr_start ? found : NULL;
}

/* Where a call would have gone without us, if there are functions of both kinds. */
static const void *find_bound(const struct owners *owners, const void *next, const void *caller)
{
    const void *bound = next ? next : find_local(owners, caller);
    for (unsigned i = 0; !bound && i < owners->n && i < MAX_OWNERS; i++)
        if (owners->files[i].is_meant)
            bound = owners->files[i].address;
    return bound ? bound : owners->files[0].address;
}

static bool is_meant(const struct owners *owners, const void *function)
{
    for (unsigned i = 0; i < owners->n && i < MAX_OWNERS; i++)
        if (owners->files[i].address == function)
            return owners->files[i].is_meant || (owners->files[i].is_tool && owners->n_meant);
    return false;
}

static void *keep(struct tnd_guard *guard, void *target, uint64_t generation)
{
    __atomic_store_n(&guard->target, target, __ATOMIC_RELAXED);
    __atomic_store_n(&guard->generation, generation, __ATOMIC_RELEASE);
    return target;
}

void *tnd_guard_decide(struct tnd_guard *guard, const void *caller)
{
    int saved_errno = errno;
    const char *here = (const char *)guard;
    void *own = (void *)(here + guard->own);
    uint64_t generation = __atomic_load_n(&tnd_modules_generation, __ATOMIC_ACQUIRE);
    struct owners owners = {.name = here + guard->name, .twin = here + guard->twin};
    owners.name_hash = hash_of(owners.name);
    owners.twin_hash = hash_of(owners.twin);
    dl_iterate_phdr(look_into, &owners);
    if (owners.n == owners.n_meant + (owners.n_meant ? owners.n_tools : 0)) {
        errno = saved_errno;
        return keep(guard, own, generation);
    }
    const void *next = dlsym(RTLD_NEXT, owners.name), *bound = find_bound(&owners, next, caller);
    void *target = is_meant(&owners, bound) ? own : (void *)bound;
    errno = saved_errno;
    return next ? keep(guard, target, generation) : target; /* what is next is so for all callers */
}
