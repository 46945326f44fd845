/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prints lines with the samples in them.
 */
#include "cli/report_lines.h"

#include "analysis/base/proportion.h"
#include "analysis/reports/line_list.h"
#include "analysis/reports/source_file.h"
#include "cli/cli.h"
#include "cli/report_text.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

#define LINES_SHOWN 20
#define PLACE_WIDTH 36
#define FUNCTION_WIDTH 48
#define LINES_AROUND 4 /* of the source, before and after those with samples */
#define FARTHEST 60    /* lines without samples between two with some, of which all are printed */

static const TndLine *line_at(const GArray *lines, guint index)
{
    return &g_array_index(lines, TndLine, index);
}

static void print_head(const TndCallTree *tree)
{
    char *sum = tnd_report_text_sum(tree);
    printf("%s\n%s\n", tnd_trace_shown(tree->trace), sum);
    g_free(sum);
}

static gboolean have_lines(const TndCallTree *tree, const GArray *lines)
{
    for (guint i = 0; i < lines->len; i++)
        if (line_at(lines, i)->line.number)
            return TRUE;
    tnd_cli_complain(tnd_trace_path(tree->trace), "the samples have no lines of the source: compile with -g");
    return FALSE;
}

static void print_line(const TndCallTree *tree, const TndLine *line, guint64 n)
{
    guint64 all = tnd_call_tree_node(tree, 0)->total;
    TndProportion self = tnd_proportion_of(line->self, all, n), total = tnd_proportion_of(line->total, all, n);
    char *quantity = tnd_report_text_quantity(tree, line->self), *place = tnd_cli_fit(line->place, PLACE_WIDTH);
    char *function = tnd_cli_cut(line->function, FUNCTION_WIDTH);
    printf("  %6.2f %% %6.2f %% %6.2f %% %12s  %s  %s\n", self.percent, self.sure, total.percent, quantity, place,
           function);
    g_free(function);
    g_free(place);
    g_free(quantity);
}

gboolean tnd_report_lines_print(const TndCallTree *tree, gboolean all)
{
    GArray *lines = tnd_line_list_new(tree);
    gboolean is_fine = have_lines(tree, lines);
    guint n_shown = 0;
    while (n_shown < lines->len && (all || (n_shown < LINES_SHOWN && line_at(lines, n_shown)->self)))
        n_shown++;
    if (is_fine) {
        print_head(tree);
        printf("\nLines: in themselves (95 %% sure within +-), and with what they call\n"
               "  %8s %8s %8s %12s  %-*s  %s\n",
               "self", "+-", "total", tree->is_time ? "self" : "samples", PLACE_WIDTH, "line", "function");
        guint64 n = tnd_call_tree_n_samples(tree);
        for (guint i = 0; i < n_shown; i++)
            print_line(tree, line_at(lines, i), n);
        if (n_shown < lines->len)
            printf("  ... and %u more: --all shows them\n", lines->len - n_shown);
    }
    g_array_unref(lines);
    return is_fine;
}

/* The source of a function. */

static gint compare_places(gconstpointer a, gconstpointer b)
{
    const TndLine *x = *(const TndLine *const *)a, *y = *(const TndLine *const *)b;
    int order = g_strcmp0(x->line.file, y->line.file);
    return order ? order : (x->line.number > y->line.number) - (x->line.number < y->line.number);
}

/* The lines of a function, by file and number; those without a number come first. */
static GPtrArray *lines_of(const GArray *lines, const char *function)
{
    GPtrArray *found = g_ptr_array_new();
    for (guint i = 0; i < lines->len; i++)
        if (strcmp(line_at(lines, i)->function, function) == 0)
            g_ptr_array_add(found, (gpointer)line_at(lines, i));
    g_ptr_array_sort(found, compare_places);
    return found;
}

static void complain_of_function(const GArray *lines, const char *function)
{
    const char *like = NULL;
    for (guint i = 0; i < lines->len && !like; i++)
        if (strstr(line_at(lines, i)->function, function))
            like = line_at(lines, i)->function;
    tnd_cli_complain("report", "--source: no sample is in a function %s%s%s", function, like ? "; there is " : "",
                     like ? like : "");
}

/* NULL: complained. */
static TndSourceFile *read_source(const TndTrace *trace, const char *file, const char *folder)
{
    GError *error = NULL;
    TndSourceFile *source = tnd_source_file_read(trace, file, folder, &error);
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
        tnd_cli_complain(file, "not found; --source-folder says where it is");
    else if (error)
        tnd_cli_complain(file, "%s", error->message);
    g_clear_error(&error);
    return source;
}

static void print_share(guint64 part, guint64 all)
{
    if (part)
        printf(" %6.2f %%", 100 * (double)part / (double)all);
    else
        printf(" %8s", "");
}

/* A line of the source; at: NULL if it has no samples. */
static void print_source_line(const TndCallTree *tree, guint number, const TndLine *at, const char *text)
{
    guint64 all = tnd_call_tree_node(tree, 0)->total;
    printf(" ");
    print_share(at ? at->self : 0, all);
    print_share(at ? at->total : 0, all);
    printf(" %6u  %s\n", number, text ? text : "");
}

/* Prints the text of a file from before the first of some lines, which are of this file, to after the last. */
static void print_file(const TndCallTree *tree, const TndLine *const *lines, guint n, const char *folder)
{
    const char *file = lines[0]->line.file;
    TndSourceFile *source = read_source(tree->trace, file, folder);
    guint next = 0;
    printf("\n%s%s\n  %8s %8s %6s\n", source ? source->path : file,
           source && source->is_newer ? ", which is newer than the trace" : "", "self", "total", "line");
    guint first = lines[0]->line.number, last = lines[n - 1]->line.number;
    guint number = first > LINES_AROUND ? first - LINES_AROUND : 1,
          end = source ? MIN(last + LINES_AROUND, source->n_lines) : 0;
    for (; number <= end; number++) {
        const TndLine *at = next < n && lines[next]->line.number == number ? lines[next++] : NULL;
        if (!at && next < n && next && lines[next]->line.number - number > FARTHEST) {
            printf("  ...\n");
            number = lines[next]->line.number - LINES_AROUND;
        }
        print_source_line(tree, number, at, source->lines[number - 1]);
    }
    for (; next < n; next++) /* without the text: there is no file, or it has fewer lines */
        print_source_line(tree, lines[next]->line.number, lines[next], NULL);
    tnd_source_file_free(source);
}

gboolean tnd_report_lines_print_source(const TndCallTree *tree, const char *function, const char *folder)
{
    GArray *all = tnd_line_list_new(tree);
    GPtrArray *lines = lines_of(all, function);
    gboolean is_fine = lines->len && have_lines(tree, all);
    if (!lines->len)
        complain_of_function(all, function);
    if (is_fine) {
        print_head(tree);
        printf("\n%s\n", function);
    }
    guint first = 0;
    for (guint i = 1; is_fine && i <= lines->len; i++) {
        const TndLine *line = lines->pdata[first], *after = i < lines->len ? lines->pdata[i] : NULL;
        if (after && g_strcmp0(after->line.file, line->line.file) == 0)
            continue;
        if (line->line.file)
            print_file(tree, (const TndLine *const *)lines->pdata + first, i - first, folder);
        for (; first < i; first++)
            if (!(line = lines->pdata[first])->line.file)
                print_line(tree, line, tnd_call_tree_n_samples(tree));
    }
    g_ptr_array_unref(lines);
    g_array_unref(all);
    return is_fine;
}
