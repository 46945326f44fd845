/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums over readings.  The value of a sensor between two readings is their mean; power from a counter of energy is that
 * of the counter.  A first reading of 0 power means that reading begins there; any other first reading is an average
 * since before the trace (or before the cut), and holds from the trace's begin on.
 */
#include "analysis/reports/sensor_sums.h"

#include "analysis/bursts/burst_walk.h"
#include "analysis/trace/blocks.h"
#include "analysis/trace/walk.h"

#include "analysis/views/views.h"
#include "formats/event_types.h"

#include <math.h>
#include <string.h>

/* The event types of sensors are in four blocks of this size. */
#define BLOCK 1000u

typedef struct {
    guint node;
    guint32 type;
    guint64 n; /* readings that count */
    double sum, minimum, maximum;
    double span_ns, area;        /* sums between readings, of ns and of value * ns */
    double first_ns, first_area; /* the same from the begin to rows' first readings, if these hold before them */
    guint row;                   /* of the last reading; another one has another reader */
    guint64 time_ns;
    double value;
} Sum;

static gboolean is_in(guint32 type, guint32 block)
{
    return type >= block && type < block + BLOCK;
}

static guint hash_sum(gconstpointer data)
{
    const Sum *sum = data;
    return sum->type * 31 + sum->node;
}

static gboolean equal_sums(gconstpointer a, gconstpointer b)
{
    const Sum *x = a, *y = b;
    return x->type == y->type && x->node == y->node;
}

static void note(GHashTable *sums, guint row, guint node, const TndEvent *event)
{
    const Sum wanted = {.node = node, .type = event->type, .minimum = INFINITY, .maximum = -INFINITY, .row = G_MAXUINT};
    Sum *sum = g_hash_table_lookup(sums, &wanted);
    double value = (double)event->value;
    if (!sum)
        g_hash_table_add(sums, sum = g_memdup2(&wanted, sizeof wanted));
    gboolean begins = is_in(event->type, TND_TYPE_POWER) && event->value == 0;
    if (sum->row == row && !begins) {
        double elapsed_ns = (double)(event->time_ns - sum->time_ns);
        sum->span_ns += elapsed_ns;
        sum->area += elapsed_ns * (sum->value + value) / 2;
    } else if (!begins) {
        sum->first_ns += (double)event->time_ns;
        sum->first_area += (double)event->time_ns * value;
    }
    if (!begins) {
        sum->n++;
        if (sum->row == row || !is_in(event->type, TND_TYPE_ENERGY)) /* for a first reading see first_area */
            sum->sum += value;
        sum->minimum = MIN(sum->minimum, value);
        sum->maximum = MAX(sum->maximum, value);
    }
    sum->row = row;
    sum->time_ns = event->time_ns;
    sum->value = value;
}

static GHashTable *sum_events(const TndTrace *trace)
{
    GHashTable *sums = g_hash_table_new_full(hash_sum, equal_sums, g_free, NULL);
    guint n_types;
    guint64 wanted = 0;
    const TndTraceType *types = tnd_trace_types(trace, &n_types);
    for (guint i = 0; i < n_types; i++)
        if (is_in(types[i].type, TND_TYPE_TEMPERATURE) || is_in(types[i].type, TND_TYPE_POWER) ||
            is_in(types[i].type, TND_TYPE_SENSOR))
            wanted |= tnd_blocks_bit(types[i].type);
    for (guint row = 0; wanted && row < tnd_trace_n_threads(trace); row++) {
        TndWalk walk = tnd_walk_events(trace, row, wanted);
        for (const TndEvent *event; (event = tnd_walk_next_event(&walk));)
            if (event->type >= TND_TYPE_TEMPERATURE && event->type < TND_TYPE_SENSOR + BLOCK)
                note(sums, row, tnd_trace_thread(trace, row)->node, event);
        tnd_walk_end(&walk);
    }
    return sums;
}

