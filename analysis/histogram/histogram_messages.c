/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages as rows of a histogram: sorted by row with a count of each row's, because a trace has them by time.
 *
 * A message has two ends, each a record of its own thread at a time of its own, as in Paraver's tables: it is sent when
 * the program sends it, and received when it is there and the program has asked for it.
 */
#include "analysis/histogram/histogram_messages.h"

#include "analysis/trace/walk.h"
#include "analysis/views/views.h"

#include <string.h>

struct TndHistogramMessages {
    guint n_threads;
    gsize *first; /* of each row; behind the last one, where that ends */
    gsize n_ends;
    TndHistogramEnd *ends;
};

static guint row_of(const TndMessage *message, gboolean is_send)
{
    return is_send ? message->sender : message->receiver;
}

static guint64 time_of(const TndMessage *message, gboolean is_send)
{
    return is_send ? message->logical_send_ns : MAX(message->logical_receive_ns, message->physical_receive_ns);
}

/* Which moments of rows are wanted: messages of a row are near each other, those of neighbours in time are not. */
#define N_PAGES 1024

typedef struct {
    const TndHistogramOptions *options;
    TndBurstPage *pages; /* of rows, by their remainders; NULL: all moments are */
    guint *rows;         /* that the pages are of */
} Moments;

static Moments start_moments(const TndHistogramOptions *options)
{
    Moments moments = {.options = options};
    if (options->within) {
        moments.pages = g_new(TndBurstPage, N_PAGES);
        moments.rows = g_new(guint, N_PAGES);
        memset(moments.rows, 0xff, N_PAGES * sizeof *moments.rows);
    }
    return moments;
}

static void end_moments(Moments *moments)
{
    g_free(moments->pages);
    g_free(moments->rows);
}

static gboolean is_moment(Moments *moments, guint row, guint64 time_ns)
{
    if (!moments->pages)
        return TRUE;
    TndBurstPage *page = &moments->pages[row % N_PAGES];
    if (moments->rows[row % N_PAGES] != row)
        tnd_row_bursts_start_page(page);
    moments->rows[row % N_PAGES] = row;
    const TndBurst *burst = tnd_row_bursts_at(tnd_views_row(moments->options->within, row), time_ns, page);
    return burst && burst->value == moments->options->within_value;
}

static gboolean is_wanted(Moments *moments, const TndMessage *message, gboolean is_send)
{
    const TndHistogramOptions *options = moments->options;
    guint row = row_of(message, is_send);
    guint64 time_ns = time_of(message, is_send);
    if (row < options->first_row || row - options->first_row >= options->n_rows || time_ns < options->begin_ns ||
        time_ns > options->end_ns)
        return FALSE;
    return is_moment(moments, row, time_ns);
}

TndHistogramMessages *tnd_histogram_messages_new(const TndTrace *trace, const TndHistogramOptions *options)
{
    TndHistogramMessages *made = g_new0(TndHistogramMessages, 1);
    made->n_threads = tnd_trace_n_threads(trace);
    made->first = g_new0(gsize, (gsize)options->n_rows + 1);
    Moments moments = start_moments(options);
    /* Both ends of the stretch of time count. */
    TndWalk walk = tnd_walk_messages(trace, options->begin_ns, options->end_ns + 1);
    for (const TndMessage *message; (message = tnd_walk_next_message(&walk));)
        for (gboolean is_send = FALSE; is_send <= TRUE; is_send++)
            if (is_wanted(&moments, message, is_send))
                made->first[row_of(message, is_send) - options->first_row + 1]++;
    tnd_walk_end(&walk);
    for (guint row = 0; row < options->n_rows; row++)
        made->first[row + 1] += made->first[row];
    made->n_ends = made->first[options->n_rows];
    made->ends = g_new(TndHistogramEnd, made->n_ends + 1);
    gsize *next = g_memdup2(made->first, ((gsize)options->n_rows + 1) * sizeof *next);
    walk = tnd_walk_messages(trace, options->begin_ns, options->end_ns + 1);
    for (const TndMessage *message; (message = tnd_walk_next_message(&walk));)
        for (gboolean is_send = FALSE; is_send <= TRUE; is_send++)
            if (is_wanted(&moments, message, is_send))
                made->ends[next[row_of(message, is_send) - options->first_row]++] =
                    (TndHistogramEnd){row_of(message, !is_send), is_send, message->size_bytes};
    tnd_walk_end(&walk);
    g_free(next);
    end_moments(&moments);
    return made;
}

void tnd_histogram_messages_free(TndHistogramMessages *messages)
{
    if (!messages)
        return;
    g_free(messages->first);
    g_free(messages->ends);
    g_free(messages);
}

const TndHistogramEnd *tnd_histogram_messages_of(const TndHistogramMessages *messages, guint row, gsize *n)
{
    *n = messages->first[row + 1] - messages->first[row];
    return messages->ends + messages->first[row];
}

TndHistogramColumns tnd_histogram_messages_columns(const TndHistogramMessages *messages)
{
    gboolean *seen = g_new0(gboolean, messages->n_threads + 1);
    TndHistogramColumns columns = {.are_threads = TRUE};
    for (gsize i = 0; i < messages->n_ends; i++) {
        columns.n += !seen[messages->ends[i].partner];
        seen[messages->ends[i].partner] = TRUE;
    }
    columns.values = g_new(double, columns.n + 1);
    for (guint thread = 0, column = 0; thread < messages->n_threads; thread++)
        if (seen[thread])
            columns.values[column++] = thread;
    g_free(seen);
    return columns;
}
