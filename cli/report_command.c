/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem report`: prints where the CPU time of a run went, by function and by caller, and draws it as a flame graph.
 */
#include "cli/cli.h"
#include "cli/row_option.h"

#include "analysis/base/quantity.h"
#include "analysis/reports/call_tree.h"
#include "analysis/reports/flame_graph.h"
#include "analysis/reports/samples.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#define FUNCTIONS_SHOWN 20
#define NAME_WIDTH 64
#define DEEPEST_INDENT 24

typedef struct {
    char *rows, *flame;
    double least_percent; /* of a path of the tree */
    gboolean all;
} Words;

static double percent(guint64 part, guint64 whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

/* Half the width of the interval that has the true share with a probability of 95 %, in percent: Wilson's, of `n`
 * samples that found this share.  Samples weigh about the same. */
static double uncertainty(double share_percent, guint64 n)
{
    const double z = 1.96, share = share_percent / 100, count = (double)MAX(n, 1);
    return 100 * z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count);
}

static char *quantity_of(const TndCallTree *tree, guint64 number)
{
    return tree->is_time ? tnd_quantity_text((double)number, "ns") : g_strdup_printf("%" G_GUINT64_FORMAT, number);
}

static guint64 count_samples(const TndCallTree *tree)
{
    guint64 n = 0;
    for (guint i = 0; i < tree->nodes->len; i++)
        n += tnd_call_tree_node(tree, i)->n;
    return n;
}

/* Functions that only call others are in the tree. */
static guint count_shown(const GArray *functions)
{
    guint n = 0;
    while (n < MIN(functions->len, FUNCTIONS_SHOWN) && g_array_index(functions, TndCallFunction, n).self)
        n++;
    return n;
}

static void print_functions(const TndTrace *trace, const TndCallTree *tree, const Words *words)
{
    GArray *functions = tnd_call_tree_functions(tree);
    guint64 all = tnd_call_tree_node(tree, 0)->total, n = count_samples(tree);
    guint n_shown = words->all ? functions->len : count_shown(functions);
    printf("\nFunctions: in themselves (95 %% sure within +-), and with what they call\n  %8s %8s %8s %12s  %s\n",
           "self", "+-", "total", tree->is_time ? "self" : "samples", "function");
    for (guint i = 0; i < n_shown; i++) {
        const TndCallFunction *function = &g_array_index(functions, TndCallFunction, i);
        char *label = tnd_samples_function_name(trace, function->function), *name = tnd_cli_cut(label, NAME_WIDTH);
        char *self = quantity_of(tree, function->self);
        double share = percent(function->self, all);
        printf("  %6.2f %% %6.2f %% %6.2f %% %12s  %s\n", share, uncertainty(share, n), percent(function->total, all),
               self, name);
        g_free(self);
        g_free(name);
        g_free(label);
    }
    if (n_shown < functions->len)
        printf("  ... and %u more: --all shows them\n", functions->len - n_shown);
    g_array_unref(functions);
}

static void print_path(const TndTrace *trace, const TndCallTree *tree, const Words *words, guint at, guint depth)
{
    const TndCallNode *node = tnd_call_tree_node(tree, at);
    guint64 all = tnd_call_tree_node(tree, 0)->total;
    if (at) {
        char *label = tnd_samples_function_name(trace, node->function), *name = tnd_cli_cut(label, NAME_WIDTH);
        guint indent = MIN(depth - 1, DEEPEST_INDENT);
        printf("  %6.2f %% %6.2f %%  %*s%s%s\n", percent(node->total, all), percent(node->self, all), (int)indent * 2,
               "", depth - 1 > indent ? "... " : "", name);
        g_free(name);
        g_free(label);
    }
    for (guint child = node->first_child; child; child = tnd_call_tree_node(tree, child)->sibling)
        if (percent(tnd_call_tree_node(tree, child)->total, all) >= words->least_percent)
            print_path(trace, tree, words, child, depth + 1);
}

static void print_report(const TndTrace *trace, const TndCallTree *tree, const Words *words)
{
    char *total = quantity_of(tree, tnd_call_tree_node(tree, 0)->total);
    guint64 n = count_samples(tree);
    printf("%s\n%" G_GUINT64_FORMAT " %s", tnd_trace_path(trace), n, n == 1 ? "sample" : "samples");
    printf(tree->is_time ? " of %s of CPU time\n" : "\n", total);
    g_free(total);
    print_functions(trace, tree, words);
    printf("\nWho calls whom: paths of %g %% and more\n  %8s %8s  %s\n", words->least_percent, "total", "self",
           "function");
    print_path(trace, tree, words, 0, 0);
}

/* FALSE: complained. */
static gboolean draw(const char *path, const TndTrace *trace, const TndCallTree *tree)
{
    FILE *file = fopen(path, "w");
    if (file) {
        tnd_flame_graph_write(file, trace, tree);
        gboolean is_written = fflush(file) == 0 && !ferror(file);
        if (fclose(file) == 0 && is_written)
            return TRUE;
    }
    tnd_cli_complain(path, "%s", g_strerror(errno));
    return FALSE;
}

static int report(const TndTrace *trace, const Words *words)
{
    gboolean *chosen = words->rows ? tnd_row_option_parse("report", trace, words->rows) : NULL;
    if (words->rows && !chosen)
        return TND_EXIT_USAGE;
    const TndCallTreeOptions options = {.is_chosen = chosen};
    TndCallTree *tree = tnd_call_tree_new(trace, &options);
    int status = TND_EXIT_FINE;
    if (tree->nodes->len == 1) {
        tnd_cli_complain(tnd_trace_path(trace), "no samples%s (tandem record --sampling-period)",
                         chosen ? " in these threads" : "");
        status = TND_EXIT_INPUT;
    } else if (words->flame && !draw(words->flame, trace, tree)) {
        status = TND_EXIT_INPUT;
    } else {
        print_report(trace, tree, words);
    }
    tnd_call_tree_free(tree);
    g_free(chosen);
    return status;
}

int tnd_cli_report(int argc, char **argv)
{
    Words words = {.least_percent = 1};
    const GOptionEntry entries[] = {
        {"flame", 'f', 0, G_OPTION_ARG_FILENAME, &words.flame, "Also draw a flame graph, as SVG", "FILE"},
        {"rows", 'r', 0, G_OPTION_ARG_STRING, &words.rows, "Only these threads: 1.2.*, 1.1-4, rank:0-3 or names",
         "ROWS"},
        {"least", 'l', 0, G_OPTION_ARG_DOUBLE, &words.least_percent,
         "The least share of a path that is printed, in percent (default: 1)", "PERCENT"},
        {"all", 'a', 0, G_OPTION_ARG_NONE, &words.all, "List all functions", NULL},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (tnd_cli_options(&argc, &argv, entries, "TRACE.prv",
                        "Prints where the CPU time went: functions, and who called them.", &status)) {
        status = TND_EXIT_USAGE;
        if (!(words.least_percent >= 0 && words.least_percent <= 100))
            tnd_cli_complain("report", "--least: takes 0 to 100");
        else if (argc != 2)
            tnd_cli_complain("report", "takes one trace (see `tandem report --help`)");
        else {
            TndTrace *trace = tnd_cli_open(argv[1]);
            status = trace ? report(trace, &words) : TND_EXIT_INPUT;
            tnd_trace_free(trace);
        }
    }
    g_free(words.flame);
    g_free(words.rows);
    return status;
}