/* Splits a label like "Package 0 [m°C] (coretemp)" into the unit and the rest, which is to be freed with g_free. */
static char *split_label(const TndTrace *trace, guint32 type, const char **unit)
{
    static const char *const units[] = {"RPM", "mV", "mA"};
    const struct tnd_pcf_type *known = tnd_pcf_type(tnd_trace_pcf(trace), type);
    const char *label = known ? known->label : "", *begin = strstr(label, " ["),
               *end = begin ? strchr(begin, ']') : NULL;
    *unit = "";
    if (!end)
        return *label ? g_strdup(label) : g_strdup_printf("%u", type);
    for (guint i = 0; i < G_N_ELEMENTS(units); i++)
        if (strlen(units[i]) == (gsize)(end - begin - 2) && strncmp(begin + 2, units[i], (gsize)(end - begin - 2)) == 0)
            *unit = units[i];
    return g_strdup_printf("%.*s%s", (int)(begin - label), label, end + 1);
}

static TndSensorSum finish(const TndTrace *trace, GHashTable *sums, const Sum *sum)
{
    TndSensorSum made = {.type = sum->type, .node = sum->node, .joules = NAN};
    made.name = split_label(trace, sum->type, &made.unit);
    double divisor = 1, mean = sum->span_ns > 0 ? sum->area / sum->span_ns : sum->n ? sum->sum / (double)sum->n : 0;
    if (is_in(sum->type, TND_TYPE_TEMPERATURE)) {
        made.unit = "°C";
        divisor = 1e3;
    } else if (is_in(sum->type, TND_TYPE_POWER)) {
        const Sum wanted = {.node = sum->node, .type = sum->type - TND_TYPE_POWER + TND_TYPE_ENERGY};
        const Sum *energy = g_hash_table_lookup(sums, &wanted);
        made.unit = "W";
        made.joules = energy ? energy->sum / 1e6 + sum->first_area / 1e12 : sum->area / 1e12; /* mW * ns */
        double span_ns = sum->first_ns + sum->span_ns;
        mean = energy && span_ns > 0 ? made.joules * 1e12 / span_ns : mean;
        divisor = 1e3;
    }
    made.minimum = sum->n ? sum->minimum / divisor : 0;
    made.maximum = sum->n ? sum->maximum / divisor : 0;
    made.mean = mean / divisor;
    return made;
}

static int compare_sensors(gconstpointer a, gconstpointer b)
{
    const TndSensorSum *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->type > y->type) - (x->type < y->type);
}

/* The energy of a row that computes all the time, from the begin to a time; between points it grows linearly. */
typedef struct {
    guint64 time_ns;
    double joules;
} Point;

typedef struct {
    TndView *power, *busy, *useful;
    guint *n_rows; /* of each node */
} Sharing;

/* The points of the node of a row.  *nobodys: the node's joules while no row computed. */
static GArray *make_points(const Sharing *sharing, guint row, double *nobodys)
{
    TndBurstWalk power = tnd_burst_walk_start(tnd_view_row(sharing->power, row), 0);
    TndBurstWalk busy = tnd_burst_walk_start(tnd_view_row(sharing->busy, row), 0);
    GArray *points = g_array_new(FALSE, FALSE, sizeof(Point));
    Point point = {0, 0};
    *nobodys = 0;
    g_array_append_val(points, point);
    while (power.at && busy.at) {
        guint64 end_ns = MIN(power.at->end_ns, busy.at->end_ns);
        double joules = power.at->value * (double)(end_ns - point.time_ns) / 1e9;
        if (busy.at->value != 0)
            point.joules += joules / busy.at->value;
        else
            *nobodys += joules;
        point.time_ns = end_ns;
        g_array_append_val(points, point);
        tnd_burst_walk_step(&power, end_ns);
        tnd_burst_walk_step(&busy, end_ns);
    }
    tnd_burst_walk_end(&power);
    tnd_burst_walk_end(&busy);
    return points;
}

