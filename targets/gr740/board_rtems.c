/* SPDX-License-Identifier: Apache-2.0
 *
 * What only RTEMS can tell: processors, stacks, the heap, where a thread was interrupted, and the timer that
 * interrupts. All calls of RTEMS that are not POSIX are here.
 *
 * A timer of GPTIMER interrupts all processors, each of which samples the thread that it runs.  Where RTEMS (before 6)
 * or the interrupt controller cannot do so, or the user does not want it, it interrupts one.  That one also records the
 * counters of the others; but where a thread on another processor is cannot be known, so that it gets no sample of this
 * tick.  The first processor that comes counts which ones run a thread.
 *
 * RTEMS handles interrupts on a stack of its own: the outermost frame there leads to the frame in which it saved the
 * registers of the interrupted thread, on that thread's stack.
 *
 * Context: runtime/target.h, targets/gr740/board.h.
 */
#include "formats/event_types.h"
#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/run.h"
#include "runtime/sentence.h"
#include "runtime/source.h"
#include "runtime/target.h"
#include "runtime/user.h"
#include "targets/gr740/board.h"
#include "targets/gr740/board_sampling.h"
#include "targets/gr740/gptimer.h"
#include "targets/gr740/l4stat.h"
#include "targets/gr740/registers.h"

#include <rtems.h>
#include <rtems/libcsupport.h>
#include <rtems/malloc.h>
#include <rtems/score/heapimpl.h>
#include <rtems/score/percpu.h>
#include <rtems/score/thread.h>
#include <sched.h>
#include <string.h>

#define UNIT 1 /* of GPTIMER; 0 is RTEMS's */
#define TIMER 0
#define UNTOUCHED 0xa5a5a5a5u /* what RTEMS fills stacks with, if it checks them */
#define MAX_FRAMES 64         /* on the interrupt's stack */

/* The threads that are recorded, by slot; an interrupt looks here for what a processor runs. */
static struct {
    rtems_id id;
    struct tnd_thread *thread;
} known[TND_THREAD_MAX_SLOTS];

static struct {
    bool is_on, is_of_all;                     /* all processors are interrupted */
    char is_held;                              /* a lock of what follows */
    uint32_t n_ticks, n_seen[TND_L4STAT_CPUS]; /* of each processor: up to which tick ... */
    uint64_t seen[TND_L4STAT_CPUS];            /* ... and when that was */
} interrupts;

static bool tells_heap;
extern void (*tnd_heap_self_told)(struct tnd_thread *thread) __attribute__((weak)); /* intercept/heap/heap_self.h */

int tnd_target_cpu(void)
{
    return (int)rtems_scheduler_get_processor();
}

unsigned tnd_board_n_cpus(void)
{
    return (unsigned)rtems_scheduler_get_processor_maximum();
}

bool tnd_board_is_interrupt(void)
{
    return rtems_interrupt_is_in_progress();
}

/* A block that the program has cannot change meanwhile. */
size_t tnd_board_block_size(void *block)
{
    uintptr_t size;
    return _Heap_Size_of_alloc_area(RTEMS_Malloc_Heap, block, &size) ? size : 0;
}

/* Held while streams of a thread are written on another processor than its own, or moved on its own. */
static char is_taken;

uint32_t tnd_board_interrupts_off(void)
{
    rtems_interrupt_level level;
    rtems_interrupt_local_disable(level);
    while (__atomic_test_and_set(&is_taken, __ATOMIC_ACQUIRE))
        ;
    return (uint32_t)level;
}

void tnd_board_interrupts_on(uint32_t before)
{
    rtems_interrupt_level level = before;
    __atomic_clear(&is_taken, __ATOMIC_RELEASE);
    rtems_interrupt_local_enable(level);
}

static const Thread_Control *runs_on(uint32_t cpu)
{
    return _Per_CPU_Get_by_index(cpu)->executing;
}

/* The recorded thread; NULL: it is not recorded, or idle. */
static struct tnd_thread *thread_of(const Thread_Control *executing)
{
    for (uint32_t i = 0; executing && i < TND_THREAD_MAX_SLOTS; i++)
        if (known[i].thread && known[i].id == executing->Object.id)
            return known[i].thread;
    return NULL;
}

void tnd_target_stack(void **low, void **high)
{
    const Thread_Control *self = _Thread_Get_executing();
    *low = self->Start.Initial_stack.area;
    *high = (char *)*low + self->Start.Initial_stack.size;
}

/* The lowest word that is not as RTEMS filled it; 0 if the lowest of all is not, because then it does not fill. */
uintptr_t tnd_target_stack_touched(uintptr_t floor, uintptr_t high)
{
    uintptr_t at = (floor + 3) & ~(uintptr_t)3;
    at += 16; /* the checker has a pattern of its own there */
    if (*(const uint32_t *)at != UNTOUCHED)
        return 0;
    while (at < high && *(const uint32_t *)at == UNTOUCHED)
        at += 4;
    return at;
}

