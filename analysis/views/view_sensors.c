/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Goes through the readings of a node and the events that tell a row's CPU, in the order of time.
 */
#include "analysis/views/view_sensors.h"

#include "analysis/bursts/burst_stream.h"
#include "analysis/trace/walk.h"
#include "analysis/views/view_readings.h"
#include "analysis/views/view_types.h"
#include "formats/event_types.h"
#include "formats/fact.h"

#include <math.h>
#include <string.h>

/* Which CPUs a sensor is about. */
typedef struct {
    guint node, type; /* node: from 0; type: index into the view's types */
    char **stretches; /* of CPUs: "0-3", "8" */
    guint n_cpus;
} Coverage;

struct TndViewSensors {
    GArray *coverages; /* Coverage */
    guint *first_rows; /* for each row the first row of its node */
    GArray **readings; /* TndViewReading, of each node, by its first row */
    guint n_rows;
};

/* The state of the pass over a row. */
typedef struct {
    const TndViewPlan *plan;
    guint node;
    double *current;   /* the latest reading of each type; NaN: none yet */
    gboolean *is_near; /* of each type: it is about the row's CPU, and about the fewest others */
} Pass;

/* The first and the last CPU of a stretch; FALSE: the text is not one. */
static gboolean read_stretch(const char *text, guint *first, guint *last)
{
    char *end;
    guint64 from = g_ascii_strtoull(text, &end, 10), to = *end == '-' ? g_ascii_strtoull(end + 1, NULL, 10) : from;
    *first = (guint)MIN(from, G_MAXINT);
    *last = (guint)MIN(to, G_MAXINT);
    return g_ascii_isdigit(*text) && to >= from;
}

/* text: the value of a TND_FACT_SENSOR. */
static void note_coverage(const TndViewPlan *plan, const char *text, GArray *coverages)
{
    char **words = g_strsplit(text, " ", 3);
    if (g_strv_length(words) == 3) {
        int type = tnd_view_types_find(&plan->types, (guint32)g_ascii_strtoull(words[0], NULL, 10));
        Coverage made = {.node = (guint)g_ascii_strtoull(words[1], NULL, 10), .type = (guint)type};
        if (type >= 0) {
            guint first, last;
            made.stretches = g_strsplit(words[2], ",", -1);
            for (char **stretch = made.stretches; *stretch; stretch++)
                made.n_cpus += read_stretch(*stretch, &first, &last) ? last - first + 1 : 0;
            g_array_append_val(coverages, made);
        }
    }
    g_strfreev(words);
}

static void clear_coverage(gpointer coverage)
{
    g_strfreev(((Coverage *)coverage)->stretches);
}

TndViewSensors *tnd_view_sensors_new(const TndViewPlan *plan)
{
    GArray *coverages = g_array_new(FALSE, FALSE, sizeof(Coverage));
    g_array_set_clear_func(coverages, clear_coverage);
    for (const char *const *comment = tnd_trace_comments(plan->trace); *comment; comment++) {
        const char *value = tnd_fact_value(*comment, TND_FACT_SENSOR);
        if (value)
            note_coverage(plan, value, coverages);
    }
    if (!coverages->len) {
        g_array_unref(coverages);
        return NULL;
    }
    TndViewSensors *sensors = g_new0(TndViewSensors, 1);
    sensors->coverages = coverages;
    sensors->n_rows = tnd_trace_n_threads(plan->trace);
    sensors->first_rows = tnd_view_readings_first_rows(plan->trace, TND_SCOPE_NODE);
    sensors->readings = g_new0(GArray *, sensors->n_rows + 1);
    for (guint row = 0; row < sensors->n_rows; row++)
        if (sensors->first_rows[row] == row)
            sensors->readings[row] = tnd_view_readings_collect(plan, sensors->first_rows, row);
    return sensors;
}

void tnd_view_sensors_free(TndViewSensors *sensors)
{
    if (!sensors)
        return;
    for (guint row = 0; row < sensors->n_rows; row++)
        if (sensors->readings[row])
            g_array_unref(sensors->readings[row]);
    g_free(sensors->readings);
    g_free(sensors->first_rows);
    g_array_unref(sensors->coverages);
    g_free(sensors);
}

static gboolean is_about(const Coverage *coverage, guint node, guint cpu)
{
    guint first, last;
    for (char **stretch = coverage->stretches; coverage->node == node && *stretch; stretch++)
        if (read_stretch(*stretch, &first, &last) && cpu >= first && cpu <= last)
            return TRUE;
    return FALSE;
}

/* The row moves to the CPU of that number, from 1 on; 0: not known. */
static void move(Pass *pass, gint64 number)
{
    const GArray *coverages = pass->plan->sensors->coverages;
    guint least = G_MAXUINT;
    memset(pass->is_near, 0, pass->plan->types.n_types * sizeof *pass->is_near);
    for (int is_counted = 0; number > 0 && is_counted < 2; is_counted++)
        for (guint i = 0; i < coverages->len; i++) {
            const Coverage *coverage = &g_array_index(coverages, Coverage, i);
            if (!is_about(coverage, pass->node, (guint)number - 1))
                continue;
            least = MIN(least, coverage->n_cpus);
            pass->is_near[coverage->type] = is_counted && coverage->n_cpus == least;
        }
}

/* The next event that tells the row's CPU; NULL: there is none. */
static const TndEvent *next_move(TndWalk *walk)
{
    const TndEvent *event;
    do
        event = tnd_walk_next_event(walk);
    while (event && event->type != TND_TYPE_CPU);
    return event;
}

/* The hottest of the near sensors; if none of them was read, the hottest of all. */
static double value_now(const Pass *pass)
{
    double near = NAN, any = NAN;
    for (guint i = 0; i < pass->plan->types.n_types; i++) {
        any = fmax(any, pass->current[i]);
        near = fmax(near, pass->is_near[i] ? pass->current[i] : NAN);
    }
    return isnan(near) ? isnan(any) ? 0 : any : near;
}

void tnd_view_sensors_evaluate(const TndViewPlan *plan, guint row, TndBurstStream *stream)
{
    const GArray *readings = plan->sensors->readings[plan->sensors->first_rows[row]];
    guint n_types = plan->types.n_types;
    Pass pass = {.plan = plan,
                 .node = tnd_trace_thread(plan->trace, row)->node,
                 .current = g_new(double, n_types + 1),
                 .is_near = g_new0(gboolean, n_types + 1)};
    for (guint i = 0; i < n_types; i++)
        pass.current[i] = NAN;
    guint next = 0;
    TndWalk walk = tnd_walk_events(plan->trace, row, tnd_blocks_bit(TND_TYPE_CPU));
    for (const TndEvent *at = next_move(&walk); next < readings->len || at;) {
        const TndViewReading *reading = &g_array_index(readings, TndViewReading, next);
        guint64 now = next < readings->len ? reading->time_ns : G_MAXUINT64;
        if (at && at->time_ns <= now) {
            now = at->time_ns;
            move(&pass, at->value);
            at = next_move(&walk);
        } else {
            pass.current[reading->type] = reading->value;
            next++;
        }
        gboolean goes_on = next < readings->len && g_array_index(readings, TndViewReading, next).time_ns == now;
        if (!goes_on) /* readings of one time make one burst */
            tnd_burst_stream_begin(stream, now, value_now(&pass));
    }
    tnd_walk_end(&walk);
    g_free(pass.current);
    g_free(pass.is_near);
}
