/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that a signal ends with EINTR even under SA_RESTART, and transfers of more than a page, which it ends before
 * all is done.  With a sampling clock whose signals may come inside calls, its signal is blocked during these calls, so
 * that the program sees no EINTR and no short count because of us: some 0.3 us a call (tests/bench; to stop a timer and
 * to start it again takes 3 us in a virtual machine).  A program that has a handler of its own for that signal keeps
 * it open, and bears the consequences.  With any other clock, or none, the calls cost one branch that is always taken
 * the same way.
 *
 * Not here: sem_timedwait and sem_clockwait, which are recorded as well (intercept/pthread); short reads on sockets
 * with a time limit, which are too frequent as files; calls that the C library makes of itself.
 *
 * Context: as the function that is interposed.
 */
/* With the first of these, libc's headers would turn pread into a second pread64, and so on; both names are interposed.
 * With the other they would define poll, read and more, and clang ignores attributes that come after a definition. */
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE

#include "sampler/restartless.h"
#include "runtime/clock.h"
#include "sampler/sample.h"
#include "sampler/signals.h"
#include "sampler/waits.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

typedef struct timespec timespec_;
typedef const struct timespec *wait_time;
typedef struct sockaddr *address;
typedef const struct sockaddr *to_address;

/* The thread makes a call for which our signal is blocked. */
static _Thread_local bool holds __attribute__((tls_model("initial-exec")));

/* A mask that holds during the call only, in which our signal has to be then. */
#define HELD(mask) (holds ? tnd_signals_held_mask((mask), &(sigset_t){0}) : (mask))

#define NS 1000000000

/* X(what it returns, name, parameters, arguments) */
#define RESTARTLESS(X)                                                                                                 \
    X(int, poll, (struct pollfd * fds, nfds_t n, int ms), (fds, n, ms))                                                \
    X(int, __poll_chk, (struct pollfd * fds, nfds_t n, int ms, size_t size), (fds, n, ms, size))                       \
    X(int, ppoll, (struct pollfd * fds, nfds_t n, wait_time t, const sigset_t *mask), (fds, n, t, HELD(mask)))         \
    X(int, __ppoll_chk, (struct pollfd * fds, nfds_t n, wait_time t, const sigset_t *mask, size_t size),               \
      (fds, n, t, HELD(mask), size))                                                                                   \
    X(int, select, (int n, fd_set *restrict r, fd_set *restrict w, fd_set *restrict e, struct timeval *restrict t),    \
      (n, r, w, e, t))                                                                                                 \
    X(int, pselect,                                                                                                    \
      (int n, fd_set *restrict r, fd_set *restrict w, fd_set *restrict e, const struct timespec *restrict t,           \
       const sigset_t *restrict mask),                                                                                 \
      (n, r, w, e, t, HELD(mask)))                                                                                     \
    X(int, epoll_wait, (int fd, struct epoll_event *events, int n, int ms), (fd, events, n, ms))                       \
    X(int, epoll_pwait, (int fd, struct epoll_event *events, int n, int ms, const sigset_t *mask),                     \
      (fd, events, n, ms, HELD(mask)))                                                                                 \
    X(int, epoll_pwait2, (int fd, struct epoll_event *events, int n, wait_time t, const sigset_t *mask),               \
      (fd, events, n, t, HELD(mask)))                                                                                  \
    X(int, nanosleep, (wait_time t, timespec_ * left), (t, left))                                                      \
    X(int, clock_nanosleep, (clockid_t clock, int flags, wait_time t, timespec_ *left), (clock, flags, t, left))       \
    X(int, thrd_sleep, (wait_time t, timespec_ * left), (t, left))                                                     \
    X(int, usleep, (useconds_t us), (us))                                                                              \
    X(unsigned, sleep, (unsigned s), (s))                                                                              \
    X(int, pause, (void), ())                                                                                          \
    X(int, sigsuspend, (const sigset_t *mask), (HELD(mask)))                                                           \
    X(int, semop, (int id, struct sembuf *ops, size_t n), (id, ops, n))                                                \
    X(int, semtimedop, (int id, struct sembuf *ops, size_t n, wait_time t), (id, ops, n, t))                           \
    X(ssize_t, msgrcv, (int id, void *message, size_t size, long type, int flags), (id, message, size, type, flags))   \
    X(int, msgsnd, (int id, const void *message, size_t size, int flags), (id, message, size, flags))                  \
    X(int, accept, (int fd, address from, socklen_t *restrict size), (fd, from, size))                                 \
    X(int, accept4, (int fd, address from, socklen_t *restrict size, int flags), (fd, from, size, flags))              \
    X(int, connect, (int fd, to_address to, socklen_t size), (fd, to, size))                                           \
    X(ssize_t, recv, (int fd, void *data, size_t size, int flags), (fd, data, size, flags))                            \
    X(ssize_t, __recv_chk, (int fd, void *data, size_t size, size_t room, int flags), (fd, data, size, room, flags))   \
    X(ssize_t, recvfrom,                                                                                               \
      (int fd, void *restrict data, size_t size, int flags, address from, socklen_t *restrict from_size),              \
      (fd, data, size, flags, from, from_size))                                                                        \
    X(ssize_t, __recvfrom_chk,                                                                                         \
      (int fd, void *restrict data, size_t size, size_t room, int flags, address from, socklen_t *restrict from_size), \
      (fd, data, size, room, flags, from, from_size))                                                                  \
    X(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags))                             \
    X(int, recvmmsg, (int fd, struct mmsghdr *messages, unsigned n, int flags, timespec_ *t),                          \
      (fd, messages, n, flags, t))                                                                                     \
    X(ssize_t, send, (int fd, const void *data, size_t size, int flags), (fd, data, size, flags))                      \
    X(ssize_t, sendto, (int fd, const void *data, size_t size, int flags, to_address to, socklen_t to_size),           \
      (fd, data, size, flags, to, to_size))                                                                            \
    X(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags))                       \
    X(int, sendmmsg, (int fd, struct mmsghdr *messages, unsigned n, int flags), (fd, messages, n, flags))

