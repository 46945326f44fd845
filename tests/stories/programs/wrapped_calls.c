/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls the functions of wrapped.h and prints what comes back.  Its output must be the same whether they are wrapped.
 */
#include "wrapped.h"

#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

int w_aliased(int a);
#if defined(__x86_64__)
__attribute__((target("avx"))) v4 w_v4(v4 a, v4 b);
__attribute__((target("avx512f"))) v8 w_v8(v8 a, v8 b);
#endif

static int plus(int i, void *data)
{
    return w_add(i, *(int *)data);
}
static int again(int n)
{
    return w_recursive(n, again);
}

static void values(void)
{
    struct of_large large;
    for (int i = 0; i < 1000; i++)
        large.d[i] = i;
    struct of_int i = w_int((struct of_int){4});
    struct of_two two = w_two((struct of_two){3, 2.5});
    struct of_float4 four = w_float4((struct of_float4){{1, 2, 3, 4}});
    struct of_mixed mixed = w_mixed((struct of_mixed){'a', 1.5f, 2.5});
    struct of_three three = w_three((struct of_three){1, 2, 3});
    struct of_ld ld = w_ld_struct((struct of_ld){1.25L});
    struct packed packed = w_packed((struct packed){2, 3.5});
    large = w_large(large, 999);
    printf("%d %ld %g %g %g %c %g %g %ld %ld %ld %Lg %g %g\n", i.i, two.a, two.b, four.f[0], four.f[3], mixed.c,
           mixed.f, mixed.d, three.a, three.b, three.c, ld.x, packed.d, large.d[999]);
    double complex c = w_complex(1 + 2 * I, 3 - 1 * I);
    long double complex l = w_ld_complex(1.5L + 2 * I);
    float complex f = w_float_complex(1 + 3 * I);
    __int128 big = w_int128((__int128)1 << 70, 5);
    printf("%Lg %g %g %Lg %Lg %g %g %llx %d\n", w_ld(1.5L, 2, 3.25L), creal(c), cimag(c), creall(l), cimagl(l),
           crealf(f), cimagf(f), (unsigned long long)(big >> 64), w_bool(0));
    printf("%.17g\n", w_twenty(1, 2, 3, 4, 5, 6, 7, 8, (void *)9, 10, 11, 12, 13, 14, 15, 16,
                               (struct of_mixed){17, 18, 19}, 20, (struct of_three){21, 22, 23}, 24));
    printf("%.17g %.17g\n",
           w_variadic("ididLsddddddddddiiiiiiL", 1, 2.0, 3, 4.0, 5.0L, (struct of_three){1, 6, 2}, 1.0, 2.0, 3.0, 4.0,
                      5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 1, 2, 3, 4, 5, 6, 7.5L),
           w_variadic(""));
    v2 v = w_v2((v2){1, 2}, (v2){3, 4});
    printf("%g %g %s %d %d %d %d\n", v[0], v[1], w_data_name(), w_data, w_ifunc(1), w_alias(1), w_aliased(2));
}

#if defined(__x86_64__)
__attribute__((target("avx"))) static void avx(void)
{
    v4 v = w_v4((v4){1, 2, 3, 4}, (v4){5, 6, 7, 8});
    printf("%g %g %g %g\n", v[0], v[1], v[2], v[3]);
}
__attribute__((target("avx512f"))) static void avx512(void)
{
    v8 v = w_v8((v8){1, 2, 3, 4, 5, 6, 7, 8}, (v8){9, 10, 11, 12, 13, 14, 15, 16});
    for (int i = 0; i < 8; i++)
        printf("%g ", v[i]);
    puts("");
}
static void vectors(void)
{
    if (__builtin_cpu_supports("avx"))
        avx();
    if (__builtin_cpu_supports("avx512f"))
        avx512();
}
#else
static void vectors(void) {}
#endif

struct left {
    jmp_buf *to;
    int n;
};

static int leaves(jmp_buf *to, int n);

static int leaves_further(int i, void *data)
{
    return leaves(((struct left *)data)->to, ((struct left *)data)->n);
}

