/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prints the tables of `tandem report`.
 */
#include "cli/report_text.h"

#include "analysis/base/quantity.h"
#include "cli/cli.h"

#include <stdio.h>

#define FUNCTIONS_SHOWN 20
#define GONE_SHOWN 8
#define NAME_WIDTH 64
#define DEEPEST_INDENT 24

/* What is printed, and what of it is told often. */
typedef struct {
    const TndCallTree *tree;
    const TndCallChange *change;
    const TndReportTextOptions *options;
    guint64 all, n; /* the tree's total, and its samples */
} Report;

char *tnd_report_text_quantity(const TndCallTree *tree, guint64 number)
{
    return tree->is_time ? tnd_quantity_text((double)number, "ns") : g_strdup_printf("%" G_GUINT64_FORMAT, number);
}

char *tnd_report_text_sum(const TndCallTree *tree)
{
    guint64 n = tnd_call_tree_n_samples(tree);
    char *total = tnd_report_text_quantity(tree, tnd_call_tree_node(tree, 0)->total);
    char *sum = g_strdup_printf("%" G_GUINT64_FORMAT " %s", n, n == 1 ? "sample" : "samples");
    if (tree->is_time) {
        char *number = sum;
        sum = g_strdup_printf("%s of %s of %s", number, total, tnd_call_tree_unit(tree));
        g_free(number);
    }
    g_free(total);
    return sum;
}

static double percent(const Report *report, guint64 part)
{
    return tnd_proportion_of(part, report->all, report->n).percent;
}

static void print_name(const TndCallTree *tree, gint64 function)
{
    char *label = tnd_call_tree_name(tree, function), *name = tnd_cli_cut(label, NAME_WIDTH);
    printf("%s\n", name);
    g_free(name);
    g_free(label);
}

/* A change, and a star if it is more than chance. */
static void print_change(TndProportion change)
{
    printf(" %+7.2f %% %6.2f %% %c", change.percent, change.sure, tnd_call_change_is_sure(change) ? '*' : ' ');
}

/* Functions that only call others are in the tree. */
static guint count_shown(const GArray *functions)
{
    guint n = 0;
    while (n < MIN(functions->len, FUNCTIONS_SHOWN) && g_array_index(functions, TndCallFunction, n).self)
        n++;
    return n;
}

/* How many of the functions, which are sorted by self, are of this tree and not only of what it is compared with. */
static guint count_own(GArray *functions)
{
    guint n = 0;
    for (guint i = 0; i < functions->len; i++) {
        TndCallFunction function = g_array_index(functions, TndCallFunction, i);
        if (function.total)
            g_array_index(functions, TndCallFunction, n++) = function;
    }
    return n;
}

static GHashTable *selves_before(const TndCallChange *change, GArray *before)
{
    GHashTable *selves = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (guint i = 0; change && i < before->len; i++) {
        TndCallFunction *function = &g_array_index(before, TndCallFunction, i);
        g_hash_table_insert(selves, &function->function, &function->self);
    }
    return selves;
}

static void print_functions(const Report *report)
{
    const TndCallChange *change = report->change;
    GArray *functions = tnd_call_tree_functions(report->tree);
    GArray *before = change ? tnd_call_tree_functions(change->before) : NULL;
    GHashTable *selves = selves_before(change, before);
    if (change)
        g_array_set_size(functions, count_own(functions));
    guint n_shown = report->options->all ? functions->len : count_shown(functions);
    printf("\nFunctions: in themselves (95 %% sure within +-), and with what they call\n  %8s %8s %8s%s %12s  %s\n",
           "self", "+-", "total", change ? "    change       +-  " : "", report->tree->is_time ? "self" : "samples",
           "function");
    for (guint i = 0; i < n_shown; i++) {
        const TndCallFunction *function = &g_array_index(functions, TndCallFunction, i);
        char *self = tnd_report_text_quantity(report->tree, function->self);
        TndProportion share = tnd_proportion_of(function->self, report->all, report->n);
        printf("  %6.2f %% %6.2f %% %6.2f %%", share.percent, share.sure, percent(report, function->total));
        if (change) {
            const guint64 *was = g_hash_table_lookup(selves, &function->function);
            print_change(tnd_call_change_of_selves(change, function->self, was ? *was : 0));
        }
        printf(" %12s  ", self);
        print_name(report->tree, function->function);
        g_free(self);
    }
    if (n_shown < functions->len)
        printf("  ... and %u more: --all shows them\n", functions->len - n_shown);
    g_hash_table_unref(selves);
    if (before)
        g_array_unref(before);
    g_array_unref(functions);
}

static void print_path(const Report *report, guint at, guint depth)
{
    const TndCallTree *tree = report->tree;
    const TndCallNode *node = tnd_call_tree_node(tree, at);
    if (at) {
        guint indent = MIN(depth - 1, DEEPEST_INDENT);
        printf("  %6.2f %% %6.2f %%", percent(report, node->total), percent(report, node->self));
        if (report->change)
            print_change(tnd_call_change_of_node(report->change, at));
        printf("  %*s%s", (int)indent * 2, "", depth - 1 > indent ? "... " : "");
        print_name(tree, node->function);
    }
    for (guint child = node->first_child; child; child = tnd_call_tree_node(tree, child)->sibling) {
        guint64 total = tnd_call_tree_node(tree, child)->total;
        if ((total || !report->change) && percent(report, total) >= report->options->least_percent)
            print_path(report, child, depth + 1);
    }
}

static void print_against(const TndCallChange *change, const char *against)
{
    char *sum = tnd_report_text_sum(change->before), *gone = tnd_call_change_gone(change, GONE_SHOWN);
    printf("against %s: %s\nA change is of the share, in percent of all; * more than chance: its +- does not reach 0\n",
           against, sum);
    if (gone)
        printf("Only there: %s\n", gone);
    g_free(gone);
    g_free(sum);
}

void tnd_report_text_print(const TndCallTree *tree, const TndCallChange *change, const char *against,
                           const TndReportTextOptions *options)
{
    if (change)
        tree = change->now;
    const Report report = {tree, change, options, tnd_call_tree_node(tree, 0)->total, tnd_call_tree_n_samples(tree)};
    char *sum = tnd_report_text_sum(tree);
    printf("%s\n%s\n", tnd_trace_shown(tree->trace), sum);
    if (change)
        print_against(change, against);
    print_functions(&report);
    printf("\nWho calls whom: paths of %g %% and more\n  %8s %8s%s  %s\n", options->least_percent, "total", "self",
           change ? "    change       +-  " : "", "function");
    print_path(&report, 0, 0);
    g_free(sum);
}
