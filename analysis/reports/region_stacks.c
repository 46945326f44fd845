/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The place of a region is where the callers of its begin, or the outer ones of them, are in the stack one after
 * another: where that is so more than once (recursion), the outermost.
 */
#include "analysis/reports/region_stacks.h"

#include "analysis/trace/nesting.h"
#include "formats/event_types.h"

#include <string.h>

#define MOST_REGIONS 32 /* within each other; those within them have no frames */
#define MOST_CALLERS 16 /* that are looked at */
#define MOST_RETURNED 4 /* functions that helped to begin a region, and have returned */
#define NOWHERE G_MAXUINT

typedef struct {
    gint64 value;
    guint n_callers;
    gint64 callers[MOST_CALLERS], lines[MOST_CALLERS]; /* of its begin, innermost first */
} Region;

struct TndRegionStacks {
    TndNesting nesting;
    guint64 begun_ns; /* the callers of this time are those of the innermost region */
    Region regions[MOST_REGIONS];
};

TndRegionStacks *tnd_region_stacks_new(const TndTrace *trace)
{
    if (!tnd_trace_n_events_of(trace, TND_TYPE_REGION) || !tnd_trace_n_events_of(trace, TND_TYPE_CALLER_LEVEL))
        return NULL;
    TndRegionStacks *stacks = g_new0(TndRegionStacks, 1);
    stacks->nesting.calls = g_array_new(FALSE, FALSE, sizeof(TndNestingCall));
    return stacks;
}

static void note_caller(TndRegionStacks *stacks, const TndEvent *event)
{
    guint n_open = stacks->nesting.calls->len, level = event->type - TND_TYPE_CALLER_LEVEL;
    guint of_line = event->type - TND_TYPE_CALLER_LINE_LEVEL;
    if (n_open == 0 || n_open > MOST_REGIONS || event->time_ns != stacks->begun_ns)
        return;
    Region *region = &stacks->regions[n_open - 1];
    if (level < MOST_CALLERS && level == region->n_callers)
        region->callers[region->n_callers++] = event->value;
    else if (of_line < region->n_callers)
        region->lines[of_line] = event->value;
}

void tnd_region_stacks_follow(TndRegionStacks *stacks, const TndEvent *event)
{
    if (event->type != TND_TYPE_REGION) {
        note_caller(stacks, event);
        return;
    }
    stacks->begun_ns = 0; /* callers at the time of an end are others' */
    if (!tnd_nesting_follow(&stacks->nesting, event->time_ns, event->type, event->value))
        return;
    stacks->begun_ns = event->time_ns;
    if (stacks->nesting.calls->len <= MOST_REGIONS)
        stacks->regions[stacks->nesting.calls->len - 1] = (Region){.value = event->value};
}

/* The place in the stack of the innermost caller that is in it; of that, *caller is the number. */
static guint place_of(const Region *region, const TndSample *sample, guint *caller)
{
    for (*caller = 0; *caller < MIN(region->n_callers, MOST_RETURNED + 1); ++*caller) {
        for (guint place = sample->n_frames; place-- > 0;) {
            guint n = MIN(region->n_callers - *caller, sample->n_frames - place);
            if (memcmp(&region->callers[*caller], &sample->frames[place], n * sizeof sample->frames[0]) == 0)
                return place;
        }
    }
    return NOWHERE;
}

/* A stack, outermost first. */
typedef struct {
    guint n;
    gint64 frames[TND_SAMPLES_MOST_FRAMES + MOST_REGIONS + 1], lines[TND_SAMPLES_MOST_FRAMES + MOST_REGIONS + 1];
} Made;

static void add(Made *made, gint64 frame, gint64 line)
{
    made->frames[made->n] = frame;
    made->lines[made->n++] = line;
}

void tnd_region_stacks_insert(const TndRegionStacks *stacks, TndSample *sample)
{
    Made made;
    made.n = 0;
    guint at = sample->n_frames; /* the frames from here on outwards are made */
    for (guint i = 0; i < MIN(stacks->nesting.calls->len, MOST_REGIONS); i++) {
        const Region *region = &stacks->regions[i];
        guint caller, place = place_of(region, sample, &caller);
        if (place == NOWHERE)
            continue;
        while (at > place) {
            at--;
            add(&made, sample->frames[at], sample->lines[at]);
        }
        made.lines[made.n - 1] = region->lines[caller];
        add(&made, -region->value, sample->lines[at]);
    }
    if (made.n == 0)
        return;
    gboolean is_own = at == 0;
    while (at-- > 0)
        add(&made, sample->frames[at], sample->lines[at]);
    if (is_own)
        add(&made, sample->frames[0], sample->lines[0]);
    if (made.n > TND_SAMPLES_MOST_FRAMES)
        return;
    sample->n_frames = made.n;
    for (guint i = 0; i < made.n; i++) {
        sample->frames[i] = made.frames[made.n - 1 - i];
        sample->lines[i] = made.lines[made.n - 1 - i];
    }
}

void tnd_region_stacks_free(TndRegionStacks *stacks)
{
    if (stacks)
        g_array_unref(stacks->nesting.calls);
    g_free(stacks);
}
