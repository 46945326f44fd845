/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * places cpus A B: runs on CPUs A and B in turn, a region on each; twice.
 * places stacks: threads with stacks of known use, on their own and on others'.
 */
#include "runtime/tandem.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define OTHER_BYTES (256 * 1024)

static void mark(const char *name)
{
    tandem_region region = tandem_region_register(name);
    tandem_region_begin(region);
    tandem_region_end(region);
}

/* In a region, with so many bytes of the stack in use. */
__attribute__((noinline)) static void use(const char *name, size_t n_bytes)
{
    volatile char bytes[n_bytes];
    for (size_t i = 0; i < n_bytes; i += 64)
        bytes[i] = 1;
    mark(name);
    (void)bytes[n_bytes - 1];
}

static void *use_some(void *name)
{
    use(name, strtoul(strrchr(name, ' '), NULL, 10));
    return NULL;
}

static void start(pthread_t *thread, const pthread_attr_t *attributes, const char *name)
{
    if (pthread_create(thread, attributes, use_some, (void *)name) != 0)
        exit(3);
}

/* A thread that lives on as the process ends. */
static void *linger(void *written)
{
    use("lingers 150000", 150000);
    if (write(((int *)written)[1], "", 1) != 1)
        exit(3);
    for (;;)
        pause();
}

/* A stack full of what is no zero: what its thread writes cannot be told from it. */
static void on_used_stack(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    void *stack = aligned_alloc(4096, OTHER_BYTES);
    memset(stack, 0x55, OTHER_BYTES);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, OTHER_BYTES);
    start(&thread, &attributes, "used stack 50000");
    pthread_join(thread, NULL);
    free(stack);
}

static ucontext_t here, there;

static void coroutine(void)
{
    mark("coroutine");
}

static void on_other_stacks(void)
{
    getcontext(&there);
    there.uc_stack.ss_sp = malloc(OTHER_BYTES);
    there.uc_stack.ss_size = OTHER_BYTES;
    there.uc_link = &here;
    makecontext(&there, coroutine, 0);
    swapcontext(&here, &there);
    mark("back");
    free(there.uc_stack.ss_sp);
}

static void on_signal(int number)
{
    mark("signal");
}

static void on_signal_stack(void)
{
    stack_t stack = {.ss_sp = malloc(OTHER_BYTES), .ss_size = OTHER_BYTES};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
}

static int stacks(void)
{
    static const char *const names[] = {"one 20000", "two 100000", "three 1000000"};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        start(&threads[i], NULL, names[i]);
        pthread_join(threads[i], NULL);
    }
    on_used_stack();
    on_other_stacks();
    on_signal_stack();
    use("main 300000", 300000);
    int written[2];
    char byte;
    if (pipe(written) != 0 || pthread_create(&threads[0], NULL, linger, written) != 0 ||
        read(written[0], &byte, 1) != 1)
        return 3;
    return 0;
}

static int cpus(char **numbers)
{
    for (int i = 0; i < 4; i++) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(strtoul(numbers[i % 2], NULL, 10), &set);
        if (sched_setaffinity(0, sizeof set, &set) != 0)
            return 3;
        mark(i % 2 ? "second" : "first");
    }
    return 0;
}

int main(int argc, char **argv)
{
    return argc == 4 && strcmp(argv[1], "cpus") == 0 ? cpus(argv + 2) : stacks();
}
