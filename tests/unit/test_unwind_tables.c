/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The walk by unwind tables: from every single instruction of some calls into the C library it must come out where it
 * is known to, and say the same again from what it has kept; and no stack, however broken, may make it fault or go on
 * for ever.  What interrupts after each instruction: the processor's trap flag; where programs have none, a process
 * that shares this one's memory and is stepped by it.
 */
#include "runtime/modules.h"
#include "unwind/unwind_cache.h"
#include "unwind/unwind_rows.h"
#include "unwind/unwind_tables.h"

#include <dlfcn.h>
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__aarch64__)
#include <elf.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#endif

#define MAX_FRAMES 64

uint64_t tnd_modules_generation;

static uint64_t stack_low, stack_high;
static uint64_t expected; /* a return address that every walk must meet */
static volatile sig_atomic_t stepping;
static unsigned n_walks, n_missed, n_differing;
static uint64_t first_missed;

static unsigned walk(const ucontext_t *context, uint64_t low, uint64_t high, uint64_t frames[MAX_FRAMES])
{
    struct tnd_unwind_state state;
    unsigned n = 0;
    tnd_unwind_tables_begin(&state, context, low, high);
    do
        frames[n++] = state.registers[TND_UNWIND_PC];
    while (n < MAX_FRAMES && tnd_unwind_tables_step(&state));
    return n;
}

static bool meets(const ucontext_t *context, uint64_t address)
{
    uint64_t frames[MAX_FRAMES];
    unsigned n = walk(context, stack_low, stack_high, frames);
    for (unsigned i = 0; i < n; i++)
        if (frames[i] == address)
            return true;
    return false;
}

/* A walk of which nothing is kept, and one of what the first has kept. */
static bool walks_agree(const ucontext_t *context)
{
    uint64_t read[MAX_FRAMES], kept[MAX_FRAMES];
    tnd_modules_change();
    unsigned n = walk(context, stack_low, stack_high, read);
    return walk(context, stack_low, stack_high, kept) == n && memcmp(read, kept, n * sizeof read[0]) == 0;
}

/* After each instruction of a stepped call. */
static void look(const ucontext_t *context)
{
    n_walks++;
    n_differing += !walks_agree(context);
    if (!meets(context, expected) && n_missed++ == 0)
        first_missed = tnd_unwind_machine_register(context, TND_UNWIND_PC);
}

#if defined(__x86_64__)
/* Code as a linker adds it: no table, no frame pointer, but registers that it saves. */
void without_tables(void);
__asm__(".text\n"
        ".type without_tables, @function\n"
        "without_tables:\n"
        "pushq %rbx\n"
        "pushq %rbp\n"
        "movl $1, %ebp\n"
        "nop\n"
        "popq %rbp\n"
        "popq %rbx\n"
        "ret\n"
        ".size without_tables, . - without_tables\n");
#endif

/* Its tables count the frame from a register that no walk keeps. */
void by_unknown_register(void);
__asm__(".text\n"
        ".type by_unknown_register, %function\n"
        "by_unknown_register:\n"
        ".cfi_startproc\n"
        ".cfi_def_cfa 70, 16\n"
        "nop\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size by_unknown_register, . - by_unknown_register\n");

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void call_much(void)
{
    int numbers[50];
    char text[100];
    for (int i = 0; i < 50; i++)
        numbers[i] = i * 7919 % 50;
    qsort(numbers, 50, sizeof numbers[0], compare);
    snprintf(text, sizeof text, "%d %s %.3f", numbers[3], "words", 3.25);
    free(malloc(strlen(text) + 5000));
#if defined(__x86_64__)
    /* With what dlerror makes of it.  Locks of some arm64 are loops that are never left when they are stepped. */
    g_assert_null(dlsym(RTLD_DEFAULT, "no such thing"));
    without_tables();
#endif
}

#if defined(__x86_64__)
#define TRAP_FLAG 0x100
#define MAX_MISSED 0

static void on_step(int number, siginfo_t *info, void *argument)
{
    ucontext_t *context = argument;
    if (!stepping) {
        context->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
        return;
    }
    context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    look(context);
}

/* Its own return address, in the test, is what walks must meet. */
__attribute__((noinline)) static void step_through(void)
{
    expected = (uint64_t)__builtin_return_address(0);
    stepping = 1;
    raise(SIGTRAP);
    call_much();
    stepping = 0;
    __asm__ volatile("nop");
}

