/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts of numbers and differences, the tables of `tandem compare`, and CSV.
 */
#include "cli/compare_output.h"

#include "analysis/base/quantity.h"
#include "cli/cli.h"
#include "cli/stat_text.h"
#include "formats/csv.h"
#include "formats/output_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINES_SHOWN = 20, PATHS_SHOWN = 3, NAME_WIDTH = 40 };

static const char *unit_of(const TndComparedLine *line)
{
    return tnd_figure_infos[line->kind].unit;
}

/* Means of counts are no whole numbers. */
static char *rounded(double value, const char *unit)
{
    const double digit = strcmp(unit, "points") == 0 ? 10 : *unit ? 0 : 100;
    return tnd_quantity_text(digit > 0 ? round(digit * value) / digit : value, unit);
}

char *tnd_compare_output_value(const TndComparedLine *line, double value)
{
    return rounded(value, unit_of(line));
}

/* Differences of percentages are points. */
static char *difference_text(const TndComparedLine *line, double value)
{
    return rounded(value, strcmp(unit_of(line), "%") == 0 ? "points" : unit_of(line));
}

/* A number that is positive even as it is shown gets a sign. */
static char *with_sign(char *text)
{
    gboolean is_zero = !strpbrk(text, "123456789");
    char *signed_text = g_strconcat(*text == '-' || is_zero ? "" : "+", text, NULL);
    g_free(text);
    return signed_text;
}

char *tnd_compare_output_change(const TndComparedLine *line, double change)
{
    return with_sign(difference_text(line, change));
}

char *tnd_compare_output_sure(const TndComparedLine *line)
{
    return isfinite(line->sure) ? difference_text(line, line->sure) : g_strdup("-");
}

char *tnd_compare_output_part(const TndComparedLine *line)
{
    if (strcmp(unit_of(line), "%") == 0)
        return g_strdup("");
    if (line->difference.before == 0)
        return g_strdup(line->difference.after == 0 ? "" : "new");
    if (line->difference.after == 0)
        return g_strdup("gone");
    return with_sign(tnd_quantity_text(100 * tnd_run_comparison_change(line) / fabs(line->difference.before), "%"));
}

char *tnd_compare_output_summary(const TndRunComparison *comparison)
{
    if (!comparison->n_changed)
        return g_strdup("Nothing changed beyond noise.");
    const TndComparedLine *most = tnd_run_comparison_most(comparison);
    char *n = tnd_quantity_text(comparison->n_changed, ""), *of = tnd_quantity_text(comparison->n_tested, ""), *text;
    if (most) {
        char *change = tnd_compare_output_change(most, tnd_run_comparison_change(most));
        text = g_strdup_printf("%s of %s numbers changed beyond noise; most: %s, %s.", n, of, most->name, change);
        g_free(change);
    } else {
        text = g_strdup_printf("%s of %s numbers changed beyond noise.", n, of);
    }
    g_free(n);
    g_free(of);
    return text;
}

char *tnd_compare_output_verdict(const TndCompareVerdict *verdict)
{
    const TndComparedLine *line = verdict->line;
    char *change = tnd_compare_output_change(line, tnd_run_comparison_change(line));
    char *part = tnd_compare_output_part(line), *sure = tnd_compare_output_sure(line);
    char *text = g_strdup_printf("%s: %s%s%s%s, +- %s", verdict->holds ? "holds" : "does not hold beyond noise", change,
                                 *part ? " (" : "", part, *part ? ")" : "", sure);
    g_free(change);
    g_free(part);
    g_free(sure);
    return text;
}

guint tnd_compare_output_section_end(const TndRunComparison *comparison, guint first)
{
    guint end = first;
    const char *section = NULL;
    for (; end < comparison->lines->len; end++) {
        const char *own = tnd_figure_infos[g_array_index(comparison->lines, TndComparedLine, end).kind].section;
        if (section && strcmp(own, section) != 0)
            break;
        section = own;
    }
    return end;
}

static void print_line(const TndComparedLine *line, gboolean all, TndStatPool *pool)
{
    char *texts[] = {
        tnd_compare_output_value(line, line->difference.before),
        tnd_compare_output_value(line, line->difference.after),
        tnd_compare_output_change(line, tnd_run_comparison_change(line)),
        tnd_compare_output_sure(line),
        tnd_compare_output_part(line),
    };
    printf("  %s", tnd_stat_text_fit(pool, line->name, NAME_WIDTH));
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        printf(" %*s", i < 4 ? 12 : 9, texts[i]);
        g_free(texts[i]);
    }
    printf("%s\n", all && line->is_changed ? " *" : "");
}