/* Calls that take a signal off the queue: a signal of our clock's is not for the program. */
#define SIGNAL_WAITS(X)                                                                                                \
    X(int, sigwait, (const sigset_t *restrict set, int *restrict number), (set, number))                               \
    X(int, sigwaitinfo, (const sigset_t *restrict set, siginfo_t *restrict info), (set, info))                         \
    X(int, sigtimedwait, (const sigset_t *restrict set, siginfo_t *restrict info, wait_time restrict t), (set, info, t))

/* The kernel looks for signals in a transfer once a page. */
#define IS_LONG(size) ((size) > 4096)

/* X(what it returns, name, parameters, arguments, when a signal could cut it short) */
#define TRANSFERS(X)                                                                                                   \
    X(ssize_t, read, (int fd, void *data, size_t size), (fd, data, size), IS_LONG(size))                               \
    X(ssize_t, __read_chk, (int fd, void *data, size_t size, size_t room), (fd, data, size, room), IS_LONG(size))      \
    X(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size), IS_LONG(size))                        \
    X(ssize_t, pread, (int fd, void *data, size_t size, off_t at), (fd, data, size, at), IS_LONG(size))                \
    X(ssize_t, pread64, (int fd, void *data, size_t size, off_t at), (fd, data, size, at), IS_LONG(size))              \
    X(ssize_t, pwrite, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at), IS_LONG(size))         \
    X(ssize_t, pwrite64, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at), IS_LONG(size))       \
    X(ssize_t, readv, (int fd, const struct iovec *parts, int n), (fd, parts, n), true)                                \
    X(ssize_t, writev, (int fd, const struct iovec *parts, int n), (fd, parts, n), true)                               \
    X(ssize_t, sendfile, (int to, int from, off_t *at, size_t size), (to, from, at, size), IS_LONG(size))              \
    X(ssize_t, sendfile64, (int to, int from, off_t *at, size_t size), (to, from, at, size), IS_LONG(size))            \
    X(ssize_t, splice, (int from, off_t *from_at, int to, off_t *to_at, size_t size, unsigned flags),                  \
      (from, from_at, to, to_at, size, flags), IS_LONG(size))                                                          \
    X(ssize_t, copy_file_range, (int from, off_t *from_at, int to, off_t *to_at, size_t size, unsigned flags),         \
      (from, from_at, to, to_at, size, flags), IS_LONG(size))                                                          \
    X(ssize_t, getrandom, (void *data, size_t size, unsigned flags), (data, size, flags), size > 256)

