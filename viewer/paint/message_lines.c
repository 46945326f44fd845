/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A block all of whose messages are visible need not be read to count them.  If there are many blocks, of this kind or
 * of the other, only every n-th is read.
 */
#include "viewer/paint/message_lines.h"

#include "analysis/base/cores.h"
#include "analysis/reports/task_graph.h"
#include "analysis/trace/walk.h"

#include <math.h>

enum { MOST_BLOCKS = 32, BLOCKS_OF_NONE = 4, FEW = 10000 };

/* What is searched for, and the blocks to search. */
typedef struct {
    TndMessageLinesSubject of;
    const GArray *blocks; /* of gsize */
    guint n_items, stride;
    GArray **visible; /* [item]: array of TndMessage */
} Search;

/* The visible messages of the blocks that were read. */
typedef struct {
    GArray *visible;
    double scale;   /* messages in all blocks / messages in the blocks that were read */
    double n_tasks; /* lines between tasks among the visible messages */
} Found;

static inline guint row_of(const Search *search, guint thread)
{
    return search->of.level == TND_LEVEL_THREAD
               ? thread
               : tnd_levels_row_above(search->of.trace, TND_LEVEL_THREAD, thread, search->of.level);
}

static gboolean touches(const Search *search, const TndMessage *message)
{
    guint64 from = message->physical_send_ns, to = message->physical_receive_ns;
    if (MIN(from, to) > search->of.end_ns || MAX(from, to) < search->of.begin_ns)
        return FALSE;
    guint a = row_of(search, message->sender), b = row_of(search, message->receiver);
    if (a == b && search->of.level != TND_LEVEL_THREAD)
        return FALSE;
    gint64 line, other;
    return tnd_row_order_line(search->of.order, search->of.first_row, a, &line) &&
           tnd_row_order_line(search->of.order, search->of.first_row, b, &other) && MAX(line, other) >= 0 &&
           MIN(line, other) < tnd_row_order_n_lines(search->of.order, search->of.first_row, search->of.last_row) &&
           (!search->of.choice || tnd_message_choice_has(search->of.choice, message));
}

static void read_item(guint item, gpointer data)
{
    const Search *search = data;
    const guint n_blocks = (search->blocks->len + search->stride - 1) / search->stride;
    GArray *visible = g_array_new(FALSE, FALSE, sizeof(TndMessage));
    for (guint64 i = (guint64)item * n_blocks / search->n_items; i < (item + (guint64)1) * n_blocks / search->n_items;
         i++) {
        gsize block = g_array_index(search->blocks, gsize, i * search->stride);
        TndWalk walk = tnd_walk_message_block(search->of.trace, block);
        for (const TndMessage *message; (message = tnd_walk_next_message(&walk));)
            if (touches(search, message))
                g_array_append_vals(visible, message, 1);
        tnd_walk_end(&walk);
    }
    search->visible[item] = visible;
}

/* The number of messages in every stride-th block. */
static guint64 count_messages(const TndTrace *trace, const GArray *blocks, guint stride)
{
    const TndBlock *entries = tnd_walk_message_blocks(trace, NULL);
    guint64 n = 0;
    for (guint i = 0; i < blocks->len; i += stride)
        n += entries[g_array_index(blocks, gsize, i)].n_records;
    return n;
}

/* Reads every stride-th of the blocks. */
static Found find(Search search, const GArray *blocks, guint stride)
{
    search.blocks = blocks;
    search.stride = stride;
    search.n_items = MIN((blocks->len + stride - 1) / stride, MOST_BLOCKS);
    search.visible = g_new0(GArray *, search.n_items + 1);
    tnd_cores_run(search.n_items, read_item, &search);
    Found found = {.visible = g_array_new(FALSE, FALSE, sizeof(TndMessage)), .scale = 1};
    if (stride > 1)
        found.scale = (double)count_messages(search.of.trace, blocks, 1) /
                      (double)count_messages(search.of.trace, blocks, stride);
    for (guint item = 0; item < search.n_items; item++) {
        GArray *visible = search.visible[item];
        g_array_append_vals(found.visible, visible->data, visible->len);
        g_array_unref(visible);
    }
    for (guint i = 0; i < found.visible->len; i++)
        found.n_tasks += tnd_task_graph_is_line(search.of.trace, &g_array_index(found.visible, TndMessage, i));
    g_free(search.visible);
    return found;
}

static guint stride_for(const GArray *blocks, guint most)
{
    return MAX((blocks->len + most - 1) / most, 1);
}

