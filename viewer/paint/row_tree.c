/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns from the left: nodes (upright), processes, rows.  Cost: a few ns for each row of the lines on the screen.
 */
#include "viewer/paint/row_tree.h"

#include "analysis/trace/row_labels.h"

#include <math.h>
#include <string.h>

enum { GAP = 6, TRIANGLE = 10, LEAST_HEIGHT = 8 };

guint tnd_row_tree_parent(const TndTrace *trace, TndLevel level, guint row, TndLevel above)
{
    if (level == TND_LEVEL_THREAD || (level == TND_LEVEL_CPU && above == TND_LEVEL_NODE))
        return tnd_levels_row_above(trace, level, row, above);
    if (level != TND_LEVEL_TASK || above != TND_LEVEL_NODE)
        return G_MAXUINT;
    guint first;
    tnd_levels_rows_below(trace, TND_LEVEL_TASK, row, &first);
    return tnd_levels_row_above(trace, TND_LEVEL_THREAD, first, TND_LEVEL_NODE);
}

/* What all rows of a line belong to; G_MAXUINT: to different ones. */
static guint parent_of_line(const TndRowTree *tree, guint line, TndLevel above)
{
    const guint n = tnd_row_order_n_rows(tree->order, tree->first_place, line);
    guint parent = G_MAXUINT;
    for (guint i = 0; i < n; i++) {
        const guint row = tnd_row_order_row_at(tree->order, tree->first_place, line, i);
        const guint other = tnd_row_tree_parent(tree->trace, tree->level, row, above);
        if (i && other != parent)
            return G_MAXUINT;
        parent = other;
    }
    return parent;
}

static char *label_of_several(const TndRowTree *tree, guint line, guint n)
{
    const guint task = parent_of_line(tree, line, TND_LEVEL_TASK);
    guint node, first;
    if (task != G_MAXUINT) {
        const guint all = tnd_levels_rows_below(tree->trace, TND_LEVEL_TASK, task, &first);
        const char *before = tree->process_width > 0 ? "" : tnd_row_labels_get(tree->trace, TND_LEVEL_TASK, task);
        if (n == all)
            return g_strdup_printf("%s%s%u threads", before, *before ? ", " : "", n);
        return g_strdup_printf("%s%s%u of %u threads", before, *before ? ", " : "", n, all);
    }
    if ((node = parent_of_line(tree, line, TND_LEVEL_NODE)) != G_MAXUINT)
        return g_strdup(tnd_row_labels_get(tree->trace, TND_LEVEL_NODE, node));
    return g_strdup_printf("%u %s", n, tnd_levels_word(tree->level, TRUE));
}

/* made: what is to be freed with g_free. */
static const char *label_of(const TndRowTree *tree, guint line, char **made)
{
    const guint n = tnd_row_order_n_rows(tree->order, tree->first_place, line);
    const guint row = tnd_row_order_row(tree->order, tree->first_place, line);
    *made = n > 1 ? label_of_several(tree, line, n) : NULL;
    return *made                     ? *made
           : tree->process_width > 0 ? tnd_row_labels_short(tree->trace, row)
                                     : tnd_row_labels_get(tree->trace, tree->level, row);
}

static double widest_label(const TndRowTree *tree)
{
    char *longest = g_strdup("");
    for (guint line = 0; line < tree->n_lines; line++) {
        char *made;
        const char *label = label_of(tree, line, &made);
        if (strlen(label) > strlen(longest)) {
            g_free(longest);
            longest = g_strdup(label);
        }
        g_free(made);
    }
    const double width = tnd_text_width(TND_TEXT_SMALL, longest);
    g_free(longest);
    return width;
}

static double widest_process(const TndRowTree *tree)
{
    const char *longest = "";
    for (guint task = 0; task < tnd_levels_n_rows(tree->trace, TND_LEVEL_TASK); task++) {
        const char *label = tnd_row_labels_get(tree->trace, TND_LEVEL_TASK, task);
        longest = strlen(label) > strlen(longest) ? label : longest;
    }
    return TRIANGLE + tnd_text_width(TND_TEXT_SMALL, longest) + GAP;
}

