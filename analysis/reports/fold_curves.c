/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A counter's readings are fractions of what its instance counted; those of a bin give a point of a curve from 0 to 1,
 * which is made to rise by pooling neighbours that fall, and whose slope is the rate.
 */
#include "analysis/reports/fold_curves.h"

#include "analysis/trace/walk.h"
#include "analysis/views/views.h"
#include "formats/event_types.h"

#include <math.h>
#include <string.h>

/* PAPI_TOT_INS and PAPI_TOT_CYC, as Extrae numbers PAPI's presets. */
#define TYPE_INSTRUCTIONS 42000050u
#define TYPE_CYCLES 42000059u

/* Readings of a bin. */
typedef struct {
    guint64 n;
    double positions, values; /* sums */
} Bin;

typedef struct {
    double position, sum;
} Pending;

/* An event type that is read. */
typedef struct {
    guint32 type;
    gboolean is_counter;
    double divisor;
    const char *unit;
    Bin *bins;
    guint64 n_instances; /* of a counter: that were read at both ends */
    double total;        /* what was counted in them */
    /* Of a counter in the row that is being read: */
    const TndFoldInstance *inside; /* the instance at whose begin it was read; NULL: none */
    double sum;                    /* counted since then */
    GArray *pending;               /* Pending: readings since then */
} Reading;

typedef struct {
    const TndFoldInstance *at, *end; /* instances of the row that are not over yet */
    guint n_bins;
} Row;

/* The view of values that hold until the next one, or before, which an event type belongs to; NULL: none. */
static const TndViewDefinition *view_of(guint32 type)
{
    for (guint i = 0; i < tnd_views_n; i++) {
        const TndViewDefinition *view = &tnd_views_table[i];
        gboolean adds = view->holds_before && strcmp(view->rule.unit, "W") != 0; /* not energy, page faults */
        if (view->rule.draw == TND_DRAW_LINE && !adds && type >= view->first_type && type <= view->last_type)
            return view;
    }
    return NULL;
}

static GArray *find_readings(const TndTrace *trace, guint n_bins)
{
    GArray *readings = g_array_new(FALSE, FALSE, sizeof(Reading));
    guint n_types;
    const TndTraceType *types = tnd_trace_types(trace, &n_types);
    for (guint i = 0; i < n_types; i++) {
        guint32 type = types[i].type;
        Reading reading = {.type = type, .divisor = 1, .unit = ""};
        const TndViewDefinition *view = view_of(type);
        reading.is_counter = type >= TND_TYPE_COUNTER_PRESET && type <= TND_TYPE_COUNTER_NATIVE_LAST;
        if (reading.is_counter)
            reading.unit = "per second";
        else if (view) {
            reading.unit = view->rule.unit;
            reading.divisor = view->divisor != 0 ? view->divisor : 1;
        } else if (type < TND_TYPE_USER_COUNTER || type > TND_TYPE_USER_COUNTER_LAST)
            continue;
        reading.bins = g_new0(Bin, n_bins);
        reading.pending = g_array_new(FALSE, FALSE, sizeof(Pending));
        g_array_append_val(readings, reading);
    }
    return readings;
}

static double position_in(const TndFoldInstance *instance, guint64 time_ns)
{
    return (double)(time_ns - instance->begin_ns) / (double)(instance->end_ns - instance->begin_ns);
}

static void add(Reading *reading, guint n_bins, double position, double value)
{
    Bin *bin = &reading->bins[(guint)MIN(position * n_bins, n_bins - 1)];
    bin->n++;
    bin->positions += position;
    bin->values += value;
}

/* A counter was read at the end of the instance that it was read in. */
static void close_instance(Reading *reading, const Row *row)
{
    for (guint i = 0; i < reading->pending->len && reading->sum > 0; i++) {
        const Pending *pending = &g_array_index(reading->pending, Pending, i);
        add(reading, row->n_bins, pending->position, pending->sum / reading->sum);
    }
    reading->n_instances++;
    reading->total += reading->sum;
    reading->inside = NULL;
}

static void open_instance(Reading *reading, const TndFoldInstance *instance)
{
    reading->inside = instance->is_kept ? instance : NULL;
    reading->sum = 0;
    g_array_set_size(reading->pending, 0);
}

