/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem compare --output`: the tables as a page.
 */
#include "cli/compare_output.h"
#include "cli/page_text.h"

#include <math.h>

enum { LINES_SHOWN = 100, PICTURE_WIDTH = 240, PICTURE_HEIGHT = 16 };

/* The difference as a part of what was before, or of what is after if that is larger, so that it is 1 at most. */
static double part_of(const TndComparedLine *line, double value)
{
    double larger = MAX(fabs(line->difference.before), fabs(line->difference.after));
    return larger > 0 ? value / larger : 0;
}

static gboolean is_shown(const TndCompareOutput *output, const TndComparedLine *line)
{
    return output->all || line->is_changed;
}

/* The part that the pictures of a section reach to, 1, 2 or 5 times a power of ten: all differences are in them, and
 * intervals, unless they are much wider. */
static double scale_of(const TndCompareOutput *output, guint first, guint end)
{
    double change = 0, whole = 0, scale = 0.001;
    for (guint i = first; i < end; i++) {
        const TndComparedLine *line = &g_array_index(output->comparison->lines, TndComparedLine, i);
        if (!is_shown(output, line) || !line->is_tested)
            continue;
        double own = part_of(line, fabs(tnd_run_comparison_change(line)));
        change = MAX(change, own);
        if (isfinite(line->sure))
            whole = MAX(whole, own + part_of(line, line->sure));
    }
    double wanted = MIN(MIN(whole, 3 * change), 1);
    for (guint i = 0; scale < wanted; i++)
        scale *= i % 3 == 1 ? 2.5 : 2;
    return scale;
}

/* Where a part is, in pixels from the left; what is beyond the scale is at its end. */
static double place_of(double part, double scale)
{
    return PICTURE_WIDTH / 2.0 * (1 + CLAMP(part / scale, -1, 1));
}

/* The interval as a bar, and the difference as a line in it. */
static char *picture(const TndComparedLine *line, double scale)
{
    char numbers[5][G_ASCII_DTOSTR_BUF_SIZE];
    double change = part_of(line, tnd_run_comparison_change(line));
    double sure = isfinite(line->sure) ? part_of(line, line->sure) : 2 * scale;
    double begin = place_of(change - sure, scale), end = place_of(change + sure, scale);
    const double places[] = {PICTURE_WIDTH / 2.0, begin, MAX(end - begin, 1), place_of(change, scale) - 1, 0};
    for (guint i = 0; i < G_N_ELEMENTS(places); i++)
        g_ascii_formatd(numbers[i], sizeof numbers[i], "%.1f", places[i]);
    const char *colour = !line->is_changed ? "other" : change > 0 ? "mpi" : "useful";
    return g_strdup_printf("<svg width=\"%d\" height=\"%d\" role=\"img\"><title>%s</title>"
                           "<line x1=\"%s\" x2=\"%s\" y1=\"0\" y2=\"%d\" stroke=\"currentColor\"/>"
                           "<rect x=\"%s\" y=\"5\" width=\"%s\" height=\"6\" fill=\"var(--%s)\" opacity=\".55\"/>"
                           "<rect x=\"%s\" y=\"1\" width=\"2\" height=\"14\" fill=\"var(--%s)\"/></svg>",
                           PICTURE_WIDTH, PICTURE_HEIGHT,
                           !line->is_changed ? "not beyond noise"
                           : change > 0      ? "more than before"
                                             : "less than before",
                           numbers[0], numbers[0], PICTURE_HEIGHT, numbers[1], numbers[2], colour, numbers[3], colour);
}

static void put_line(GString *html, const TndComparedLine *line, double scale)
{
    tnd_page_text_row(html, "tnnnnnh", g_strdup(line->name), tnd_compare_output_value(line, line->difference.before),
                      tnd_compare_output_value(line, line->difference.after),
                      tnd_compare_output_change(line, tnd_run_comparison_change(line)), tnd_compare_output_sure(line),
                      tnd_compare_output_part(line), picture(line, scale));
}

static void begin_table(GString *html, const char *section, double scale)
{
    char *reach = tnd_page_text_percent(scale);
    char *titles = g_strdup_printf("number|#before|#after|#difference|#\302\261|#of before|"
                                   "from -%s to +%s",
                                   reach, reach);
    tnd_page_text_section(html, section, NULL);
    tnd_page_text_table(html, titles);
    g_free(titles);
    g_free(reach);
}

static void put_section(const TndCompareOutput *output, guint first, guint end, GString *html)
{
    const GArray *lines = output->comparison->lines;
    double scale = scale_of(output, first, end);
    guint n = 0;
    for (guint i = first; i < end; i++) {
        const TndComparedLine *line = &g_array_index(lines, TndComparedLine, i);
        if (!is_shown(output, line))
            continue;
        if (n == 0)
            begin_table(html, tnd_figure_infos[line->kind].section, scale);
        if (n++ < LINES_SHOWN)
            put_line(html, line, scale);
    }
    if (n) {
        tnd_page_text_table_end(html, n - MIN(n, LINES_SHOWN));
        tnd_page_text_section_end(html);
    }
}

static void put_paths(GString *html, const char *title, char *const *paths)
{
    for (guint i = 0; paths[i]; i++)
        tnd_page_text_row(html, "tt", g_strdup(i ? "" : title), g_strdup(paths[i]));
}

static void put_runs(const TndCompareOutput *output, GString *html)
{
    tnd_page_text_section(html, "The runs", NULL);
    tnd_page_text_table(html, "side|trace");
    put_paths(html, "before", output->before);
    put_paths(html, "after", output->after);
    tnd_page_text_table_end(html, 0);
    tnd_page_text_section_end(html);
}

static void put_verdicts(const TndCompareOutput *output, GString *html)
{
    if (!output->verdicts->len)
        return;
    tnd_page_text_section(html, "Conditions", NULL);
    tnd_page_text_table(html, "condition|number|result");
    for (guint i = 0; i < output->verdicts->len; i++) {
        const TndCompareVerdict *verdict = &g_array_index(output->verdicts, TndCompareVerdict, i);
        tnd_page_text_row(html, "ttt", g_strdup(verdict->limit->text), g_strdup(verdict->line->name),
                          tnd_compare_output_verdict(verdict));
    }
    tnd_page_text_table_end(html, 0);
    tnd_page_text_section_end(html);
}

gboolean tnd_compare_output_page(const TndCompareOutput *output, const char *path)
{
    const TndRunComparison *comparison = output->comparison;
    GString *html = g_string_new(NULL);
    tnd_page_text_begin(html, "Before and after", "comparison of runs by tandem");
    tnd_page_text_paragraph(html, tnd_compare_output_summary(comparison));
    for (guint i = 0; i < comparison->notes->len; i++)
        tnd_page_text_paragraph(html, g_strdup(g_ptr_array_index(comparison->notes, i)));
    tnd_page_text_paragraph(html, g_strdup("In the pictures, which are in percent of the larger value, a bar is the "
                                           "interval of the difference, and the line in it the difference; red is more "
                                           "than before, blue is less, grey is not beyond noise."));
    put_verdicts(output, html);
    for (guint first = 0, end; first < comparison->lines->len; first = end) {
        end = tnd_compare_output_section_end(comparison, first);
        put_section(output, first, end, html);
    }
    put_runs(output, html);
    return tnd_page_text_write(html, path);
}
