/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of tandem.h, when the program runs under tandem.  Names get numbers in runtime/names.h; every other
 * call writes one record.  Cost of an event: 47 instructions, most of them the clock's time (measured, tests/bench).
 *
 * Context: as tandem.h says.
 */
#include "runtime/tandem.h"

#include "formats/event_types.h"
#include "runtime/counting.h"
#include "runtime/emit.h"
#include "runtime/names.h"
#include "runtime/place.h"
#include "runtime/run.h"
#include "runtime/user.h"

#define PUBLIC __attribute__((visibility("default")))

struct tnd_counting tnd_counting;
void (*tnd_user_before)(struct tnd_thread *thread);
void (*tnd_user_region_begun)(struct tnd_thread *thread, uint64_t time);

PUBLIC unsigned tandem_version(void)
{
    return tnd_run_directory()[0] ? TANDEM_VERSION_MAJOR * 1000 + TANDEM_VERSION_MINOR : 0;
}

PUBLIC int tandem_recording(void)
{
    return tnd_thread_recording != 0;
}

PUBLIC void tandem_off(void)
{
    tnd_run_switch(false);
}

PUBLIC void tandem_on(void)
{
    tnd_run_switch(true);
}

/* An event's value is put into the record's head where it fits: a third less to write. */
static inline bool is_short(int64_t value)
{
    return (uint64_t)value <= UINT16_MAX;
}

/* The calling thread, for a call of the program's that records something; NULL: nothing is recorded. */
static inline struct tnd_thread *thread_that_tells(void)
{
    struct tnd_thread *self = tnd_thread_get();
    if (__builtin_expect(self && tnd_user_before, 0))
        tnd_user_before(self);
    return self;
}

/* The rare cases: the thread's first event, a full ring, a nested handler, a clock that is a system call, a hook
 * (user.h). */
__attribute__((noinline, cold)) static void event_slowly(uint32_t type, int64_t value)
{
    struct tnd_thread *self = thread_that_tells();
    if (self && is_short(value))
        tnd_emit_head(&self->main, tnd_clock_ticks(), TND_RECORD_EVENT, type, (uint16_t)value);
    else if (self)
        tnd_emit_word(&self->main, tnd_clock_ticks(), TND_RECORD_EVENT, type, 0, (uint64_t)value);
}

PUBLIC void tandem_event(uint32_t type, int64_t value)
{
    struct tnd_thread *self = tnd_thread_self;
    if (__builtin_expect(!tnd_thread_recording, 0))
        return;
    if (__builtin_expect(!self || !tnd_clock_is_inline() || tnd_user_before, 0)) {
        event_slowly(type, value);
        return;
    }
    uint64_t now = tnd_clock_ticks();
    if (__builtin_expect(!tnd_emit_take(&self->main, 1), 0)) {
        event_slowly(type, value);
        return;
    }
    if (is_short(value)) {
        tnd_emit_end(&self->main, tnd_emit_fill(&self->main, now, TND_RECORD_EVENT, type, (uint16_t)value, 0));
        return;
    }
    struct tnd_record *record = tnd_emit_fill(&self->main, now, TND_RECORD_EVENT, type, 0, 1);
    record->words[0] = (uint64_t)value;
    tnd_emit_end(&self->main, record);
}

PUBLIC void tandem_event_label(uint32_t type, const char *label)
{
    tnd_run_start();
    tnd_names_define(TND_DEFINE_TYPE, type, 0, label);
}

PUBLIC void tandem_value_label(uint32_t type, int64_t value, const char *label)
{
    tnd_run_start();
    tnd_names_define(TND_DEFINE_VALUE, type, (uint64_t)value, label);
}

PUBLIC tandem_region tandem_region_register(const char *name)
{
    tnd_run_start();
    return tnd_names_number(TND_DEFINE_REGION, name);
}

static inline void region_edge(enum tnd_record_kind kind, tandem_region region, uint16_t value)
{
    struct tnd_thread *self = thread_that_tells();
    if (!self || !region)
        return;
    uint64_t now = tnd_clock_ticks();
    tnd_place_note(self, now);
    tnd_emit_head(&self->main, now, (uint8_t)kind, TND_TYPE_REGION, value);
    tnd_counting_mark(self, now, TND_COUNTING_REGIONS);
    if (__builtin_expect(kind == TND_RECORD_ENTER && tnd_user_region_begun, 0))
        tnd_user_region_begun(self, now);
}

PUBLIC void tandem_region_begin(tandem_region region)
{
    region_edge(TND_RECORD_ENTER, region, (uint16_t)region);
}

PUBLIC void tandem_region_end(tandem_region region)
{
    region_edge(TND_RECORD_LEAVE, region, 0);
}

PUBLIC tandem_counter tandem_counter_register(const char *name)
{
    tnd_run_start();
    return tnd_names_number(TND_DEFINE_COUNTER, name);
}

PUBLIC void tandem_counter_set(tandem_counter counter, int64_t value)
{
    struct tnd_thread *self = thread_that_tells();
    if (self && counter)
        tnd_emit_word(&self->main, tnd_clock_ticks(), TND_RECORD_COUNTER, counter, 0, (uint64_t)value);
}
