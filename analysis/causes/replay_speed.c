/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values of a function are those whose labels are its name, or its name and a place.
 */
#include "analysis/causes/replay_speed.h"

#include "analysis/trace/nesting.h"
#include "analysis/trace/walk.h"
#include "formats/event_types.h"

#include <gio/gio.h>
#include <string.h>

struct TndReplaySpeeds {
    GArray **rows; /* of TndReplaySpeedPart; NULL: there are no such functions */
    guint n_rows;
};

typedef struct {
    const TndTrace *trace;
    GHashTable *factors; /* (type, value) to the index in speeds, plus 1 */
    const TndReplaySpeed *speeds;
    gboolean is_sampled; /* whether any of them is only sampled */
} Finding;

static const guint32 instrumented[] = {TND_TYPE_USER_FUNCTION,    TND_TYPE_REGION,      TND_TYPE_PYTHON_FUNCTION,
                                       TND_TYPE_LIBRARY_FUNCTION, TND_TYPE_OPENMP_TASK, TND_TYPE_OPENMP_FUNCTION,
                                       TND_TYPE_THREAD_FUNCTION};
#define MOST_SAMPLED_FRAMES 100

static gint64 key_of(guint32 type, gint64 value)
{
    gboolean is_sample = type >= TND_TYPE_SAMPLED_FUNCTION && type < TND_TYPE_SAMPLED_FUNCTION + MOST_SAMPLED_FRAMES;
    return (gint64)(is_sample ? TND_TYPE_SAMPLED_FUNCTION : type) << 32 | (value & 0xffffffff);
}

static gboolean is_called(const char *label, const char *name)
{
    gsize length = strlen(name);
    return !strncmp(label, name, length) && (!label[length] || !strncmp(label + length, " (", 2));
}

static gboolean add_values(Finding *finding, guint32 type, guint index)
{
    const struct tnd_pcf_type *labels = tnd_pcf_type(tnd_trace_pcf(finding->trace), type);
    gboolean is_found = FALSE;
    for (gsize i = 0; labels && i < labels->n_values; i++) {
        if (!labels->values[i].value || !is_called(labels->values[i].label, finding->speeds[index].function))
            continue;
        gint64 key = key_of(type, labels->values[i].value);
        g_hash_table_insert(finding->factors, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(index + 1));
        is_found = TRUE;
    }
    return is_found;
}

static gboolean find_function(Finding *finding, guint index)
{
    gboolean is_found = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(instrumented); i++)
        if (tnd_trace_n_events_of(finding->trace, instrumented[i]))
            is_found |= add_values(finding, instrumented[i], index);
    if (is_found)
        return TRUE;
    for (guint32 depth = 0; depth < MOST_SAMPLED_FRAMES; depth++)
        is_found |= add_values(finding, TND_TYPE_SAMPLED_FUNCTION + depth, index);
    finding->is_sampled |= is_found;
    return is_found;
}

static double factor_of(const Finding *finding, guint32 type, gint64 value)
{
    gint64 key = key_of(type, value);
    guint index = GPOINTER_TO_UINT(g_hash_table_lookup(finding->factors, &key));
    return index ? finding->speeds[index - 1].factor : 1;
}

/* Appends a stretch, which is extended if the one before ends where this begins. */
static void append(GArray *parts, guint64 begin_ns, guint64 end_ns, double factor)
{
    TndReplaySpeedPart *last = parts->len ? &g_array_index(parts, TndReplaySpeedPart, parts->len - 1) : NULL;
    begin_ns = last ? MAX(begin_ns, last->end_ns) : begin_ns;
    if (begin_ns >= end_ns || factor == 1)
        return;
    if (last && last->end_ns == begin_ns && last->factor == factor) {
        last->end_ns = end_ns;
        return;
    }
    const TndReplaySpeedPart part = {begin_ns, end_ns, factor};
    g_array_append_val(parts, part);
}

static void end_call(gpointer self, guint index, guint64 time_ns)
{
    (void)self, (void)index, (void)time_ns;
}

/* The product of the factors of the open calls; a function that calls itself counts once. */
static double open_factor(const Finding *finding, const GArray *calls)
{
    double factor = 1;
    for (guint i = 0; i < calls->len; i++) {
        const TndNestingCall *call = &g_array_index(calls, TndNestingCall, i);
        gboolean is_again = FALSE;
        for (guint j = 0; j < i; j++) {
            const TndNestingCall *outer = &g_array_index(calls, TndNestingCall, j);
            is_again |= outer->type == call->type && outer->value == call->value;
        }
        factor *= is_again ? 1 : factor_of(finding, call->type, call->value);
    }
    return factor;
}

