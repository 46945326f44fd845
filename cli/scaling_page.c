/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of several runs: speedup, and the table of efficiencies with its cells in the colours of how good they are.
 */
#include "cli/scaling_page.h"

#include "analysis/base/quantity.h"
#include "cli/page_text.h"

#include <string.h>

/* From here on an efficiency is good; from the other one on it is to be looked at (POP). */
#define GOOD 0.8
#define FAIR 0.6

enum { LEFT = 60, TOP = 12, WIDTH = 560, HEIGHT = 260, BOTTOM = 46 };

static void put_runs(const TndScalingTable *table, GString *html)
{
    tnd_page_text_section(html, "The runs",
                          table->runs[0].scaling.is_weak
                              ? "Their work grows with the number of threads, as their instructions say."
                              : "Their work is taken for the same.");
    tnd_page_text_table(html, "trace|#processes|#threads|#duration|#speedup|#of ideal");
    for (guint i = 0; i < table->n; i++) {
        const TndScalingRun *run = &table->runs[i];
        double ideal = (double)run->efficiency.n_threads / (double)table->runs[0].efficiency.n_threads;
        char speedup[G_ASCII_DTOSTR_BUF_SIZE];
        g_ascii_formatd(speedup, sizeof speedup, "%.3f", run->scaling.speedup);
        tnd_page_text_row(html, "tnnnnn", g_strdup(run->path), tnd_quantity_text(run->efficiency.n_processes, ""),
                          tnd_quantity_text(run->efficiency.n_threads, ""),
                          tnd_quantity_text((double)(run->efficiency.end_ns - run->efficiency.begin_ns), "ns"),
                          g_strdup(speedup), tnd_page_text_percent(run->scaling.speedup / ideal));
    }
    tnd_page_text_table_end(html, 0);
    tnd_page_text_section_end(html);
}

typedef struct {
    double threads, speedup; /* the most of each */
} Limits;

static double place_x(const Limits *limits, double threads)
{
    return LEFT + threads / limits->threads * WIDTH;
}

static double place_y(const Limits *limits, double speedup)
{
    return TOP + HEIGHT - speedup / limits->speedup * HEIGHT;
}

/* The least of 1, 2 and 5 times a power of ten of which five or fewer reach a value. */
static double step_of(double most)
{
    double step = 1e-3;
    for (guint i = 0; most / step > 5; i++)
        step *= i % 3 == 1 ? 2.5 : 2;
    return step;
}

static void put_line(GString *html, const Limits *limits, double x1, double y1, double x2, double y2, const char *style)
{
    char numbers[4][G_ASCII_DTOSTR_BUF_SIZE];
    const double values[] = {place_x(limits, x1), place_y(limits, y1), place_x(limits, x2), place_y(limits, y2)};
    for (guint i = 0; i < G_N_ELEMENTS(values); i++)
        g_ascii_formatd(numbers[i], sizeof numbers[i], "%.1f", values[i]);
    g_string_append_printf(html, "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" style=\"%s\"/>\n", numbers[0],
                           numbers[1], numbers[2], numbers[3], style);
}

static void put_axes(GString *html, const Limits *limits)
{
    double x_step = MAX(step_of(limits->threads), 1), y_step = step_of(limits->speedup);
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    for (double y = 0; y <= limits->speedup * 1.001; y += y_step) {
        put_line(html, limits, 0, y, limits->threads, y, "stroke:var(--rule)");
        g_string_append_printf(html, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%s</text>\n", LEFT - 6,
                               place_y(limits, y) + 4, g_ascii_formatd(number, sizeof number, "%.6g", y));
    }
    for (double x = 0; x <= limits->threads * 1.001; x += x_step)
        g_string_append_printf(html, "<text x=\"%.0f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", place_x(limits, x),
                               TOP + HEIGHT + 18, g_ascii_formatd(number, sizeof number, "%.6g", x));
    g_string_append_printf(html,
                           "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">threads</text>\n"
                           "<text x=\"14\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 14 %d)\">speedup"
                           "</text>\n",
                           LEFT + WIDTH / 2, TOP + HEIGHT + 38, TOP + HEIGHT / 2, TOP + HEIGHT / 2);
}

