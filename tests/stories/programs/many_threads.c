/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * many_threads N AT_ONCE: N short threads, AT_ONCE of them alive at one time.  Each works a little and locks a mutex
 * once, which is certainly not free; every second one gives itself a name.  Says the sum of their work, and the memory
 * that the process had.
 */
#include "say_memory.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int *tids;
static long n_at_once, sum;

static void *work(void *data)
{
    long number = (long)data, own = 0;
    char name[16];
    snprintf(name, sizeof name, "thread %ld", number);
    if (number % 2)
        pthread_setname_np(pthread_self(), name);
    for (long i = 0; i < 1000; i++)
        own += i * number % 7;
    tids[number % n_at_once] = (int)syscall(SYS_gettid);
    pthread_mutex_lock(&mutex);
    sum += own;
    pthread_mutex_unlock(&mutex);
    return data;
}

static void await_sleep(atomic_int *tid)
{
    char path[64], text[256], state = 0;
    while (!*tid)
        usleep(100);
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", *tid);
    while (state != 'S') {
        FILE *file = fopen(path, "r");
        assert(file && fgets(text, sizeof text, file) && sscanf(text, "%*d (%*[^)]) %c", &state) == 1);
        fclose(file);
        if (state != 'S')
            usleep(100);
    }
    *tid = 0;
}

int main(int argc, char **argv)
{
    assert(argc == 3);
    long n = atol(argv[1]);
    n_at_once = atol(argv[2]);
    pthread_t *threads = calloc((size_t)n_at_once, sizeof *threads);
    tids = calloc((size_t)n_at_once, sizeof *tids);
    for (long first = 0; first < n; first += n_at_once) {
        pthread_mutex_lock(&mutex);
        for (long i = 0; i < n_at_once; i++)
            assert(pthread_create(&threads[i], NULL, work, (void *)(first + i)) == 0);
        for (long i = 0; i < n_at_once; i++)
            await_sleep(&tids[i]);
        pthread_mutex_unlock(&mutex);
        for (long i = 0; i < n_at_once; i++)
            pthread_join(threads[i], NULL);
    }
    printf("%ld\n", sum);
    say_memory();
    return 0;
}
