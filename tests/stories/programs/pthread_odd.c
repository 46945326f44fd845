/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that do what few do: post semaphores in handlers, cannot be made, lock in destructors, have the smallest
 * stacks, fork, also inside a parallel region; and a first thread that ends before the others.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ALARMS = 200, ROUNDS = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static sem_t semaphore;
static atomic_int n_posted, n_rounds;

static void post(int number)
{
    int before = errno;
    if (n_posted++ < ALARMS)
        sem_post(&semaphore);
    errno = before;
}

static void post_in_handlers(void)
{
    const struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = post, .sa_flags = SA_RESTART};
    int left;
    sem_init(&semaphore, 0, 0);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < ALARMS; i++) {
        errno = 77;
        assert(sem_wait(&semaphore) == 0 && errno == 77);
        for (int j = 0; j < 1000; j++) {
            pthread_mutex_lock(&mutex);
            pthread_mutex_unlock(&mutex);
        }
    }
    setitimer(ITIMER_REAL, &never, NULL);
    assert(sem_getvalue(&semaphore, &left) == 0 && left == 0);
}

static void *nothing(void *data)
{
    return data;
}

static void *run(void *(*function)(void *), size_t stack_bytes)
{
    pthread_t thread;
    pthread_attr_t attributes;
    void *value = NULL;
    pthread_attr_init(&attributes);
    if (stack_bytes)
        assert(pthread_attr_setstacksize(&attributes, stack_bytes) == 0);
    int error = pthread_create(&thread, &attributes, function, &mutex);
    if (!error)
        pthread_join(thread, &value);
    pthread_attr_destroy(&attributes);
    return error ? NULL : value;
}

static void destroy(void *value)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    if (++n_rounds < ROUNDS)
        pthread_setspecific(key, value);
}

static void *set_key(void *data)
{
    pthread_setspecific(key, data);
    return data;
}

static void *fork_here(void *data)
{
    int status;
    fflush(stdout);
    if (fork() == 0) {
        puts("child");
        return data; /* the last thread of its process */
    }
    assert(wait(&status) > 0 && status == 0);
    return data;
}

static void *fork_in_region(void *data)
{
    void *value = NULL;
#pragma omp parallel num_threads(1)
#pragma omp task
    value = fork_here(data);
    return value;
}

static void *outlive(void *data)
{
    pthread_join(*(pthread_t *)data, NULL);
    puts("all as it should be");
    return data;
}

int main(void)
{
    static pthread_t first, last;
    post_in_handlers();
    assert(run(nothing, (size_t)1 << 50) == NULL);
    assert(run(nothing, (size_t)sysconf(_SC_THREAD_STACK_MIN)) == &mutex);
    pthread_key_create(&key, destroy);
    assert(run(set_key, 0) == &mutex && n_rounds == ROUNDS);
    assert(run(fork_here, 0) == &mutex);
    assert(run(fork_in_region, 0) == &mutex);
    first = pthread_self();
    assert(pthread_create(&last, NULL, outlive, &first) == 0);
    pthread_exit(NULL);
}
