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
    TndSample now;
    TndSampleTake take;
    gpointer self;
    gboolean have_depths;
} Grouping;

static void give(Grouping *grouping)
{
    TndSample *now = &grouping->now;
    if (now->n_frames)
        grouping->take(grouping->self, now);
    memset(now->lines, 0, sizeof now->lines);
    now->n_frames = 0;
    now->weight_ns = 0;
    now->is_rest = grouping->have_depths; /* what is no sample has no depth */
}

static void add(TndSample *sample, const TndEvent *event)
{
    guint depth = event->type - TND_TYPE_SAMPLED_FUNCTION, of_line = event->type - TND_TYPE_SAMPLED_LINE;
    if (event->type == TND_TYPE_SAMPLE_WEIGHT)
        sample->weight_ns = (guint64)event->value;
    else if (event->type == TND_TYPE_SAMPLE_DEPTH)
        sample->is_rest = FALSE;
    else if (depth == sample->n_frames && event->value)
        sample->frames[sample->n_frames++] = event->value;
    else if (of_line < TND_SAMPLES_MOST_FRAMES)
        sample->lines[of_line] = event->value;
}

static gboolean is_of_sample(guint32 type)
{
    return type - TND_TYPE_SAMPLED_FUNCTION < TND_SAMPLES_MOST_FRAMES ||
           type - TND_TYPE_SAMPLED_LINE < TND_SAMPLES_MOST_FRAMES || type == TND_TYPE_SAMPLE_WEIGHT ||
           type == TND_TYPE_SAMPLE_DEPTH;
}

void tnd_samples_each(const TndTrace *trace, guint row, TndSampleTake take, gpointer self)
{
    gboolean have_depths = tnd_trace_n_events_of(trace, TND_TYPE_SAMPLE_DEPTH) > 0;
    Grouping grouping = {.take = take, .self = self, .have_depths = have_depths, .now.is_rest = have_depths};
    /* The last events of a sample are its weight and its depth, in the block where the sample ends. */
    guint64 ends = tnd_blocks_bit(TND_TYPE_SAMPLED_FUNCTION) | tnd_blocks_bit(TND_TYPE_SAMPLE_WEIGHT) |
                   tnd_blocks_bit(TND_TYPE_SAMPLE_DEPTH);
    TndWalk walk = tnd_walk_events(trace, row, tnd_samples_are_weighed(trace) ? ends : G_MAXUINT64);
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        if (!is_of_sample(event->type))
            continue;
        if (event->time_ns != grouping.now.time_ns) {
            give(&grouping);
            grouping.now.time_ns = event->time_ns;
        }
        add(&grouping.now, event);
    }
    tnd_walk_end(&walk);
    give(&grouping);
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
