/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Events are read thread by thread.
 */
#include "analysis/views/view_events.h"

#include "analysis/trace/walk.h"
#include "analysis/views/views.h"

static TndWalk start(const TndView *view, guint thread, guint64 begin_ns, guint64 end_ns)
{
    const TndViewTypes *types = &view->plan.types;
    const guint64 wanted = types->n_types ? tnd_view_types_bits(types) : G_MAXUINT64;
    return tnd_walk_within(tnd_walk_events(view->plan.trace, thread, wanted), begin_ns, end_ns);
}

guint64 tnd_view_events_most(const TndView *view, guint row, guint64 begin_ns, guint64 end_ns)
{
    guint n, *threads = tnd_levels_threads(view->plan.trace, tnd_view_level(view), row, &n);
    guint64 most = 0;
    for (guint i = 0; i < n; i++) {
        TndWalk walk = start(view, threads[i], begin_ns, end_ns);
        most += tnd_walk_most(&walk);
        tnd_walk_end(&walk);
    }
    g_free(threads);
    return most;
}

void tnd_view_events_each(const TndView *view, guint row, guint64 begin_ns, guint64 end_ns, TndViewEventsTake take,
                          gpointer data)
{
    const TndViewTypes *types = &view->plan.types;
    guint n, *threads = tnd_levels_threads(view->plan.trace, tnd_view_level(view), row, &n);
    double value;
    for (guint i = 0; i < n; i++) {
        TndWalk walk = start(view, threads[i], begin_ns, end_ns);
        for (const TndEvent *event; (event = tnd_walk_next_event(&walk)) && event->time_ns < end_ns;)
            if (event->time_ns >= begin_ns && (!types->n_types || tnd_view_types_value(types, event, &value)))
                take(event->time_ns, data);
        tnd_walk_end(&walk);
    }
    g_free(threads);
}
