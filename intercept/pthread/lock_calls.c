/* SPDX-License-Identifier: Apache-2.0
 *
 * Wrappers of locks, condition variables, barriers and semaphores.  Each kind of call is a table: calls that usually
 * wait are recorded; locks are recorded if they were not free; calls that never wait only with --pthread all.
 *
 * A trylock returns what the lock would have returned, for every kind of mutex (glibc 2.36), unless the mutex is busy;
 * so then the lock itself is called.  Calls whose time limit glibc checks first are in the table of those that wait.
 *
 * Cost: a free mutex, locked and unlocked, 3 to 8 ns more (measured, tests/bench); what is recorded, two clock reads.
 *
 * Context: pthread_self.h.
 */
#include "intercept/pthread/pthread_self.h"
#include "intercept/pthread/python_lock.h"
#include "sampler/sample.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

#define PUBLIC __attribute__((visibility("default")))

typedef const struct timespec *timespec_pointer;

#define WAITS(X)                                                                                                       \
    X(TND_PTHREAD_BARRIER, int, pthread_barrier_wait, (pthread_barrier_t * barrier), (barrier))                        \
    X(TND_PTHREAD_COND_WAIT, int, pthread_cond_clockwait,                                                              \
      (pthread_cond_t * cond, pthread_mutex_t * mutex, clockid_t clock, timespec_pointer limit),                       \
      (cond, mutex, clock, limit))                                                                                     \
    X(TND_PTHREAD_COND_WAIT, int, cnd_wait, (cnd_t * cond, mtx_t * mutex), (cond, mutex))                              \
    X(TND_PTHREAD_COND_WAIT, int, cnd_timedwait, (cnd_t * cond, mtx_t * mutex, timespec_pointer limit),                \
      (cond, mutex, limit))                                                                                            \
    X(TND_PTHREAD_LOCK, int, pthread_mutex_clocklock,                                                                  \
      (pthread_mutex_t * mutex, clockid_t clock, timespec_pointer limit), (mutex, clock, limit))                       \
    X(TND_PTHREAD_READ_LOCK, int, pthread_rwlock_timedrdlock, (pthread_rwlock_t * lock, timespec_pointer limit),       \
      (lock, limit))                                                                                                   \
    X(TND_PTHREAD_READ_LOCK, int, pthread_rwlock_clockrdlock,                                                          \
      (pthread_rwlock_t * lock, clockid_t clock, timespec_pointer limit), (lock, clock, limit))                        \
    X(TND_PTHREAD_WRITE_LOCK, int, pthread_rwlock_timedwrlock, (pthread_rwlock_t * lock, timespec_pointer limit),      \
      (lock, limit))                                                                                                   \
    X(TND_PTHREAD_WRITE_LOCK, int, pthread_rwlock_clockwrlock,                                                         \
      (pthread_rwlock_t * lock, clockid_t clock, timespec_pointer limit), (lock, clock, limit))

/* Calls by which CPython waits for its lock, too; whether they have a time limit. */
#define COND_WAITS(X)                                                                                                  \
    X(pthread_cond_wait, (pthread_cond_t * cond, pthread_mutex_t * mutex), (cond, mutex), false)                       \
    X(pthread_cond_timedwait, (pthread_cond_t * cond, pthread_mutex_t * mutex, timespec_pointer limit),                \
      (cond, mutex, limit), true)

/* Calls that the sampler's signal would end with EINTR. */
#define RESTARTLESS(X)                                                                                                 \
    X(sem_timedwait, (sem_t * semaphore, timespec_pointer limit), (semaphore, limit))                                  \
    X(sem_clockwait, (sem_t * semaphore, clockid_t clock, timespec_pointer limit), (semaphore, clock, limit))

