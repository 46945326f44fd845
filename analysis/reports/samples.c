/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sample is a group of events of one thread at one time: a function and a line for each depth of the stack, and a
 * weight.
 */
#include "analysis/reports/samples.h"

#include "analysis/reports/region_stacks.h"
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

struct TndSampleFollower {
    const Types *types;
    TndSample now;
    TndSampleTake take;
    gpointer self;
    gboolean have_depths;
    guint row;
    TndRegionStacks *regions;   /* NULL: they have no frames */
    const TndTeamStacks *teams; /* NULL: stacks are as they were recorded */
};

static void give(TndSampleFollower *follower)
{
    TndSample *now = &follower->now;
    if (now->n_frames && follower->regions)
        tnd_region_stacks_insert(follower->regions, now);
    if (now->n_frames && follower->teams)
        tnd_team_stacks_graft(follower->teams, follower->row, now);
    if (now->n_frames)
        follower->take(follower->self, now);
    memset(now->lines, 0, sizeof now->lines);
    now->n_frames = 0;
    now->weight_ns = 0;
    now->is_rest = follower->have_depths; /* what is no sample has no depth */
}

static gboolean is_part(const Types *types, guint32 type)
{
    return type - types->function < TND_SAMPLES_MOST_FRAMES || type - types->line < TND_SAMPLES_MOST_FRAMES ||
           type == types->weight || (types->depth && type == types->depth);
}

gboolean tnd_samples_are_of(guint32 type)
{
    return is_part(&all_types[TND_SAMPLES_CPU], type) || is_part(&all_types[TND_SAMPLES_WAITS], type);
}

void tnd_samples_follow(TndSampleFollower *follower, const TndEvent *event)
{
    const Types *types = follower->types;
    TndSample *sample = &follower->now;
    guint depth = event->type - types->function, of_line = event->type - types->line;
    if (!is_part(types, event->type)) {
        if (follower->regions) {
            tnd_samples_pass(follower, event->time_ns);
            tnd_region_stacks_follow(follower->regions, event);
        }
        return;
    }
    if (event->time_ns != sample->time_ns) {
        give(follower);
        sample->time_ns = event->time_ns;
    }
    if (event->type == types->weight)
        sample->weight_ns = (guint64)event->value;
    else if (event->type == types->depth)
        sample->is_rest = FALSE;
    else if (depth == sample->n_frames && event->value)
        sample->frames[sample->n_frames++] = event->value;
    else if (of_line < TND_SAMPLES_MOST_FRAMES)
        sample->lines[of_line] = event->value;
}

void tnd_samples_pass(TndSampleFollower *follower, guint64 time_ns)
{
    if (time_ns > follower->now.time_ns && follower->now.n_frames)
        give(follower);
}

static TndSampleFollower *follow_recorded(const TndTrace *trace, guint row, TndSamplesOf what, TndSampleTake take,
                                          gpointer self)
{
    TndSampleFollower *follower = g_new0(TndSampleFollower, 1);
    const Types *types = &all_types[what];
    gboolean have_depths = types->depth && tnd_trace_n_events_of(trace, types->depth) > 0;
    *follower = (TndSampleFollower){.types = types,
                                    .take = take,
                                    .self = self,
                                    .row = row,
                                    .have_depths = have_depths,
                                    .now.is_rest = have_depths,
                                    .regions = tnd_region_stacks_new(trace)};
    return follower;
}

TndSampleFollower *tnd_samples_follower_new(const TndTrace *trace, guint row, TndSamplesOf what, TndSampleTake take,
                                            gpointer self)
{
    TndSampleFollower *follower = follow_recorded(trace, row, what, take, self);
    const TndTeamStacks *teams = tnd_team_stacks_of(trace);
    follower->teams = tnd_team_stacks_any(teams) ? teams : NULL;
    return follower;
}

void tnd_samples_follower_finish(TndSampleFollower *follower)
{
    give(follower);
    tnd_region_stacks_free(follower->regions);
    g_free(follower);
}

static void follow_row(const TndTrace *trace, guint row, TndSamplesOf what, TndSampleFollower *follower)
{
    const Types *types = &all_types[what];
    /* The last events of a sample are its weight and its depth, in the block where the sample ends. */
    guint64 ends = tnd_blocks_bit(types->function) | tnd_blocks_bit(types->weight) | tnd_blocks_bit(types->depth);
    gboolean is_any = !tnd_samples_are_weighed(trace, what) || follower->regions;
    TndWalk walk = tnd_walk_events(trace, row, is_any ? G_MAXUINT64 : ends);
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));)
        tnd_samples_follow(follower, event);
    tnd_walk_end(&walk);
    tnd_samples_follower_finish(follower);
}

void tnd_samples_each_recorded(const TndTrace *trace, guint row, TndSamplesOf what, TndSampleTake take, gpointer self)
{
    follow_row(trace, row, what, follow_recorded(trace, row, what, take, self));
}

void tnd_samples_each(const TndTrace *trace, guint row, TndSamplesOf what, TndSampleTake take, gpointer self)
{
    follow_row(trace, row, what, tnd_samples_follower_new(trace, row, what, take, self));
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
    const struct tnd_pcf *pcf = tnd_trace_pcf(trace);
    if (function < 0) {
        const char *region = tnd_pcf_value_label(pcf, TND_TYPE_REGION, -function);
        return g_strdup_printf("%s (region)", region ? region : "?");
    }
    const char *label = tnd_pcf_value_label(pcf, TND_TYPE_SAMPLED_FUNCTION, function);
    if (!label) /* it may have waits only */
        label = tnd_pcf_value_label(pcf, TND_TYPE_WAITING_FUNCTION, function);
    return label ? g_strdup(label) : g_strdup_printf("%" G_GINT64_FORMAT, function);
}