static void put_points(GString *html, const Limits *limits, const TndScalingTable *table)
{
    for (guint i = 0; i < table->n; i++) {
        const TndScalingRun *run = &table->runs[i], *before = &table->runs[i ? i - 1 : 0];
        char x[G_ASCII_DTOSTR_BUF_SIZE], y[G_ASCII_DTOSTR_BUF_SIZE], speedup[G_ASCII_DTOSTR_BUF_SIZE];
        put_line(html, limits, before->efficiency.n_threads, before->scaling.speedup, run->efficiency.n_threads,
                 run->scaling.speedup, "stroke:var(--useful);stroke-width:2");
        g_ascii_formatd(x, sizeof x, "%.1f", place_x(limits, run->efficiency.n_threads));
        g_ascii_formatd(y, sizeof y, "%.1f", place_y(limits, run->scaling.speedup));
        g_ascii_formatd(speedup, sizeof speedup, "%.3f", run->scaling.speedup);
        g_string_append_printf(html,
                               "<circle cx=\"%s\" cy=\"%s\" r=\"4\" style=\"fill:var(--useful)\"><title>%u threads: "
                               "speedup %s</title></circle>\n",
                               x, y, run->efficiency.n_threads, speedup);
    }
}

static void put_picture(const TndScalingTable *table, GString *html)
{
    Limits limits = {0};
    double first = table->runs[0].efficiency.n_threads;
    for (guint i = 0; i < table->n; i++) {
        limits.threads = MAX(limits.threads, table->runs[i].efficiency.n_threads);
        limits.speedup = MAX(limits.speedup, table->runs[i].scaling.speedup);
    }
    limits.speedup = MAX(limits.speedup, limits.threads / first);
    tnd_page_text_section(html, "Speedup", "Against the first run; the thin line is a run that loses nothing.");
    g_string_append_printf(html,
                           "<div class=\"wide\"><svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
                           "aria-label=\"Speedup by threads\" style=\"font-size:12px\">\n",
                           LEFT + WIDTH + 20, TOP + HEIGHT + BOTTOM, LEFT + WIDTH + 20, TOP + HEIGHT + BOTTOM);
    put_axes(html, &limits);
    put_line(html, &limits, 0, 0, limits.threads, limits.threads / first, "stroke:var(--faint)");
    put_points(html, &limits, table);
    g_string_append(html, "</svg></div>\n");
    tnd_page_text_section_end(html);
}

/* A cell with a mark of how good it is, in a shape as well as a colour. */
static void put_cell(const TndScalingTable *table, guint run, const TndScalingRow *row, GString *html)
{
    double value = G_STRUCT_MEMBER(double, &table->runs[run], row->offset);
    char *text = tnd_scaling_table_text(table, run, row, 1);
    const char *mark = row->is_lost || value <= 0 ? ""
                       : value >= GOOD            ? "<span class=\"good\" title=\"80 % or more\">\342\227\217</span> "
                       : value >= FAIR            ? "<span class=\"fair\" title=\"60 to 80 %\">\342\227\220</span> "
                                       : "<span class=\"poor\" title=\"less than 60 %\">\342\227\213</span> ";
    g_string_append_printf(html, "<td class=\"n\">%s%s</td>", mark, text);
    g_free(text);
}

static void put_efficiencies(const TndScalingTable *table, GString *html)
{
    guint n_rows;
    const TndScalingRow *rows = tnd_scaling_table_rows(&n_rows);
    GString *titles = g_string_new("efficiency");
    for (guint i = 0; i < table->n; i++)
        g_string_append_printf(titles, "|#%u x %u", table->runs[i].efficiency.n_processes,
                               table->runs[i].efficiency.n_threads / MAX(table->runs[i].efficiency.n_processes, 1));
    g_string_append(titles, "|what it is");
    tnd_page_text_section(
        html, "Efficiencies",
        "As the POP project defines them, by processes x threads: a factor is the product of those "
        "that are indented below it (multiplicative model). \342\227\217 is 80 % or more, \342\227\220 60 "
        "to 80 %, \342\227\213 less. What is lost adds up (additive model).");
    tnd_page_text_table(html, titles->str);
    for (guint row = 0; row < n_rows; row++) {
        if (!tnd_scaling_table_has(table, &rows[row]))
            continue;
        gsize indent = strspn(rows[row].name, " ");
        g_string_append_printf(html, "<tr><th scope=\"row\" style=\"padding-left:%.1fem\">%s</th>",
                               0.4 + (double)indent / 2, rows[row].name + indent);
        for (guint i = 0; i < table->n; i++)
            put_cell(table, i, &rows[row], html);
        g_string_append_printf(html, "<td>%s</td></tr>\n", rows[row].help);
    }
    tnd_page_text_table_end(html, 0);
    tnd_page_text_section_end(html);
    g_string_free(titles, TRUE);
}

gboolean tnd_scaling_page_write(const TndScalingTable *table, const char *path)
{
    GString *html = g_string_new(NULL);
    tnd_page_text_begin(html, "Runs with more processes", "scaling report of tandem");
    put_runs(table, html);
    put_picture(table, html);
    put_efficiencies(table, html);
    return tnd_page_text_write(html, path);
}
