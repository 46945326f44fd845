/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model: tasks are threads of Linux with stacks that are filled as RTEMS fills them, and an interrupt is a signal
 * on another stack, whose handler saves the registers where RTEMS would.
 */
#include "tests/gr740/rtems/rtems_model.h"

#include "tests/gr740/registers_model.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define malloc_info malloc_info_of_libc /* a function of the same name with other arguments */
#include <malloc.h>
#undef malloc_info

#define N_CPUS 4
#define STACK_BYTES 65536
#define OPEN_STACK_BYTES 262144 /* of the program's own threads */
#define OPEN_HEAP_BYTES 0x4000000u
#define CLOCK_MHZ 250
#define SIGNAL SIGUSR2 /* is the interrupt */
#define VECTOR 6

struct linux_frame {
    uint32_t psr, pc, npc, y, g_and_o[16];
};

static char stacks[N_CPUS][STACK_BYTES] __attribute__((aligned(4096)));
static char interrupt_stacks[N_CPUS][STACK_BYTES] __attribute__((aligned(4096)));
static Thread_Control tasks[N_CPUS], idle[N_CPUS];
static Per_CPU_Control cpus[N_CPUS];
static _Thread_local int32_t cpu = -1;
static _Thread_local bool is_in_interrupt, is_disabled, is_held_back;
static struct {
    rtems_interrupt_handler handler;
    void *arg;
    rtems_vector_number vector;
    uint32_t affinity; /* the processors that are interrupted; at first the one that the system was started on */
} installed = {.affinity = 1};
static struct {
    bool is;
    uint32_t n;
    pthread_t threads[N_CPUS];
    int states[N_CPUS]; /* files of Linux, which say whether the thread runs */
} opened;
static Heap_Control heap = {0x1000, 0x201000, {0x200000, 0x200000}};
Heap_Control *RTEMS_Malloc_Heap = &heap;
unsigned rtems_model_n_interrupts;
bool rtems_model_refuses;
uint64_t rtems_model_cycles = 2 * 1000 * CLOCK_MHZ + 130000; /* 2 ms, late, so that it finds another temperature */

/* A thread of the program is a task from its first call on. */
static void become_task(void)
{
    pthread_attr_t attributes;
    void *area;
    size_t size;
    char path[64];
    uint32_t own = __atomic_fetch_add(&opened.n, 1, __ATOMIC_RELAXED);
    stack_t stack = {.ss_sp = interrupt_stacks[own % N_CPUS], .ss_size = STACK_BYTES};
    if (own >= N_CPUS || pthread_getattr_np(pthread_self(), &attributes) != 0)
        abort();
    pthread_attr_getstack(&attributes, &area, &size);
    pthread_attr_destroy(&attributes);
    if (size > OPEN_STACK_BYTES) {
        area = (char *)area + size - OPEN_STACK_BYTES;
        size = OPEN_STACK_BYTES;
    }
    memset(area, 0xa5, (size_t)((char *)__builtin_frame_address(0) - 4096 - (char *)area));
    tasks[own].Start.Initial_stack.area = area;
    tasks[own].Start.Initial_stack.size = size;
    tasks[own].Object.id = 0x0a010001u + own;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)gettid());
    opened.states[own] = open(path, O_RDONLY);
    opened.threads[own] = pthread_self();
    sigaltstack(&stack, NULL);
    cpu = (int32_t)own;
    __atomic_store_n(&cpus[own].executing, &tasks[own], __ATOMIC_RELEASE);
}

static uint32_t here(void)
{
    if (cpu < 0 && opened.is)
        become_task();
    return cpu < 0 ? 2 : (uint32_t)cpu;
}

rtems_id rtems_task_self(void)
{
    return tasks[here()].Object.id;
}

uint32_t rtems_scheduler_get_processor(void)
{
    return here();
}

uint32_t rtems_scheduler_get_processor_maximum(void)
{
    return N_CPUS;
}

bool rtems_interrupt_is_in_progress(void)
{
    return is_in_interrupt;
}

Per_CPU_Control *_Per_CPU_Get_by_index(uint32_t index)
{
    return &cpus[index];
}

Thread_Control *_Thread_Get_executing(void)
{
    return &tasks[here()];
}

