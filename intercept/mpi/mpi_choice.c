/* SPDX-License-Identifier: Apache-2.0
 *
 * Choosing and counting MPI calls.  Context: mpi_choice.h.
 */
#include "intercept/mpi/mpi_choice.h"

#include "runtime/config.h"
#include "runtime/pattern.h"
#include "runtime/place.h"
#include "runtime/target.h"
#include "sampler/callers.h"

#include <string.h>

uint8_t tnd_mpi_choice[TND_EVENT_MPI_VALUES];

/* Of one call in one thread, since it was written last. */
struct counted {
    uint32_t n, type;
    uint64_t ticks;
};

/* By slot and value; a slot has none before its thread counts.  Only the thread that has the slot changes it. */
static struct counted *counted_in[TND_THREAD_MAX_SLOTS];
static uint32_t n_slots; /* those from here on have none: most of so large a table is never touched */

#define COUNTED_BYTES (TND_EVENT_MPI_VALUES * sizeof(struct counted))

static void write_counted(struct tnd_writer *writer, uint16_t value, struct counted *counted)
{
    tnd_emit_words(writer, tnd_clock_ticks(), TND_RECORD_COUNTED, counted->type, value, 2,
                   (uint64_t[]){counted->n, tnd_clock_ns(counted->ticks)});
    counted->n = 0;
    counted->ticks = 0;
}

/* The calling thread begins to count.  NULL: no memory. */
static struct counted *begin_to_count(const struct tnd_thread *thread)
{
    struct counted *all = tnd_target_pages(COUNTED_BYTES);
    uint32_t n = __atomic_load_n(&n_slots, __ATOMIC_RELAXED);
    counted_in[thread->slot] = all;
    while (n <= thread->slot &&
           !__atomic_compare_exchange_n(&n_slots, &n, thread->slot + 1, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
    return all;
}

static void count(struct tnd_thread *thread, uint32_t type, uint16_t value, uint64_t ticks)
{
    struct counted *all = counted_in[thread->slot];
    if (__builtin_expect(!all, 0) && !(all = begin_to_count(thread)))
        return;
    struct counted *counted = &all[value];
    counted->type = type;
    counted->ticks += ticks;
    if (__builtin_expect(++counted->n == TND_MPI_CHOICE_TOLD, 0))
        write_counted(&thread->main, value, counted);
}

struct tnd_thread *tnd_mpi_choice_begin(uint32_t type, uint16_t value, struct tnd_mpi_late *late)
{
    const enum tnd_mpi_choice choice = tnd_mpi_choice[value];
    if (choice == TND_MPI_RECORDED || choice == TND_MPI_EXCLUDED)
        return tnd_mpi_choice_enter(type, value, &late->begin);
    if (!tnd_thread_recording || !tnd_mpi_message_wanted || tnd_mpi_library_is_foreign)
        return NULL;
    struct tnd_thread *thread = tnd_thread_self ? tnd_thread_self : tnd_thread_get();
    if (thread) {
        late->begin = tnd_clock_ticks();
        late->next = thread->main.next;
    }
    return thread;
}

/* Records the ENTER of a call that has ended. */
static void enter_late(struct tnd_thread *thread, uint32_t type, uint16_t value, uint64_t begin)
{
    tnd_place_note(thread, begin);
    tnd_emit_head(&thread->main, begin, TND_RECORD_ENTER, type, value);
    tnd_callers_mark(thread, begin, type);
}

bool tnd_mpi_choice_tells(struct tnd_thread *thread, uint32_t type, uint16_t value, const struct tnd_mpi_late *late,
                          uint64_t now, bool has_found)
{
    const enum tnd_mpi_choice choice = tnd_mpi_choice[value];
    if (choice == TND_MPI_RECORDED)
        return true;
    bool is_long = choice == TND_MPI_COUNTED_IF_SHORT && tnd_clock_ns(now - late->begin) >= TND_MPI_CHOICE_WORTH_NS;
    /* A handler of the program's that wrote records meanwhile would come before its begin. */
    if ((has_found || is_long) && thread->main.next == late->next) {
        enter_late(thread, type, value, late->begin);
        return true;
    }
    count(thread, type, value, now - late->begin);
    return false;
}

static enum tnd_mpi_choice choose(const struct tnd_mpi_choice_call *call)
{
    if (!tnd_pattern_wants(tnd_config.mpi_functions, tnd_config.mpi_exclude, call->name))
        return call->nature == TND_MPI_IS_TEST ? TND_MPI_COUNTED_IF_IN_VAIN : TND_MPI_EXCLUDED;
    bool counts = call->nature == TND_MPI_IS_LOCAL && strcmp(tnd_config.mpi_local, "counted") == 0;
    return counts ? TND_MPI_COUNTED_IF_SHORT : TND_MPI_RECORDED;
}

static const char *name_of(unsigned i)
{
    return tnd_mpi_choice_calls[i].name;
}

void tnd_mpi_choice_start(void)
{
    for (unsigned i = 0; i < tnd_mpi_choice_n_calls; i++)
        tnd_mpi_choice[tnd_mpi_choice_calls[i].value] = (uint8_t)choose(&tnd_mpi_choice_calls[i]);
    if (!tnd_config.mpi)
        return;
    tnd_pattern_note_unmet("mpi-functions", tnd_config.mpi_functions, tnd_mpi_choice_n_calls, name_of);
    tnd_pattern_note_unmet("mpi-exclude", tnd_config.mpi_exclude, tnd_mpi_choice_n_calls, name_of);
}

static void write_all(struct tnd_writer *writer, struct counted *all)
{
    for (unsigned value = 0; all && value < TND_EVENT_MPI_VALUES; value++)
        if (all[value].n)
            write_counted(writer, (uint16_t)value, &all[value]);
}

void tnd_mpi_choice_thread_end(struct tnd_thread *thread)
{
    write_all(&thread->main, counted_in[thread->slot]);
}

void tnd_mpi_choice_stop(void)
{
    uint32_t n = __atomic_load_n(&n_slots, __ATOMIC_ACQUIRE);
    for (uint32_t slot = 0; tnd_thread_self && slot < n; slot++)
        write_all(&tnd_thread_self->main, counted_in[slot]);
}

void tnd_mpi_choice_fork_child(void)
{
    for (uint32_t slot = 0; slot < n_slots; slot++)
        if (counted_in[slot])
            memset(counted_in[slot], 0, COUNTED_BYTES);
}
