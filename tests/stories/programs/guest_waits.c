/* SPDX-License-Identifier: Apache-2.0
 *
 * Waits of 3 ms, with some work before each.  guest_waits WAY N: WAY is `number` (by syscall()) or `code` (by an
 * instruction of its own, which no library sees); and read() of a socket with a time limit.  Prints how often each
 * ended with EINTR, or too early.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static bool by_code;

static long call(long number, long a, long b, long c, long d, long e, long f)
{
#ifdef __x86_64__
    if (by_code) {
        register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
        long result;
        __asm__ volatile("mov %1, %%rax\n\tsyscall"
                         : "=a"(result)
                         : "b"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                         : "rcx", "r11", "memory");
        return result;
    }
#endif
    long result = syscall(number, a, b, c, d, e, f);
    return result < 0 ? -errno : result;
}

static int epoll_fd, semaphores, sockets[2];

static long wait_once(int kind)
{
    static uint32_t word;
    struct epoll_event event;
    struct timespec time = {0, 3000000};
    struct timeval short_time = {0, 3000};
    struct sembuf down = {0, -1, 0};
    uint64_t none = 0;
    switch (kind) {
    case 0:
        return call(SYS_nanosleep, (long)&time, 0, 0, 0, 0, 0);
    case 1:
        return call(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, (long)&time, 0, 0, 0);
    case 2:
        return call(SYS_futex, (long)&word, 0, 0, (long)&time, 0, 0);
    case 3:
        return call(SYS_epoll_pwait, epoll_fd, (long)&event, 1, 3, 0, 8);
    case 4:
        return call(SYS_ppoll, 0, 0, (long)&time, (long)&none, 8, 0);
    case 5:
        return call(SYS_semtimedop, semaphores, (long)&down, 1, (long)&time, 0, 0);
    case 9:
        return read(sockets[0], &none, sizeof none) < 0 && errno == EAGAIN ? -ETIME : -errno;
#ifdef __x86_64__
    case 6:
        return call(SYS_poll, 0, 0, 3, 0, 0, 0);
    case 7:
        return call(SYS_select, 0, 0, 0, 0, (long)&short_time, 0);
    case 8:
        return call(SYS_epoll_wait, epoll_fd, (long)&event, 1, 3, 0, 0);
#endif
    }
    return -ETIME;
}

#define N_KINDS 10

static long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void work(unsigned *random)
{
    volatile double x = 0;
    for (int i = 0, n = 100000 + rand_r(random) % 200000; i < n; i++)
        x += i;
}

int main(int argc, char **argv)
{
    unsigned random = 1;
    int n_interrupted[N_KINDS] = {0}, n_early[N_KINDS] = {0};
    if (argc < 3)
        return 2;
    by_code = strcmp(argv[1], "code") == 0;
    epoll_fd = epoll_create1(0);
    const struct timeval limit = {0, 3000};
    socketpair(AF_UNIX, SOCK_STREAM, 0, sockets);
    setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    semaphores = semget(IPC_PRIVATE, 1, 0600);
    for (int k = atoi(argv[2]); k > 0; k--)
        for (int kind = 0; kind < N_KINDS; kind++) {
            work(&random);
            long long begin = now_ns();
            long result = wait_once(kind);
            bool is_interrupted = result == -EINTR, is_over = now_ns() - begin >= 3000000;
            n_interrupted[kind] += is_interrupted;
            n_early[kind] += !is_interrupted && !is_over && result != -ETIME;
            work(&random);
        }
    for (int kind = 0; kind < N_KINDS; kind++)
        printf("%d: %d EINTR, %d early\n", kind, n_interrupted[kind], n_early[kind]);
    semctl(semaphores, 0, IPC_RMID);
    return 0;
}