TndRowTree tnd_row_tree_new(const TndView *view, const TndRowOrder *order, guint first_place, guint last_place,
                            double most)
{
    const TndTrace *trace = tnd_view_trace(view);
    const TndLevel level = tnd_view_level(view);
    const guint n_tasks = tnd_levels_n_rows(trace, TND_LEVEL_TASK);
    TndRowTree tree = {.trace = trace,
                       .level = level,
                       .order = order,
                       .first_place = first_place,
                       .n_lines = tnd_row_order_n_lines(order, first_place, last_place),
                       .parents = g_array_new(FALSE, FALSE, sizeof(TndRowTreeParent))};
    const gboolean has_nodes = level == TND_LEVEL_THREAD || level == TND_LEVEL_TASK || level == TND_LEVEL_CPU;
    if (has_nodes && tnd_levels_n_rows(trace, TND_LEVEL_NODE) > 1)
        tree.node_width = ceil(tnd_text_height(TND_TEXT_SMALL)) + TRIANGLE;
    if (level == TND_LEVEL_THREAD && n_tasks > 1 && tnd_trace_n_threads(trace) > n_tasks)
        tree.process_width = ceil(MIN(widest_process(&tree), most / 2));
    tree.label_width = ceil(CLAMP(widest_label(&tree), tnd_text_width(TND_TEXT_SMALL, "Time (ms)"), most));
    return tree;
}

double tnd_row_tree_width(const TndRowTree *tree)
{
    return tree->node_width + tree->process_width + tree->label_width;
}

static double row_height(const TndRowTree *tree)
{
    return tree->canvas.height / tree->n_lines;
}