void rtems_task_iterate(bool (*visitor)(rtems_tcb *, void *), void *arg)
{
    bool is_over = false;
    for (int i = 0; i < N_CPUS && !is_over; i++)
        is_over = tasks[i].Start.Initial_stack.area && visitor(&tasks[i], arg);
}

/* A heap that loses 4 KiB at each look; of a program's own threads, that of the C library. */
int malloc_info(Heap_Information_block *information)
{
    static uintptr_t looks;
    struct mallinfo2 real = opened.is ? mallinfo2() : (struct mallinfo2){0};
    uintptr_t size = heap.area_end - heap.area_begin;
    uintptr_t used = opened.is ? real.uordblks + real.hblkhd : __atomic_add_fetch(&looks, 4096, __ATOMIC_RELAXED);
    memset(information, 0, sizeof *information);
    information->Used.total = used;
    information->Free.total = information->Free.largest = size - used;
    if (size - used < heap.stats.min_free_size)
        heap.stats.min_free_size = size - used;
    return 0;
}

rtems_status_code rtems_interrupt_handler_install(rtems_vector_number vector, const char *info, rtems_option options,
                                                  rtems_interrupt_handler handler, void *arg)
{
    if (rtems_model_refuses || installed.handler)
        return RTEMS_TOO_MANY;
    installed.arg = arg;
    installed.vector = vector;
    installed.handler = handler;
    return RTEMS_SUCCESSFUL;
}

rtems_status_code rtems_interrupt_handler_remove(rtems_vector_number vector, rtems_interrupt_handler handler, void *arg)
{
    installed.handler = NULL;
    return RTEMS_SUCCESSFUL;
}

bool _Heap_Size_of_alloc_area(Heap_Control *of, void *addr, uintptr_t *size)
{
    *size = malloc_usable_size(addr);
    return true;
}

/* RTEMS on a LEON3 has the controller broadcast an interrupt that is of more than one processor. */
rtems_status_code rtems_interrupt_set_affinity(rtems_vector_number vector, size_t affinity_size,
                                               const cpu_set_t *affinity)
{
    if (vector != VECTOR || affinity_size != sizeof *affinity)
        return RTEMS_TOO_MANY;
    installed.affinity = 0;
    for (unsigned i = 0; i < N_CPUS; i++)
        installed.affinity |= CPU_ISSET(i, affinity) ? 1u << i : 0;
    return RTEMS_SUCCESSFUL;
}

/* `outermost` is the frame of Linux's handler.  Another processor may remove the interrupt's handler at any time. */
static void interrupt(const struct linux_frame *from, volatile uint32_t *outermost)
{
    rtems_interrupt_handler handler = __atomic_load_n(&installed.handler, __ATOMIC_ACQUIRE);
    uint32_t kept;
    uint32_t sp = from->g_and_o[14];
    CPU_Interrupt_frame *saved = (CPU_Interrupt_frame *)(uintptr_t)((sp - sizeof *saved) & ~7u);
    if (!handler)
        return;
    saved->pc = from->pc;
    saved->npc = from->npc;
    saved->i6_fp = sp;
    saved->i7 = from->g_and_o[15];
    __atomic_add_fetch(&rtems_model_n_interrupts, 1, __ATOMIC_RELAXED);
    is_in_interrupt = true;
    /* The windows go to the stacks; then the outermost frame of this one leads to the registers. */
    __asm__ volatile("flushw" : : : "memory");
    for (int i = 0; i < 16; i++) /* of the interrupted window, which Linux has written there */
        ((uint32_t *)(uintptr_t)sp)[i] = outermost[i];
    kept = outermost[14];
    outermost[14] = (uint32_t)(uintptr_t)saved;
    handler(installed.arg);
    outermost[14] = kept;
    is_in_interrupt = false;
}

static void interrupt_asked(uint32_t address, const void *context, volatile uint32_t *outermost)
{
    if (address != RTEMS_MODEL_TICK)
        abort();
    if (installed.vector != VECTOR || is_disabled)
        return;
    model.cycles += rtems_model_cycles;
    interrupt(context, outermost);
}

static __attribute__((noinline)) void take(const struct linux_frame *from, volatile uint32_t *outermost)
{
    int before = errno;
    if (is_disabled)
        is_held_back = true;
    else if (cpu >= 0)
        interrupt(from, outermost);
    errno = before;
}

