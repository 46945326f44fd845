/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adds messages to the cells of a histogram, in the order of the trace.
 *
 * As in Paraver's tables, a message has two ends, and each end a logical and a physical record with a time of its own.
 * Which records count depends on the sides that the window reads.  In a view that is no window, a message is sent when
 * the program sends it, and received when it has arrived and the program has asked for it.
 */
#include "analysis/histogram/histogram_messages.h"

#include "analysis/views/views.h"

#include <string.h>

/* Pages of bursts to find the plane of a message: each row uses one page, because the messages of a row are near each
 * other in time. */
#define N_PAGES 1024

typedef struct {
    TndHistogramPlan *plan;
    const TndTrace *trace;
    const TndViewPlan *view; /* its window has the filters of messages */
    TndLevel level, below;   /* of the table's rows; of the ends of messages: threads or CPUs */
    guint n_rows, n_below;
    gboolean are_sends;
    gsize block;         /* the block that is being read */
    guint64 until_ns;    /* the end of the histogram's time, not included */
    TndBurstPage *pages; /* of rows of the third view, by row % N_PAGES; NULL: there is no third view */
    guint *rows;         /* the row of each page */
} Filling;

/* The plane of a row of the level `below` at a time; -1: none. */
static int plane_of(Filling *filling, guint below, guint64 time_ns)
{
    TndView *third = filling->plan->third;
    if (!third)
        return 0;
    guint row = tnd_levels_row_above(filling->trace, filling->below, below, tnd_view_level(third));
    TndBurstPage *page = &filling->pages[row % N_PAGES];
    if (filling->rows[row % N_PAGES] != row)
        tnd_row_bursts_start_page(page);
    filling->rows[row % N_PAGES] = row;
    const TndRowBursts *bursts = tnd_view_row(third, row);
    /* A message at the trace's end is in the last burst. */
    const TndBurst *burst = bursts->end_ns ? tnd_row_bursts_at(bursts, MIN(time_ns, bursts->end_ns - 1), page) : NULL;
    return burst ? tnd_histogram_columns_find(&filling->plan->planes, burst->value) : -1;
}

/* The row of the level `below` that an end of a message is in; G_MAXUINT: not known. */
static guint end_row(const Filling *filling, guint thread, guint32 cpu)
{
    guint row = filling->below == TND_LEVEL_THREAD ? thread : cpu > 0 ? cpu - 1 : G_MAXUINT;
    return row < filling->n_below ? row : G_MAXUINT;
}

static void add_end(Filling *filling, const TndMessage *message, gboolean is_send, guint64 time_ns)
{
    TndHistogramPlan *plan = filling->plan;
    guint sender = end_row(filling, message->sender, message->sender_cpu);
    guint receiver = end_row(filling, message->receiver, message->receiver_cpu);
    guint here = is_send ? sender : receiver, there = is_send ? receiver : sender;
    if (here == G_MAXUINT || there == G_MAXUINT)
        return;
    guint row = tnd_levels_row_above(filling->trace, filling->below, here, filling->level);
    int plane = plan->rows[row] ? plane_of(filling, here, time_ns) : -1;
    if (plane < 0)
        return;
    guint column = tnd_levels_row_above(filling->trace, filling->below, there, filling->level);
    TndHistogramSums *sums = tnd_histogram_cells_sums(&plan->cells[(gsize)plane * filling->n_rows + row], column);
    if (is_send == filling->are_sends)
        tnd_histogram_statistics_add(&tnd_histogram_statistics_table[plan->kind], sums, 0, 0,
                                     (double)message->size_bytes);
}

/* Whether a time is in the histogram's stretch of time, both ends included. */
static gboolean is_within(const TndHistogramPlan *plan, guint64 time_ns)
{
    return time_ns >= plan->begin.ns + (plan->begin.part > 0) && time_ns <= plan->end.ns;
}

/* Whether this record of a receive counts: the later one, unless the window reads the physical side. */
static gboolean is_counted_receive(const TndCfgWindow *window, const TndMessage *message, gboolean is_logical)
{
    if (window->physical)
        return !is_logical || window->logical;
    return is_logical ? message->logical_receive_ns > message->physical_receive_ns
                      : message->physical_receive_ns >= message->logical_receive_ns;
}

static void add_message(Filling *filling, const TndMessage *message)
{
    const TndCfgWindow *window = &filling->view->window;
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
        if (is_within(filling->plan, records[i].time_ns) &&
            tnd_semantic_records_side_passes(window, message, records[i].kind) &&
            (is_send || is_counted_receive(window, message, is_logical)))
            add_end(filling, message, is_send, records[i].time_ns);
    }
}

/* Adds the next block of messages. */
static void add_block(guint item, gpointer data)
{
    Filling *filling = data;
    TndWalk walk = tnd_walk_message_block(filling->trace, filling->block);
    walk.from_ns = filling->plan->begin.ns;
    walk.until_ns = filling->until_ns;
    for (const TndMessage *message; (message = tnd_walk_next_message(&walk));)
        if (tnd_semantic_records_message_passes(filling->view, message))
            add_message(filling, message);
    tnd_walk_end(&walk);
}

gboolean tnd_histogram_messages_fill(TndHistogramPlan *plan)
{
    TndLevel level = tnd_view_level(plan->control);
    Filling filling = {.plan = plan,
                       .trace = tnd_view_trace(plan->control),
                       .view = &plan->control->plan,
                       .level = level,
                       .below = level >= TND_LEVEL_SYSTEM ? TND_LEVEL_CPU : TND_LEVEL_THREAD,
                       .n_rows = tnd_view_n_rows(plan->control),
                       .are_sends = tnd_histogram_statistics_table[plan->kind].kind == TND_HISTOGRAM_OF_SENDS};
    filling.n_below = tnd_levels_n_rows(filling.trace, filling.below);
    if (plan->third) {
        filling.pages = g_new(TndBurstPage, N_PAGES);
        filling.rows = g_new(guint, N_PAGES);
        memset(filling.rows, 0xff, N_PAGES * sizeof *filling.rows);
    }
    filling.until_ns = plan->end.ns < G_MAXUINT64 ? plan->end.ns + 1 : G_MAXUINT64;
    gsize n_blocks;
    gboolean goes_on = TRUE;
    tnd_walk_message_blocks(filling.trace, &n_blocks);
    for (; filling.block < n_blocks && goes_on; filling.block++)
        goes_on = tnd_cores_run_with_progress(plan->progress, 1, add_block, &filling);
    g_free(filling.pages);
    g_free(filling.rows);
    return goes_on;
}
