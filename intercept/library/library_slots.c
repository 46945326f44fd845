/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding and changing slots.  Context: library_slots.h.
 */
#include "intercept/library/library_slots.h"

#include "intercept/library/library_choice.h"
#include "intercept/library/library_object.h"
#include "intercept/library/library_sites.h"
#include "intercept/library/library_stubs.h"
#include "intercept/library/library_uses.h"
#include "runtime/config.h"
#include "runtime/target.h"
#include "sampler/restartless.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#define CALLED R_X86_64_JUMP_SLOT
#define HELD R_X86_64_GLOB_DAT
#define IS_OF_PLAIN_CALLS(symbol) true
#elif defined(__aarch64__)
#define CALLED R_AARCH64_JUMP_SLOT
#define HELD 0xffffffff                                          /* which instructions call through it is not known */
#define IS_OF_PLAIN_CALLS(symbol) (!((symbol)->st_other & 0x80)) /* STO_AARCH64_VARIANT_PCS: keeps other registers */
#else
#define CALLED 0xffffffff
#define HELD 0xffffffff
#define IS_OF_PLAIN_CALLS(symbol) false
#endif

/* Called by a function that catches an exception. */
static const char landing[] = "__cxa_begin_catch";

/* The objects, as they were at the last look. */
struct list {
    struct tnd_library_object *objects;
    size_t n, room;
};
static struct list known, found;
static struct tnd_library_object **targets;
static size_t n_targets;

/* Slots of one object, addresses without its bias, and the trampolines that they are to lead to. */
struct change {
    uint64_t slot, trampoline;
    bool is_read; /* the slot itself must stay */
};
static struct change *changes;
static size_t n_changes, changes_room;

/* Room for one more element; false: no memory. */
static bool make_room(void **array, size_t n, size_t *room, size_t size)
{
    if (n < *room)
        return true;
    void *larger = realloc(*array, (2 * n + 64) * size);
    if (!larger)
        return false;
    *array = larger;
    *room = 2 * n + 64;
    return true;
}

static void add_object(const struct tnd_library_object *object)
{
    char path[PATH_MAX];
    if (!make_room((void **)&found.objects, found.n, &found.room, sizeof *object))
        return;
    struct tnd_library_object *added = &found.objects[found.n];
    *added = *object;
    if (object->is_program)
        tnd_target_executable(path, sizeof path);
    added->path = strdup(object->is_program ? path : object->path);
    found.n += added->path != NULL;
}

/* Marks the objects that were there at the last look. */
static void mark_seen(void)
{
    for (size_t i = 0; i < found.n; i++)
        for (size_t k = 0; k < known.n && !found.objects[i].is_seen; k++)
            if (known.objects[k].bias == found.objects[i].bias && known.objects[k].parts == found.objects[i].parts &&
                strcmp(known.objects[k].path, found.objects[i].path) == 0)
                found.objects[i].is_seen = true;
}

/* Lists the objects that are to be wrapped; true: some of them are new. */
static bool list_targets(void)
{
    bool has_new = false;
    free(targets);
    targets = calloc(found.n + 1, sizeof *targets);
    n_targets = 0;
    for (size_t i = 0; targets && i < found.n; i++) {
        struct tnd_library_object *object = &found.objects[i];
        if (!tnd_library_choice_has(object->path))
            continue;
        targets[n_targets++] = object;
        has_new |= !object->is_seen;
        tnd_library_choice_note(object->path, TND_LIBRARY_LOADED);
    }
    return has_new;
}

static const struct tnd_library_object *target_at(uint64_t address)
{
    for (size_t i = 0; i < n_targets; i++)
        if (tnd_library_object_has_code(targets[i], address))
            return targets[i];
    return NULL;
}

/* The target that the function at an address is of, or the one behind it if it is ours and only waits: calls of that
 * are the program's calls of the target. */
static const struct tnd_library_object *target_of(uint64_t address)
{
    const struct tnd_library_object *target = target_at(address);
    const void *behind = target ? NULL : tnd_restartless_behind((const void *)address);
    return behind ? target_at((uint64_t)behind) : target;
}

static bool is_exported(const char *name)
{
    bool is = false;
    for (size_t i = 0; i < n_targets && !is; i++)
        is = tnd_library_object_exports(targets[i], name);
    return is;
}

/* What the slot leads to, or will lead to once it is bound: at its first call, unless the loader was told otherwise. */
static uint64_t function_behind(const struct tnd_library_object *object, const ElfW(Rela) * relocation, uint64_t value)
{
    size_t symbol = ELF64_R_SYM(relocation->r_info);
    if (ELF64_R_TYPE(relocation->r_info) != CALLED || !tnd_library_object_has_code(object, value))
        return value;
    return is_exported(object->strings + object->symbols[symbol].st_name) ? tnd_library_object_bind(object, symbol) : 0;
}