static int jumps(int i, void *data)
{
    w_jump(((struct left *)data)->to, 1);
    return i;
}

static int leaves(jmp_buf *to, int n)
{
    return w_callback(n ? leaves_further : jumps, &(struct left){to, n - 1}, 1);
}

static void control(void)
{
    int ten = 10, sum = 0;
    printf("%d %d %d\n", w_callback(plus, &ten, 5), again(100), w_tail(4));
    for (int i = 0; i < 50; i++) {
        jmp_buf here;
        int value = setjmp(here);
        if (!value)
            w_jump_through(&here, i % 7);
        sum += value + w_add(i, 1);
    }
    for (int i = 0; i < 3000; i++) { /* more calls are left than a thread can be in */
        jmp_buf here;
        if (!setjmp(here))
            sum += leaves(&here, i % 40);
    }
    errno = 0;
    w_errno(ERANGE);
    printf("%d %d\n", sum, errno == ERANGE);
}

static int depth_of(int n, void *data)
{
    void *frames[64];
    *(int *)data = backtrace(frames, 64);
    return n;
}

static void stacks(void)
{
    int plain, wrapped;
    depth_of(0, &plain);
    w_callback(depth_of, &wrapped, 1);
    printf("deeper: %d\n", wrapped > plain);
}

static ucontext_t main_context, contexts[2];
static int turns;

static int yields(int i, void *data)
{
    int which = *(int *)data;
    turns = turns * 3 + which + i;
    swapcontext(&contexts[which], which ? &main_context : &contexts[1]);
    return w_add(i, which);
}

static void run(int which)
{
    turns += w_callback(yields, &which, 6);
}

static void coroutines(void)
{
    static char stacks[2][65536];
    char inside[65536]; /* on the thread's own stack */
    for (int i = 0; i < 2; i++) {
        getcontext(&contexts[i]);
        contexts[i].uc_stack.ss_sp = i ? inside : stacks[i];
        contexts[i].uc_stack.ss_size = sizeof inside;
        contexts[i].uc_link = &main_context;
        makecontext(&contexts[i], (void (*)(void))run, 1, i);
    }
    for (int i = 0; i < 14; i++)
        if (w_add(i, 0) < 6)
            swapcontext(&main_context, &contexts[0]);
    printf("coroutines: %d\n", turns);
}

static volatile int handled;
static void handle(int number)
{
    handled = w_add(handled, 1);
}

static int raises(int i, void *data)
{
    raise(SIGUSR1);
    return w_many(i);
}

static void signals(void)
{
    static char stack[65536];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    int sum = w_callback(raises, NULL, 10);
    sigaltstack(&other, NULL);
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &action, NULL);
    sum += w_callback(raises, NULL, 10);
    printf("signals: %d %d\n", handled, sum);
}

static void *exits(void *data)
{
    w_add(1, 2);
    w_exit_thread();
    return NULL;
}

static void *counts(void *data)
{
    for (int i = 0; i < 1000; i++)
        *(int *)data = w_many(*(int *)data);
    return w_thread(data);
}

static void threads(void)
{
    pthread_t made[4];
    int numbers[4] = {0}, sum = 0;
    void *result;
    for (int i = 0; i < 4; i++)
        pthread_create(&made[i], NULL, counts, &numbers[i]);
    for (int i = 0; i < 4; i++) {
        pthread_join(made[i], NULL);
        sum += numbers[i];
    }
    pthread_create(&made[0], NULL, exits, NULL);
    pthread_join(made[0], &result);
    printf("threads: %d %ld\n", sum, (long)result);
}

static int forks(int i, void *data)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        *(int *)data = w_add(*(int *)data, 5);
        return *(int *)data;
    }
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

static void processes(void)
{
    pid_t self = getpid();
    int data = 1, sum = w_callback(forks, &data, 1);
    if (getpid() != self)
        _exit(w_add(sum, 10));
    printf("processes: %d\n", sum);
}

int main(void)
{
    values();
    vectors();
    control();
    stacks();
    coroutines();
    signals();
    threads();
    processes();
    return w_add(1, 2);
}
