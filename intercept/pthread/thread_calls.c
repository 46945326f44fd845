/* SPDX-License-Identifier: Apache-2.0
 *
 * Wrappers of creating, joining, detaching and leaving threads.  A new thread is set up here even when its calls are
 * not recorded: it gets its streams before it runs the program's function, which is recorded as a CODE.
 *
 * Context: pthread_self.h; creating a thread allocates, in the creating thread.
 */
#include "intercept/pthread/pthread_self.h"

#include "formats/event_types.h"
#include "runtime/emit.h"
#include "runtime/run.h"

#include <pthread.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

#define PUBLIC __attribute__((visibility("default")))

typedef const struct timespec *timespec_pointer;

#define CALLS(X)                                                                                                       \
    X(TND_PTHREAD_JOIN, int, pthread_join, (pthread_t thread_, void **value), (thread_, value))                        \
    X(TND_PTHREAD_JOIN, int, pthread_timedjoin_np, (pthread_t thread_, void **value, timespec_pointer limit),          \
      (thread_, value, limit))                                                                                         \
    X(TND_PTHREAD_JOIN, int, pthread_clockjoin_np,                                                                     \
      (pthread_t thread_, void **value, clockid_t clock, timespec_pointer limit), (thread_, value, clock, limit))      \
    X(TND_PTHREAD_JOIN, int, thrd_join, (thrd_t thread_, int *value), (thread_, value))                                \
    X(TND_PTHREAD_DETACH, int, pthread_detach, (pthread_t thread_), (thread_))                                         \
    X(TND_PTHREAD_DETACH, int, thrd_detach, (thrd_t thread_), (thread_))

#define WRAP(call, ...) TND_PTHREAD_WRAP(tnd_pthread_mode != TND_PTHREAD_NONE, call, __VA_ARGS__)
CALLS(WRAP)

struct birth {
    union {
        void *(*posix)(void *);
        thrd_start_t c11;
    } function;
    void *argument;
    bool is_told; /* the program's own code created it */
    struct birth *next;
};

/* Of threads that have begun, until another is created: to free them there would give each new thread what the C
 * library keeps for threads that allocate, 64 MiB of address space among it. */
static struct birth *begun;

static void free_begun(void)
{
    for (struct birth *next, *birth = __atomic_exchange_n(&begun, NULL, __ATOMIC_ACQUIRE); birth; birth = next) {
        next = birth->next;
        free(birth);
    }
}

/* In the new thread. */
static struct birth be_born(void *data)
{
    struct birth *kept = data, birth = *kept;
    kept->next = __atomic_load_n(&begun, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&begun, &kept->next, kept, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
    struct tnd_thread *thread = tnd_run_directory()[0] ? tnd_thread_get() : NULL;
    if (thread && birth.is_told)
        tnd_emit_word(&thread->main, tnd_clock_ticks(), TND_RECORD_CODE, TND_TYPE_THREAD_FUNCTION, 0,
                      (uintptr_t)birth.function.posix);
    return birth;
}

static void tell_end(const struct birth *birth)
{
    struct tnd_thread *thread = birth->is_told ? tnd_thread_get() : NULL;
    if (thread)
        tnd_emit_head(&thread->main, tnd_clock_ticks(), TND_RECORD_LEAVE, TND_TYPE_THREAD_FUNCTION, 0);
}

static void *run_posix(void *data)
{
    struct birth birth = be_born(data);
    void *value = birth.function.posix(birth.argument);
    tell_end(&birth);
    return value;
}

static int run_c11(void *data)
{
    struct birth birth = be_born(data);
    int value = birth.function.c11(birth.argument);
    tell_end(&birth);
    return value;
}

static struct birth *prepare(struct birth birth)
{
    struct birth *kept = tnd_run_directory()[0] ? malloc(sizeof *kept) : NULL;
    free_begun();
    if (kept)
        *kept = birth;
    return kept;
}

static int (*real_pthread_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

PUBLIC int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                          void *argument)
{
    struct birth *birth = prepare(
        (struct birth){{.posix = function}, argument, tnd_pthread_self_tells(__builtin_return_address(0)), NULL});
    if (!birth)
        return TND_PTHREAD_REAL(pthread_create)(thread, attributes, function, argument);
    struct tnd_thread *self = tnd_pthread_self_enter(TND_PTHREAD_CREATE, __builtin_return_address(0));
    int error = TND_PTHREAD_REAL(pthread_create)(thread, attributes, run_posix, birth);
    tnd_pthread_self_leave(self);
    if (error)
        free(birth);
    return error;
}

static int (*real_thrd_create)(thrd_t *, thrd_start_t, void *);

PUBLIC int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
    struct birth *birth =
        prepare((struct birth){{.c11 = function}, argument, tnd_pthread_self_tells(__builtin_return_address(0)), NULL});
    if (!birth)
        return TND_PTHREAD_REAL(thrd_create)(thread, function, argument);
    struct tnd_thread *self = tnd_pthread_self_enter(TND_PTHREAD_CREATE, __builtin_return_address(0));
    int error = TND_PTHREAD_REAL(thrd_create)(thread, run_c11, birth);
    tnd_pthread_self_leave(self);
    if (error != thrd_success)
        free(birth);
    return error;
}

static void (*real_pthread_exit)(void *);
static void (*real_thrd_exit)(int);

/* Destructors and clean-up handlers run within the call; the thread's end writes its LEAVE. */
PUBLIC void pthread_exit(void *value)
{
    tnd_pthread_self_enter(TND_PTHREAD_EXIT, __builtin_return_address(0));
    TND_PTHREAD_REAL(pthread_exit)(value);
    __builtin_unreachable();
}

PUBLIC void thrd_exit(int value)
{
    tnd_pthread_self_enter(TND_PTHREAD_EXIT, __builtin_return_address(0));
    TND_PTHREAD_REAL(thrd_exit)(value);
    __builtin_unreachable();
}

__attribute__((constructor(101))) static void find_real(void)
{
#define FIND(call, result, name, ...) real_##name = TND_PTHREAD_FIND(name);
    CALLS(FIND)
    real_pthread_create = TND_PTHREAD_FIND(pthread_create);
    real_thrd_create = TND_PTHREAD_FIND(thrd_create);
    real_pthread_exit = TND_PTHREAD_FIND(pthread_exit);
    real_thrd_exit = TND_PTHREAD_FIND(thrd_exit);
}
