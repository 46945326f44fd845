/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages as rows of a histogram: sorted by row with a count of each row's, because a trace has them by time.
 *
 * A message has two ends, each of which may be two records, a logical one and a physical one, at times of their own, as
 * in Paraver's tables.  Which of them count depends on the sides that the window looks at; of a view the message is
 * sent when the program sends it, and received when it is there and the program has asked for it.
 */
#include "analysis/histogram/histogram_messages.h"

#include "analysis/views/views.h"

#include <string.h>

/* A message as a row of the table sees it. */
typedef struct {
    guint32 partner; /* the row at the other end */
    guint32 plane;
    gboolean is_send;
    gint64 size_bytes;
} End;

/* Which plane a moment of a row is in: messages of a row are near each other, those of neighbours in time are not. */
#define N_PAGES 1024

typedef struct {
    TndHistogramPlan *plan;
    const TndTrace *trace;
    const TndViewPlan *view; /* whose window's filters hold */
    TndLevel level, below;   /* rows of the table; where an end of a message is known to be */
    guint n_below;
    TndBurstPage *pages; /* of rows of the third view, by their remainders; NULL: there is none */
    guint *rows;         /* that the pages are of */
    gsize *first;        /* of each row; behind the last one, where that ends */
    gsize *next;         /* NULL: ends are only counted */
    End *ends;
} Sorting;

/* -1: in none. */
static int plane_of(Sorting *sorting, guint below, guint64 time_ns)
{
    TndView *third = sorting->plan->third;
    if (!third)
        return 0;
    guint row = tnd_levels_row_above(sorting->trace, sorting->below, below, tnd_view_level(third));
    TndBurstPage *page = &sorting->pages[row % N_PAGES];
    if (sorting->rows[row % N_PAGES] != row)
        tnd_row_bursts_start_page(page);
    sorting->rows[row % N_PAGES] = row;
    const TndRowBursts *bursts = tnd_view_row(third, row);
    /* What is after all is in the last one. */
    const TndBurst *burst = bursts->end_ns ? tnd_row_bursts_at(bursts, MIN(time_ns, bursts->end_ns - 1), page) : NULL;
    return burst ? tnd_histogram_columns_find(&sorting->plan->planes, burst->value) : -1;
}

/* Where one end of a message stands: G_MAXUINT: not known. */
static guint end_row(const Sorting *sorting, guint thread, guint32 cpu)
{
    guint row = sorting->below == TND_LEVEL_THREAD ? thread : cpu > 0 ? cpu - 1 : G_MAXUINT;
    return row < sorting->n_below ? row : G_MAXUINT;
}

static void add_end(Sorting *sorting, const TndMessage *message, gboolean is_send, guint64 time_ns)
{
    guint sender = end_row(sorting, message->sender, message->sender_cpu);
    guint receiver = end_row(sorting, message->receiver, message->receiver_cpu);
    guint here = is_send ? sender : receiver, there = is_send ? receiver : sender;
    if (here == G_MAXUINT || there == G_MAXUINT)
        return;
    guint row = tnd_levels_row_above(sorting->trace, sorting->below, here, sorting->level);
    int plane = sorting->plan->rows[row] ? plane_of(sorting, here, time_ns) : -1;
    if (plane < 0)
        return;
    if (!sorting->next)
        sorting->first[row + 1]++;
    else
        sorting->ends[sorting->next[row]++] =
            (End){tnd_levels_row_above(sorting->trace, sorting->below, there, sorting->level), (guint32)plane, is_send,
                  message->size_bytes};
}

/* Both ends of the stretch of time count. */
static gboolean is_within(const TndHistogramPlan *plan, guint64 time_ns)
{
    return time_ns >= plan->begin.ns + (plan->begin.part > 0) && time_ns <= plan->end.ns;
}

/* A receive counts where both sides of it have been. */
static gboolean is_counted_receive(const TndCfgWindow *window, const TndMessage *message, gboolean is_logical)
{
    if (window->physical)
        return !is_logical || window->logical;
    return is_logical ? message->logical_receive_ns > message->physical_receive_ns
                      : message->physical_receive_ns >= message->logical_receive_ns;
}