/* `call` makes the call while waits are looked at. */
#define DEFINE_INTERPOSED_BY(call, type, name, parameters, arguments, when)                                            \
    static type(*next_##name) parameters;                                                                              \
    static __attribute__((noinline, cold)) type careful_##name parameters                                              \
    {                                                                                                                  \
        if (!next_##name)                                                                                              \
            *(void **)&next_##name = dlsym(RTLD_NEXT, #name);                                                          \
        uint64_t began = tnd_waits_begin();                                                                            \
        bool entered = tnd_sample_in_calls && (when) && tnd_sample_enter_call();                                       \
        holds = entered;                                                                                               \
        type result = call arguments;                                                                                  \
        if (began)                                                                                                     \
            tnd_waits_end(began, (const void *)next_##name, entered);                                                  \
        if (entered)                                                                                                   \
            tnd_sample_leave_call((const void *)next_##name);                                                          \
        return result;                                                                                                 \
    }                                                                                                                  \
    static type own_##name parameters                                                                                  \
    {                                                                                                                  \
        if (__builtin_expect(in_order, 1))                                                                             \
            return next_##name arguments;                                                                              \
        return careful_##name arguments;                                                                               \
    }                                                                                                                  \
    __attribute__((visibility("default"), alias("own_" #name))) type name parameters;
#define DEFINE_INTERPOSED(type, name, ...) DEFINE_INTERPOSED_BY(next_##name, type, name, __VA_ARGS__)
#define DEFINE_RESTARTLESS(type, name, parameters, arguments) DEFINE_INTERPOSED(type, name, parameters, arguments, true)
#define DEFINE_SIGNAL_WAIT(type, name, parameters, arguments)                                                          \
    static type without_ours_##name parameters;                                                                        \
    DEFINE_INTERPOSED_BY((tnd_signals_number() ? without_ours_##name : next_##name), type, name, parameters,           \
                         arguments, true)

/* The functions behind ours are known, no signal of ours comes inside a call, and waits are not looked at. */
#define in_order (started && !tnd_waits_on)
static bool started;

RESTARTLESS(DEFINE_RESTARTLESS)
SIGNAL_WAITS(DEFINE_SIGNAL_WAIT)
TRANSFERS(DEFINE_INTERPOSED)

static struct timespec time_left(wait_time t, uint64_t begin_ns)
{
    uint64_t passed_ns = tnd_clock_monotonic_ns() - begin_ns;
    struct timespec left = {t->tv_sec - (time_t)(passed_ns / NS), t->tv_nsec - (long)(passed_ns % NS)};
    if (left.tv_nsec < 0) {
        left.tv_sec--;
        left.tv_nsec += NS;
    }
    return left.tv_sec < 0 ? (struct timespec){0} : left;
}

static int without_ours_sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, wait_time restrict t)
{
    siginfo_t taken;
    struct timespec left = t ? *t : (struct timespec){0};
    uint64_t begin_ns = t ? tnd_clock_monotonic_ns() : 0;
    int saved_errno = errno, number;
    while ((number = next_sigtimedwait(set, &taken, t ? &left : NULL)) > 0 && number == tnd_signals_number() &&
           tnd_sample_swallow(&taken)) {
        if (t)
            left = time_left(t, begin_ns);
        errno = saved_errno;
    }
    if (number > 0 && info)
        *info = taken;
    return number;
}

static int without_ours_sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return without_ours_sigtimedwait(set, info, NULL);
}

/* As libc's, it is ended by no handler, and gives the number of an error. */
static int without_ours_sigwait(const sigset_t *restrict set, int *restrict number)
{
    int saved_errno = errno, taken;
    do
        taken = without_ours_sigtimedwait(set, NULL, NULL);
    while (taken < 0 && errno == EINTR);
    int error = taken < 0 ? errno : 0;
    errno = saved_errno;
    if (!error)
        *number = taken;
    return error;
}

void tnd_restartless_start(void)
{
#define FIND_NEXT(type, name, ...) *(void **)&next_##name = dlsym(RTLD_NEXT, #name);
    RESTARTLESS(FIND_NEXT)
    SIGNAL_WAITS(FIND_NEXT)
    TRANSFERS(FIND_NEXT)
    started = true;
}

const void *tnd_restartless_behind(const void *function)
{
    const void *behind = NULL;
#define IS_IT(type, name, ...)                                                                                         \
    if (function == (const void *)own_##name)                                                                          \
        behind = dlsym(RTLD_NEXT, #name);
    RESTARTLESS(IS_IT)
    SIGNAL_WAITS(IS_IT)
    TRANSFERS(IS_IT)
    return behind;
}
