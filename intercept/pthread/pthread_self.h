/* SPDX-License-Identifier: Apache-2.0
 *
 * What the wrappers of POSIX threads, C11 threads and semaphores share.  C++ threads call POSIX's functions.
 *
 * Mutexes are also locked before our start, in the program's allocator and in constructors: a wrapper then only calls
 * the real function.  In the usual mode a lock that is free is taken by its trylock and not recorded: only waiting is.
 * Calls by other recorded libraries (OpenMP's, MPI's) are part of those libraries' own calls and not recorded.
 *
 * Context: the program's calls, in the calling thread; not for handlers.  Nothing here allocates, locks or changes
 * errno.
 */
#ifndef TND_PTHREAD_SELF_H
#define TND_PTHREAD_SELF_H

#include "runtime/thread.h"

#include <dlfcn.h>

enum tnd_pthread_mode { TND_PTHREAD_NONE, TND_PTHREAD_WAITS, TND_PTHREAD_ALL };

/* NONE before the start. */
extern enum tnd_pthread_mode tnd_pthread_mode __attribute__((visibility("hidden")));

/* Values of event type PTHREAD_CALL, as event_types.tsv has them. */
enum tnd_pthread_call {
    TND_PTHREAD_EXIT = 1,
    TND_PTHREAD_CREATE = 2,
    TND_PTHREAD_JOIN = 3,
    TND_PTHREAD_DETACH = 4,
    TND_PTHREAD_WRITE_LOCK = 5,
    TND_PTHREAD_READ_LOCK = 6,
    TND_PTHREAD_RW_UNLOCK = 7,
    TND_PTHREAD_LOCK = 8,
    TND_PTHREAD_UNLOCK = 9,
    TND_PTHREAD_SIGNAL = 10,
    TND_PTHREAD_BROADCAST = 11,
    TND_PTHREAD_COND_WAIT = 12,
    TND_PTHREAD_BARRIER = 13,
    TND_PTHREAD_SEM_WAIT = 20,
    TND_PTHREAD_SEM_POST = 21,
};

/* Whether calls from the code at `caller` are the program's own and are to be recorded. */
bool tnd_pthread_self_tells(const void *caller);

/* A call begins, from the program's code at `caller`; NULL: it is not recorded.  And the call ends. */
struct tnd_thread *tnd_pthread_self_enter(enum tnd_pthread_call call, const void *caller);
void tnd_pthread_self_leave(struct tnd_thread *thread);

/* The real function behind a wrapper: found by a constructor, before there are threads; a call that comes earlier looks
 * it up each time. */
#define TND_PTHREAD_FIND(name) ((__typeof__(real_##name))dlsym(RTLD_NEXT, #name))
#define TND_PTHREAD_REAL(name) (__builtin_expect(real_##name != NULL, 1) ? real_##name : TND_PTHREAD_FIND(name))

/* A wrapper that records each of its calls, unless `records` says otherwise. */
#define TND_PTHREAD_WRAP(records, call, result, name, parameters, arguments)                                           \
    static result(*real_##name) parameters;                                                                            \
    __attribute__((visibility("default"))) result name parameters                                                      \
    {                                                                                                                  \
        result(*real) parameters = TND_PTHREAD_REAL(name);                                                             \
        if (__builtin_expect(!(records), 0))                                                                           \
            return real arguments;                                                                                     \
        struct tnd_thread *thread = tnd_pthread_self_enter(call, __builtin_return_address(0));                         \
        result answer = real arguments;                                                                                \
        tnd_pthread_self_leave(thread);                                                                                \
        return answer;                                                                                                 \
    }

#endif
