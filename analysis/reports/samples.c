/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sample is a group of events of one thread at one time: a function for each depth of the stack, and a weight.
 */
#include "analysis/reports/samples.h"

#include "analysis/trace/walk.h"
#include "formats/event_types.h"
#include "formats/pcf.h"

#include <string.h>

typedef struct {
    TndSample now, before;
    TndSampleTake take;
    gpointer self;
} Grouping;

/* The last sample of a thread is what it used after the one before: it has the innermost function only, with those that
 * this is inlined into. */
static void give(Grouping *grouping, gboolean is_last)
{
    TndSample *now = &grouping->now;
    const TndSample *before = &grouping->before;
    gsize n_bytes = now->n_frames * sizeof *now->frames;
    if (is_last && now->n_frames < before->n_frames && memcmp(before->frames, now->frames, n_bytes) == 0) {
        now->n_frames = before->n_frames;
        memcpy(now->frames, before->frames, before->n_frames * sizeof *before->frames);
        memcpy(now->lines, before->lines, before->n_frames * sizeof *before->lines);
    }
    if (now->n_frames)
        grouping->take(grouping->self, now);
    grouping->before = *now;
    memset(now->lines, 0, sizeof now->lines);
    now->n_frames = 0;
    now->weight_ns = 0;
}

static void add(TndSample *sample, const TndEvent *event)
{
    guint depth = event->type - TND_TYPE_SAMPLED_FUNCTION, of_line = event->type - TND_TYPE_SAMPLED_LINE;
    if (event->type == TND_TYPE_SAMPLE_WEIGHT)
        sample->weight_ns = (guint64)event->value;
    else if (depth == sample->n_frames && event->value)
        sample->frames[sample->n_frames++] = event->value;
    else if (of_line < TND_SAMPLES_MOST_FRAMES)
        sample->lines[of_line] = event->value;
}

static gboolean is_of_sample(guint32 type)
{
    return type - TND_TYPE_SAMPLED_FUNCTION < TND_SAMPLES_MOST_FRAMES ||
           type - TND_TYPE_SAMPLED_LINE < TND_SAMPLES_MOST_FRAMES || type == TND_TYPE_SAMPLE_WEIGHT;
}

void tnd_samples_each(const TndTrace *trace, guint row, TndSampleTake take, gpointer self)
{
    Grouping grouping = {.take = take, .self = self};
    /* The last event of a sample is its weight, in the block where the sample ends. */
    guint64 ends = tnd_blocks_bit(TND_TYPE_SAMPLED_FUNCTION) | tnd_blocks_bit(TND_TYPE_SAMPLE_WEIGHT);
    TndWalk walk = tnd_walk_events(trace, row, tnd_samples_are_weighed(trace) ? ends : G_MAXUINT64);
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        if (!is_of_sample(event->type))
            continue;
        if (event->time_ns != grouping.now.time_ns) {
            give(&grouping, FALSE);
            grouping.now.time_ns = event->time_ns;
        }
        add(&grouping.now, event);
    }
    tnd_walk_end(&walk);
    give(&grouping, TRUE);
}

gboolean tnd_samples_exist(const TndTrace *trace)
{
    return tnd_trace_n_events_of(trace, TND_TYPE_SAMPLED_FUNCTION) > 0;
}

gboolean tnd_samples_are_weighed(const TndTrace *trace)
{
    return tnd_trace_n_events_of(trace, TND_TYPE_SAMPLE_WEIGHT) > 0;
}

char *tnd_samples_function_name(const TndTrace *trace, gint64 function)
{
    const char *label = tnd_pcf_value_label(tnd_trace_pcf(trace), TND_TYPE_SAMPLED_FUNCTION, function);
    return label ? g_strdup(label) : g_strdup_printf("%" G_GINT64_FORMAT, function);
}
