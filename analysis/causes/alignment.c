/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The earliest of the moments that rows have.
 */
#include "analysis/causes/alignment.h"

#include "analysis/causes/phases.h"
#include "analysis/trace/trace_join.h"
#include "analysis/trace/walk.h"

#include <gio/gio.h>
#include <string.h>

static gboolean find_start(const TndTrace *trace, guint64 *time_ns)
{
    guint64 first_ns = G_MAXUINT64;
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++) {
        const TndThread *thread = tnd_trace_thread(trace, row);
        first_ns = thread->n_states ? MIN(first_ns, thread->begin_ns) : first_ns;
    }
    *time_ns = first_ns == G_MAXUINT64 ? 0 : first_ns;
    return TRUE;
}

static gboolean find_iteration(const TndTrace *trace, guint64 *time_ns, TndTraceProgress progress, gpointer user_data,
                               GError **error)
{
    TndSyncOps *ops = tnd_sync_ops_new(trace, progress, user_data, error);
    TndPhases *phases = ops ? tnd_phases_new(ops, NULL) : NULL;
    guint64 longest_ns = 0;
    for (guint i = 0; phases && i < phases->phases->len; i++) {
        const TndPhase *phase = &g_array_index(phases->phases, TndPhase, i);
        if (phase->end_ns - phase->begin_ns <= longest_ns)
            continue;
        longest_ns = phase->end_ns - phase->begin_ns;
        *time_ns = phase->begin_ns;
    }
    if (phases && !longest_ns)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: nothing iterates, as far as its calls say",
                    tnd_trace_path(trace));
    tnd_phases_free(phases);
    if (ops)
        tnd_sync_ops_free(ops);
    return longest_ns > 0;
}

/* An event type, and a value of it. */
typedef struct {
    guint32 type;
    gint64 value;
    gboolean has_value; /* else: any that is not 0 */
} Wanted;

/* FALSE: the text is no type with a value; value: a label that the trace does not have is none. */
static gboolean parse(const TndTrace *trace, const char *text, Wanted *wanted, gboolean *has_label)
{
    char *end;
    const guint64 type = g_ascii_strtoull(text, &end, 10);
    *wanted = (Wanted){(guint32)type, 0, *end == ':'};
    *has_label = TRUE;
    if (!g_ascii_isdigit(*text) || type > G_MAXUINT32 || (*end && *end != ':') || (*end && !end[1]))
        return FALSE;
    if (!*end)
        return TRUE;
    const char *value = end + 1;
    wanted->value = g_ascii_strtoll(value, &end, 10);
    if (!*end)
        return TRUE;
    const struct tnd_pcf_type *labels = tnd_pcf_type(tnd_trace_pcf(trace), wanted->type);
    *has_label = FALSE;
    for (gsize i = 0; labels && i < labels->n_values && !*has_label; i++) {
        *has_label = !strcmp(labels->values[i].label, value);
        wanted->value = labels->values[i].value;
    }
    return TRUE;
}

static gboolean find_event(const TndTrace *trace, const Wanted *wanted, guint64 *time_ns)
{
    guint64 first_ns = G_MAXUINT64;
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++) {
        TndWalk walk = tnd_walk_events(trace, row, tnd_blocks_bit(wanted->type));
        const TndEvent *event;
        while ((event = tnd_walk_next_event(&walk)) && event->time_ns < first_ns)
            if (event->type == wanted->type && (wanted->has_value ? event->value == wanted->value : event->value != 0))
                first_ns = event->time_ns;
        tnd_walk_end(&walk);
    }
    *time_ns = first_ns;
    return first_ns != G_MAXUINT64;
}

gboolean tnd_alignment_find(const TndTrace *trace, const char *alignment, guint64 *time_ns, TndTraceProgress progress,
                            gpointer user_data, GError **error)
{
    Wanted wanted;
    gboolean has_label;
    if (!strcmp(alignment, "start"))
        return find_start(trace, time_ns);
    if (!strcmp(alignment, "iteration"))
        return find_iteration(trace, time_ns, progress, user_data, error);
    if (!parse(trace, alignment, &wanted, &has_label)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "--align: got '%s', takes %s", alignment,
                    TND_ALIGNMENT_TAKES);
        return FALSE;
    }
    if (has_label && find_event(trace, &wanted, time_ns))
        return TRUE;
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: there is no event %s", tnd_trace_path(trace),
                alignment);
    return FALSE;
}

/* A third of the work: opening either trace, and joining them. */
typedef struct {
    TndTraceProgress progress;
    gpointer user_data;
    guint n_done;
} Thirds;

static gboolean show_third(double fraction, gpointer data)
{
    const Thirds *thirds = data;
    return !thirds->progress || thirds->progress((thirds->n_done + fraction) / 3, thirds->user_data);
}

TndTrace *tnd_alignment_open(const char *path, const char *beside, const char *alignment, TndTraceProgress progress,
                             gpointer user_data, GError **error)
{
    Thirds thirds = {progress, user_data, 0};
    const char *const paths[] = {path, beside};
    TndTraceJoinPart parts[2] = {{0}};
    guint64 times_ns[2];
    gboolean is_good = TRUE;
    for (guint i = 0; i < 2 && is_good; i++) {
        TndTrace *trace = tnd_trace_open(paths[i], show_third, &thirds, error);
        parts[i].trace = trace;
        thirds.n_done = i + 1;
        is_good = trace && tnd_alignment_find(trace, alignment, &times_ns[i], NULL, NULL, error);
    }
    TndTrace *joined = NULL;
    if (is_good) {
        for (guint i = 0; i < 2; i++)
            parts[i].delay_ns = MAX(times_ns[0], times_ns[1]) - times_ns[i];
        joined = tnd_trace_join(parts, alignment, show_third, &thirds, error);
    }
    for (guint i = 0; i < 2; i++)
        if (parts[i].trace)
            tnd_trace_free((TndTrace *)parts[i].trace);
    return joined;
}