static void interrupt_sent(int number, siginfo_t *info, void *context)
{
    uint32_t codes, asi;
    REGISTERS_MODEL_KEEP(codes, asi);
    take(context, __builtin_frame_address(0));
    REGISTERS_MODEL_GIVE_BACK(codes, asi);
}

uint32_t rtems_model_disable(void)
{
    uint32_t before = is_disabled;
    is_disabled = true;
    return before;
}

void rtems_model_enable(uint32_t before)
{
    is_disabled = before;
    if (!before && is_held_back) {
        is_held_back = false;
        pthread_kill(pthread_self(), SIGNAL);
    }
}

static void *run_first(void *function)
{
    stack_t stack = {.ss_sp = interrupt_stacks[0], .ss_size = STACK_BYTES};
    cpu = 0;
    sigaltstack(&stack, NULL);
    registers_model_other = interrupt_asked;
    mmap((void *)(uintptr_t)RTEMS_MODEL_TICK, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    ((void (*)(void))function)();
    return NULL;
}

static void *run_second(void *function)
{
    cpu = 1;
    cpus[1].executing = &tasks[1];
    ((void (*)(void))function)();
    cpus[1].executing = &tasks[3];
    return NULL;
}

void rtems_model_run(void (*first)(void), void (*second)(void))
{
    pthread_t threads[2];
    void (*const functions[2])(void) = {first, second};
    void *(*const begins[2])(void *) = {run_first, run_second};
    memset(stacks, 0xa5, sizeof stacks);
    for (int i = 0; i < N_CPUS; i++) {
        tasks[i].Object.id = 0x0a010001u + (uint32_t)i;
        tasks[i].Start.Initial_stack.area = stacks[i];
        tasks[i].Start.Initial_stack.size = STACK_BYTES;
        tasks[i].is_idle = i >= 2;
        cpus[i].executing = &tasks[i == 0 ? 0 : 3];
    }
    memset(stacks[2] + STACK_BYTES - 100, 0, 100);
    memset(stacks[3], 0, STACK_BYTES);
    for (int i = 0; i < 2; i++) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstack(&attributes, stacks[i], STACK_BYTES);
        if (pthread_create(&threads[i], &attributes, begins[i], (void *)functions[i]) != 0)
            abort();
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

/* As it was when the last tick came: an interrupted thread runs in any case. */
bool rtems_model_is_running(uint32_t index)
{
    return cpus[index].executing && !cpus[index].executing->is_idle;
}

/* A thread that waits leaves its processor to the idle task. */
static void look_who_runs(void)
{
    for (uint32_t i = 0; i < N_CPUS; i++) {
        char text[256];
        ssize_t n = cpus[i].executing && opened.threads[i] ? pread(opened.states[i], text, sizeof text - 1, 0) : -1;
        if (n < 0)
            continue; /* not yet a task, or it has ended */
        text[n] = 0;
        const char *state = strrchr(text, ')');
        cpus[i].executing = state && state[1] && state[2] == 'R' ? &tasks[i] : &idle[i];
    }
}

static void *run_clock(void *arg)
{
    for (;;) {
        uint32_t ns = registers_model_period_ns();
        struct timespec wait = {0, ns ? (long)ns : 1000000};
        nanosleep(&wait, NULL);
        look_who_runs();
        registers_model_tick();
        for (uint32_t i = 0; ns && installed.handler && i < N_CPUS; i++)
            if (installed.affinity >> i & 1 && __atomic_load_n(&cpus[i].executing, __ATOMIC_ACQUIRE))
                pthread_kill(opened.threads[i], SIGNAL);
    }
    return arg;
}

void rtems_model_open(void)
{
    struct sigaction action = {.sa_sigaction = interrupt_sent, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigset_t ours, before;
    pthread_t clock;
    for (int i = 0; i < N_CPUS; i++)
        idle[i].is_idle = true;
    heap.area_end = heap.area_begin + OPEN_HEAP_BYTES;
    heap.stats.size = heap.stats.min_free_size = OPEN_HEAP_BYTES;
    sigaction(SIGNAL, &action, NULL);
    sigemptyset(&ours);
    sigaddset(&ours, SIGNAL);
    pthread_sigmask(SIG_BLOCK, &ours, &before);
    if (pthread_create(&clock, NULL, run_clock, NULL) != 0)
        abort();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    opened.is = true;
    here();
}
