/* SPDX-License-Identifier: Apache-2.0
 *
 * The operating system under the board's runtime, by POSIX alone: RTEMS, and Linux for the test under emulation.  What
 * only RTEMS can tell is in board_rtems.c.
 *
 * Context: runtime/target.h, targets/gr740/board.h.
 */
#include "runtime/target.h"
#include "targets/gr740/board.h"
#include "targets/gr740/board_sampling.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A thread's number in the process, and the CPU where the runtime looks for it (runtime/place.h): no system keeps it
 * there, so that it never changes. */
static _Thread_local struct {
    pid_t number;
    int32_t cpu;
} thread = {0, -1};

int tnd_board_open(const char *path)
{
    int before = errno, file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666), error = errno;
    errno = before;
    return file < 0 ? -error : file;
}

int tnd_board_write(int file, const void *bytes, size_t n_bytes)
{
    int before = errno, error = 0;
    const char *at = bytes;
    while (n_bytes > 0 && !error) {
        ssize_t n = write(file, at, n_bytes);
        if (n < 0 && errno == EINTR)
            continue;
        error = n < 0 ? errno : n == 0 ? EIO : 0;
        at += n > 0 ? n : 0;
        n_bytes -= n > 0 ? (size_t)n : 0;
    }
    errno = before;
    return error;
}

void tnd_board_close(int file)
{
    int before = errno;
    close(file);
    errno = before;
}

void tnd_board_lock(void)
{
    pthread_mutex_lock(&lock);
}

void tnd_board_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

#ifndef __rtems__ /* which has another function for this */
__attribute__((weak)) size_t tnd_board_block_size(void *block)
{
    return malloc_usable_size(block);
}
#endif

__attribute__((weak)) uint32_t tnd_board_interrupts_off(void)
{
    return 0;
}

__attribute__((weak)) void tnd_board_interrupts_on(uint32_t before) {}

__attribute__((weak)) bool tnd_board_is_interrupt(void)
{
    return false;
}

__attribute__((weak)) uint64_t tnd_board_sampling_begin(uint64_t period_ns)
{
    return 0;
}

__attribute__((weak)) void tnd_board_sampling_end(void) {}

pid_t tnd_target_thread_id(void)
{
    static pid_t last;
    if (!thread.number)
        thread.number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    return thread.number;
}

uint64_t tnd_target_clock_ns(bool is_of_day)
{
    struct timespec now;
    int before = errno;
    if (clock_gettime(is_of_day ? CLOCK_REALTIME : CLOCK_MONOTONIC, &now) != 0)
        now = (struct timespec){0};
    errno = before;
    return (uint64_t)(uint32_t)now.tv_sec * 1000000000u + (uint32_t)now.tv_nsec;
}

uint64_t tnd_target_random(void)
{
    return tnd_target_clock_ns(true) | 1;
}

uint64_t tnd_target_cpu_ns(void)
{
    struct timespec now;
    int before = errno;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
        now = (struct timespec){0};
    errno = before;
    return (uint64_t)(uint32_t)now.tv_sec * 1000000000u + (uint32_t)now.tv_nsec;
}

__attribute__((weak)) unsigned tnd_board_n_cpus(void)
{
    return 4;
}

unsigned tnd_target_cpus(void)
{
    return tnd_board_n_cpus();
}

__attribute__((weak)) int tnd_target_cpu(void)
{
    return -1;
}

ptrdiff_t tnd_target_cpu_place(void)
{
    return (const char *)&thread.cpu - tnd_machine_thread_pointer();
}

__attribute__((weak)) void tnd_target_stack(void **low, void **high)
{
    pthread_attr_t attributes;
    size_t n_bytes;
    *low = *high = NULL;
    int before = errno;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, low, &n_bytes) == 0)
            *high = (char *)*low + n_bytes;
        pthread_attr_destroy(&attributes);
    }
    errno = before;
}

uintptr_t tnd_target_stack_floor(uintptr_t high, uint64_t *size_bytes)
{
    void *low, *end;
    tnd_target_stack(&low, &end);
    *size_bytes = low ? (uint64_t)((char *)end - (char *)low) : 0;
    return (uintptr_t)low;
}

__attribute__((weak)) uintptr_t tnd_target_stack_touched(uintptr_t floor, uintptr_t high)
{
    return 0;
}

void tnd_target_sleep_ms(unsigned ms)
{
    nanosleep(&(struct timespec){(time_t)(ms / 1000), (long)(ms % 1000) * 1000000}, NULL);
}

void tnd_target_block_signals(struct tnd_target_signals *before)
{
    sigset_t all, old;
    sigfillset(&all);
    sigemptyset(&old);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    memcpy(before, &old, sizeof old < sizeof *before ? sizeof old : sizeof *before);
}

void tnd_target_restore_signals(const struct tnd_target_signals *before)
{
    sigset_t old;
    sigemptyset(&old);
    memcpy(&old, before, sizeof old < sizeof *before ? sizeof old : sizeof *before);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void tnd_target_say(const char *line)
{
    tnd_board_write(STDERR_FILENO, line, strlen(line));
}