/* Writes the register windows of everything below the calling function to the stack. */
#define SPILL                                                                                                          \
    __asm__ volatile("save %%sp, -96, %%sp; save %%sp, -96, %%sp; save %%sp, -96, %%sp; save %%sp, -96, %%sp;"         \
                     "save %%sp, -96, %%sp; save %%sp, -96, %%sp; save %%sp, -96, %%sp;"                               \
                     "restore; restore; restore; restore; restore; restore; restore"                                   \
                     :                                                                                                 \
                     :                                                                                                 \
                     : "memory")

/* Where the thread was interrupted; false: that is not to be found. */
static __attribute__((noinline)) bool find_interrupted(const Thread_Control *thread, struct tnd_board_sampling_at *at)
{
    uintptr_t low = (uintptr_t)thread->Start.Initial_stack.area, high = low + thread->Start.Initial_stack.size;
    SPILL;
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    for (int i = 0; i < MAX_FRAMES && frame && (frame & 7) == 0; i++) {
        if (frame >= low && frame + sizeof(CPU_Interrupt_frame) <= high) {
            const CPU_Interrupt_frame *saved = (const CPU_Interrupt_frame *)frame;
            *at = (struct tnd_board_sampling_at){saved->pc, saved->i6_fp, saved->i7, 0};
            return true;
        }
        frame = ((const uint32_t *)frame)[14];
    }
    return false;
}

/* Reads the counters of the other processors: of one that runs no thread, so that they do not wrap unseen; of all, if
 * this one is interrupted alone. */
static void read_others(uint32_t here, uint32_t n_cpus, uint64_t time)
{
    bool of_all = !interrupts.is_of_all && !__atomic_test_and_set(&is_taken, __ATOMIC_ACQUIRE);
    for (uint32_t cpu = 0; cpu < n_cpus; cpu++) {
        struct tnd_thread *thread = thread_of(runs_on(cpu));
        if (cpu != here && (!thread || of_all))
            tnd_board_counters_of(thread, cpu, time);
    }
    if (of_all)
        __atomic_clear(&is_taken, __ATOMIC_RELEASE);
}

static void sample(uint32_t here, bool is_first)
{
    uint64_t time = tnd_clock_ticks();
    uint32_t n_cpus = tnd_board_n_cpus();
    const Thread_Control *executing = runs_on(here);
    struct tnd_thread *thread = thread_of(executing);
    struct tnd_board_sampling_at at;
    unsigned n_running = 0;
    if (thread && find_interrupted(executing, &at)) {
        at.before = interrupts.seen[here];
        tnd_board_sampling_take(thread, time, &at);
    }
    interrupts.seen[here] = time;
    if (!is_first)
        return;
    for (uint32_t cpu = 0; cpu < n_cpus; cpu++)
        n_running += runs_on(cpu) && !runs_on(cpu)->is_idle;
    read_others(here, n_cpus, time);
    tnd_board_sensors_tick(time, n_running);
}

/* Every processor that is interrupted comes here: one of them first, which takes the timer's flag. */
static void handle(void *arg)
{
    uint32_t here = rtems_scheduler_get_processor();
    if (here >= TND_L4STAT_CPUS)
        return;
    while (__atomic_test_and_set(&interrupts.is_held, __ATOMIC_ACQUIRE))
        ;
    bool is_first = tnd_gptimer_take(TND_REGISTERS_GPTIMER(UNIT), TIMER);
    interrupts.n_ticks += is_first;
    bool is_due = interrupts.n_seen[here] != interrupts.n_ticks; /* else it was a timer of somebody else */
    interrupts.n_seen[here] = interrupts.n_ticks;
    __atomic_clear(&interrupts.is_held, __ATOMIC_RELEASE);
    if (is_due)
        sample(here, is_first);
}

/* RTEMS tells the interrupt controller to broadcast an interrupt that is of several processors. */
static bool interrupt_all(rtems_vector_number vector)
{
#if __RTEMS_MAJOR__ >= 6
    cpu_set_t all;
    CPU_ZERO(&all);
    for (unsigned cpu = 0; cpu < tnd_board_n_cpus(); cpu++)
        CPU_SET(cpu, &all);
    return rtems_interrupt_set_affinity(vector, sizeof all, &all) == RTEMS_SUCCESSFUL;
#else
    return false;
#endif
}

