/* SPDX-License-Identifier: Apache-2.0
 *
 * Which calls are recorded, and their records.  Context: pthread_self.h.
 */
#include "intercept/pthread/pthread_self.h"

#include "formats/event_types.h"
#include "runtime/config.h"
#include "runtime/counting.h"
#include "runtime/emit.h"
#include "runtime/modules.h"
#include "runtime/pattern.h"
#include "runtime/place.h"
#include "runtime/source.h"

#include <link.h>
#include <string.h>

#define CACHE_BITS 8

enum tnd_pthread_mode tnd_pthread_mode;

/* Names of the calls, for patterns; those of C11 threads go with POSIX's. */
static const char *const names[] = {
    [TND_PTHREAD_EXIT] = "pthread_exit",
    [TND_PTHREAD_CREATE] = "pthread_create",
    [TND_PTHREAD_JOIN] = "pthread_join",
    [TND_PTHREAD_DETACH] = "pthread_detach",
    [TND_PTHREAD_WRITE_LOCK] = "pthread_rwlock_wrlock",
    [TND_PTHREAD_READ_LOCK] = "pthread_rwlock_rdlock",
    [TND_PTHREAD_RW_UNLOCK] = "pthread_rwlock_unlock",
    [TND_PTHREAD_LOCK] = "pthread_mutex_lock",
    [TND_PTHREAD_UNLOCK] = "pthread_mutex_unlock",
    [TND_PTHREAD_SIGNAL] = "pthread_cond_signal",
    [TND_PTHREAD_BROADCAST] = "pthread_cond_broadcast",
    [TND_PTHREAD_COND_WAIT] = "pthread_cond_wait",
    [TND_PTHREAD_BARRIER] = "pthread_barrier_wait",
    [TND_PTHREAD_SEM_WAIT] = "sem_wait",
    [TND_PTHREAD_SEM_POST] = "sem_post",
};
#define N_NAMES (sizeof names / sizeof *names)
static bool is_excluded[N_NAMES];

/* A cache of callers, valid as long as no code is loaded or unloaded: address << 1 | whether their calls are
 * recorded. */
static uintptr_t judged[1 << CACHE_BITS];
static uint64_t judged_generation;

/* Beginnings of the names of libraries whose own calls are not recorded: their waiting is part of a call of theirs that
 * is recorded, or they are ours. */
static const char *const untold[] = {"libgomp.so", "libomp.so", "libiomp5.so",  "libmpi",   "libopen-",
                                     "libpmix",    "libprrte",  "libmpich.so",  "libevent", "libucp.so",
                                     "libucs.so",  "libuct.so", "libfabric.so", "libpsm",   "mca_",
                                     "pmix_mca_",  "libtandem"};

/* Takes no lock: a thread may come here with any. */
static bool judge(const void *caller)
{
    struct dl_find_object object;
    if (_dl_find_object((void *)caller, &object) != 0)
        return true;
    const char *path = object.dlfo_link_map->l_name, *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (unsigned i = 0; i < sizeof untold / sizeof *untold; i++)
        if (strncmp(name, untold[i], strlen(untold[i])) == 0)
            return false;
    return true;
}

/* Empties the cache, because other code may now be at these addresses.  What another thread puts into it meanwhile is
 * about code that is still loaded. */
static void forget(uint64_t generation)
{
    for (unsigned i = 0; i < 1 << CACHE_BITS; i++)
        __atomic_store_n(&judged[i], 0, __ATOMIC_RELAXED);
    __atomic_store_n(&judged_generation, generation, __ATOMIC_RELAXED);
}

static bool is_told(const void *caller)
{
    uint64_t generation = __atomic_load_n(&tnd_modules_generation, __ATOMIC_RELAXED);
    if (__builtin_expect(__atomic_load_n(&judged_generation, __ATOMIC_RELAXED) != generation, 0))
        forget(generation);
    uintptr_t address = (uintptr_t)caller;
    uintptr_t *place = &judged[(uint64_t)address * 0x9e3779b97f4a7c15u >> (64 - CACHE_BITS)];
    uintptr_t known = __atomic_load_n(place, __ATOMIC_RELAXED);
    if (known >> 1 != address) {
        known = address << 1 | judge(caller);
        __atomic_store_n(place, known, __ATOMIC_RELAXED);
    }
    return known & 1;
}

bool tnd_pthread_self_tells(const void *caller)
{
    return tnd_pthread_mode != TND_PTHREAD_NONE && is_told(caller);
}

static inline void tell(struct tnd_thread *thread, enum tnd_record_kind kind, uint16_t value)
{
    uint64_t now = tnd_clock_ticks();
    tnd_place_note_cpu(thread, now);
    tnd_emit_head(&thread->main, now, (uint8_t)kind, TND_TYPE_PTHREAD_CALL, value);
    tnd_counting_mark(thread, now, TND_COUNTING_PTHREAD);
}

struct tnd_thread *tnd_pthread_self_enter(enum tnd_pthread_call call, const void *caller)
{
    struct tnd_thread *thread = !is_excluded[call] && tnd_pthread_self_tells(caller) ? tnd_thread_get() : NULL;
    if (thread)
        tell(thread, TND_RECORD_ENTER, (uint16_t)call);
    return thread;
}

void tnd_pthread_self_leave(struct tnd_thread *thread)
{
    if (thread && tnd_thread_get() == thread)
        tell(thread, TND_RECORD_LEAVE, 0);
}

static const char *name_of(unsigned call)
{
    return names[call];
}

static void choose(void)
{
    for (unsigned call = 0; call < N_NAMES; call++)
        is_excluded[call] =
            names[call] && !tnd_pattern_wants(tnd_config.pthread_functions, tnd_config.pthread_exclude, names[call]);
    tnd_pattern_note_unmet("pthread-functions", tnd_config.pthread_functions, N_NAMES, name_of);
    tnd_pattern_note_unmet("pthread-exclude", tnd_config.pthread_exclude, N_NAMES, name_of);
}

static bool start(void)
{
    tnd_pthread_mode = strcmp(tnd_config.pthread, "all") == 0     ? TND_PTHREAD_ALL
                       : strcmp(tnd_config.pthread, "waits") == 0 ? TND_PTHREAD_WAITS
                                                                  : TND_PTHREAD_NONE;
    if (tnd_pthread_mode != TND_PTHREAD_NONE)
        choose();
    return tnd_pthread_mode != TND_PTHREAD_NONE;
}

static const struct tnd_source pthread_source = {.name = "pthread", .rank = 200, .start = start};
TND_SOURCE(pthread_source);