/* The blocks that may have visible messages: those of which all messages are visible go to `whole`, the others to
 * `partly`.  If there are few blocks all go to `partly`. */
static void sort_blocks(const Search *search, GArray *whole, GArray *partly)
{
    gsize n;
    const TndBlock *entries = tnd_walk_message_blocks(search->of.trace, &n);
    const gboolean has_all = !search->of.order && !search->of.choice && search->of.level == TND_LEVEL_THREAD &&
                             search->of.first_row == 0 &&
                             search->of.last_row + 1 >= tnd_trace_n_threads(search->of.trace);
    guint n_whole = 0, n_partly = 0;
    for (int is_counted = 0; is_counted < 2; is_counted++)
        for (gsize i = 0; i < n; i++) {
            if (entries[i].end_ns < search->of.begin_ns || entries[i].begin_ns > search->of.end_ns)
                continue;
            gboolean is_whole =
                has_all && entries[i].begin_ns >= search->of.begin_ns && entries[i].end_ns <= search->of.end_ns;
            if (!is_counted)
                *(is_whole ? &n_whole : &n_partly) += 1;
            else
                g_array_append_val(is_whole && n_whole + n_partly > MOST_BLOCKS ? whole : partly, i);
        }
}

/* Rounded to two significant digits. */
static guint64 rounded(double number)
{
    double step = pow(10, MAX(floor(log10(MAX(number, 1))) - 1, 0));
    return (guint64)(round(number / step) * step);
}

static void choose(TndMessageLines *lines, const Found *found, guint n_found, guint most)
{
    guint n_read = 0, nth = 0;
    for (guint i = 0; i < n_found; i++)
        n_read += found[i].visible->len;
    const guint every = MAX((n_read + most - 1) / most, 1);
    for (guint i = 0; i < n_found; i++)
        for (guint j = 0; j < found[i].visible->len; j++)
            if (nth++ % every == 0)
                g_array_append_val(lines->drawn, g_array_index(found[i].visible, TndMessage, j));
    lines->stride = MAX((lines->n_visible + most - 1) / most, every);
    if (lines->drawn->len && lines->n_visible > n_read)
        lines->stride = MAX(lines->n_visible / lines->drawn->len, 1);
}

TndMessageLines tnd_message_lines_new(const TndMessageLinesSubject *subject, guint64 too_many, guint most)
{
    TndMessageLines lines = {.drawn = g_array_new(FALSE, FALSE, sizeof(TndMessage))};
    if (!tnd_levels_is_above(subject->level, TND_LEVEL_THREAD))
        return lines;
    const Search search = {.of = *subject};
    GArray *whole = g_array_new(FALSE, FALSE, sizeof(gsize)), *partly = g_array_new(FALSE, FALSE, sizeof(gsize));
    sort_blocks(&search, whole, partly);
    const guint most_whole = count_messages(subject->trace, whole, 1) > too_many ? BLOCKS_OF_NONE : MOST_BLOCKS;
    Found found[] = {find(search, whole, stride_for(whole, most_whole)),
                     find(search, partly, stride_for(partly, MOST_BLOCKS))};
    if (found[1].scale > 1 && found[1].visible->len < FEW / found[1].scale) { /* too few for an estimate */
        g_array_unref(found[1].visible);
        found[1] = find(search, partly, 1);
    }
    double n_visible = 0, n_tasks = 0;
    for (guint i = 0; i < G_N_ELEMENTS(found); i++) {
        n_visible += found[i].visible->len * found[i].scale;
        n_tasks += found[i].n_tasks * found[i].scale;
    }
    lines.is_about = found[1].scale > 1 || (found[0].scale > 1 && n_tasks > 0 && n_tasks < n_visible);
    lines.n_visible = lines.is_about ? rounded(n_visible) : (guint64)llround(n_visible);
    lines.n_tasks = lines.is_about ? rounded(n_tasks) : (guint64)llround(n_tasks);
    lines.n_visible = MAX(lines.n_visible, lines.n_tasks);
    if (lines.n_visible <= too_many)
        choose(&lines, found, G_N_ELEMENTS(found), most);
    for (guint i = 0; i < G_N_ELEMENTS(found); i++)
        g_array_unref(found[i].visible);
    g_array_unref(whole);
    g_array_unref(partly);
    return lines;
}

void tnd_message_lines_clear(TndMessageLines *lines)
{
    if (lines->drawn)
        g_array_unref(lines->drawn);
    lines->drawn = NULL;
}
