/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Draws the boxes from the outermost functions, at the bottom, upwards.
 */
#include "analysis/reports/flame_graph.h"

#include "analysis/base/quantity.h"
#include "analysis/reports/samples.h"

/* In pixels. */
enum { WIDTH = 1200, MARGIN = 10, ROW = 17, HEAD = 56, FOOT = 30 };
#define CHARACTER 6.6 /* the width of one in the font below */
#define LEAST_WIDTH 0.1

typedef struct {
    FILE *file;
    const TndTrace *trace;
    const TndCallTree *tree;
    double scale; /* pixels for one unit of the tree's numbers */
    guint n_rows;
} Drawing;

static double width_of(const Drawing *drawing, const TndCallNode *node)
{
    return (double)node->total * drawing->scale;
}

static guint count_rows(const Drawing *drawing, guint at)
{
    guint most = 0;
    const TndCallNode *node = tnd_call_tree_node(drawing->tree, at);
    for (guint child = node->first_child; child; child = tnd_call_tree_node(drawing->tree, child)->sibling)
        if (width_of(drawing, tnd_call_tree_node(drawing->tree, child)) >= LEAST_WIDTH)
            most = MAX(most, count_rows(drawing, child));
    return most + 1;
}

/* A number of the tree as a text: a time, or a number of samples.  Free with g_free. */
static char *text_of(const Drawing *drawing, guint64 number)
{
    return drawing->tree->is_time ? tnd_quantity_text((double)number, "ns")
                                  : g_strdup_printf("%" G_GUINT64_FORMAT " samples", number);
}

/* A colour between red and yellow that goes with the name, so that a function has the same one everywhere. */
static void write_colour(const Drawing *drawing, const char *name)
{
    guint hash = g_str_hash(name) * 2654435761u;
    fprintf(drawing->file, "#%02x%02x%02x", 215 + (hash >> 27), 110 + (hash >> 8) % 110, 60 + (hash >> 16) % 40);
}

/* The beginning of a text, so long that it fits in; nothing if that is too little to read. */
static char *fit(const char *text, double width)
{
    glong room = (glong)((width - 4) / CHARACTER), length = g_utf8_strlen(text, -1);
    if (room < 3)
        return g_strdup("");
    if (length <= room)
        return g_strdup(text);
    char *beginning = g_utf8_substring(text, 0, room - 2), *cut = g_strconcat(beginning, "..", NULL);
    g_free(beginning);
    return cut;
}

static void write_box(const Drawing *drawing, const TndCallNode *node, const char *name, double x, guint row)
{
    double width = width_of(drawing, node), y = HEAD + (double)(drawing->n_rows - 1 - row) * ROW;
    double all = (double)tnd_call_tree_node(drawing->tree, 0)->total;
    char *valid = g_utf8_make_valid(name, -1), *short_name = fit(valid, width);
    char *total = text_of(drawing, node->total), *self = text_of(drawing, node->self);
    char *title = g_markup_printf_escaped("%s: %s, %.2f %%; in itself %s, %.2f %%", valid, total,
                                          100 * (double)node->total / all, self, 100 * (double)node->self / all);
    fprintf(drawing->file, "<g><title>%s</title><rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\" fill=\"",
            title, x, y, MAX(width - 0.3, 0.1), ROW - 1);
    write_colour(drawing, valid);
    fprintf(drawing->file, "\"/>");
    if (*short_name) {
        char *escaped = g_markup_escape_text(short_name, -1);
        fprintf(drawing->file, "<text x=\"%.1f\" y=\"%.0f\">%s</text>", x + 3, y + 12, escaped);
        g_free(escaped);
    }
    fprintf(drawing->file, "</g>\n");
    g_free(title);
    g_free(self);
    g_free(total);
    g_free(short_name);
    g_free(valid);
}

static void write_boxes(const Drawing *drawing, guint at, double x, guint row)
{
    const TndCallNode *node = tnd_call_tree_node(drawing->tree, at);
    if (width_of(drawing, node) < LEAST_WIDTH)
        return;
    char *name = at ? tnd_samples_function_name(drawing->trace, node->function) : g_strdup("all");
    write_box(drawing, node, name, x, row);
    g_free(name);
    for (guint child = node->first_child; child; child = tnd_call_tree_node(drawing->tree, child)->sibling) {
        write_boxes(drawing, child, x, row + 1);
        x += width_of(drawing, tnd_call_tree_node(drawing->tree, child));
    }
}

void tnd_flame_graph_write(FILE *file, const TndTrace *trace, const TndCallTree *tree)
{
    guint64 all = tnd_call_tree_node(tree, 0)->total;
    Drawing drawing = {file, trace, tree, (WIDTH - 2 * MARGIN) / (double)MAX(all, 1), 0};
    drawing.n_rows = count_rows(&drawing, 0);
    double height = HEAD + (double)drawing.n_rows * ROW + FOOT;
    char *total = text_of(&drawing, all), *name = g_markup_escape_text(tnd_trace_name(trace), -1);
    fprintf(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" "
        "font-family=\"monospace\" font-size=\"11\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
        "<text x=\"%d\" y=\"24\" font-size=\"16\" font-family=\"sans-serif\">%s: where the CPU time goes</text>\n"
        "<text x=\"%d\" y=\"42\" font-family=\"sans-serif\">A box is a function, on top of its caller; its width is "
        "the time in it and in what it calls: the whole width is %s</text>\n",
        WIDTH, height, WIDTH, height, MARGIN, name, MARGIN, total);
    write_boxes(&drawing, 0, MARGIN, 0);
    fprintf(file,
            "<text x=\"%d\" y=\"%.0f\" font-family=\"sans-serif\">Colours tell functions apart and mean nothing "
            "else.</text>\n</svg>\n",
            MARGIN, height - 11);
    g_free(name);
    g_free(total);
}
