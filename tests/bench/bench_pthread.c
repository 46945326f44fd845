/* SPDX-License-Identifier: Apache-2.0
 *
 * What recording adds to calls of POSIX threads, for each choice of --pthread: CPU ns.  But for the last two cases the
 * thread is alone and waits for nobody.
 *
 * bench_pthread LIBTANDEM.  Extrae 5.1.2 adds 1237 ns to a mutex locked and unlocked when it records locks (the same
 * kind of virtual machine).
 */
#include "tests/bench/bench_turns.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

enum { N_SHORT = 5000, N_LONG = 100 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static pthread_barrier_t barrier;
static int whose_turn;

#define REPEAT(name, ...)                                                                                              \
    static void name(int n)                                                                                            \
    {                                                                                                                  \
        for (int i = 0; i < n; i++) {                                                                                  \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
REPEAT(lock, pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex);)
REPEAT(read_lock, pthread_rwlock_rdlock(&rwlock); pthread_rwlock_unlock(&rwlock);)
REPEAT(post, sem_post(&semaphore); sem_wait(&semaphore);)
REPEAT(signal_nobody, pthread_cond_signal(&cond);)
REPEAT(wait_at_barrier, pthread_barrier_wait(&barrier);)

/* Until a time that is over. */
static void wait_in_vain(int n)
{
    static const struct timespec long_ago = {1, 0};
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < n; i++)
        pthread_cond_timedwait(&cond, &mutex, &long_ago);
    pthread_mutex_unlock(&mutex);
}

static void *nothing(void *data)
{
    return data;
}

static void make_and_join(int n)
{
    pthread_t thread;
    for (int i = 0; i < n; i++)
        if (pthread_create(&thread, NULL, nothing, NULL) == 0)
            pthread_join(thread, NULL);
}

static void take_turns(int own, int n)
{
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < n; i++) {
        while (whose_turn != own)
            pthread_cond_wait(&cond, &mutex);
        whose_turn = !own;
        pthread_cond_signal(&cond);
    }
    pthread_mutex_unlock(&mutex);
}

static void *take_second_turns(void *n)
{
    take_turns(1, *(int *)n);
    return NULL;
}

static void hand_over(int n)
{
    pthread_t thread;
    whose_turn = 0;
    if (pthread_create(&thread, NULL, take_second_turns, &n) == 0) {
        take_turns(0, n);
        pthread_join(thread, NULL);
    }
}

static const struct bench_turns_case cases[] = {
    {"clock read", bench_turns_read_clock, N_SHORT, 0, 0},
    {"mutex, locked and unlocked", lock, N_SHORT, 0, 1237},
    {"rwlock, locked to read and unlocked", read_lock, N_SHORT, 0, 0},
    {"semaphore, posted and waited for", post, N_SHORT, 0, 0},
    {"condition, signalled", signal_nobody, N_SHORT, 0, 0},
    {"condition, waited for in vain", wait_in_vain, N_SHORT, 0, 0},
    {"barrier of one thread", wait_at_barrier, N_SHORT, 0, 0},
    {"condition, handed to another and back", hand_over, N_LONG, 0, 0},
    {"thread, made and joined", make_and_join, N_LONG, 0, 0},
};
enum { N_CASES = sizeof cases / sizeof *cases };

static bench_turns_ns ns;

int main(int argc, char **argv)
{
    static const char *const settings[] = {"", "TANDEM_PTHREAD=none", "TANDEM_PTHREAD=waits", "TANDEM_PTHREAD=all"};
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, NULL, 1);
    if (bench_turns_run(argc, argv, cases, N_CASES, settings, 4, ns) != 0)
        return 1;
    printf("%-40s %9s   added with --pthread\n%-40s %9s %17s %17s %17s\n", "CPU ns, least of the batches (median)", "",
           "", "alone", "none", "waits", "all");
    for (unsigned c = 0; c < N_CASES; c++) {
        printf("%-40s %9.1f", cases[c].name, ns[c][0][0]);
        for (unsigned w = 1; w < 4; w++)
            printf(" %8.1f %8.1f", ns[c][w][0] - ns[c][0][0],
                   ns[c][w][BENCH_TURNS_BATCHES / 2] - ns[c][0][BENCH_TURNS_BATCHES / 2]);
        printf("\n");
    }
    return 0;
}
