/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The readings of all rows of a scope, sorted by time.
 */
#include "analysis/views/view_readings.h"

#include "analysis/bursts/burst_stream.h"
#include "analysis/trace/walk.h"
#include "analysis/views/view_types.h"

#include <math.h>

typedef TndViewReading Reading;

guint *tnd_view_readings_first_rows(const TndTrace *trace, TndViewScope scope)
{
    static const TndLevel levels[] = {[TND_SCOPE_PROCESS] = TND_LEVEL_TASK,
                                      [TND_SCOPE_NODE] = TND_LEVEL_NODE,
                                      [TND_SCOPE_TRACE] = TND_LEVEL_WORKLOAD};
    if (scope == TND_SCOPE_THREAD)
        return NULL;
    guint n_rows = tnd_trace_n_threads(trace), n_above = tnd_levels_n_rows(trace, levels[scope]);
    guint *first_rows = g_new0(guint, n_rows + 1),
          *firsts = g_new0(guint, n_above + 1); /* of each object its first row + 1 */
    for (guint row = 0; row < n_rows; row++) {
        guint above = tnd_levels_row_above(trace, TND_LEVEL_THREAD, row, levels[scope]);
        guint *first = &firsts[MIN(above, n_above)];
        if (!*first)
            *first = row + 1;
        first_rows[row] = *first - 1;
    }
    g_free(firsts);
    return first_rows;
}

static void add_readings(const TndViewPlan *plan, guint row, GArray *readings)
{
    TndWalk walk = tnd_walk_events(plan->trace, row, tnd_view_types_bits(&plan->types));
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        Reading reading = {.time_ns = event->time_ns};
        if (!tnd_view_types_value(&plan->types, event, &reading.value))
            continue;
        reading.type = (guint)tnd_view_types_find(&plan->types, event->type);
        g_array_append_val(readings, reading);
    }
    tnd_walk_end(&walk);
}

static int compare_readings(gconstpointer a, gconstpointer b)
{
    guint64 x = ((const Reading *)a)->time_ns, y = ((const Reading *)b)->time_ns;
    return (x > y) - (x < y);
}

/* g_array_sort is stable: readings of one time stay in the order of rows and of their events. */
GArray *tnd_view_readings_collect(const TndViewPlan *plan, const guint *first_rows, guint row)
{
    GArray *readings = g_array_new(FALSE, FALSE, sizeof(Reading));
    guint n_rows = first_rows ? tnd_trace_n_threads(plan->trace) : row + 1;
    for (guint other = row; other < n_rows; other++)
        if (!first_rows || first_rows[other] == first_rows[row])
            add_readings(plan, other, readings);
    g_array_sort(readings, compare_readings);
    return readings;
}

/* Makes each reading hold for the time before it: it gets the value of the next reading of its type.  Sets *current to
 * the values before the first readings. */
static void hold_before(GArray *readings, double *current)
{
    for (guint i = readings->len; i-- > 0;) {
        Reading *reading = &g_array_index(readings, Reading, i);
        double own = reading->value;
        reading->value = isnan(current[reading->type]) ? 0.0 : current[reading->type];
        current[reading->type] = own;
    }
}

/* The value of the view.  current: the latest reading of each type; NaN: none yet.  last: the type that was read last.
 */
static double combine(const TndViewPlan *plan, const double *current, guint last)
{
    if (plan->definition->several == TND_SEVERAL_LAST)
        return isnan(current[last]) ? 0.0 : current[last];
    gboolean is_sum = plan->definition->several == TND_SEVERAL_SUM;
    double value = NAN;
    for (guint i = 0; i < plan->types.n_types; i++) {
        if (isnan(current[i]))
            continue;
        if (isnan(value))
            value = current[i];
        else
            value = is_sum ? value + current[i] : MAX(value, current[i]);
    }
    return isnan(value) ? 0.0 : value;
}

void tnd_view_readings_evaluate(TndSemanticRow *row, TndBurstStream *stream)
{
    const TndViewPlan *plan = row->plan;
    GArray *readings = tnd_view_readings_collect(plan, plan->first_rows, row->row);
    double *current = g_new(double, plan->types.n_types + 1);
    for (guint i = 0; i < plan->types.n_types; i++)
        current[i] = NAN;
    if (plan->definition->holds_before && readings->len) {
        hold_before(readings, current);
        tnd_burst_stream_begin(stream, 0, combine(plan, current, g_array_index(readings, Reading, 0).type));
    }
    for (guint i = 0; i < readings->len; i++) {
        const Reading *reading = &g_array_index(readings, Reading, i);
        current[reading->type] = reading->value;
        gboolean is_last = i + 1 == readings->len || reading[1].time_ns > reading->time_ns;
        if (is_last) /* readings of one time make one burst */
            tnd_burst_stream_begin(stream, reading->time_ns, combine(plan, current, reading->type));
    }
    g_free(current);
    g_array_unref(readings);
}
