/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small model of those types and functions of RTEMS that targets/gr740/board_rtems.c uses, with the behaviour that
 * was seen of RTEMS 7 on an emulated LEON3: an interrupt has a stack of its own, whose outermost frame leads to the
 * registers that were saved on the interrupted thread's stack.  Names and fields are those of RTEMS; nothing else of it
 * is here.
 */
#ifndef RTEMS_MODEL_H
#define RTEMS_MODEL_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define __RTEMS_MAJOR__ 7

typedef uint32_t rtems_id, rtems_option, rtems_vector_number;
typedef uint32_t rtems_interrupt_level;
#define rtems_interrupt_local_disable(level) ((level) = rtems_model_disable())
#define rtems_interrupt_local_enable(level) rtems_model_enable(level)
uint32_t rtems_model_disable(void);
void rtems_model_enable(uint32_t before);

typedef enum { RTEMS_SUCCESSFUL = 0, RTEMS_TOO_MANY = 5 } rtems_status_code;
typedef void (*rtems_interrupt_handler)(void *);
#define RTEMS_INTERRUPT_SHARED 0

typedef struct {
    struct {
        uint32_t id;
    } Object;
    struct {
        struct {
            size_t size;
            void *area;
        } Initial_stack;
    } Start;
    bool is_idle;
} Thread_Control;
typedef Thread_Control rtems_tcb;

typedef struct {
    Thread_Control *volatile executing;
} Per_CPU_Control;

typedef struct {
    uint32_t window[16], structure, arguments[6], pad;
} CPU_Minimum_stack_frame;
typedef struct {
    CPU_Minimum_stack_frame Stack_frame;
    uint32_t psr, pc, npc, g1, g2, g3, g4, g5, g6, g7, i0, i1, i2, i3, i4, i5, i6_fp, i7, y, tpc;
} CPU_Interrupt_frame;

typedef struct {
    uintptr_t area_begin, area_end;
    struct {
        uintptr_t size, min_free_size;
    } stats;
} Heap_Control;
typedef struct {
    struct {
        uintptr_t number, largest, total;
    } Free, Used;
} Heap_Information_block;
extern Heap_Control *RTEMS_Malloc_Heap;

rtems_id rtems_task_self(void);
uint32_t rtems_scheduler_get_processor(void);
uint32_t rtems_scheduler_get_processor_maximum(void);
bool rtems_interrupt_is_in_progress(void);
rtems_status_code rtems_interrupt_handler_install(rtems_vector_number vector, const char *info, rtems_option options,
                                                  rtems_interrupt_handler handler, void *arg);
rtems_status_code rtems_interrupt_handler_remove(rtems_vector_number vector, rtems_interrupt_handler handler,
                                                 void *arg);
rtems_status_code rtems_interrupt_set_affinity(rtems_vector_number vector, size_t affinity_size,
                                               const cpu_set_t *affinity);
void rtems_task_iterate(bool (*visitor)(rtems_tcb *, void *), void *arg);
bool _Heap_Size_of_alloc_area(Heap_Control *heap, void *addr, uintptr_t *size);
int malloc_info(Heap_Information_block *information);
Per_CPU_Control *_Per_CPU_Get_by_index(uint32_t index);
Thread_Control *_Thread_Get_executing(void);

/* Of the model itself: runs two tasks, each on a processor of its own; the first one has interrupts, where it asks for
 * them. */
void rtems_model_run(void (*first)(void), void (*second)(void));
extern unsigned rtems_model_n_interrupts;
extern bool rtems_model_refuses;    /* to install a handler */
extern uint64_t rtems_model_cycles; /* that pass until the next interrupt that a task asks for */

/* Here an interrupt comes to the first task: the load faults. */
#define RTEMS_MODEL_TICK 0xFE000000u
#define RTEMS_MODEL_INTERRUPT() __asm__ volatile("ld [%0], %%g0" : : "r"(RTEMS_MODEL_TICK) : "memory")

/* Or the program's threads are the tasks, each on a processor of its own, the first to come on the first; and a timer
 * that is on interrupts them at any instruction.  So it is after this. */
void rtems_model_open(void);
bool rtems_model_is_running(uint32_t cpu);

#endif
