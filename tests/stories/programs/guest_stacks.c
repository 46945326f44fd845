/* SPDX-License-Identifier: Apache-2.0
 *
 * Stacks with little room.  guest_stacks WAY [BYTES]: what lies below the stack must stay as it was.
 *
 *     alternate    computes in a handler on an alternate stack of BYTES
 *     thread       computes in a thread with the smallest stack, most of which is in use
 *     coroutine    computes on a stack of BYTES of its own, set by a switch of contexts
 *     deep         uses BYTES of stack in a handler with SA_ONSTACK, and has set no alternate stack
 *     made         makes a coroutine of an alternate stack by a jump out of its handler, as libraries do
 */
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#define GUARD 65536

static void compute(void)
{
    struct timespec now, begin;
    volatile int x = 0;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        for (int i = 0; i < 100000; i++)
            x = x + i;
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < 200);
}

static unsigned char *memory;

static void *make_stack(size_t n)
{
    memory = mmap(NULL, GUARD + n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(memory, 0xa5, GUARD);
    return memory + GUARD;
}

static int look(void)
{
    size_t n = 0;
    for (size_t i = 0; i < GUARD; i++)
        n += memory[i] != 0xa5;
    printf("%zu bytes below the stack overwritten\n", n);
    return n != 0;
}

static void on_signal(int signal)
{
    compute();
}

static int on_alternate(size_t n)
{
    stack_t stack = {.ss_sp = make_stack(n), .ss_size = n};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    if (sigaltstack(&stack, NULL) != 0)
        return perror("sigaltstack"), 2;
    sigaction(SIGUSR1, &action, NULL);
    compute();
    raise(SIGUSR1);
    compute();
    return look();
}

static void *in_thread(void *unused)
{
    volatile char used[8000];
    memset((char *)used, 1, sizeof used);
    compute();
    return used[0] ? NULL : unused;
}

static int on_small_thread(void)
{
    pthread_attr_t attributes;
    pthread_t threads[4];
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
    for (int i = 0; i < 4; i++)
        if (pthread_create(&threads[i], &attributes, in_thread, NULL) != 0)
            return 2;
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    puts("joined");
    return 0;
}

static int on_coroutine(size_t n)
{
    static ucontext_t here, there;
    getcontext(&there);
    there.uc_stack.ss_sp = make_stack(n);
    there.uc_stack.ss_size = n;
    there.uc_link = &here;
    makecontext(&there, compute, 0);
    swapcontext(&here, &there);
    return look();
}

static jmp_buf in_made, in_main;

static void on_make(int signal)
{
    if (_setjmp(in_made) == 0)
        return;
    compute();
    puts("made");
    _longjmp(in_main, 1);
}

static int on_made(size_t n)
{
    stack_t stack = {.ss_sp = make_stack(n), .ss_size = n}, none = {.ss_flags = SS_DISABLE};
    struct sigaction action = {.sa_handler = on_make, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    sigaltstack(&none, NULL);
    if (_setjmp(in_main) == 0)
        _longjmp(in_made, 1);
    return look();
}

static size_t depth;

__attribute__((noinline)) static int descend(size_t n)
{
    volatile char used[4096];
    memset((char *)used, 1, sizeof used);
    return n < sizeof used ? used[0] : descend(n - sizeof used) + used[1];
}

static void on_deep(int signal)
{
    printf("%d\n", descend(depth));
}

static int on_no_stack(size_t n)
{
    struct sigaction action = {.sa_handler = on_deep, .sa_flags = SA_ONSTACK}, was;
    depth = n;
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR1, NULL, &was);
    compute();
    raise(SIGUSR1);
    return was.sa_flags & SA_ONSTACK ? 0 : 3;
}

int main(int argc, char **argv)
{
    size_t n = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
    const char *way = argc > 1 ? argv[1] : "";
    if (strcmp(way, "alternate") == 0)
        return on_alternate(n);
    if (strcmp(way, "thread") == 0)
        return on_small_thread();
    if (strcmp(way, "deep") == 0)
        return on_no_stack(n);
    if (strcmp(way, "coroutine") == 0)
        return on_coroutine(n);
    return on_made(n);
}