#define NEVER_WAIT(X)                                                                                                  \
    X(TND_PTHREAD_LOCK, int, pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))                                \
    X(TND_PTHREAD_LOCK, int, mtx_trylock, (mtx_t * mutex), (mutex))                                                    \
    X(TND_PTHREAD_READ_LOCK, int, pthread_rwlock_tryrdlock, (pthread_rwlock_t * lock), (lock))                         \
    X(TND_PTHREAD_WRITE_LOCK, int, pthread_rwlock_trywrlock, (pthread_rwlock_t * lock), (lock))                        \
    X(TND_PTHREAD_SEM_WAIT, int, sem_trywait, (sem_t * semaphore), (semaphore))                                        \
    X(TND_PTHREAD_UNLOCK, int, pthread_mutex_unlock, (pthread_mutex_t * mutex), (mutex))                               \
    X(TND_PTHREAD_UNLOCK, int, mtx_unlock, (mtx_t * mutex), (mutex))                                                   \
    X(TND_PTHREAD_RW_UNLOCK, int, pthread_rwlock_unlock, (pthread_rwlock_t * lock), (lock))                            \
    X(TND_PTHREAD_SIGNAL, int, cnd_signal, (cnd_t * cond), (cond))                                                     \
    X(TND_PTHREAD_BROADCAST, int, pthread_cond_broadcast, (pthread_cond_t * cond), (cond))                             \
    X(TND_PTHREAD_BROADCAST, int, cnd_broadcast, (cnd_t * cond), (cond))                                               \
    X(TND_PTHREAD_SEM_POST, int, sem_post, (sem_t * semaphore), (semaphore))

/* With the call that tries, and what it returns if the lock is busy. */
#define LOCKS(X)                                                                                                       \
    X(TND_PTHREAD_LOCK, pthread_mutex_lock, (pthread_mutex_t * lock), (lock), pthread_mutex_trylock, EBUSY)            \
    X(TND_PTHREAD_LOCK, pthread_mutex_timedlock, (pthread_mutex_t * lock, timespec_pointer limit), (lock, limit),      \
      pthread_mutex_trylock, EBUSY)                                                                                    \
    X(TND_PTHREAD_LOCK, mtx_lock, (mtx_t * lock), (lock), mtx_trylock, thrd_busy)                                      \
    X(TND_PTHREAD_LOCK, mtx_timedlock, (mtx_t * lock, timespec_pointer limit), (lock, limit), mtx_trylock, thrd_busy)  \
    X(TND_PTHREAD_READ_LOCK, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock), pthread_rwlock_tryrdlock,       \
      EBUSY)                                                                                                           \
    X(TND_PTHREAD_WRITE_LOCK, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock), pthread_rwlock_trywrlock, EBUSY)

#define WAIT(call, ...) TND_PTHREAD_WRAP(tnd_pthread_mode != TND_PTHREAD_NONE, call, __VA_ARGS__)
WAITS(WAIT)