static void add_message(Sorting *sorting, const TndMessage *message)
{
    const TndCfgWindow *window = &sorting->view->window;
    const struct {
        guint64 time_ns;
        guint kind;
    } records[] = {
        {message->logical_send_ns, TND_RECORD_IS_LOGICAL | TND_RECORD_IS_SEND},
        {message->physical_send_ns, TND_RECORD_IS_PHYSICAL | TND_RECORD_IS_SEND},
        {message->logical_receive_ns, TND_RECORD_IS_LOGICAL | TND_RECORD_IS_RECEIVE},
        {message->physical_receive_ns, TND_RECORD_IS_PHYSICAL | TND_RECORD_IS_RECEIVE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(records); i++) {
        gboolean is_send = (records[i].kind & TND_RECORD_IS_SEND) != 0;
        gboolean is_logical = (records[i].kind & TND_RECORD_IS_LOGICAL) != 0;
        if (is_within(sorting->plan, records[i].time_ns) &&
            tnd_semantic_records_side_passes(window, message, records[i].kind) &&
            (is_send || is_counted_receive(window, message, is_logical)))
            add_end(sorting, message, is_send, records[i].time_ns);
    }
}

static void each_message(Sorting *sorting)
{
    const TndHistogramPlan *plan = sorting->plan;
    guint64 until_ns = plan->end.ns < G_MAXUINT64 ? plan->end.ns + 1 : G_MAXUINT64;
    TndWalk walk = tnd_walk_messages(sorting->trace, plan->begin.ns, until_ns);
    for (const TndMessage *message; (message = tnd_walk_next_message(&walk));)
        if (tnd_semantic_records_message_passes(sorting->view, message))
            add_message(sorting, message);
    tnd_walk_end(&walk);
}

static void fill_row(guint row, gpointer data)
{
    const Sorting *sorting = data;
    TndHistogramPlan *plan = sorting->plan;
    const TndHistogramStatistic *statistic = &tnd_histogram_statistics_table[plan->kind];
    const gboolean are_sends = statistic->kind == TND_HISTOGRAM_OF_SENDS;
    for (gsize i = sorting->first[row]; i < sorting->first[row + 1]; i++) {
        const End *end = &sorting->ends[i];
        TndHistogramRow *cells = &plan->cells[(gsize)end->plane * tnd_view_n_rows(plan->control) + row];
        TndHistogramSums *sums = tnd_histogram_cells_sums(cells, end->partner);
        if (end->is_send == are_sends)
            tnd_histogram_statistics_add(statistic, sums, 0, 0, (double)end->size_bytes);
    }
}

gboolean tnd_histogram_messages_fill(TndHistogramPlan *plan)
{
    guint n_rows = tnd_view_n_rows(plan->control);
    TndLevel level = tnd_view_level(plan->control);
    Sorting sorting = {.plan = plan,
                       .trace = tnd_view_trace(plan->control),
                       .view = &plan->control->plan,
                       .level = level,
                       .below = level >= TND_LEVEL_SYSTEM ? TND_LEVEL_CPU : TND_LEVEL_THREAD,
                       .first = g_new0(gsize, (gsize)n_rows + 1)};
    sorting.n_below = tnd_levels_n_rows(sorting.trace, sorting.below);
    if (plan->third) {
        sorting.pages = g_new(TndBurstPage, N_PAGES);
        sorting.rows = g_new(guint, N_PAGES);
        memset(sorting.rows, 0xff, N_PAGES * sizeof *sorting.rows);
    }
    each_message(&sorting);
    for (guint row = 0; row < n_rows; row++)
        sorting.first[row + 1] += sorting.first[row];
    sorting.ends = g_new(End, sorting.first[n_rows] + 1);
    sorting.next = g_memdup2(sorting.first, ((gsize)n_rows + 1) * sizeof *sorting.next);
    each_message(&sorting);
    gboolean is_done = tnd_cores_run_telling(plan->teller, n_rows, fill_row, &sorting);
    g_free(sorting.pages);
    g_free(sorting.rows);
    g_free(sorting.first);
    g_free(sorting.next);
    g_free(sorting.ends);
    return is_done;
}