/* 1, 2, 5, 10, ...: labels that are so many lines (of this height) apart do not touch. */
static guint64 step_of(double height)
{
    guint64 step = 1;
    for (guint i = 0; (double)step * height < tnd_text_height(TND_TEXT_SMALL); i++)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

/* Labels every line, or if there is no room for that every second, fifth, tenth ..., counted from the first that there
 * is. */
static void lay_out_labels(const TndRowTree *tree, double left, GArray *texts)
{
    const TndRectangle canvas = tree->canvas;
    const double text_height = tnd_text_height(TND_TEXT_SMALL), height = row_height(tree);
    const guint before = tree->order ? 0 : tree->first_place;
    const guint64 step = step_of(height);
    double free_from = canvas.y;
    for (guint64 at = (before + step - 1) / step * step; at < (guint64)before + tree->n_lines; at += step) {
        const guint line = (guint)at - before;
        const double middle = canvas.y + (line + 0.5) * height;
        double y = CLAMP(middle - text_height / 2, free_from, MAX(canvas.y + canvas.height - text_height, canvas.y));
        if (y < free_from || y + text_height > canvas.y + canvas.height + 0.5)
            continue;
        char *made;
        tnd_text_add(texts, TND_TEXT_SMALL, TND_TEXT_RIGHT, TND_INK,
                     (TndRectangle){left, y, tree->label_width, text_height}, label_of(tree, line, &made));
        g_free(made);
        free_from = y + text_height;
    }
}

/* Calls for each run of lines of the same parent; those that are pinned are none with others. */
static void each_run(const TndRowTree *tree, TndLevel above,
                     void (*take)(const TndRowTree *tree, TndRowTreeParent *run, gpointer data), gpointer data)
{
    const guint n_pinned = tree->order ? tree->order->n_pinned : 0;
    for (guint line = 0, end; line < tree->n_lines; line = end) {
        const guint parent = parent_of_line(tree, line, above);
        for (end = line + 1; end < tree->n_lines && end != n_pinned && parent_of_line(tree, end, above) == parent;)
            end++;
        TndRowTreeParent run = {.level = above, .row = parent, .first = line, .n = end - line};
        run.is_folded = run.n == 1 && tnd_row_order_n_rows(tree->order, tree->first_place, line) > 1;
        run.area.y = tree->canvas.y + line * row_height(tree);
        run.area.height = run.n * row_height(tree);
        if (parent != G_MAXUINT)
            take(tree, &run, data);
    }
}

typedef struct {
    GArray *parents, *texts;
    double left, width, free_from;
    guint64 step;
} Column;

static void add_area(const Column *column, TndRowTreeParent *run)
{
    run->area.x = column->left;
    run->area.width = column->width - GAP / 2;
    if (run->area.height >= LEAST_HEIGHT)
        g_array_append_val(column->parents, *run);
}

static void add_process(const TndRowTree *tree, TndRowTreeParent *run, gpointer data)
{
    Column *column = data;
    const double text_height = tnd_text_height(TND_TEXT_SMALL), bottom = tree->canvas.y + tree->canvas.height;
    const double first_middle = run->area.y + MIN(row_height(tree), run->area.height) / 2;
    const double y = MAX(first_middle - text_height / 2, column->free_from);
    add_area(column, run);
    if (run->row % column->step || y + text_height > bottom + 0.5 ||
        (y > run->area.y + run->area.height && column->step == 1))
        return;
    tnd_text_add(column->texts, TND_TEXT_SMALL, TND_TEXT_LEFT, TND_INK,
                 (TndRectangle){column->left + TRIANGLE, y, column->width - TRIANGLE - GAP, text_height},
                 tnd_row_labels_get(tree->trace, TND_LEVEL_TASK, run->row));
    column->free_from = y + text_height;
}

static void add_node(const TndRowTree *tree, TndRowTreeParent *run, gpointer data)
{
    Column *column = data;
    const double margin = TRIANGLE + 2;
    add_area(column, run);
    if (run->area.height < 2 * margin)
        return;
    tnd_text_add_upright(
        column->texts, TND_TEXT_SMALL, TND_TEXT_CENTRE, TND_INK,
        (TndRectangle){column->left, run->area.y + margin, tnd_text_height(TND_TEXT_SMALL), run->area.height - margin},
        tnd_row_labels_get(tree->trace, TND_LEVEL_NODE, run->row));
}

static void count_run(const TndRowTree *tree, TndRowTreeParent *run, gpointer data)
{
    ++*(guint *)data;
}

void tnd_row_tree_lay_out(TndRowTree *tree, TndRectangle canvas, double left, GArray *texts)
{
    Column column = {tree->parents, texts, left, tree->node_width, canvas.y, 1};
    guint n_runs = 0;
    tree->canvas = canvas;
    if (tree->node_width > 0)
        each_run(tree, TND_LEVEL_NODE, add_node, &column);
    column.left += tree->node_width;
    column.width = tree->process_width;
    if (tree->process_width > 0) {
        each_run(tree, TND_LEVEL_TASK, count_run, &n_runs);
        column.step = step_of(canvas.height / MAX(n_runs, 1));
        each_run(tree, TND_LEVEL_TASK, add_process, &column);
    }
    lay_out_labels(tree, column.left + column.width, texts);
}

static void paint_triangle(const TndRowTreeParent *parent, double row, cairo_t *cr)
{
    const double half = 3, x = parent->area.x + half + 1, y = parent->area.y + MIN(row, parent->area.height) / 2;
    const double lowest = parent->area.y + parent->area.height - half - 1;
    const double middle = parent->level == TND_LEVEL_NODE ? MIN(parent->area.y + TRIANGLE / 2.0 + 1, lowest) : y;
    if (parent->is_folded) {
        cairo_move_to(cr, x - half / 2, middle - half);
        cairo_line_to(cr, x + half, middle);
        cairo_line_to(cr, x - half / 2, middle + half);
    } else {
        cairo_move_to(cr, x - half, middle - half / 2);
        cairo_line_to(cr, x + half, middle - half / 2);
        cairo_line_to(cr, x, middle + half);
    }
    cairo_close_path(cr);
}

void tnd_row_tree_paint(const TndRowTree *tree, cairo_t *cr)
{
    for (guint i = 0; i < tree->parents->len; i++) {
        const TndRowTreeParent *parent = &g_array_index(tree->parents, TndRowTreeParent, i);
        tnd_text_set_colour(cr, TND_RULE);
        if (parent->first)
            cairo_rectangle(cr, parent->area.x, floor(parent->area.y), tree->canvas.x - parent->area.x - 2, 1);
        cairo_fill(cr);
        tnd_text_set_colour(cr, TND_INK_SOFT);
        paint_triangle(parent, row_height(tree), cr);
        cairo_fill(cr);
    }
}

const TndRowTreeParent *tnd_row_tree_find(const TndRowTree *tree, double x, double y)
{
    for (guint i = 0; i < tree->parents->len; i++) {
        const TndRowTreeParent *parent = &g_array_index(tree->parents, TndRowTreeParent, i);
        if (x >= parent->area.x && x < parent->area.x + parent->area.width && y >= parent->area.y &&
            y < parent->area.y + parent->area.height)
            return parent;
    }
    return NULL;
}

void tnd_row_tree_clear(TndRowTree *tree)
{
    g_clear_pointer(&tree->parents, g_array_unref);
}
