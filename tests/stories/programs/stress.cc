// SPDX-License-Identifier: Apache-2.0
//
// What hangs a sampler whose handler takes locks: four threads that allocate, throw through eight frames, load and
// unload libraries, and make and join threads.  stress SECONDS; status 3 if a thread stands still for four seconds.
// In the end: clean, and the CPU time it took, in ns.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <initializer_list>
#include <pthread.h>
#include <thread>
#include <time.h>

static std::atomic<bool> over;
static std::atomic<unsigned long> progress[4];

static void allocate()
{
    void *blocks[64];
    for (int i = 0; i < 64; i++)
        blocks[i] = malloc(16u << i % 12);
    for (int i = 0; i < 64; i++)
        free(blocks[i]);
}

struct Thing {
    volatile int n = 0;
    ~Thing() { n = n + 1; }
};

__attribute__((noinline)) static int fall(int n)
{
    Thing thing;
    if (n == 0)
        throw n;
    return fall(n - 1) + 1;
}

static void throw_and_catch()
{
    try {
        fall(8);
    } catch (int) {
    }
}

static void load_and_unload()
{
    for (const char *name : {"libthread_db.so.1", "libresolv.so.2", "libBrokenLocale.so.1"})
        if (void *library = dlopen(name, RTLD_NOW))
            dlclose(library);
}

static void make_and_join()
{
    pthread_t thread;
    if (pthread_create(&thread, nullptr, [](void *) -> void * { return malloc(10); }, nullptr) == 0) {
        void *result;
        pthread_join(thread, &result);
        free(result);
    }
}

static void work(int me)
{
    void (*const kinds[])() = {allocate, throw_and_catch, load_and_unload, make_and_join};
    for (unsigned round = me; !over; round++)
        for (int i = 0; i < 50 && !over; i++) {
            kinds[round % 4]();
            progress[me]++;
        }
}

int main(int argc, char **argv)
{
    int n_seconds = argc > 1 ? atoi(argv[1]) : 5;
    std::thread threads[4];
    for (int i = 0; i < 4; i++)
        threads[i] = std::thread(work, i);
    unsigned long seen[4] = {};
    int still[4] = {};
    for (int s = 0; s < n_seconds; s++) {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        for (int i = 0; i < 4; i++) {
            still[i] = progress[i] == seen[i] ? still[i] + 1 : 0;
            seen[i] = progress[i];
            if (still[i] == 4) {
                fprintf(stderr, "thread %d stands still\n", i);
                _Exit(3);
            }
        }
    }
    over = true;
    for (auto &thread : threads)
        thread.join();
    timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    printf("clean %lld\n", used.tv_sec * 1000000000LL + used.tv_nsec);
}