/* The counter has counted so much since the event before. */
static void count(Reading *reading, const Row *row, const TndEvent *event)
{
    const TndFoldInstance *at = row->at;
    reading->sum += (double)event->value;
    if (event->time_ns == at->end_ns) {
        if (reading->inside == at)
            close_instance(reading, row);
        at++;
    }
    if (at < row->end && event->time_ns == at->begin_ns) {
        open_instance(reading, at);
    } else if (at == row->at && reading->inside == at) {
        Pending pending = {position_in(at, event->time_ns), reading->sum};
        g_array_append_val(reading->pending, pending);
    }
}

static void hold(Reading *reading, const Row *row, const TndEvent *event)
{
    const TndFoldInstance *at = row->at + (event->time_ns == row->at->end_ns);
    if (at < row->end && at->is_kept && event->time_ns >= at->begin_ns)
        add(reading, row->n_bins, position_in(at, event->time_ns), (double)event->value / reading->divisor);
}

static int compare_types(gconstpointer key, gconstpointer reading)
{
    guint32 x = *(const guint32 *)key, y = ((const Reading *)reading)->type;
    return (x > y) - (x < y);
}

static void read_row(const TndTrace *trace, guint number, Row *row, GArray *readings, guint64 wanted)
{
    TndWalk walk = tnd_walk_events(trace, number, wanted);
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        Reading *reading = bsearch(&event->type, readings->data, readings->len, sizeof *reading, compare_types);
        if (!reading)
            continue;
        while (row->at < row->end && row->at->end_ns < event->time_ns)
            row->at++;
        if (row->at == row->end)
            break;
        (reading->is_counter ? count : hold)(reading, row, event);
    }
    tnd_walk_end(&walk);
}

static void read_all(const TndTrace *trace, const TndFoldInstances *instances, guint n_bins, const gboolean *rows,
                     GArray *readings)
{
    guint64 wanted = 0;
    for (guint i = 0; i < readings->len; i++)
        wanted |= tnd_blocks_bit(g_array_index(readings, Reading, i).type);
    const TndFoldInstance *next = (const TndFoldInstance *)(void *)instances->all->data;
    const TndFoldInstance *end = next + instances->all->len;
    for (guint number = 0; wanted && number < tnd_trace_n_threads(trace); number++) {
        Row row = {.at = next, .n_bins = n_bins};
        while (next < end && next->row == number)
            next++;
        row.end = next;
        for (guint i = 0; i < readings->len; i++)
            g_array_index(readings, Reading, i).inside = NULL;
        if (!rows || rows[number])
            read_row(trace, number, &row, readings, wanted);
    }
}

/* A point of a curve that rises. */
typedef struct {
    double x, y, weight;
} Point;

/* Replaces neighbours that fall by their mean, until none do: the rising sequence that is nearest to the points. */
static guint pool(Point *points, guint n)
{
    guint kept = 0;
    for (guint i = 0; i < n; i++) {
        points[kept++] = points[i];
        while (kept > 1 && points[kept - 2].y > points[kept - 1].y) {
            Point *low = &points[kept - 2], *high = &points[kept - 1];
            double weight = low->weight + high->weight;
            low->x = (low->x * low->weight + high->x * high->weight) / weight;
            low->y = (low->y * low->weight + high->y * high->weight) / weight;
            low->weight = weight;
            kept--;
        }
    }
    return kept;
}

/* Sets the slopes, by bin, of the curve from (0, 0) through the bins' points to (1, 1). */
static void find_slopes(const Bin *bins, guint n_bins, double *slopes)
{
    Point *points = g_new0(Point, n_bins + 2);
    guint n = 0, at = 0;
    for (guint bin = 0; bin < n_bins; bin++)
        if (bins[bin].n)
            points[++n] = (Point){.x = bins[bin].positions / (double)bins[bin].n,
                                  .y = bins[bin].values / (double)bins[bin].n,
                                  .weight = (double)bins[bin].n};
    n = pool(points + 1, n);
    points[n + 1] = (Point){.x = 1, .y = 1};
    double before = 0;
    for (guint bin = 0; bin < n_bins; bin++) {
        double x = (bin + 1.0) / n_bins;
        while (at < n && points[at + 1].x < x)
            at++;
        const Point *low = &points[at], *high = &points[at + 1];
        double y = high->x > low->x ? low->y + (high->y - low->y) * (x - low->x) / (high->x - low->x) : high->y;
        slopes[bin] = (y - before) * n_bins;
        before = y;
    }
    g_free(points);
}