static void step_all(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO}, old;
    action.sa_sigaction = on_step;
    sigaction(SIGTRAP, &action, &old);
    step_through();
    sigaction(SIGTRAP, &old, NULL);
}

#elif defined(__aarch64__)
/* The tables of glibc 2.36 are wrong about three instructions that are executed when a function is first called. */
#define MAX_MISSED (4 * 8)

__attribute__((noinline)) static void step_through(void)
{
    expected = (uint64_t)__builtin_return_address(0);
    stepping = 1;
    call_much();
    stepping = 0;
    __asm__ volatile("nop");
}

/* By system calls: what the C library knows of the process is this one's. */
static int be_stepped(void *nothing)
{
    syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0);
    syscall(SYS_kill, syscall(SYS_getpid), SIGSTOP);
    step_through();
    syscall(SYS_exit, 0);
    return 0;
}

static void step_all(void)
{
    static char stack[1 << 18] __attribute__((aligned(16)));
    const uint64_t low = stack_low, high = stack_high;
    ucontext_t context;
    int status;
    stack_low = (uint64_t)stack;
    stack_high = (uint64_t)(stack + sizeof stack);
    pid_t child = clone(be_stepped, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL);
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
        struct user_regs_struct registers;
        struct iovec room = {&registers, sizeof registers};
        ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &room);
        memcpy(context.uc_mcontext.regs, registers.regs, sizeof registers.regs);
        context.uc_mcontext.sp = registers.sp;
        context.uc_mcontext.pc = registers.pc;
        if (stepping)
            look(&context);
        ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
    }
    stack_low = low;
    stack_high = high;
}
#endif

static void find_stack(void)
{
    pthread_attr_t attributes;
    void *low;
    size_t size;
    g_assert_cmpint(pthread_getattr_np(pthread_self(), &attributes), ==, 0);
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    stack_low = (uint64_t)low;
    stack_high = stack_low + size;
}

static void test_every_instruction(void)
{
    step_all();
    Dl_info info = {.dli_fname = "nothing"};
    dladdr((void *)first_missed, &info);
    g_test_message("%u walks, %u missed, the first at %#lx of %s", n_walks, n_missed,
                   (unsigned long)(first_missed - (uint64_t)info.dli_fbase), info.dli_fname);
    g_assert_cmpuint(n_walks, >, 5000);
    g_assert_cmpuint(n_missed, <=, MAX_MISSED);
    g_assert_cmpuint(n_differing, ==, 0);
}

static bool inner_met;

static void on_inner(int number, siginfo_t *info, void *context)
{
    inner_met = meets(context, expected);
}

static void on_outer(int number)
{
    raise(SIGUSR2);
}

__attribute__((noinline)) static void raise_outer(void)
{
    expected = (uint64_t)__builtin_return_address(0);
    raise(SIGUSR1);
    __asm__ volatile("nop");
}

/* Through the frame of a handler of the program's, which lies on another stack. */
static void test_through_a_handler(void)
{
    static char other[65536];
    stack_t stack = {.ss_sp = other, .ss_size = sizeof other};
    struct sigaction outer = {.sa_flags = SA_ONSTACK}, inner = {.sa_flags = SA_SIGINFO};
    outer.sa_handler = on_outer;
    inner.sa_sigaction = on_inner;
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &outer, NULL);
    sigaction(SIGUSR2, &inner, NULL);
    raise_outer();
    g_assert_true(inner_met);
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
}

static void test_unknown_register(void)
{
    struct tnd_unwind_place place;
    g_assert_cmpint(tnd_unwind_rows_find((uint64_t)by_unknown_register, &place), ==, TND_UNWIND_NOT_READ);
    g_assert_cmpint(tnd_unwind_rows_find((uint64_t)call_much, &place), ==, TND_UNWIND_ROW);
}

static uint64_t random_word(GRand *rand)
{
    static uint64_t places[4];
    places[0] = (uint64_t)&places;
    places[1] = (uint64_t)dlsym(RTLD_DEFAULT, "qsort");
    places[2] = (uint64_t)&test_through_a_handler;
    places[3] = (uint64_t)rand;
    uint64_t any = (uint64_t)g_rand_int(rand) << 32 | g_rand_int(rand);
    switch (g_rand_int(rand) % 4) {
    case 0:
        return any;
    case 1:
        return any % 100000;
    default:
        return places[any % 4] + (any >> 8) % 65536;
    }
}

