/* SPDX-License-Identifier: Apache-2.0
 *
 * Every call that a signal could end: each must take its time and end as it does without a sampler.  A name is printed
 * for each that did not.  The thread computes a little before each, so that it is being sampled when it enters.  In the
 * end it tells what CPU time it used, in ns.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static const struct timespec a_while = {.tv_nsec = 60000000};
static int ends[2], sockets[2];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct timespec in_a_while(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_nsec += a_while.tv_nsec;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

static double cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void compute(void)
{
    for (double until = cpu_time() + 0.02; cpu_time() < until;)
        for (volatile int i = 0; i < 10000; i++) {
        }
}

static int is(int result, int error)
{
    return result == -1 && errno == error;
}

static void *write_later(void *message)
{
    nanosleep(&a_while, NULL);
    return write(message ? sockets[1] : ends[1], "x", 1) == 1 ? NULL : message;
}

static int with_writer(int is_socket)
{
    pthread_t thread;
    char byte;
    pthread_create(&thread, NULL, write_later, is_socket ? &sockets : NULL);
    int fine = (is_socket ? recv(sockets[0], &byte, 1, 0) : read(ends[0], &byte, 1)) == 1;
    pthread_join(thread, NULL);
    return fine;
}

static int wait_for_semaphore(void)
{
    sem_t semaphore;
    struct timespec until = in_a_while(CLOCK_REALTIME);
    sem_init(&semaphore, 0, 0);
    return is(sem_timedwait(&semaphore, &until), ETIMEDOUT);
}

static int wait_for_condition(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    struct timespec until = in_a_while(CLOCK_REALTIME);
    pthread_mutex_lock(&mutex);
    return pthread_cond_timedwait(&condition, &mutex, &until) == ETIMEDOUT;
}

static int select_it(void)
{
    struct timeval t = {.tv_usec = 60000};
    return select(0, NULL, NULL, NULL, &t) == 0;
}

static int epoll_it(void)
{
    struct epoll_event event;
    int fd = epoll_create1(0), result = epoll_wait(fd, &event, 1, 60);
    close(fd);
    return result == 0;
}

static int receive_in_time(void)
{
    struct timeval t = {.tv_usec = 60000};
    char byte;
    setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
    int fine = is((int)recv(sockets[0], &byte, 1, 0), EAGAIN);
    t.tv_usec = 0;
    setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
    return fine;
}

static int semop_in_time(void)
{
    struct sembuf down = {.sem_op = -1};
    int id = semget(IPC_PRIVATE, 1, 0600), result = semtimedop(id, &down, 1, &a_while), error = errno;
    semctl(id, 0, IPC_RMID);
    errno = error;
    return is(result, EAGAIN);
}

static int signal_in_time(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    return is(sigtimedwait(&set, NULL, &a_while), EAGAIN);
}

static int clock_sleep_until(void)
{
    struct timespec until = in_a_while(CLOCK_MONOTONIC);
    return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0;
}

#define CALLS(X)                                                                                                       \
    X(nanosleep, nanosleep(&a_while, NULL) == 0)                                                                       \
    X(clock_nanosleep, clock_sleep_until())                                                                            \
    X(thrd_sleep, thrd_sleep(&a_while, NULL) == 0)                                                                     \
    X(usleep, usleep(60000) == 0)                                                                                      \
    X(sleep, sleep(1) == 0)                                                                                            \
    X(poll, poll(NULL, 0, 60) == 0)                                                                                    \
    X(ppoll, ppoll(NULL, 0, &a_while, NULL) == 0)                                                                      \
    X(select, select_it())                                                                                             \
    X(pselect, pselect(0, NULL, NULL, NULL, &a_while, NULL) == 0)                                                      \
    X(epoll_wait, epoll_it())                                                                                          \
    X(read, with_writer(0))                                                                                            \
    X(recv, with_writer(1))                                                                                            \
    X(recv_in_time, receive_in_time())                                                                                 \
    X(sem_timedwait, wait_for_semaphore())                                                                             \
    X(pthread_cond_timedwait, wait_for_condition())                                                                    \
    X(semtimedop, semop_in_time())                                                                                     \
    X(sigtimedwait, signal_in_time())

int main(void)
{
    if (pipe(ends) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        return 2;
#define CALL(name, fine)                                                                                               \
    for (int i = 0; i < 3; i++) {                                                                                      \
        compute();                                                                                                     \
        double start = now();                                                                                          \
        errno = 0;                                                                                                     \
        if (!(fine))                                                                                                   \
            printf("%s: %s\n", #name, strerror(errno));                                                                \
        else if (now() - start < 0.055)                                                                                \
            printf("%s: only %.6f s\n", #name, now() - start);                                                         \
    }
    CALLS(CALL)
    printf("%.0f\n", cpu_time() * 1e9);
    return 0;
}
