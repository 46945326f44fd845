/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples, as records of the thread that was interrupted.  A frame of SPARC has the caller's frame in its word 14 and
 * the address of the call in word 15; what is recorded is where the call returns to.
 *
 * Context: board_sampling.h; hooks as runtime/source.h says.
 */
#include "targets/gr740/board_sampling.h"

#include "formats/event_types.h"
#include "runtime/config.h"
#include "runtime/counting.h"
#include "runtime/emit.h"
#include "runtime/place.h"
#include "runtime/run.h"
#include "runtime/source.h"
#include "targets/gr740/board.h"

#define RETURN 8            /* a call and its delay slot */
#define MAX_LEAF_BYTES 4096 /* functions are not looked through further than this */

static uint64_t period_ns;

/* The program's text, as linkers name it: GNU's for Linux, that of RTEMS (which begins where memory does). */
extern const char __executable_start[] __attribute__((weak));
extern const char etext[];

/* Whether the call at o7 is of the function that pc is in, and that has no window of its own by then.  Such a function
 * that was called through a pointer is not known as one: its caller is missing then. */
static bool is_leaf(uint32_t pc, uint32_t o7)
{
    if (o7 & 3 || o7 < (uintptr_t)__executable_start || o7 >= (uintptr_t)etext || pc >= (uintptr_t)etext)
        return false; /* the register has something else, or the code is not of the program's file */
    uint32_t call = *(const uint32_t *)(uintptr_t)o7, function = o7 + (call << 2);
    if (call >> 30 != 1 || pc < function || pc - function > MAX_LEAF_BYTES)
        return false;
    for (uint32_t at = function; at < pc; at += 4) {
        uint32_t instruction = *(const uint32_t *)(uintptr_t)at;
        if (instruction >> 30 == 2 && (instruction >> 19 & 63) == 0x3c) /* save */
            return false;
    }
    return true;
}

/* At most max frames, innermost first; how many there are.  *is_cut: there are more. */
static unsigned walk(const struct tnd_thread *thread, const struct tnd_board_sampling_at *at, uint64_t *frames,
                     unsigned max, bool *is_cut)
{
    uintptr_t low = (uintptr_t)thread->stack_low, high = (uintptr_t)thread->stack_high, frame = at->sp;
    unsigned n = 0;
    *is_cut = false;
    if (max == 0)
        return 0;
    frames[n++] = at->pc;
    if (n < max && is_leaf(at->pc, at->o7))
        frames[n++] = at->o7 + RETURN;
    while (frame >= low && frame + 64 <= high && (frame & 7) == 0) {
        const uint32_t *words = (const uint32_t *)frame;
        if (words[15] == 0) /* nobody called the function */
            break;
        if (n == max) {
            *is_cut = true;
            break;
        }
        frames[n++] = words[15] + RETURN;
        if (words[14] <= frame)
            break;
        frame = words[14];
    }
    return n;
}

/* Where interrupts cannot write a ring out, its thread does so, before its next record (tnd_target_turning). */
static void ask_to_write(struct tnd_thread *thread)
{
    if (tnd_board_output_is_due(thread))
        thread->main.limit = thread->main.next;
}

void tnd_board_sampling_take(struct tnd_thread *thread, uint64_t time, const struct tnd_board_sampling_at *at)
{
    unsigned depth = (unsigned)tnd_config.sampling_depth;
    bool is_cut;
    if (!tnd_thread_recording || !thread->has_signal)
        return;
    uint64_t weight = time - at->before;
    tnd_place_note_sample(thread, time, at->sp);
    struct tnd_record *record = tnd_emit_begin(&thread->signal, time, TND_RECORD_SAMPLE, 0, 0, depth);
    if (!record)
        return;
    record->id = weight > UINT32_MAX ? UINT32_MAX : (uint32_t)weight;
    tnd_emit_shrink(&thread->signal, record, walk(thread, at, record->words, depth, &is_cut));
    record->aux = is_cut ? TND_SAMPLE_TRUNCATED : 0;
    tnd_emit_end(&thread->signal, record);
    if (tnd_counting.at & TND_COUNTING_SAMPLES)
        tnd_counting.read(thread, &thread->signal, time);
    ask_to_write(thread);
}

static bool start(void)
{
    if (!tnd_config.sampling_period_ns)
        return false;
    period_ns = tnd_board_sampling_begin(tnd_config.sampling_period_ns);
    if (!period_ns)
        tnd_run_note("sampling: there is no timer for it; nothing is sampled");
    return period_ns != 0;
}

static void thread_start(struct tnd_thread *thread)
{
    if (tnd_thread_open_signal(thread))
        tnd_emit_words(&thread->signal, tnd_clock_ticks(), TND_RECORD_SAMPLING, TND_SAMPLING_BOARD, 0, 2,
                       (uint64_t[]){period_ns, tnd_record_pair(0, (uint32_t)tnd_config.sampling_depth)});
}

static const struct tnd_source sampling = {.name = "board-sampling",
                                           .rank = 100,
                                           .start = start,
                                           .thread_start = thread_start,
                                           .stop = tnd_board_sampling_end};
TND_SOURCE(sampling);