#if defined(__x86_64__)
static void set_register(ucontext_t *context, int number, uint64_t value)
{
    context->uc_mcontext.gregs[number] = (greg_t)value;
}
enum { N_OF_CONTEXT = NGREG, SP_OF_CONTEXT = REG_RSP, FP_OF_CONTEXT = REG_RBP };
#elif defined(__aarch64__)
static void set_register(ucontext_t *context, int number, uint64_t value)
{
    (&context->uc_mcontext.regs[0])[number] = value; /* sp and pc follow */
}
enum { N_OF_CONTEXT = 33, SP_OF_CONTEXT = 31, FP_OF_CONTEXT = 29 };
#endif

static void test_broken_stacks(void)
{
    static uint64_t words[512];
    ucontext_t context;
    memset(&context, 0, sizeof context);
    GRand *rand = g_rand_new_with_seed(7);
    for (int round = 0; round < 20000; round++) {
        for (int i = 0; i < N_OF_CONTEXT; i++)
            set_register(&context, i, random_word(rand));
        for (int i = 0; i < 512; i++)
            words[i] = round % 2 ? random_word(rand) : (uint64_t)&words[g_rand_int(rand) % 512];
        if (round % 4)
            set_register(&context, SP_OF_CONTEXT, (uint64_t)&words[g_rand_int(rand) % 512]);
        set_register(&context, FP_OF_CONTEXT, (uint64_t)&words[g_rand_int(rand) % 512]);
        uint64_t frames[MAX_FRAMES];
        bool known = round % 3 == 0;
        g_assert_cmpuint(walk(&context, known ? (uint64_t)words : 0, known ? (uint64_t)(words + 512) : 0, frames), <=,
                         MAX_FRAMES);
    }
    g_rand_free(rand);
}

/* A place's rule is its own: any other that is found was put together from two writers' halves. */
static uint64_t rule_of(uint64_t pc, uint64_t generation)
{
    return (pc << 32 | pc) * 7 + generation;
}

static gpointer keep_and_find(gpointer seed)
{
    GRand *rand = g_rand_new_with_seed(GPOINTER_TO_UINT(seed));
    guint n_found = 0;
    for (int i = 0; i < 2000000; i++) {
        uint64_t pc = 0x7f0000401000 + g_rand_int(rand) % 20000, generation = i / 100000, rule;
        if (tnd_unwind_cache_find(pc, generation, &rule)) {
            n_found++;
            g_assert_cmphex(rule, ==, rule_of(pc, generation));
        } else {
            tnd_unwind_cache_keep(pc, generation, rule_of(pc, generation));
        }
    }
    g_rand_free(rand);
    return GUINT_TO_POINTER(n_found);
}

static void test_cache_of_threads(void)
{
    GThread *threads[3];
    for (guint i = 0; i < G_N_ELEMENTS(threads); i++)
        threads[i] = g_thread_new(NULL, keep_and_find, GUINT_TO_POINTER(i));
    for (guint i = 0; i < G_N_ELEMENTS(threads); i++)
        g_assert_cmpuint(GPOINTER_TO_UINT(g_thread_join(threads[i])), >, 100000);
}

/* What was learnt of a place before code changed is not believed afterwards. */
static void test_cache_of_changes(void)
{
    uint64_t rule;
    tnd_unwind_cache_keep(0x401000, tnd_modules_generation, 5);
    g_assert_true(tnd_unwind_cache_find(0x401000, tnd_modules_generation, &rule));
    g_assert_cmpuint(rule, ==, 5);
    g_assert_false(tnd_unwind_cache_find(0x401001, tnd_modules_generation, &rule));
    tnd_modules_change();
    g_assert_false(tnd_unwind_cache_find(0x401000, tnd_modules_generation, &rule));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    find_stack();
    g_assert_true(tnd_unwind_tables_work());
    g_test_add_func("/unwind_tables/every_instruction", test_every_instruction);
    g_test_add_func("/unwind_tables/through_a_handler", test_through_a_handler);
    g_test_add_func("/unwind_tables/unknown_register", test_unknown_register);
    g_test_add_func("/unwind_tables/broken_stacks", test_broken_stacks);
    g_test_add_func("/unwind_tables/cache_of_threads", test_cache_of_threads);
    g_test_add_func("/unwind_tables/cache_of_changes", test_cache_of_changes);
    return g_test_run();
}