/* The trampoline of a function of a target; 0: it is not asked for. */
static uint64_t wrap(const struct tnd_library_object *target, uint64_t real, const char *name)
{
    uint64_t trampoline =
        tnd_library_choice_takes(target->path, name) ? tnd_library_stubs_get(real, name, target->path) : 0;
    if (trampoline)
        tnd_library_choice_note(target->path, TND_LIBRARY_WRAPPED);
    return trampoline;
}

/* The trampoline of the function that the slot leads to; 0: it stays as it is. */
static uint64_t trampoline_for(const struct tnd_library_object *object, const ElfW(Rela) * relocation, uint64_t value)
{
    size_t symbol = ELF64_R_SYM(relocation->r_info);
    const char *name = object->strings + object->symbols[symbol].st_name;
    if (tnd_config.library_dlsym && strcmp(name, "dlsym") == 0)
        return (uint64_t)tnd_library_slots_dlsym;
    if (strcmp(name, landing) == 0) {
        bool is_bound = !tnd_library_object_has_code(object, value);
        value = is_bound ? value : tnd_library_object_bind(object, symbol);
        return value ? tnd_library_stubs_get_landing(value, name) : 0;
    }
    uint64_t real = function_behind(object, relocation, value);
    const struct tnd_library_object *target = real ? target_of(real) : NULL;
    return target && (target->bias != object->bias || tnd_config.library_internal) ? wrap(target, real, name) : 0;
}

void *tnd_library_slots_find(void *function, const char *name)
{
    const struct tnd_library_object *target = target_of((uint64_t)function);
    uint64_t trampoline = target ? wrap(target, (uint64_t)function, name) : 0;
    return trampoline && tnd_library_stubs_finish() ? (void *)trampoline : function;
}

/* Whether a slot of the other kind may lead to a function of a target: the loader has filled it, and code calls through
 * it. */
static bool is_called(const struct tnd_library_object *object, uint64_t slot, uint64_t value, unsigned *uses)
{
    *uses = target_of(value) ? tnd_library_uses_of(object, slot) : 0;
    return *uses & TND_LIBRARY_CALLS;
}

static void look_at(const struct tnd_library_object *object, const ElfW(Rela) * relocations, size_t n, uint32_t type)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t slot = relocations[i].r_offset;
        const ElfW(Sym) *symbol = &object->symbols[ELF64_R_SYM(relocations[i].r_info)];
        if (ELF64_R_TYPE(relocations[i].r_info) != type || symbol == object->symbols || !IS_OF_PLAIN_CALLS(symbol))
            continue;
        uint64_t value = *(const uint64_t *)(object->bias + slot);
        unsigned uses = TND_LIBRARY_CALLS;
        if (!value || tnd_library_stubs_has(value) || (type == HELD && !is_called(object, slot, value, &uses)))
            continue;
        uint64_t trampoline = trampoline_for(object, &relocations[i], value);
        if (trampoline && make_room((void **)&changes, n_changes, &changes_room, sizeof *changes))
            changes[n_changes++] = (struct change){slot, trampoline, uses & TND_LIBRARY_READS};
    }
}

/* Makes the pages that the loader has made read-only writable, or the other way round. */
static bool guard(const struct tnd_library_object *object, int rights)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t begin = object->guarded & ~(page - 1), end = (object->guarded + object->guarded_size) & ~(page - 1);
    return begin >= end || mprotect((void *)begin, end - begin, rights) == 0;
}

static void change_slots(const struct tnd_library_object *object)
{
    if (!n_changes || !guard(object, PROT_READ | PROT_WRITE))
        return;
    for (size_t i = 0; i < n_changes; i++)
        if (!changes[i].is_read)
            __atomic_store_n((uint64_t *)(object->bias + changes[i].slot), changes[i].trampoline, __ATOMIC_RELEASE);
    guard(object, PROT_READ);
    for (size_t i = 0; i < n_changes; i++)
        if (changes[i].is_read)
            tnd_library_sites_lead(object, changes[i].slot, changes[i].trampoline);
}

static void look(void)
{
    bool is_all = list_targets();
    tnd_library_uses_forget();
    for (size_t i = 0; n_targets && i < found.n; i++) {
        struct tnd_library_object *object = &found.objects[i];
        if (object->is_seen && !is_all)
            continue;
        n_changes = 0;
        look_at(object, object->calls, object->n_calls, CALLED);
        look_at(object, object->others, object->n_others, HELD);
        if (tnd_library_stubs_finish())
            change_slots(object);
    }
}

void tnd_library_slots_look(void)
{
    found.n = 0;
    if (!tnd_library_object_each(add_object))
        return;
    mark_seen();
    look();
    for (size_t i = 0; i < known.n; i++)
        free((char *)known.objects[i].path);
    struct list before = known;
    known = found;
    found = before;
}