static void find_calls(const Finding *finding, guint row, GArray *parts)
{
    GArray *calls = g_array_new(FALSE, FALSE, sizeof(TndNestingCall));
    TndNesting nesting = {.calls = calls, .end = end_call};
    guint64 wanted = 0, since_ns = 0;
    double factor = 1;
    for (guint i = 0; i < G_N_ELEMENTS(instrumented); i++)
        wanted |= tnd_blocks_bit(instrumented[i]);
    TndWalk walk = tnd_walk_events(finding->trace, row, wanted);
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        gboolean is_wanted = FALSE;
        for (guint i = 0; i < G_N_ELEMENTS(instrumented); i++)
            is_wanted |= event->type == instrumented[i];
        if (!is_wanted)
            continue;
        append(parts, since_ns, event->time_ns, factor);
        tnd_nesting_follow(&nesting, event->time_ns, event->type, event->value);
        factor = open_factor(finding, calls);
        since_ns = event->time_ns;
    }
    append(parts, since_ns, tnd_trace_end_ns(finding->trace), factor);
    tnd_walk_end(&walk);
    g_array_unref(calls);
}

static void find_samples(const Finding *finding, guint row, GArray *parts)
{
    guint64 sample_ns = G_MAXUINT64, before_ns = 0;
    double factor = 1;
    gboolean has_weights = tnd_trace_n_events_of(finding->trace, TND_TYPE_SAMPLE_WEIGHT) > 0;
    TndWalk walk = tnd_walk_events(finding->trace, row,
                                   tnd_blocks_bit(TND_TYPE_SAMPLED_FUNCTION) | tnd_blocks_bit(TND_TYPE_SAMPLE_WEIGHT));
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        gboolean is_frame =
            event->type >= TND_TYPE_SAMPLED_FUNCTION && event->type < TND_TYPE_SAMPLED_FUNCTION + MOST_SAMPLED_FRAMES;
        if (event->time_ns != sample_ns && is_frame) {
            if (!has_weights && sample_ns != G_MAXUINT64)
                append(parts, before_ns, sample_ns, factor);
            before_ns = sample_ns == G_MAXUINT64 ? event->time_ns : sample_ns;
            sample_ns = event->time_ns;
            factor = 1;
        }
        if (is_frame && factor == 1)
            factor = factor_of(finding, event->type, event->value);
        if (event->type == TND_TYPE_SAMPLE_WEIGHT && event->time_ns == sample_ns)
            append(parts, sample_ns - MIN(sample_ns, (guint64)MAX(event->value, 0)), sample_ns, factor);
    }
    if (!has_weights && sample_ns != G_MAXUINT64)
        append(parts, before_ns, sample_ns, factor);
    tnd_walk_end(&walk);
}

TndReplaySpeeds *tnd_replay_speed_new(const TndTrace *trace, const TndReplaySpeed *speeds, guint n_speeds,
                                      GError **error)
{
    TndReplaySpeeds *found = g_new0(TndReplaySpeeds, 1);
    Finding finding = {
        .trace = trace, .factors = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL), .speeds = speeds};
    gboolean is_good = TRUE;
    guint n_functions = 0;
    for (guint i = 0; i < n_speeds && is_good; i++) {
        n_functions += speeds[i].function != NULL;
        is_good = !speeds[i].function || find_function(&finding, i);
        if (!is_good)
            g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                        "%s: there is no function \"%s\" that was recorded or sampled", tnd_trace_path(trace),
                        speeds[i].function);
    }
    found->n_rows = tnd_trace_n_threads(trace);
    found->rows = n_functions && is_good ? g_new0(GArray *, found->n_rows + 1) : NULL;
    for (guint row = 0; found->rows && row < found->n_rows; row++) {
        found->rows[row] = g_array_new(FALSE, FALSE, sizeof(TndReplaySpeedPart));
        if (finding.is_sampled)
            find_samples(&finding, row, found->rows[row]);
        else
            find_calls(&finding, row, found->rows[row]);
    }
    g_hash_table_unref(finding.factors);
    if (is_good)
        return found;
    tnd_replay_speed_free(found);
    return NULL;
}

void tnd_replay_speed_free(TndReplaySpeeds *speeds)
{
    for (guint row = 0; speeds->rows && row < speeds->n_rows; row++)
        g_array_unref(speeds->rows[row]);
    g_free(speeds->rows);
    g_free(speeds);
}

TndReplaySpeedRow tnd_replay_speed_row(const TndReplaySpeeds *speeds, guint row)
{
    const GArray *parts = speeds->rows ? speeds->rows[row] : NULL;
    return parts ? (TndReplaySpeedRow){(const TndReplaySpeedPart *)(gconstpointer)parts->data, parts->len}
                 : (TndReplaySpeedRow){0};
}

gboolean tnd_replay_speed_next(TndReplaySpeedRow *row, guint64 from_ns, guint64 until_ns, TndReplaySpeedPart *part)
{
    while (row->n && row->parts->end_ns <= from_ns) {
        row->parts++;
        row->n--;
    }
    if (!row->n || row->parts->begin_ns >= until_ns)
        return FALSE;
    *part = *row->parts;
    part->begin_ns = MAX(part->begin_ns, from_ns);
    part->end_ns = MIN(part->end_ns, until_ns);
    return part->begin_ns < part->end_ns;
}
