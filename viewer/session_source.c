/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines of the source at a spot: of the last recorded call, or of the last sample.
 */
#include "viewer/session_parts.h"

#include "analysis/reports/source_line.h"
#include "analysis/trace/walk.h"
#include "formats/event_types.h"

#include <gio/gio.h>

enum { MOST_SAMPLES = 5000000, LEVELS = 100 }; /* samples of which lines are counted; levels of a stack */

/* The last value before a spot in one of the views that tell lines; NULL: there is none.  Free with g_free. */
static char *label_at(TndSession *session, TndSpot spot, TndSessionSource which)
{
    TndView *view = spot.is_set ? tnd_session_lane_view(session, spot.lane) : NULL;
    TndBurst burst;
    if (!view || tnd_view_level(view) != TND_LEVEL_THREAD)
        return NULL;
    if (!session->sites[which]) {
        char *samples = g_strdup_printf("user-events:%u", TND_TYPE_SAMPLED_LINE);
        const char *name = which == TND_SESSION_SOURCE_CALLS ? "call-sites" : samples;
        session->sites[which] = tnd_view_new(session->trace, name, NULL);
        g_free(samples);
    }
    TndView *sites = session->sites[which];
    if (!sites || !tnd_view_burst_at(sites, spot.row, spot.time_ns, &burst) || burst.value == 0)
        return NULL;
    return tnd_view_value_text(sites, burst.value);
}

char *tnd_session_source_line(TndSession *session, TndSpot spot)
{
    char *label = label_at(session, spot, TND_SESSION_SOURCE_CALLS);
    char *line = label ? g_strdup_printf("last call: %s", label) : NULL;
    g_free(label);
    return line;
}

/* Counts the samples of each line of a file in the time that is shown. */
static void count_samples(const TndSession *session, TndSource *source, const char *file)
{
    const TndTrace *trace = session->trace;
    const TndZoom zoom = tnd_session_zoom(session);
    GHashTable *numbers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL); /* value to line */
    source->n_samples = g_new0(guint64, source->file->n_lines + 1);
    for (guint thread = 0; thread < tnd_trace_n_threads(trace); thread++) {
        TndWalk walk = tnd_walk_within(tnd_walk_events(trace, thread, tnd_blocks_bit(TND_TYPE_SAMPLED_LINE)),
                                       zoom.begin_ns, zoom.end_ns);
        for (const TndEvent *event; (event = tnd_walk_next_event(&walk)) && source->n_all < MOST_SAMPLES;) {
            if (event->type != TND_TYPE_SAMPLED_LINE || event->value == 0 || event->time_ns < zoom.begin_ns ||
                event->time_ns >= zoom.end_ns)
                continue;
            gpointer number;
            if (!g_hash_table_lookup_extended(numbers, &event->value, NULL, &number)) {
                TndSourceLine line = tnd_source_line_of(trace, TND_TYPE_SAMPLED_LINE, event->value);
                const gboolean is_here = !g_strcmp0(line.file, file) && line.number <= source->file->n_lines;
                number = GUINT_TO_POINTER(is_here ? line.number : 0);
                g_hash_table_insert(numbers, g_memdup2(&event->value, sizeof event->value), number);
                tnd_source_line_clear(&line);
            }
            source->n_samples[GPOINTER_TO_UINT(number)]++;
            source->n_all++;
        }
        tnd_walk_end(&walk);
    }
    g_hash_table_unref(numbers);
}

/* Adds the lines of a sample's stack, from the innermost on. */
static void add_stack(const TndTrace *trace, guint thread, guint64 time_ns, GPtrArray *labels)
{
    const char *of_level[LEVELS] = {NULL};
    TndWalk walk = tnd_walk_within(tnd_walk_events(trace, thread, G_MAXUINT64), time_ns, time_ns + 1);
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk)) && event->time_ns <= time_ns;)
        if (event->time_ns == time_ns && event->type >= TND_TYPE_SAMPLED_LINE &&
            event->type < TND_TYPE_SAMPLED_LINE + LEVELS && event->value)
            of_level[event->type - TND_TYPE_SAMPLED_LINE] =
                tnd_pcf_value_label(tnd_trace_pcf(trace), event->type, event->value);
    tnd_walk_end(&walk);
    for (guint level = 0; level < LEVELS; level++)
        if (of_level[level])
            g_ptr_array_add(labels, g_strdup(of_level[level]));
}

/* The lines at a spot, the best one first: that of the last call, then those of the last sample. */
static GPtrArray *labels_at(TndSession *session, TndSpot spot)
{
    GPtrArray *labels = g_ptr_array_new_with_free_func(g_free);
    TndBurst burst;
    char *call = label_at(session, spot, TND_SESSION_SOURCE_CALLS),
         *sample = label_at(session, spot, TND_SESSION_SOURCE_SAMPLES);
    if (call)
        g_ptr_array_add(labels, call);
    if (sample && tnd_view_burst_at(session->sites[TND_SESSION_SOURCE_SAMPLES], spot.row, spot.time_ns, &burst))
        add_stack(session->trace, spot.row, burst.begin_ns, labels);
    g_free(sample);
    return labels;
}

static void complain(TndSpot spot, GError **error)
{
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                        spot.is_set ? "No line of the source is known here: record calls with --callers, or samples of "
                                      "a program that was compiled with -g"
                                    : "Select a burst first: its line of the source is shown");
}

TndSource *tnd_session_source(TndSession *session, TndSpot spot, GError **error)
{
    GPtrArray *labels = labels_at(session, spot);
    GError *first = NULL;
    TndSource *source = NULL;
    for (guint i = 0; i < labels->len && !source; i++) {
        TndSourceLine line = tnd_source_line_parse(labels->pdata[i]);
        TndSourceFile *file =
            line.file ? tnd_source_file_read(session->trace, line.file, session->source_folder, first ? NULL : &first)
                      : NULL;
        if (file) {
            source = g_new0(TndSource, 1);
            source->file = file;
            source->line = line.number;
            count_samples(session, source, line.file);
        }
        tnd_source_line_clear(&line);
    }
    g_ptr_array_unref(labels);
    if (source)
        g_clear_error(&first);
    else if (first)
        g_propagate_error(error, first);
    else
        complain(spot, error);
    return source;
}

void tnd_session_free_source(TndSource *source)
{
    if (!source)
        return;
    tnd_source_file_free(source->file);
    g_free(source->n_samples);
    g_free(source);
}

void tnd_session_set_source_folder(TndSession *session, const char *folder)
{
    char *kept = g_strdup(folder);
    g_free(session->source_folder);
    session->source_folder = kept;
}
