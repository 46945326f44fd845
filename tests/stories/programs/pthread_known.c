/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of POSIX and C11 threads, a known number of each kind, with locks that are certainly not free (the owner waits
 * until the others sleep) and locks that certainly are; errno and answers that must be what they would be.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

enum { THREADS = 4, C11 = 2, FREE = 500 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, cond_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static mtx_t mtx;
static atomic_int tids[THREADS], n_at[8], last_woken, is_set, tid_leaving;

/* Before main: an allocator's lock is such a one. */
__attribute__((constructor)) static void lock_early(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void await_sleep(int tid)
{
    char path[64], text[256], state = 0;
    while (state != 'S') {
        snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
        FILE *file = fopen(path, "r");
        assert(file && fgets(text, sizeof text, file) && sscanf(text, "%*d (%*[^)]) %c", &state) == 1);
        fclose(file);
        usleep(1000);
    }
}

static void await_all(int step, int n)
{
    while (n_at[step] < n)
        usleep(1000);
    for (int i = 0; i < n; i++)
        await_sleep(tids[i]);
}

static void *work(void *number)
{
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    char name[16];
    snprintf(name, sizeof name, "worker %ld", (long)number);
    pthread_setname_np(pthread_self(), name);
    tids[(long)number] = (int)syscall(SYS_gettid);
    errno = 77;
    for (int i = 0; i < FREE; i++) {
        pthread_mutex_lock(&own);
        pthread_mutex_unlock(&own);
    }
    n_at[0]++;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    n_at[1]++;
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    n_at[2]++;
    sem_wait(&semaphore);
    assert(errno == 77);
    pthread_mutex_lock(&cond_mutex);
    last_woken = tids[(long)number];
    n_at[3]++;
    while (!is_set)
        pthread_cond_wait(&cond, &cond_mutex);
    pthread_mutex_unlock(&cond_mutex);
    pthread_barrier_wait(&barrier);
    assert(errno == 77);
    return number;
}

static void work_posix(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    sem_init(&semaphore, 0, 0);
    pthread_mutex_lock(&mutex);
    pthread_rwlock_wrlock(&rwlock);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    await_all(0, THREADS);
    pthread_mutex_unlock(&mutex);
    await_all(1, THREADS);
    pthread_rwlock_unlock(&rwlock);
    await_all(2, THREADS);
    for (int i = 0; i < THREADS; i++) {
        sem_post(&semaphore);
        while (n_at[3] < i + 1)
            usleep(1000);
        await_sleep(last_woken); /* it has given cond_mutex back */
    }
    await_all(3, THREADS);
    pthread_mutex_lock(&cond_mutex);
    is_set = 1;
    pthread_mutex_unlock(&cond_mutex);
    pthread_cond_broadcast(&cond);
    pthread_barrier_wait(&barrier);
    for (long i = 0; i < THREADS; i++) {
        void *value;
        assert(pthread_join(threads[i], &value) == 0 && value == (void *)i);
    }
}

/* A semaphore that is free is still a point where a thread is cancelled; then nothing is taken. */
static void *be_cancelled(void *data)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_cancel(pthread_self());
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    sem_wait(&semaphore);
    return data;
}

static void *leave(void *data)
{
    tid_leaving = (int)syscall(SYS_gettid);
    pthread_exit(data);
}

static void work_oddly(void)
{
    pthread_t thread;
    void *value;
    int left;
    sem_post(&semaphore);
    pthread_create(&thread, NULL, be_cancelled, NULL);
    pthread_join(thread, &value);
    assert(value == PTHREAD_CANCELED && sem_getvalue(&semaphore, &left) == 0 && left == 1);
    pthread_create(&thread, NULL, leave, NULL);
    pthread_detach(thread);
    while (!tid_leaving || syscall(SYS_tgkill, getpid(), (int)tid_leaving, 0) == 0)
        usleep(1000);
    pthread_mutex_t strict = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    assert(pthread_mutex_lock(&strict) == 0 && pthread_mutex_lock(&strict) == EDEADLK);
    assert(pthread_mutex_unlock(&strict) == 0 && pthread_mutex_unlock(&strict) == EPERM);
    assert(pthread_mutex_lock(&again) == 0 && pthread_mutex_lock(&again) == 0);
    assert(pthread_mutex_unlock(&again) == 0 && pthread_mutex_unlock(&again) == 0);
}

static int work_c11_part(void *number)
{
    tids[(long)number] = (int)syscall(SYS_gettid);
    n_at[4]++;
    mtx_lock(&mtx);
    mtx_unlock(&mtx);
    return (int)(long)number + 10;
}

static void work_c11(void)
{
    thrd_t threads[C11];
    mtx_init(&mtx, mtx_plain);
    mtx_lock(&mtx);
    for (long i = 0; i < C11; i++)
        assert(thrd_create(&threads[i], work_c11_part, (void *)i) == thrd_success);
    await_all(4, C11);
    mtx_unlock(&mtx);
    for (int i = 0; i < C11; i++) {
        int value;
        assert(thrd_join(threads[i], &value) == thrd_success && value == i + 10);
    }
}

int main(void)
{
    work_posix();
    work_oddly();
    work_c11();
    puts("all as it should be");
    return 0;
}