/* The joules at a time, which must not be before that of the last call. */
static double joules_at(const GArray *points, guint *i, guint64 time_ns)
{
    while (*i + 1 < points->len && g_array_index(points, Point, *i + 1).time_ns < time_ns)
        ++*i;
    const Point *left = &g_array_index(points, Point, *i);
    if (*i + 1 == points->len || time_ns <= left->time_ns)
        return left->joules;
    double part = (double)(time_ns - left->time_ns) / (double)(left[1].time_ns - left->time_ns);
    return left->joules + part * (left[1].joules - left->joules);
}

static double row_joules(const Sharing *sharing, const GArray *points, guint row)
{
    double joules = 0;
    guint i = 0;
    TndBurstWalk useful = tnd_burst_walk_start(tnd_view_row(sharing->useful, row), 0);
    for (; useful.at; tnd_burst_walk_next(&useful))
        if (useful.at->value != 0) {
            double before = joules_at(points, &i, useful.at->begin_ns);
            joules += joules_at(points, &i, useful.at->end_ns) - before;
        }
    tnd_burst_walk_end(&useful);
    return joules;
}

static void share_nodes(const TndTrace *trace, const Sharing *sharing, TndSensorSums *sums)
{
    guint n_rows = tnd_trace_n_threads(trace);
    GHashTable *done = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (guint first = 0; first < n_rows; first++) {
        guint node = tnd_trace_thread(trace, first)->node, n_here = 0;
        double nobodys;
        if (!g_hash_table_add(done, GUINT_TO_POINTER(node)))
            continue;
        GArray *points = make_points(sharing, first, &nobodys);
        for (guint row = first; row < n_rows; row++)
            n_here += tnd_trace_thread(trace, row)->node == node;
        for (guint row = first; row < n_rows; row++) {
            if (tnd_trace_thread(trace, row)->node != node)
                continue;
            sums->joules[row] = row_joules(sharing, points, row) + nobodys / n_here;
            sums->all_joules += sums->joules[row];
        }
        g_array_unref(points);
    }
    g_hash_table_unref(done);
}

static void share(const TndTrace *trace, TndSensorSums *sums)
{
    guint n_rows = tnd_trace_n_threads(trace);
    Sharing sharing = {.power = tnd_view_new(trace, "power", NULL),
                       .busy = tnd_view_new(trace, "node-parallelism", NULL),
                       .useful = tnd_view_new(trace, "useful-duration", NULL)};
    sums->joules = g_new0(double, n_rows + 1);
    share_nodes(trace, &sharing, sums);
    tnd_view_free(sharing.power);
    tnd_view_free(sharing.busy);
    tnd_view_free(sharing.useful);
}

static void clear_sensor(gpointer sensor)
{
    g_free(((TndSensorSum *)sensor)->name);
}

TndSensorSums *tnd_sensor_sums_new(const TndTrace *trace)
{
    TndSensorSums *sums = g_new0(TndSensorSums, 1);
    sums->sensors = g_array_new(FALSE, FALSE, sizeof(TndSensorSum));
    g_array_set_clear_func(sums->sensors, clear_sensor);
    GHashTable *read = sum_events(trace);
    GHashTableIter iter;
    gpointer key;
    gboolean has_power = FALSE;
    g_hash_table_iter_init(&iter, read);
    while (g_hash_table_iter_next(&iter, &key, NULL)) {
        const Sum *sum = key;
        if (is_in(sum->type, TND_TYPE_ENERGY))
            continue;
        has_power |= is_in(sum->type, TND_TYPE_POWER);
        TndSensorSum made = finish(trace, read, sum);
        g_array_append_val(sums->sensors, made);
    }
    g_hash_table_unref(read);
    g_array_sort(sums->sensors, compare_sensors);
    if (has_power)
        share(trace, sums);
    return sums;
}

void tnd_sensor_sums_free(TndSensorSums *sums)
{
    if (!sums)
        return;
    g_array_unref(sums->sensors);
    g_free(sums->joules);
    g_free(sums);
}
