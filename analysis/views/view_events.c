/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The threads of a row follow each other.
 */
#include "analysis/views/view_events.h"

#include "analysis/trace/walk.h"
#include "analysis/views/views.h"

/* The threads of a row, from *first on. */
static guint threads_of(const TndView *view, guint row, guint *first)
{
    const TndTrace *trace = view->plan.trace;
    TndLevel level = tnd_view_level(view);
    guint n = 1;
    *first = row;
    if (!tnd_levels_is_above(level, TND_LEVEL_THREAD))
        return 0;
    for (; level < TND_LEVEL_THREAD; level++) {
        guint first_of_last;
        const guint n_of_last = tnd_levels_rows_below(trace, level, *first + n - 1, &first_of_last);
        tnd_levels_rows_below(trace, level, *first, first);
        n = first_of_last + n_of_last - *first;
    }
    return n;
}

static TndWalk start(const TndView *view, guint thread, guint64 begin_ns, guint64 end_ns)
{
    const TndViewTypes *types = &view->plan.types;
    const guint64 wanted = types->n_types ? tnd_view_types_bits(types) : G_MAXUINT64;
    return tnd_walk_within(tnd_walk_events(view->plan.trace, thread, wanted), begin_ns, end_ns);
}

guint64 tnd_view_events_most(const TndView *view, guint row, guint64 begin_ns, guint64 end_ns)
{
    guint first;
    const guint n = threads_of(view, row, &first);
    guint64 most = 0;
    for (guint i = 0; i < n; i++) {
        TndWalk walk = start(view, first + i, begin_ns, end_ns);
        most += tnd_walk_most(&walk);
        tnd_walk_end(&walk);
    }
    return most;
}

void tnd_view_events_each(const TndView *view, guint row, guint64 begin_ns, guint64 end_ns, TndViewEventsTake take,
                          gpointer data)
{
    const TndViewTypes *types = &view->plan.types;
    guint first;
    const guint n = threads_of(view, row, &first);
    double value;
    for (guint i = 0; i < n; i++) {
        TndWalk walk = start(view, first + i, begin_ns, end_ns);
        for (const TndEvent *event; (event = tnd_walk_next_event(&walk)) && event->time_ns < end_ns;)
            if (event->time_ns >= begin_ns && (!types->n_types || tnd_view_types_value(types, event, &value)))
                take(event->time_ns, data);
        tnd_walk_end(&walk);
    }
}
