/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures of the page: bars of the time of threads, the matrix of messages, the flame graph.
 */
#include "cli/page_parts.h"

#include "analysis/base/quantity.h"
#include "analysis/histogram/histogram.h"
#include "analysis/reports/flame_graph.h"
#include "analysis/trace/row_labels.h"
#include "cli/page_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_SHOWN = 64, BAR = 18, BAR_LEFT = 190, BAR_WIDTH = 620, CELL = 26, MATRIX_LEFT = 190, MATRIX_TOP = 24 };

/* A text in an SVG, cut to its room. */
static void put_label(const TndPage *page, double x, double y, const char *name, const char *anchor)
{
    char *valid = g_utf8_make_valid(name, -1),
         *beginning = g_utf8_substring(valid, 0, MIN(g_utf8_strlen(valid, -1), 24));
    char *escaped = tnd_page_text_escape(beginning);
    g_string_append_printf(page->html, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor,
                           escaped);
    g_free(escaped);
    g_free(beginning);
    g_free(valid);
}

/* Opens an SVG whose texts have the page's colour. */
static void put_svg(const TndPage *page, guint width, guint height, const char *label)
{
    g_string_append_printf(page->html,
                           "<div class=\"wide\"><svg width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" role=\"img\" "
                           "aria-label=\"%s\" style=\"font-size:12px\">\n",
                           width, height, width, height, label);
}

static void put_more(const TndPage *page, guint n_left)
{
    char *more = tnd_quantity_text(n_left, "");
    if (n_left)
        tnd_page_text_paragraph(page->html, g_strdup_printf("... and %s more threads", more));
    g_free(more);
}

typedef struct {
    const char *title, *colour;
    double share;
} Part;

static void put_bar(const TndPage *page, guint row, double y, double duration_ns)
{
    const TndShare *share = &page->statistics->shares[row];
    const Part parts[] = {
        {"useful", "useful", (double)share->useful_ns / duration_ns},
        {"MPI", "mpi", (double)share->mpi_ns / duration_ns},
        {"OpenMP, and no parallel region", "openmp", (double)(share->openmp_ns + share->pool_ns) / duration_ns},
        {"other", "other", (double)share->other_ns / duration_ns},
    };
    double x = BAR_LEFT;
    put_label(page, BAR_LEFT - 8, y + 13, tnd_row_labels_get(page->trace, TND_LEVEL_THREAD, row), "end");
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        double width = parts[i].share * BAR_WIDTH;
        char *percent = tnd_page_text_percent(parts[i].share);
        if (width > 0)
            g_string_append_printf(page->html,
                                   "<rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\" "
                                   "style=\"fill:var(--%s)\"><title>%s: %s</title></rect>\n",
                                   x, y + 1, width, BAR - 3, parts[i].colour, parts[i].title, percent);
        if (i == 0)
            put_label(page, BAR_LEFT + BAR_WIDTH + 60, y + 13, percent, "end");
        x += width;
        g_free(percent);
    }
}

void tnd_page_parts_shares(const TndPage *page)
{
    double duration_ns = (double)tnd_trace_end_ns(page->trace);
    guint n = page->statistics->n_rows, n_shown = MIN(n, ROWS_SHOWN);
    if (duration_ns <= 0)
        return;
    tnd_page_text_section(page->html, "Where time goes, by thread",
                          "Shares of the duration of the trace; the number is the share that is useful: computing, "
                          "outside of MPI and of OpenMP's library.");
    static const char *const keys[][2] = {
        {"useful", "useful"}, {"mpi", "MPI"}, {"openmp", "OpenMP, and no parallel region"}, {"other", "other"}};
    g_string_append(page->html, "<p>");
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
        g_string_append_printf(page->html, "<span class=\"key\" style=\"background:var(--%s)\">&nbsp;</span>%s",
                               keys[i][0], keys[i][1]);
    g_string_append(page->html, "</p>\n");
    put_svg(page, BAR_LEFT + BAR_WIDTH + 70, (n_shown + 1) * BAR, "Shares of time by thread");
    for (guint row = 0; row < n_shown; row++)
        put_bar(page, row, row * BAR, duration_ns);
    for (guint tick = 0; tick <= 4; tick++) {
        char *percent = g_strdup_printf("%u %%", tick * 25);
        put_label(page, BAR_LEFT + tick * BAR_WIDTH / 4.0, n_shown * BAR + 14, percent, "middle");
        g_free(percent);
    }
    g_string_append(page->html, "</svg></div>\n");
    put_more(page, n - n_shown);
    tnd_page_text_section_end(page->html);
}

