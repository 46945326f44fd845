/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readings of all rows of a scope, in one order of time.
 */
#include "analysis/views/view_readings.h"

#include "analysis/bursts/burst_stream.h"
#include "analysis/trace/walk.h"
#include "analysis/views/view_sensors.h"
#include "analysis/views/view_types.h"

#include <math.h>

typedef TndViewReading Reading;

/* What rows of one scope have in common, and rows of others have not. */
static guint64 scope_of(const TndThread *thread, TndViewScope scope)
{
    if (scope == TND_SCOPE_PROCESS)
        return (guint64)thread->application << 32 | thread->task;
    return scope == TND_SCOPE_NODE ? thread->node : 0;
}

guint *tnd_view_readings_first_rows(const TndTrace *trace, TndViewScope scope)
{
    if (scope == TND_SCOPE_THREAD)
        return NULL;
    guint n_rows = tnd_trace_n_threads(trace);
    guint *first_rows = g_new0(guint, n_rows + 1);
    GHashTable *firsts = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL); /* to the row + 1 */
    for (guint row = 0; row < n_rows; row++) {
        guint64 own = scope_of(tnd_trace_thread(trace, row), scope);
        guint first = GPOINTER_TO_UINT(g_hash_table_lookup(firsts, &own));
        if (!first) {
            first = row + 1;
            g_hash_table_insert(firsts, g_memdup2(&own, sizeof own), GUINT_TO_POINTER(first));
        }
        first_rows[row] = first - 1;
    }
    g_hash_table_unref(firsts);
    return first_rows;
}

static void add_readings(const TndViewSubject *subject, guint row, GArray *readings)
{
    TndWalk walk = tnd_walk_events(subject->trace, row, tnd_view_types_bits(&subject->types));
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        int type = tnd_view_types_find(&subject->types, event->type);
        if (type < 0)
            continue;
        const Reading reading = {event->time_ns, (double)event->value / subject->types.divisors[type], (guint)type};
        g_array_append_val(readings, reading);
    }
    tnd_walk_end(&walk);
}

static int compare_readings(gconstpointer a, gconstpointer b)
{
    guint64 x = ((const Reading *)a)->time_ns, y = ((const Reading *)b)->time_ns;
    return (x > y) - (x < y);
}

/* At one moment in the order of rows and of their events (g_array_sort keeps it). */
GArray *tnd_view_readings_collect(const TndViewSubject *subject, const guint *first_rows, guint row)
{
    GArray *readings = g_array_new(FALSE, FALSE, sizeof(Reading));
    guint n_rows = first_rows ? tnd_trace_n_threads(subject->trace) : row + 1;
    for (guint other = row; other < n_rows; other++)
        if (!first_rows || first_rows[other] == first_rows[row])
            add_readings(subject, other, readings);
    g_array_sort(readings, compare_readings);
    return readings;
}

/* Lets each reading hold before it: gives it the value of the next one of its type.  What was before the first ones. */
static void hold_before(GArray *readings, double *current)
{
    for (guint i = readings->len; i-- > 0;) {
        Reading *reading = &g_array_index(readings, Reading, i);
        double own = reading->value;
        reading->value = isnan(current[reading->type]) ? 0.0 : current[reading->type];
        current[reading->type] = own;
    }
}

/* Of what each type has; NaN: nothing yet. */
static double combine(const TndViewSubject *subject, const double *current, guint last)
{
    if (subject->definition->several == TND_SEVERAL_LAST)
        return isnan(current[last]) ? 0.0 : current[last];
    gboolean is_sum = subject->definition->several == TND_SEVERAL_SUM;
    double value = NAN;
    for (guint i = 0; i < subject->types.n_types; i++) {
        if (isnan(current[i]))
            continue;
        if (isnan(value))
            value = current[i];
        else
            value = is_sum ? value + current[i] : MAX(value, current[i]);
    }
    return isnan(value) ? 0.0 : value;
}

void tnd_view_readings_evaluate(const TndViewSubject *subject, guint row, TndBurstStream *stream)
{
    if (subject->sensors) {
        tnd_view_sensors_evaluate(subject, row, stream);
        return;
    }
    GArray *readings = tnd_view_readings_collect(subject, subject->first_rows, row);
    double *current = g_new(double, subject->types.n_types + 1);
    for (guint i = 0; i < subject->types.n_types; i++)
        current[i] = NAN;
    if (subject->definition->is_next && readings->len) {
        hold_before(readings, current);
        tnd_burst_stream_begin(stream, 0, combine(subject, current, g_array_index(readings, Reading, 0).type));
    }
    for (guint i = 0; i < readings->len; i++) {
        const Reading *reading = &g_array_index(readings, Reading, i);
        current[reading->type] = reading->value;
        gboolean is_last = i + 1 == readings->len || reading[1].time_ns > reading->time_ns;
        if (is_last) /* those of one moment are one */
            tnd_burst_stream_begin(stream, reading->time_ns, combine(subject, current, reading->type));
    }
    g_free(current);
    g_array_unref(readings);
}
