/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sample is a group of events of one thread at one time: a function and a line for each depth of the stack, and a
 * weight.
 */
#include "analysis/reports/samples.h"

#include "analysis/reports/team_stacks.h"
#include "analysis/trace/walk.h"
#include "formats/event_types.h"
#include "formats/pcf.h"

#include <string.h>

/* The event types of a kind of samples: those of the innermost frame, others follow them.  depth 0: it has none. */
typedef struct {
    guint32 function, line, weight, depth;
} Types;

static const Types all_types[] = {
    [TND_SAMPLES_CPU] = {TND_TYPE_SAMPLED_FUNCTION, TND_TYPE_SAMPLED_LINE, TND_TYPE_SAMPLE_WEIGHT,
                         TND_TYPE_SAMPLE_DEPTH},
    [TND_SAMPLES_WAITS] = {TND_TYPE_WAITING_FUNCTION, TND_TYPE_WAITING_LINE, TND_TYPE_WAITED_TIME, 0},
};

typedef struct {
    const Types *types;
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

/* An event is part of the sample of its time, or none at all. */
static void add(Grouping *grouping, const TndEvent *event)
{
    const Types *types = grouping->types;
    TndSample *sample = &grouping->now;
    guint depth = event->type - types->function, of_line = event->type - types->line;
    gboolean is_weight = event->type == types->weight, is_depth = event->type == types->depth;
    if (!is_weight && !is_depth && depth >= TND_SAMPLES_MOST_FRAMES && of_line >= TND_SAMPLES_MOST_FRAMES)
        return;
    if (event->time_ns != sample->time_ns) {
        give(grouping);
        sample->time_ns = event->time_ns;
    }
    if (is_weight)
        sample->weight_ns = (guint64)event->value;
    else if (is_depth)
        sample->is_rest = FALSE;
    else if (depth == sample->n_frames && event->value)
        sample->frames[sample->n_frames++] = event->value;
    else if (of_line < TND_SAMPLES_MOST_FRAMES)
        sample->lines[of_line] = event->value;
}

void tnd_samples_each_recorded(const TndTrace *trace, guint row, TndSamplesOf what, TndSampleTake take, gpointer self)
{
    const Types *types = &all_types[what];
    gboolean have_depths = types->depth && tnd_trace_n_events_of(trace, types->depth) > 0;
    Grouping grouping = {
        .types = types, .take = take, .self = self, .have_depths = have_depths, .now.is_rest = have_depths};
    /* The last events of a sample are its weight and its depth, in the block where the sample ends. */
    guint64 ends = tnd_blocks_bit(types->function) | tnd_blocks_bit(types->weight) | tnd_blocks_bit(types->depth);
    TndWalk walk = tnd_walk_events(trace, row, tnd_samples_are_weighed(trace, what) ? ends : G_MAXUINT64);
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));)
        add(&grouping, event);
    tnd_walk_end(&walk);
    give(&grouping);
}

typedef struct {
    const TndTeamStacks *teams;
    guint row;
    TndSampleTake take;
    gpointer self;
} Grafting;

static void graft(gpointer self, const TndSample *sample)
{
    const Grafting *grafting = self;
    TndSample whole = *sample;
    tnd_team_stacks_graft(grafting->teams, grafting->row, &whole);
    grafting->take(grafting->self, &whole);
}

void tnd_samples_each(const TndTrace *trace, guint row, TndSamplesOf what, TndSampleTake take, gpointer self)
{
    Grafting grafting = {tnd_team_stacks_of(trace), row, take, self};
    if (tnd_team_stacks_any(grafting.teams))
        tnd_samples_each_recorded(trace, row, what, graft, &grafting);
    else
        tnd_samples_each_recorded(trace, row, what, take, self);
}

gboolean tnd_samples_exist(const TndTrace *trace)
{
    return tnd_trace_n_events_of(trace, TND_TYPE_SAMPLED_FUNCTION) > 0;
}

gboolean tnd_samples_are_weighed(const TndTrace *trace, TndSamplesOf what)
{
    return tnd_trace_n_events_of(trace, all_types[what].weight) > 0;
}

char *tnd_samples_function_name(const TndTrace *trace, gint64 function)
{
    const char *label = tnd_pcf_value_label(tnd_trace_pcf(trace), TND_TYPE_SAMPLED_FUNCTION, function);
    if (!label) /* it may have waits only */
        label = tnd_pcf_value_label(tnd_trace_pcf(trace), TND_TYPE_WAITING_FUNCTION, function);
    return label ? g_strdup(label) : g_strdup_printf("%" G_GINT64_FORMAT, function);
}