static void print_section(const TndCompareOutput *output, guint first, guint end, TndStatPool *pool)
{
    const GArray *lines = output->comparison->lines;
    guint n = 0;
    for (guint i = first; i < end; i++) {
        const TndComparedLine *line = &g_array_index(lines, TndComparedLine, i);
        if (!output->all && !line->is_changed)
            continue;
        if (n == 0) {
            tnd_stat_text_title(tnd_figure_infos[line->kind].section);
            printf("  %-*s %12s %12s %12s %12s\n", NAME_WIDTH, "", "before", "after", "difference", "+-");
        }
        if (n++ < LINES_SHOWN || output->all)
            print_line(line, output->all, pool);
    }
    if (n > LINES_SHOWN && !output->all)
        printf("  ... and %u more: --all shows them\n", n - LINES_SHOWN);
}

static void print_paths(const char *title, char *const *paths)
{
    guint n = g_strv_length((char **)paths);
    printf("%s", title);
    for (guint i = 0; i < MIN(n, PATHS_SHOWN); i++)
        printf("%s%s", i ? ", " : "", paths[i]);
    if (n > PATHS_SHOWN)
        printf(" and %u more", n - PATHS_SHOWN);
    putchar('\n');
}

/* How to see a run of each side at once. */
static void print_command(const TndCompareOutput *output)
{
    if (g_strv_length((char **)output->before) != 1 || g_strv_length((char **)output->after) != 1)
        return;
    char *before = g_shell_quote(output->before[0]), *after = g_shell_quote(output->after[0]);
    printf("see     tview %s %s\n", before, after);
    g_free(after);
    g_free(before);
}

void tnd_compare_output_text(const TndCompareOutput *output)
{
    const TndRunComparison *comparison = output->comparison;
    TndStatPool *pool = g_ptr_array_new_with_free_func(g_free);
    char *summary = tnd_compare_output_summary(comparison);
    print_paths("before  ", output->before);
    print_paths("after   ", output->after);
    print_command(output);
    for (guint i = 0; i < comparison->notes->len; i++)
        printf("%s\n", (char *)g_ptr_array_index(comparison->notes, i));
    printf("\n%s%s%s%s\n", tnd_stat_text_colours()->title, summary, tnd_stat_text_colours()->end,
           output->all && comparison->n_changed ? " They have a star." : "");
    for (guint first = 0, end; first < comparison->lines->len; first = end) {
        end = tnd_compare_output_section_end(comparison, first);
        print_section(output, first, end, pool);
    }
    if (output->verdicts->len)
        tnd_stat_text_title("Conditions");
    for (guint i = 0; i < output->verdicts->len; i++) {
        const TndCompareVerdict *verdict = &g_array_index(output->verdicts, TndCompareVerdict, i);
        char *text = tnd_compare_output_verdict(verdict);
        printf("  %s: %s%s%s\n", verdict->limit->text,
               strcmp(verdict->limit->pattern, verdict->line->name) == 0 ? "" : verdict->line->name,
               strcmp(verdict->limit->pattern, verdict->line->name) == 0 ? "" : " ", text);
        g_free(text);
    }
    g_free(summary);
    g_ptr_array_unref(pool);
}

static gboolean write_lines(FILE *file, const TndRunComparison *comparison)
{
    static const char *const titles[] = {"number", "unit", "before", "after", "difference", "+-", "tested", "changed"};
    for (guint i = 0; i < G_N_ELEMENTS(titles); i++)
        tnd_csv_text(file, i == 0, titles[i]);
    tnd_csv_end_line(file);
    for (guint i = 0; i < comparison->lines->len; i++) {
        const TndComparedLine *line = &g_array_index(comparison->lines, TndComparedLine, i);
        const double numbers[] = {line->difference.before, line->difference.after, tnd_run_comparison_change(line)};
        tnd_csv_text(file, 1, line->name);
        tnd_csv_text(file, 0, unit_of(line));
        for (guint k = 0; k < G_N_ELEMENTS(numbers); k++)
            tnd_csv_number(file, 0, numbers[k], 6);
        if (isfinite(line->sure))
            tnd_csv_number(file, 0, line->sure, 6);
        else
            tnd_csv_text(file, 0, "");
        tnd_csv_whole(file, 0, line->is_tested, 0, 0);
        tnd_csv_whole(file, 0, line->is_changed, 0, 0);
        tnd_csv_end_line(file);
    }
    return fflush(file) == 0 && !ferror(file);
}

gboolean tnd_compare_output_csv(const TndCompareOutput *output, const char *path)
{
    if (strcmp(path, "-") == 0)
        return write_lines(stdout, output->comparison);
    FILE *file = tnd_output_file_open(path);
    gboolean is_written = file && write_lines(file, output->comparison);
    if (file && fclose(file) == 0 && is_written)
        return TRUE;
    tnd_cli_complain(path, "%s", tnd_output_file_reason(errno));
    return FALSE;
}
