/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model: tasks are threads of Linux with stacks that are filled as RTEMS fills them, and an interrupt is a signal
 * on another stack, whose handler saves the registers where RTEMS would.
 */
#include "tests/gr740/rtems/rtems_model.h"

#include "tests/gr740/registers_model.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define N_CPUS 4
#define STACK_BYTES 65536
#define PERIOD_US 2000 /* between two interrupts, of the model's time */

struct linux_frame {
    uint32_t psr, pc, npc, y, g_and_o[16];
};

static char stacks[N_CPUS][STACK_BYTES] __attribute__((aligned(4096)));
static char interrupt_stack[STACK_BYTES] __attribute__((aligned(8)));
static Thread_Control tasks[N_CPUS];
static Per_CPU_Control cpus[N_CPUS];
static _Thread_local uint32_t cpu = 2;
static bool is_in_interrupt;
static _Thread_local bool is_disabled;
static struct {
    rtems_interrupt_handler handler;
    void *arg;
    rtems_vector_number vector;
} installed;
static Heap_Control heap = {0x1000, 0x201000};
Heap_Control *RTEMS_Malloc_Heap = &heap;
unsigned rtems_model_n_interrupts;
bool rtems_model_refuses;

rtems_id rtems_task_self(void)
{
    return tasks[cpu].Object.id;
}

uint32_t rtems_scheduler_get_processor(void)
{
    return cpu;
}

uint32_t rtems_scheduler_get_processor_maximum(void)
{
    return N_CPUS;
}

bool rtems_interrupt_is_in_progress(void)
{
    return is_in_interrupt && cpu == 0;
}

Per_CPU_Control *_Per_CPU_Get_by_index(uint32_t index)
{
    return &cpus[index];
}

Thread_Control *_Thread_Get_executing(void)
{
    return &tasks[cpu];
}

void rtems_task_iterate(bool (*visitor)(rtems_tcb *, void *), void *arg)
{
    for (int i = 0; i < N_CPUS && !visitor(&tasks[i], arg); i++)
        ;
}

/* A heap that loses 4 KiB at each look. */
int malloc_info(Heap_Information_block *information)
{
    static uintptr_t looks;
    uintptr_t used = __atomic_add_fetch(&looks, 4096, __ATOMIC_RELAXED);
    memset(information, 0, sizeof *information);
    information->Used.total = used;
    information->Free.total = information->Free.largest = heap.area_end - heap.area_begin - used;
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

static void interrupt(uint32_t address, const void *context, volatile uint32_t *outermost)
{
    const struct linux_frame *from = context;
    uint32_t kept;
    uint32_t sp = from->g_and_o[14];
    CPU_Interrupt_frame *saved = (CPU_Interrupt_frame *)(uintptr_t)((sp - sizeof *saved) & ~7u);
    if (address != RTEMS_MODEL_TICK)
        abort();
    if (!installed.handler || installed.vector != 6 || is_disabled)
        return;
    saved->pc = from->pc;
    saved->npc = from->npc;
    saved->i6_fp = sp;
    saved->i7 = from->g_and_o[15];
    model.cycles += 250 * PERIOD_US + 130000; /* late, so that it finds another temperature */
    rtems_model_n_interrupts++;
    is_in_interrupt = true;
    /* The windows go to the stacks; then the outermost frame of this one leads to the registers. */
    __asm__ volatile("flushw" : : : "memory");
    for (int i = 0; i < 16; i++) /* of the interrupted window, which Linux has written there */
        ((uint32_t *)(uintptr_t)sp)[i] = outermost[i];
    kept = outermost[14];
    outermost[14] = (uint32_t)(uintptr_t)saved;
    installed.handler(installed.arg);
    outermost[14] = kept;
    is_in_interrupt = false;
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
}

static void *run_first(void *function)
{
    stack_t stack = {.ss_sp = interrupt_stack, .ss_size = sizeof interrupt_stack};
    cpu = 0;
    sigaltstack(&stack, NULL);
    registers_model_other = interrupt;
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
