/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters at records, as sampler/counters.c has them, of L4STAT: up to four events, which all processors count.  They
 * are of a processor, not of a thread: what is recorded of a thread is what the processor counted on which it is.
 *
 * Context: runtime/counting.h; hooks as runtime/source.h says.
 */
#include "runtime/counting.h"

#include "formats/event_types.h"
#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/names.h"
#include "runtime/run.h"
#include "runtime/sentence.h"
#include "runtime/source.h"
#include "runtime/target.h"
#include "targets/gr740/board.h"
#include "targets/gr740/l4stat.h"

#include <string.h>

#define SET 1
#define TYPE_OF(event) (TND_TYPE_COUNTER_NATIVE + 0x740 * 256 + (uint32_t)(event)) /* the chip's part of the block */

static struct {
    int events[TND_L4STAT_EACH];
    const char *names[TND_L4STAT_EACH]; /* in the setting */
    size_t n_letters[TND_L4STAT_EACH];
    unsigned n;
} chosen;

/* What is kept of a thread. */
struct own {
    int32_t cpu; /* + 1, of its last values; 0: none yet */
};

static void read_of(struct tnd_thread *thread, struct tnd_writer *writer, uint64_t time, int cpu)
{
    struct own *own = (struct own *)(void *)thread->source_data[0];
    uint64_t values[TND_L4STAT_EACH];
    if (!tnd_l4stat_read((unsigned)cpu, values))
        return;
    tnd_emit_words(writer, time, TND_RECORD_COUNTERS, SET, own->cpu == cpu + 1 ? 0 : TND_COUNTERS_BEGIN, chosen.n,
                   values);
    own->cpu = cpu + 1;
}

static void read_counters(struct tnd_thread *thread, struct tnd_writer *writer, uint64_t time)
{
    int cpu = tnd_target_cpu();
    read_of(thread, writer, time, cpu < 0 ? 0 : cpu);
}

void tnd_board_counters_of(struct tnd_thread *thread, unsigned cpu, uint64_t time)
{
    uint64_t values[TND_L4STAT_EACH];
    if (!thread)
        tnd_l4stat_read(cpu, values);
    else if (tnd_thread_recording && thread->has_signal && tnd_counting.at & TND_COUNTING_SAMPLES)
        read_of(thread, &thread->signal, time, (int)cpu);
}

static void note(const char *what, const char *name, size_t n, const char *why)
{
    char sentence[200], text[60];
    n = n < sizeof text ? n : sizeof text - 1;
    memcpy(text, name, n);
    text[n] = 0;
    tnd_sentence(sentence, sizeof sentence, "counters: ", what, text, why, NULL);
    tnd_run_note(sentence);
}

/* Takes the events of the setting that the chip has. */
static void choose(const char *list)
{
    for (size_t n; *list; list += n + (list[n] != 0)) {
        n = strcspn(list, ",/");
        int event = tnd_l4stat_event(list, (unsigned)n);
        if (event < 0) {
            note("", list, n, ": the chip does not count it");
        } else if (chosen.n == TND_L4STAT_EACH) {
            note("", list, n, ": not counted, each processor has four counters");
        } else {
            chosen.names[chosen.n] = list;
            chosen.n_letters[chosen.n] = n;
            chosen.events[chosen.n++] = event;
        }
    }
}

static void define(unsigned i)
{
    char text[200], name[60];
    size_t n = chosen.n_letters[i] < sizeof name ? chosen.n_letters[i] : sizeof name - 1;
    memcpy(name, chosen.names[i], n);
    name[n] = 0;
    tnd_sentence(text, sizeof text, name, "\n", tnd_l4stat_meaning(chosen.events[i]), ", of the processor", NULL);
    tnd_names_define(TND_DEFINE_COUNTED, SET << 8 | i, TYPE_OF(chosen.events[i]), text);
}

static unsigned places(void)
{
    static const struct {
        const char *word;
        enum tnd_counting_at at;
    } all[] = {{"openmp", TND_COUNTING_OPENMP}, {"regions", TND_COUNTING_REGIONS}, {"samples", TND_COUNTING_SAMPLES}};
    unsigned at = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (tnd_board_has_word(tnd_config.counters_at, all[i].word))
            at |= all[i].at;
    return at;
}

static bool start(void)
{
    choose(tnd_config.counters);
    if (chosen.n == 0)
        return false;
    if (!tnd_l4stat_start(chosen.events, chosen.n, (unsigned)tnd_board_settings.l4stat_gate)) {
        tnd_run_note("counters: the chip has no L4STAT, or its clock is off");
        return false;
    }
    for (unsigned i = 0; i < chosen.n; i++)
        define(i);
    tnd_counting.read = read_counters;
    tnd_counting.at = places();
    return true;
}

static void thread_start(struct tnd_thread *thread)
{
    read_counters(thread, &thread->main, tnd_clock_ticks());
}

const struct tnd_source tnd_board_counters_source = {
    .name = "board-counters", .rank = 110, .start = start, .thread_start = thread_start, .stop = tnd_l4stat_stop};
TND_SOURCE(tnd_board_counters_source);
