/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel's calls that a handler ends with EINTR even under SA_RESTART (signal(7)), by number.
 *
 * X(number, which of its arguments, counted from 1, is a mask that holds during the call or 0, what the kernel does)
 *
 * TND_WAIT_REMEMBERED: as long as the handler runs, the kernel knows how to go on with it (restart_syscall(2)).
 * TND_WAIT_FORGOTTEN: it does not, and the call can be made again.  TND_WAIT_STARTED: it must not be made again.
 *
 * Context: any.
 */
#ifndef TND_KERNEL_WAITS_H
#define TND_KERNEL_WAITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

enum tnd_wait_kind { TND_WAIT_REMEMBERED = 1, TND_WAIT_FORGOTTEN, TND_WAIT_STARTED };

#define TND_WAIT_INDIRECT 16 /* the argument points to the mask's address, which its size follows */

#ifdef __x86_64__ /* calls that other processors have in one form only */
#define TND_WAITS_OLD(X)                                                                                               \
    X(SYS_poll, 0, TND_WAIT_REMEMBERED)                                                                                \
    X(SYS_select, 0, TND_WAIT_FORGOTTEN)                                                                               \
    X(SYS_pause, 0, TND_WAIT_FORGOTTEN)                                                                                \
    X(SYS_epoll_wait, 0, TND_WAIT_FORGOTTEN)
#else
#define TND_WAITS_OLD(X)
#endif

#define TND_WAITS(X)                                                                                                   \
    TND_WAITS_OLD(X)                                                                                                   \
    X(SYS_nanosleep, 0, TND_WAIT_REMEMBERED)                                                                           \
    X(SYS_clock_nanosleep, 0, TND_WAIT_REMEMBERED)                                                                     \
    X(SYS_futex, 0, TND_WAIT_REMEMBERED)                                                                               \
    X(SYS_ppoll, 4, TND_WAIT_FORGOTTEN)                                                                                \
    X(SYS_pselect6, 6 | TND_WAIT_INDIRECT, TND_WAIT_FORGOTTEN)                                                         \
    X(SYS_epoll_pwait, 5, TND_WAIT_FORGOTTEN)                                                                          \
    X(441 /* epoll_pwait2 */, 5, TND_WAIT_FORGOTTEN)                                                                   \
    X(SYS_rt_sigsuspend, 1, TND_WAIT_FORGOTTEN)                                                                        \
    X(SYS_rt_sigtimedwait, 0, TND_WAIT_FORGOTTEN)                                                                      \
    X(SYS_semop, 0, TND_WAIT_FORGOTTEN)                                                                                \
    X(SYS_semtimedop, 0, TND_WAIT_FORGOTTEN)                                                                           \
    X(SYS_msgsnd, 0, TND_WAIT_FORGOTTEN)                                                                               \
    X(SYS_msgrcv, 0, TND_WAIT_FORGOTTEN)                                                                               \
    X(SYS_io_getevents, 0, TND_WAIT_FORGOTTEN)                                                                         \
    X(426 /* io_uring_enter */, 0, TND_WAIT_FORGOTTEN)                                                                 \
    X(449 /* futex_waitv */, 0, TND_WAIT_FORGOTTEN)                                                                    \
    X(SYS_read, 0, TND_WAIT_FORGOTTEN)                                                                                 \
    X(SYS_write, 0, TND_WAIT_FORGOTTEN)                                                                                \
    X(SYS_accept, 0, TND_WAIT_FORGOTTEN)                                                                               \
    X(SYS_accept4, 0, TND_WAIT_FORGOTTEN)                                                                              \
    X(SYS_recvfrom, 0, TND_WAIT_FORGOTTEN)                                                                             \
    X(SYS_recvmsg, 0, TND_WAIT_FORGOTTEN)                                                                              \
    X(SYS_recvmmsg, 0, TND_WAIT_FORGOTTEN)                                                                             \
    X(SYS_sendto, 0, TND_WAIT_FORGOTTEN)                                                                               \
    X(SYS_sendmsg, 0, TND_WAIT_FORGOTTEN)                                                                              \
    X(SYS_sendmmsg, 0, TND_WAIT_FORGOTTEN)                                                                             \
    X(SYS_connect, 0, TND_WAIT_STARTED)

struct tnd_wait {
    uint16_t number;
    uint8_t mask, kind;
};

/* NULL: the call of that number is none of them. */
static inline const struct tnd_wait *tnd_kernel_waits_find(long number)
{
#define TND_WAIT_ENTRY(number, mask, kind) {number, mask, kind},
    static const struct tnd_wait waits[] = {TND_WAITS(TND_WAIT_ENTRY)};
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        if (waits[i].number == number)
            return &waits[i];
    return NULL;
}

/* Room for a mask, and for what an indirect one is given by. */
struct tnd_held_mask {
    uint64_t mask;
    struct {
        const uint64_t *mask;
        size_t size;
    } pair;
};

/* Puts `signals` into the mask among a wait's six arguments, if it has one. */
static inline void tnd_kernel_waits_hold(const struct tnd_wait *wait, uint64_t arguments[6], uint64_t signals,
                                         struct tnd_held_mask *held)
{
    uint64_t *argument = wait->mask ? &arguments[(wait->mask & (TND_WAIT_INDIRECT - 1)) - 1] : NULL;
    if (!argument || !*argument)
        return;
    if (wait->mask & TND_WAIT_INDIRECT) {
        memcpy(&held->pair, (const void *)*argument, sizeof held->pair);
        if (!held->pair.mask)
            return;
        held->mask = *held->pair.mask | signals;
        held->pair.mask = &held->mask;
        *argument = (uint64_t)&held->pair;
    } else {
        held->mask = *(const uint64_t *)*argument | signals;
        *argument = (uint64_t)&held->mask;
    }
}

#endif
