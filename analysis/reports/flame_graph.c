/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Draws the boxes from the outermost functions, at the bottom, upwards.
 */
#include "analysis/reports/flame_graph.h"

#include "analysis/base/quantity.h"
#include "analysis/reports/flame_boxes.h"
#include "analysis/reports/svg_text.h"

#include <math.h>
#include <stdlib.h>

/* In pixels. */
enum { WIDTH = 1200, MARGIN = 10, ROW = 17, HEAD = 56, FOOT = 30, LEGEND = 44, STEP = 60 };
#define LEAST_WIDTH 0.1
#define GONE_SHOWN 5
#define STEPS 4 /* of the legend, on each side */

typedef struct {
    FILE *file;
    const TndCallTree *tree;
    const TndCallChange *change; /* NULL: nothing to compare with */
    double most_change;          /* of a function, in percent: what has the full colour */
    double scale;                /* pixels for one unit of the tree's numbers */
    guint n_rows;
} Drawing;

static double width_of(const Drawing *drawing, const TndCallNode *node)
{
    return (double)node->total * drawing->scale;
}

/* A number of the tree as a text: a time, or a number of samples.  Free with g_free. */
static char *text_of(const Drawing *drawing, guint64 number)
{
    return drawing->tree->is_time ? tnd_quantity_text((double)number, "ns")
                                  : g_strdup_printf("%" G_GUINT64_FORMAT " samples", number);
}

/* A colour between white and red for more, or blue for less; part: of the full colour, from -1 to 1. */
static void write_shade(const Drawing *drawing, double part)
{
    static const int red[] = {208, 36, 28}, blue[] = {22, 84, 180};
    const int *full = part > 0 ? red : blue;
    fputc('#', drawing->file);
    for (guint i = 0; i < 3; i++)
        fprintf(drawing->file, "%02x", (guint)(245 + (full[i] - 245) * MIN(fabs(part), 1) + 0.5));
}

static void write_fill(const Drawing *drawing, guint at, const char *name)
{
    if (!drawing->change) {
        fprintf(drawing->file, "#%06x", tnd_flame_boxes_colour(name));
        return;
    }
    TndProportion change = tnd_call_change_of_node(drawing->change, at);
    write_shade(drawing, tnd_call_change_is_sure(change) ? change.percent / drawing->most_change : 0);
}

/* What pointing at a box shows.  Free with g_free. */
static char *title_of(const Drawing *drawing, guint at, const char *name)
{
    const TndCallNode *node = tnd_call_tree_node(drawing->tree, at);
    double all = (double)tnd_call_tree_node(drawing->tree, 0)->total;
    char *total = text_of(drawing, node->total), *self = text_of(drawing, node->self);
    GString *title = g_string_new(NULL);
    g_string_append_printf(title, "%s: %s, %.2f %%; in itself %s, %.2f %%", name, total,
                           100 * (double)node->total / all, self, 100 * (double)node->self / all);
    if (drawing->change) {
        TndProportion change = tnd_call_change_of_node(drawing->change, at);
        gboolean is_new = !tnd_call_tree_node(drawing->change->before, at)->total;
        g_string_append_printf(title, "; %+.2f %% (95 %% sure within %.2f %%)%s", change.percent, change.sure,
                               is_new ? ", not there before" : "");
    }
    g_free(self);
    g_free(total);
    return g_string_free(title, FALSE);
}

static void write_box(const Drawing *drawing, guint at, const char *name, double x, guint row)
{
    const TndCallNode *node = tnd_call_tree_node(drawing->tree, at);
    double width = width_of(drawing, node), y = HEAD + (double)(drawing->n_rows - 1 - row) * ROW;
    char *valid = g_utf8_make_valid(name, -1), *short_name = tnd_svg_text_fit(valid, width),
         *title = title_of(drawing, at, valid);
    char *shown = tnd_quantity_shown(title), *escaped = g_markup_escape_text(shown, -1);
    fprintf(drawing->file, "<g><title>%s</title><rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\" fill=\"",
            escaped, x, y, MAX(width - 0.3, 0.1), ROW - 1);
    write_fill(drawing, at, valid);
    fprintf(drawing->file, drawing->change ? "\" stroke=\"#c8c8c8\" stroke-width=\"0.5\"/>" : "\"/>");
    g_free(escaped);
    g_free(shown);
    if (*short_name) {
        escaped = g_markup_escape_text(short_name, -1);
        fprintf(drawing->file, "<text x=\"%.1f\" y=\"%.0f\">%s</text>", x + 3, y + 12, escaped);
        g_free(escaped);
    }
    fprintf(drawing->file, "</g>\n");
    g_free(title);
    g_free(short_name);
    g_free(valid);
}