#define COND_WAIT(name, parameters, arguments, has_limit)                                                              \
    static int(*real_##name) parameters;                                                                               \
    PUBLIC int name parameters                                                                                         \
    {                                                                                                                  \
        int(*real) parameters = TND_PTHREAD_REAL(name);                                                                \
        if (__builtin_expect(tnd_python_lock_has(cond), 0)) {                                                          \
            struct tnd_thread *waiting = tnd_python_lock_enter();                                                      \
            int woken = real arguments;                                                                                \
            tnd_python_lock_leave(waiting, has_limit, woken == ETIMEDOUT);                                             \
            return woken;                                                                                              \
        }                                                                                                              \
        if (tnd_pthread_mode == TND_PTHREAD_NONE)                                                                      \
            return real arguments;                                                                                     \
        struct tnd_thread *thread = tnd_pthread_self_enter(TND_PTHREAD_COND_WAIT, __builtin_return_address(0));        \
        int answer = real arguments;                                                                                   \
        tnd_pthread_self_leave(thread);                                                                                \
        return answer;                                                                                                 \
    }
COND_WAITS(COND_WAIT)

#define NO_WAIT(call, ...) TND_PTHREAD_WRAP(tnd_pthread_mode == TND_PTHREAD_ALL, call, __VA_ARGS__)
NEVER_WAIT(NO_WAIT)

static int (*real_pthread_cond_signal)(pthread_cond_t *);

PUBLIC int pthread_cond_signal(pthread_cond_t *cond)
{
    int (*real)(pthread_cond_t *) = TND_PTHREAD_REAL(pthread_cond_signal);
    if (__builtin_expect(tnd_python_lock_has(cond), 0)) {
        tnd_python_lock_signal();
        return real(cond);
    }
    if (tnd_pthread_mode != TND_PTHREAD_ALL)
        return real(cond);
    struct tnd_thread *thread = tnd_pthread_self_enter(TND_PTHREAD_SIGNAL, __builtin_return_address(0));
    int answer = real(cond);
    tnd_pthread_self_leave(thread);
    return answer;
}

#define LOCK(call, name, parameters, arguments, tries, busy)                                                           \
    static int(*real_##name) parameters;                                                                               \
    PUBLIC int name parameters                                                                                         \
    {                                                                                                                  \
        int(*real) parameters = TND_PTHREAD_REAL(name);                                                                \
        if (tnd_pthread_mode == TND_PTHREAD_NONE)                                                                      \
            return real arguments;                                                                                     \
        if (tnd_pthread_mode == TND_PTHREAD_WAITS) {                                                                   \
            int tried = TND_PTHREAD_REAL(tries)(lock);                                                                 \
            if (__builtin_expect(tried != (busy), 1))                                                                  \
                return tried;                                                                                          \
        }                                                                                                              \
        struct tnd_thread *thread = tnd_pthread_self_enter(call, __builtin_return_address(0));                         \
        int answer = real arguments;                                                                                   \
        tnd_pthread_self_leave(thread);                                                                                \
        return answer;                                                                                                 \
    }
LOCKS(LOCK)

#define RESTARTLESS_WAIT(name, parameters, arguments)                                                                  \
    static int(*real_##name) parameters;                                                                               \
    PUBLIC int name parameters                                                                                         \
    {                                                                                                                  \
        int(*real) parameters = TND_PTHREAD_REAL(name);                                                                \
        struct tnd_thread *thread = tnd_pthread_self_enter(TND_PTHREAD_SEM_WAIT, __builtin_return_address(0));         \
        bool has_entered = tnd_sample_in_calls && tnd_sample_enter_call();                                             \
        int answer = real arguments;                                                                                   \
        if (has_entered)                                                                                               \
            tnd_sample_leave_call((const void *)real);                                                                 \
        tnd_pthread_self_leave(thread);                                                                                \
        return answer;                                                                                                 \
    }
RESTARTLESS(RESTARTLESS_WAIT)

static int (*real_sem_wait)(sem_t *);

/* sem_wait is a cancellation point, sem_trywait is not. */
PUBLIC int sem_wait(sem_t *semaphore)
{
    int (*real)(sem_t *) = TND_PTHREAD_REAL(sem_wait);
    if (tnd_pthread_mode == TND_PTHREAD_NONE)
        return real(semaphore);
    if (tnd_pthread_mode == TND_PTHREAD_WAITS) {
        int before = errno;
        pthread_testcancel();
        if (TND_PTHREAD_REAL(sem_trywait)(semaphore) == 0)
            return 0;
        errno = before;
    }
    struct tnd_thread *thread = tnd_pthread_self_enter(TND_PTHREAD_SEM_WAIT, __builtin_return_address(0));
    int answer = real(semaphore);
    tnd_pthread_self_leave(thread);
    return answer;
}

__attribute__((constructor(101))) static void find_real(void)
{
#define FIND(call, result, name, ...) real_##name = TND_PTHREAD_FIND(name);
#define FIND_COND(name, ...) real_##name = TND_PTHREAD_FIND(name);
#define FIND_RESTARTLESS(name, ...) real_##name = TND_PTHREAD_FIND(name);
#define FIND_LOCK(call, name, ...) real_##name = TND_PTHREAD_FIND(name);
    WAITS(FIND)
    COND_WAITS(FIND_COND)
    NEVER_WAIT(FIND)
    LOCKS(FIND_LOCK)
    RESTARTLESS(FIND_RESTARTLESS)
    real_pthread_cond_signal = TND_PTHREAD_FIND(pthread_cond_signal);
    real_sem_wait = TND_PTHREAD_FIND(sem_wait);
}