uint64_t tnd_board_sampling_begin(uint64_t period_ns)
{
    uint32_t unit = TND_REGISTERS_GPTIMER(UNIT);
    rtems_vector_number vector = tnd_gptimer_interrupt(unit, TIMER);
    uint64_t period = tnd_gptimer_start(unit, TIMER, TND_REGISTERS_CLOCK_HZ, period_ns);
    if (!period)
        return 0;
    bool wants_all = strcmp(tnd_board_settings.sampling_cpus, "all") == 0;
    interrupts.is_of_all = wants_all && interrupt_all(vector);
    for (uint32_t cpu = 0; cpu < TND_L4STAT_CPUS; cpu++)
        interrupts.seen[cpu] = tnd_clock_ticks();
    if (wants_all && !interrupts.is_of_all)
        tnd_run_note("sampling: RTEMS interrupts one processor only: threads get samples while they run on that one");
    interrupts.is_on =
        rtems_interrupt_handler_install(vector, "tandem", RTEMS_INTERRUPT_SHARED, handle, NULL) == RTEMS_SUCCESSFUL;
    if (!interrupts.is_on)
        tnd_gptimer_stop(unit, TIMER);
    return interrupts.is_on ? period : 0;
}

void tnd_board_sampling_end(void)
{
    uint32_t unit = TND_REGISTERS_GPTIMER(UNIT);
    if (!interrupts.is_on)
        return;
    interrupts.is_on = false;
    tnd_gptimer_stop(unit, TIMER);
    rtems_interrupt_handler_remove(tnd_gptimer_interrupt(unit, TIMER), handle, NULL);
}

static void tell(struct tnd_thread *thread, uint64_t time, uint32_t type, uint64_t value)
{
    tnd_emit_word(&thread->main, time, TND_RECORD_EVENT, type, 0, value);
}

/* What the heap is, in a thread, where its values are recorded or, without wrappers of the allocator, at the program's
 * own events. */
static void tell_heap(struct tnd_thread *thread)
{
    static uint32_t told_used, told_largest, told_most;
    Heap_Information_block heap;
    if (malloc_info(&heap) != 0)
        return;
    uint64_t now = tnd_clock_ticks();
    uint32_t used = (uint32_t)heap.Used.total, largest = (uint32_t)heap.Free.largest;
    uint32_t most = (uint32_t)(RTEMS_Malloc_Heap->stats.size - RTEMS_Malloc_Heap->stats.min_free_size);
    if (used != told_used)
        tell(thread, now, TND_TYPE_HEAP_USED, used);
    if (largest != told_largest)
        tell(thread, now, TND_TYPE_HEAP_LARGEST, largest);
    if (most != told_most)
        tell(thread, now, TND_TYPE_HEAP_HIGH, most);
    told_used = used;
    told_largest = largest;
    told_most = most;
}

/* One note for each thread of the system, recorded or not. */
static bool tell_stack(Thread_Control *thread, void *arg)
{
    uintptr_t low = (uintptr_t)thread->Start.Initial_stack.area, high = low + thread->Start.Initial_stack.size;
    uintptr_t touched = tnd_target_stack_touched(low, high);
    char sentence[120], id[12], size[12], used[12];
    tnd_sentence(sentence, sizeof sentence, "stack of thread ", tnd_sentence_number(id, thread->Object.id & 0xffff),
                 ": ", tnd_sentence_number(size, (uint32_t)(high - low)), " bytes, ",
                 touched ? tnd_sentence_number(used, (uint32_t)(high - touched)) : "an unknown number of them", " used",
                 NULL);
    tnd_run_note(sentence);
    return false;
}

/* The heap's own source has started: its hook is there if its wrappers are linked. */
static bool start(void)
{
    tells_heap = strcmp(tnd_config.heap, "none") != 0;
    if (tells_heap)
        *(&tnd_heap_self_told ? &tnd_heap_self_told : &tnd_user_before) = tell_heap;
    return true;
}

static void thread_start(struct tnd_thread *thread)
{
    uint64_t now = tnd_clock_ticks();
    known[thread->slot].id = rtems_task_self();
    known[thread->slot].thread = thread;
    if (thread->number != 0 || !tells_heap)
        return;
    tell(thread, now, TND_TYPE_HEAP_BEGIN, RTEMS_Malloc_Heap->area_begin);
    tell(thread, now, TND_TYPE_HEAP_AREA, RTEMS_Malloc_Heap->area_end - RTEMS_Malloc_Heap->area_begin);
    tell_heap(thread);
}

static void thread_end(struct tnd_thread *thread)
{
    known[thread->slot].thread = NULL;
}

static void stop(void)
{
    if (tells_heap && tnd_thread_self)
        tell_heap(tnd_thread_self);
    if (tnd_config.stack)
        rtems_task_iterate(tell_stack, NULL);
}

/* After the heap's own source, which has 220. */
const struct tnd_source tnd_board_rtems_source = {
    .name = "rtems", .rank = 230, .start = start, .thread_start = thread_start, .thread_end = thread_end, .stop = stop};
TND_SOURCE(tnd_board_rtems_source);