static void write_boxes(const Drawing *drawing, const GArray *boxes)
{
    for (guint i = 0; i < boxes->len; i++) {
        const TndFlameBox *box = &g_array_index(boxes, TndFlameBox, i);
        const TndCallNode *node = tnd_call_tree_node(drawing->tree, box->node);
        char *name = box->node ? tnd_call_tree_name(drawing->tree, node->function) : g_strdup("all");
        write_box(drawing, box->node, name, MARGIN + box->begin * (WIDTH - 2 * MARGIN), box->row);
        g_free(name);
    }
}

static void write_line(const Drawing *drawing, double x, double y, const char *text)
{
    char *escaped = g_markup_escape_text(text, -1);
    fprintf(drawing->file, "<text x=\"%.0f\" y=\"%.0f\" font-family=\"sans-serif\">%s</text>\n", x, y, escaped);
    g_free(escaped);
}

/* The colours with what they mean, and what has no box. */
static void write_legend(const Drawing *drawing, double y)
{
    const double height = 14;
    for (int step = -STEPS; step <= STEPS; step++) {
        double x = MARGIN + (step + STEPS) * STEP;
        char *text = step ? g_strdup_printf("%+.2g %%", drawing->most_change * step / STEPS) : g_strdup("chance");
        fprintf(drawing->file,
                "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%.0f\" stroke=\"#c8c8c8\" stroke-width=\"0.5\" "
                "fill=\"",
                x, y, STEP, height);
        write_shade(drawing, (double)step / STEPS);
        fprintf(drawing->file, "\"/><text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\"%s>%s</text>\n", x + STEP / 2.0,
                y + height - 3, abs(step) == STEPS ? " fill=\"#ffffff\"" : "", text);
        g_free(text);
    }
    write_line(drawing, MARGIN + (2 * STEPS + 1) * STEP + 10, y + height - 3,
               drawing->tree->what == TND_SAMPLES_WAITS
                   ? "Change of the share of all time waited: red is more than before, blue is less."
                   : "Change of the share of all CPU time: red is more than before, blue is less.");
    char *gone = tnd_call_change_gone(drawing->change, GONE_SHOWN);
    char *text = gone ? g_strdup_printf("Only before: %s.", gone) : g_strdup("All functions of before are here, too.");
    char *cut = tnd_svg_text_fit(text, WIDTH - 2 * MARGIN);
    write_line(drawing, MARGIN, y + height + 20, cut);
    g_free(cut);
    g_free(text);
    g_free(gone);
}

/* The largest sure change of a function that is drawn; at least 1 %. */
static double find_most_change(const Drawing *drawing)
{
    double most = 1;
    for (guint at = 1; drawing->change && at < drawing->tree->nodes->len; at++) {
        TndProportion change = tnd_call_change_of_node(drawing->change, at);
        if (tnd_call_change_is_sure(change) && width_of(drawing, tnd_call_tree_node(drawing->tree, at)) >= 1)
            most = MAX(most, fabs(change.percent));
    }
    return most;
}

static void write_graph(FILE *file, const TndCallTree *tree, const TndCallChange *change, const char *before)
{
    guint64 all = tnd_call_tree_node(tree, 0)->total;
    Drawing drawing = {file, tree, change, 1, (WIDTH - 2 * MARGIN) / (double)MAX(all, 1), 0};
    GArray *boxes = tnd_flame_boxes_new(tree, 0, LEAST_WIDTH / (WIDTH - 2 * MARGIN));
    drawing.n_rows = MAX(tnd_flame_boxes_n_rows(boxes), 1);
    drawing.most_change = find_most_change(&drawing);
    double boxes_end = HEAD + (double)drawing.n_rows * ROW,
           height = boxes_end + FOOT + (change ? LEGEND - FOOT + 8 : 0);
    char *total = text_of(&drawing, all), *name = g_markup_escape_text(tnd_trace_name(tree->trace), -1);
    char *against = before ? g_markup_printf_escaped(", against %s", before) : g_strdup("");
    fprintf(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" "
        "style=\"font-family:monospace;font-size:11px\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
        "<text x=\"%d\" y=\"24\" font-size=\"16\" font-family=\"sans-serif\">%s: %s%s</text>\n"
        "<text x=\"%d\" y=\"42\" font-family=\"sans-serif\">A box is a function, on top of its caller; its width is "
        "the time in it and in what it calls: the whole width is %s</text>\n",
        WIDTH, height, WIDTH, height, MARGIN, name,
        tree->what == TND_SAMPLES_WAITS ? "where threads waited" : "where the CPU time goes", against, MARGIN, total);
    write_boxes(&drawing, boxes);
    g_array_unref(boxes);
    if (change)
        write_legend(&drawing, boxes_end + 8);
    else
        write_line(&drawing, MARGIN, height - 11, "Colours tell functions apart and mean nothing else.");
    fprintf(file, "</svg>\n");
    g_free(against);
    g_free(name);
    g_free(total);
}

void tnd_flame_graph_write(FILE *file, const TndCallTree *tree)
{
    write_graph(file, tree, NULL, NULL);
}

void tnd_flame_graph_write_change(FILE *file, const TndCallChange *change, const char *before)
{
    write_graph(file, change->now, change, before);
}
