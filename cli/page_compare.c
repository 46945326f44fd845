/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem compare --output`: the tables as a page.
 */
#include "cli/compare_output.h"
#include "cli/page_text.h"

#include <string.h>

enum { LINES_SHOWN = 100 };

static void put_line(GString *html, const TndComparedLine *line)
{
    tnd_page_text_row(html, "tnnnnn", g_strdup(line->name), tnd_compare_output_value(line, line->difference.before),
                      tnd_compare_output_value(line, line->difference.after),
                      tnd_compare_output_change(line, tnd_run_comparison_change(line)), tnd_compare_output_sure(line),
                      tnd_compare_output_part(line));
}

static void put_section(const TndCompareOutput *output, guint first, guint end, GString *html)
{
    const GArray *lines = output->comparison->lines;
    guint n = 0;
    for (guint i = first; i < end; i++) {
        const TndComparedLine *line = &g_array_index(lines, TndComparedLine, i);
        if (!output->all && !line->is_changed)
            continue;
        if (n == 0) {
            tnd_page_text_section(html, tnd_figure_infos[line->kind].section, NULL);
            tnd_page_text_table(html, "number|#before|#after|#difference|#\302\261|#of before");
        }
        if (n++ < LINES_SHOWN)
            put_line(html, line);
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
    for (guint i = 0; i < output->comparison->notes->len; i++)
        tnd_page_text_paragraph(html, g_strdup(g_ptr_array_index(output->comparison->notes, i)));
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
    put_verdicts(output, html);
    for (guint first = 0, end; first < comparison->lines->len; first = end) {
        end = tnd_compare_output_section_end(comparison, first);
        put_section(output, first, end, html);
    }
    put_runs(output, html);
    return tnd_page_text_write(html, path);
}