/* The label of the thread that has this name. */
static const char *label_of(const TndPage *page, const char *name)
{
    for (guint row = 0; row < tnd_trace_n_threads(page->trace); row++)
        if (!strcmp(tnd_trace_thread(page->trace, row)->name, name))
            return tnd_row_labels_get(page->trace, TND_LEVEL_THREAD, row);
    return name;
}

static void put_matrix_row(const TndPage *page, const TndHistogram *matrix, guint row, double most)
{
    put_label(page, MATRIX_LEFT - 8, MATRIX_TOP + row * CELL + 17, label_of(page, matrix->row_names[row]), "end");
    for (gsize i = matrix->first[row]; i < matrix->first[row + 1]; i++) {
        const TndHistogramCell *cell = &matrix->cells[i];
        if (cell->value <= 0)
            continue;
        char *bytes = tnd_quantity_text(cell->value, "B"),
             *to = tnd_page_text_escape(label_of(page, matrix->column_names[cell->column])),
             *from = tnd_page_text_escape(label_of(page, matrix->row_names[row]));
        g_string_append_printf(page->html,
                               "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" "
                               "style=\"fill:rgba(var(--cell),%.2f)\"><title>%s to %s: %s</title></rect>\n",
                               MATRIX_LEFT + cell->column * CELL, MATRIX_TOP + row * CELL, CELL - 1, CELL - 1,
                               0.12 + 0.88 * cell->value / most, from, to, bytes);
        g_free(from);
        g_free(to);
        g_free(bytes);
    }
}

static void put_matrix(const TndPage *page, const TndHistogram *matrix)
{
    double most = 0;
    for (gsize i = 0; i < matrix->first[matrix->n_rows]; i++)
        most = MAX(most, matrix->cells[i].value);
    char *text = tnd_quantity_text(most, "B");
    tnd_page_text_section(page->html, "Messages between threads", NULL);
    tnd_page_text_paragraph(page->html,
                            g_strdup_printf("Bytes sent, from the thread of the row to the thread of the column: the "
                                            "darker or brighter a cell is against the page, the more; the most is %s.",
                                            text));
    g_free(text);
    put_svg(page, MATRIX_LEFT + MAX(matrix->n_columns, 8) * CELL, MATRIX_TOP + matrix->n_rows * CELL,
            "Bytes sent between threads");
    for (guint column = 0; column < matrix->n_columns; column++) {
        char *number = g_strdup_printf("%u", column + 1);
        put_label(page, MATRIX_LEFT + (column + 0.5) * CELL, MATRIX_TOP - 8, number, "middle");
        g_free(number);
    }
    for (guint row = 0; row < matrix->n_rows; row++)
        put_matrix_row(page, matrix, row, most);
    g_string_append(page->html, "</svg></div>\n<ol>\n");
    for (guint column = 0; column < matrix->n_columns; column++) {
        char *name = tnd_page_text_escape(label_of(page, matrix->column_names[column]));
        g_string_append_printf(page->html, "<li>%s</li>\n", name);
        g_free(name);
    }
    g_string_append(page->html, "</ol>\n");
    tnd_page_text_section_end(page->html);
}

void tnd_page_parts_matrix(const TndPage *page)
{
    TndView *view = page->statistics->n_messages ? tnd_view_new(page->trace, "state", NULL) : NULL;
    TndHistogram *matrix = view ? tnd_histogram_new(view, TND_STATISTIC_BYTES_SENT, 0, G_MAXUINT64, NULL) : NULL;
    if (matrix && MAX(matrix->n_rows, matrix->n_columns) <= ROWS_SHOWN) {
        put_matrix(page, matrix);
    } else if (matrix) {
        tnd_page_text_section(page->html, "Messages between threads", NULL);
        tnd_page_text_paragraph(page->html, g_strdup("There are too many threads for a picture here: tandem histogram "
                                                     "--statistic bytes-sent prints the table."));
        tnd_page_text_section_end(page->html);
    }
    tnd_histogram_free(matrix);
    tnd_view_free(view);
}

void tnd_page_parts_flame(const TndPage *page)
{
    char *svg = NULL;
    size_t size = 0;
    FILE *file = page->tree->nodes->len > 1 ? open_memstream(&svg, &size) : NULL;
    if (!file)
        return;
    tnd_flame_graph_write(file, page->tree);
    tnd_page_text_section(page->html, "Flame graph", NULL);
    if (fclose(file) == 0 && size <= TND_PAGE_PARTS_MOST_PICTURE_BYTES)
        g_string_append_printf(page->html, "<div class=\"wide light\">%s</div>\n", svg);
    else
        tnd_page_text_paragraph(page->html, g_strdup("It is too large for this page: tandem report --flame draws it."));
    tnd_page_text_section_end(page->html);
    free(svg);
}
