/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of OpenMP.  Context: openmp_self.h.
 */
#include "intercept/openmp/openmp_self.h"
#include "runtime/config.h"
#include "runtime/counting.h"
#include "runtime/emit.h"
#include "runtime/pattern.h"
#include "runtime/place.h"
#include "runtime/source.h"

#define NUMBERS_AT_ONCE 1024 /* a thread reserves so many numbers with one atomic operation */

_Thread_local struct tnd_openmp_self tnd_openmp_self = {.incr = 1};
bool tnd_openmp_self_wanted;
bool tnd_openmp_self_excluded[TND_OPENMP_N_CONSTRUCTS];
static uint32_t numbers_given = 1;

void tnd_openmp_self_emit_enter(struct tnd_thread *thread, uint64_t time, uint32_t type, uint16_t value)
{
    tnd_place_note_cpu(thread, time);
    tnd_emit_head(&thread->main, time, TND_RECORD_ENTER, type, value);
    tnd_counting_mark(thread, time, TND_COUNTING_OPENMP);
}

void tnd_openmp_self_emit_leave(struct tnd_thread *thread, uint64_t time, uint32_t type, uint16_t value)
{
    tnd_place_note_cpu(thread, time);
    tnd_emit_head(&thread->main, time, TND_RECORD_LEAVE, type, value);
    tnd_counting_mark(thread, time, TND_COUNTING_OPENMP);
}

void tnd_openmp_self_emit_value(struct tnd_thread *thread, uint64_t time, uint32_t type, uint64_t value)
{
    if (value <= UINT16_MAX)
        tnd_emit_head(&thread->main, time, TND_RECORD_EVENT, type, (uint16_t)value);
    else
        tnd_emit_word(&thread->main, time, TND_RECORD_EVENT, type, 0, value);
}

void tnd_openmp_self_task(struct tnd_thread *thread, uint64_t time, enum tnd_task_phase phase, uint32_t number,
                          uint64_t word)
{
    tnd_emit_word(&thread->main, time, TND_RECORD_TASK, number, (uint16_t)phase, word);
}

uint32_t tnd_openmp_self_number(void)
{
    struct tnd_openmp_self *self = &tnd_openmp_self;
    if (self->n_task_left == 0) {
        self->next_task = __atomic_fetch_add(&numbers_given, NUMBERS_AT_ONCE, __ATOMIC_RELAXED);
        self->n_task_left = NUMBERS_AT_ONCE;
    }
    self->n_task_left--;
    return self->next_task++;
}

uint32_t tnd_openmp_self_creator(void)
{
    if (tnd_openmp_self.task == 0)
        tnd_openmp_self.task = tnd_openmp_self_number();
    return tnd_openmp_self.task;
}

uint64_t tnd_openmp_self_begin(struct tnd_openmp_self *before, const void *function, bool is_worker)
{
    struct tnd_openmp_self *self = &tnd_openmp_self;
    struct tnd_thread *thread = tnd_thread_get();
    uint64_t time = 0;
    *before = *self;
    if (thread) {
        time = tnd_clock_ticks();
        if (is_worker && !self->has_worked) /* it has waited since it was created */
            tnd_emit_head(&thread->main, thread->born_ticks, TND_RECORD_ENTER, TND_TYPE_OPENMP_POOL, 1);
        if (is_worker && (self->is_waiting || !self->has_worked))
            tnd_openmp_self_leave(thread, time, TND_TYPE_OPENMP_POOL, 0);
        tnd_place_note(thread, time);
        tnd_emit_word(&thread->main, time, TND_RECORD_CODE, TND_TYPE_OPENMP_FUNCTION, 0, (uintptr_t)function);
        tnd_counting_mark(thread, time, TND_COUNTING_OPENMP);
    }
    self->has_worked |= is_worker;
    self->is_waiting = false;
    self->task = 0;
    return time;
}

void tnd_openmp_self_end(const struct tnd_openmp_self *before, bool is_worker)
{
    struct tnd_openmp_self *self = &tnd_openmp_self;
    struct tnd_thread *thread = tnd_thread_get();
    self->task = before->task;
    self->incr = before->incr;
    self->is_waiting = is_worker
                           ? thread != NULL
                           : before->is_waiting; /* a task that the thread ran while it waited may have opened it */
    if (!thread)
        return;
    uint64_t time = tnd_clock_ticks();
    tnd_place_note(thread, time);
    tnd_openmp_self_leave(thread, time, TND_TYPE_OPENMP_FUNCTION, 0);
    if (is_worker)
        tnd_openmp_self_enter(thread, time, TND_TYPE_OPENMP_POOL, 1);
}

#ifdef TND_BOARD
static void choose(void) {}
#else
static const char *name_of(unsigned construct)
{
    static const char *const names[] = {[TND_OPENMP_WORKSHARING] = "worksharing",
                                        [TND_OPENMP_CHUNK] = "chunk",
                                        [TND_OPENMP_JOIN] = "join",
                                        [TND_OPENMP_BARRIER] = "barrier",
                                        [TND_OPENMP_LOCK] = "lock",
                                        [TND_OPENMP_ORDERED] = "ordered",
                                        [TND_OPENMP_TASK] = "task",
                                        [TND_OPENMP_TASKWAIT] = "taskwait",
                                        [TND_OPENMP_TASKGROUP] = "taskgroup",
                                        [TND_OPENMP_TASKYIELD] = "taskyield",
                                        [TND_OPENMP_TARGET] = "target",
                                        [TND_OPENMP_NUM_THREADS] = "num_threads"};
    return names[construct];
}

static void choose(void)
{
    const char *only = tnd_config.openmp_functions, *excluded = tnd_config.openmp_exclude;
    bool *is_out = tnd_openmp_self_excluded;
    for (unsigned i = TND_OPENMP_REGION + 1; i < TND_OPENMP_N_CONSTRUCTS; i++)
        is_out[i] = !tnd_pattern_wants(only, excluded, name_of(i));
    is_out[TND_OPENMP_CHUNK] |= is_out[TND_OPENMP_WORKSHARING];
    tnd_pattern_note_unmet("openmp-functions", only, TND_OPENMP_N_CONSTRUCTS, name_of);
    tnd_pattern_note_unmet("openmp-exclude", excluded, TND_OPENMP_N_CONSTRUCTS, name_of);
}
#endif

static bool start(void)
{
    choose();
    tnd_openmp_self_wanted = tnd_config.openmp;
    return tnd_config.openmp;
}

/* Numbers continue the parent's.  The child's thread does not wait for a region, even if its parent's was a worker that
 * did. */
static void fork_child(void)
{
    tnd_openmp_self.is_waiting = false;
}

static const struct tnd_source openmp_source = {
    .name = "openmp", .rank = 200, .start = start, .fork_child = fork_child};
TND_SOURCE(openmp_source);