static TndFoldCurve *new_curve(GPtrArray *curves, const char *name, const char *unit, guint n_bins)
{
    TndFoldCurve *curve = g_new0(TndFoldCurve, 1);
    curve->name = g_strdup(name);
    curve->unit = unit;
    curve->total = NAN;
    curve->values = g_new(double, n_bins);
    curve->counts = g_new0(guint64, n_bins);
    g_ptr_array_add(curves, curve);
    return curve;
}

static void free_curve(gpointer data)
{
    TndFoldCurve *curve = data;
    g_free(curve->name);
    g_free(curve->values);
    g_free(curve->counts);
    g_free(curve);
}

/* The label of a type without its unit. */
static char *name_of(const TndTrace *trace, guint32 type)
{
    const char *label = tnd_view_types_label(trace, type), *unit = label ? strstr(label, " [") : NULL;
    return unit ? g_strndup(label, (gsize)(unit - label)) : label ? g_strdup(label) : g_strdup_printf("%u", type);
}

/* Returns NULL if the type was not read in an instance. */
static TndFoldCurve *make_curve(const TndTrace *trace, const Reading *reading, const TndFolding *folding,
                                GPtrArray *curves)
{
    guint64 n_readings = 0;
    for (guint bin = 0; bin < folding->n_bins; bin++)
        n_readings += reading->bins[bin].n;
    if (!n_readings)
        return NULL;
    char *name = name_of(trace, reading->type);
    TndFoldCurve *curve = new_curve(curves, name, reading->unit, folding->n_bins);
    g_free(name);
    curve->holds = !reading->is_counter;
    if (reading->is_counter) {
        curve->total = reading->total / (double)reading->n_instances;
        find_slopes(reading->bins, folding->n_bins, curve->values);
    }
    for (guint bin = 0; bin < folding->n_bins; bin++) {
        const Bin *held = &reading->bins[bin];
        curve->counts[bin] = held->n;
        if (reading->is_counter)
            curve->values[bin] *= curve->total / (folding->mean_ns / 1e9);
        else
            curve->values[bin] = held->n ? held->values / (double)held->n : NAN;
    }
    return curve;
}

static void add_cpu_use(GPtrArray *curves, const TndFoldInstances *instances, const TndFolding *folding)
{
    TndFoldCurve *curve = new_curve(curves, "Use of the CPU", "%", folding->n_bins);
    for (guint bin = 0; bin < folding->n_bins; bin++) {
        curve->values[bin] = 100 * folding->weights[bin] * folding->n_bins / (double)instances->kept_ns;
        curve->counts[bin] = folding->counts[bin];
    }
}

static void add_ratio(GPtrArray *curves, const TndFoldCurve *upper, const TndFoldCurve *lower, guint n_bins)
{
    TndFoldCurve *curve = new_curve(curves, "Instructions per cycle", "", n_bins);
    for (guint bin = 0; bin < n_bins; bin++) {
        curve->values[bin] = lower->values[bin] > 0 ? upper->values[bin] / lower->values[bin] : NAN;
        curve->counts[bin] = MIN(upper->counts[bin], lower->counts[bin]);
    }
}

GPtrArray *tnd_fold_curves_new(const TndTrace *trace, const TndFoldInstances *instances, const TndFolding *folding,
                               const gboolean *rows)
{
    GPtrArray *curves = g_ptr_array_new_with_free_func(free_curve);
    GArray *readings = find_readings(trace, folding->n_bins);
    const TndFoldCurve *instructions = NULL, *cycles = NULL;
    read_all(trace, instances, folding->n_bins, rows, readings);
    if (folding->are_weighed && folding->n_samples)
        add_cpu_use(curves, instances, folding);
    for (guint i = 0; i < readings->len; i++) {
        const Reading *reading = &g_array_index(readings, Reading, i);
        const TndFoldCurve *curve = make_curve(trace, reading, folding, curves);
        instructions = reading->type == TYPE_INSTRUCTIONS ? curve : instructions;
        cycles = reading->type == TYPE_CYCLES ? curve : cycles;
        g_free(reading->bins);
        g_array_unref(reading->pending);
    }
    if (instructions && cycles)
        add_ratio(curves, instructions, cycles, folding->n_bins);
    g_array_unref(readings);
    return curves;
}
