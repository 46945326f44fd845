/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem heap`: which stacks allocate, what each of them had when the heap was largest, and what was never freed.
 */
#include "cli/cli.h"

#include "analysis/base/quantity.h"
#include "analysis/reports/heap_list.h"
#include "formats/csv.h"
#include "formats/fact.h"
#include "formats/output_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define LINES_SHOWN 20
#define PROCESSES_SHOWN 8

/* The orders that sites can be listed in. */
static const struct order {
    const char *name, *title;
    gsize field; /* in TndHeapFigures, of 64 bits */
} orders[] = {
    {"live", "Never freed", G_STRUCT_OFFSET(TndHeapFigures, live)},
    {"peak", "Live when the heap was largest", G_STRUCT_OFFSET(TndHeapFigures, peak_live)},
    {"allocated", "Allocated", G_STRUCT_OFFSET(TndHeapFigures, allocated)},
    {"allocations", "Allocations", G_STRUCT_OFFSET(TndHeapFigures, allocations)},
};

static gint64 figure(const TndHeapSite *site, const struct order *order)
{
    return G_STRUCT_MEMBER(gint64, &site->figures, order->field);
}

static int compare(gconstpointer a, gconstpointer b, gpointer order)
{
    gint64 x = figure(a, order), y = figure(b, order);
    if (x != y)
        return x < y ? 1 : -1;
    return strcmp(((const TndHeapSite *)a)->stack, ((const TndHeapSite *)b)->stack);
}

static void print_process(const TndHeapProcess *process)
{
    char *live = tnd_quantity_text((double)process->live, "B"), *peak = tnd_quantity_text((double)process->peak, "B");
    char *allocated = tnd_quantity_text((double)process->allocated, "B");
    char *n = tnd_quantity_text((double)process->allocations, "");
    char *place = g_strdup_printf("%u.%u", process->application, process->task);
    printf("  %-8s %12s %12s %12s %12s", place, peak, live, allocated, n);
    if (process->stack[0]) {
        char *name = tnd_heap_list_name(process->stack), *shown = tnd_cli_cut(name, 60);
        printf("  %s", shown);
        g_free(shown);
        g_free(name);
    }
    printf("\n");
    g_free(place);
    g_free(n);
    g_free(allocated);
    g_free(peak);
    g_free(live);
}

static void print_processes(const TndHeapList *list, gboolean all)
{
    guint n_shown = all ? list->processes->len : MIN(list->processes->len, PROCESSES_SHOWN);
    printf("\nHeap of each process, in usable bytes\n  %-8s %12s %12s %12s %12s  %s\n", "process", "largest",
           "at the end", "allocated", "allocations", "it was largest in");
    for (guint i = 0; i < n_shown; i++)
        print_process(&g_array_index(list->processes, TndHeapProcess, i));
    if (n_shown < list->processes->len)
        printf("  ... and %u more: --all shows them\n", list->processes->len - n_shown);
}

static void print_stack(const char *stack)
{
    char **frames = g_strsplit(stack, TND_FACT_STACK_CALLED_BY, -1);
    for (char **frame = frames; *frame; frame++)
        printf("  %52s%s\n", "", *frame);
    g_strfreev(frames);
}

static void print_site(const TndHeapSite *site, gboolean with_stack)
{
    const TndHeapFigures *figures = &site->figures;
    const double amounts[] = {(double)figures->live, (double)figures->peak_live, (double)figures->allocated};
    const guint64 counts[] = {figures->live_blocks, figures->peak_blocks, figures->allocations};
    char *name = tnd_heap_list_name(site->stack);
    printf("  ");
    for (guint i = 0; i < G_N_ELEMENTS(amounts); i++) {
        char *amount = tnd_quantity_text(amounts[i], "B"), *n = tnd_quantity_text((double)counts[i], "");
        printf("%9s %7s ", amount, n);
        g_free(n);
        g_free(amount);
    }
    printf(" %s\n", with_stack ? "" : name);
    if (with_stack)
        print_stack(site->stack);
    g_free(name);
}

/* Prints which blocks the sites count. */
static void print_how(const TndHeapList *list)
{
    gint64 sample = -1, live = 0, of_sites = 0;
    for (guint i = 0; i < list->processes->len; i++) {
        const TndHeapProcess *process = &g_array_index(list->processes, TndHeapProcess, i);
        sample = process->sample;
        live += process->live;
    }
    for (guint i = 0; i < list->sites->len; i++)
        of_sites += g_array_index(list->sites, TndHeapSite, i).figures.live;
    char *period = tnd_quantity_text((double)sample, "B"), *rest = tnd_quantity_text((double)(live - of_sites), "B");
    if (sample == 0)
        printf("\n  All blocks are counted; %s at the end were allocated before the recording, or by threads not "
               "recorded.\n",
               rest);
    else
        printf("\n  Estimates: one block is counted for every %s allocated (record --heap leaks counts all).\n",
               period);
    g_free(rest);
    g_free(period);
}

static void print_sites(const TndHeapList *list, const struct order *order, gboolean all, gboolean with_stacks)
{
    printf("\n%s\n  %17s %17s %17s  %s\n", order->title, "at the end", "at the largest", "allocated", "by");
    guint n_shown = 0, n = 0;
    for (guint i = 0; i < list->sites->len; i++) {
        const TndHeapSite *site = &g_array_index(list->sites, TndHeapSite, i);
        if (figure(site, order) <= 0)
            continue;
        if (all || n < LINES_SHOWN) {
            print_site(site, with_stacks);
            n_shown++;
        }
        n++;
    }
    if (n > n_shown)
        printf("  ... and %u more: --all shows them\n", n - n_shown);
}

static gboolean write_lines(FILE *file, const TndHeapList *list)
{
    static const char *const titles[] = {"site",
                                         "live [bytes]",
                                         "live blocks",
                                         "allocated [bytes]",
                                         "allocations",
                                         "live at largest [bytes]",
                                         "blocks at largest",
                                         "processes",
                                         "stack"};
    for (guint i = 0; i < G_N_ELEMENTS(titles); i++)
        tnd_csv_text(file, i == 0, titles[i]);
    tnd_csv_end_line(file);
    for (guint i = 0; i < list->sites->len; i++) {
        const TndHeapSite *site = &g_array_index(list->sites, TndHeapSite, i);
        const TndHeapFigures *figures = &site->figures;
        const double numbers[] = {(double)figures->live,       (double)figures->live_blocks,
                                  (double)figures->allocated,  (double)figures->allocations,
                                  (double)figures->peak_live,  (double)figures->peak_blocks,
                                  (double)figures->n_processes};
        char *name = tnd_heap_list_name(site->stack);
        tnd_csv_text(file, 1, name);
        for (guint k = 0; k < G_N_ELEMENTS(numbers); k++)
            tnd_csv_number(file, 0, numbers[k], 0);
        tnd_csv_text(file, 0, site->stack);
        tnd_csv_end_line(file);
        g_free(name);
    }
    return fflush(file) == 0 && !ferror(file);
}

/* Writes the sites as CSV; FALSE: complained. */
static gboolean write_csv(const TndHeapList *list, const char *path)
{
    if (strcmp(path, "-") == 0)
        return write_lines(stdout, list);
    FILE *file = tnd_output_file_open(path);
    gboolean is_written = file && write_lines(file, list);
    if (file && fclose(file) == 0 && is_written)
        return TRUE;
    tnd_cli_complain(path, "%s", tnd_output_file_reason(errno));
    return FALSE;
}

static int run(const char *path, const struct order *order, const char *csv, gboolean all, gboolean with_stacks)
{
    TndTrace *trace = tnd_cli_open(path);
    if (!trace)
        return TND_EXIT_INPUT;
    TndHeapList *list = tnd_heap_list_new(trace);
    int status = TND_EXIT_FINE;
    g_array_sort_with_data(list->sites, compare, (gpointer)order);
    if (!list->processes->len) {
        tnd_cli_complain(path, "the heap was not recorded (tandem record --heap sites)");
        status = TND_EXIT_INPUT;
    } else if (csv) {
        status = write_csv(list, csv) ? TND_EXIT_FINE : TND_EXIT_INPUT;
    } else {
        printf("%s\n", tnd_trace_shown(trace));
        print_processes(list, all);
        if (list->sites->len) {
            print_sites(list, order, all, with_stacks);
            print_how(list);
        }
    }
    tnd_heap_list_free(list);
    tnd_trace_free(trace);
    return status;
}

static const struct order *find_order(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(orders); i++)
        if (strcmp(orders[i].name, name) == 0)
            return &orders[i];
    return NULL;
}

int tnd_cli_heap(int argc, char **argv)
{
    char *by = NULL, *csv = NULL;
    gboolean all = FALSE, with_stacks = FALSE;
    const GOptionEntry entries[] = {
        {"by", 0, 0, G_OPTION_ARG_STRING, &by, "The order of the list, the largest first (default: live)",
         "live|peak|allocated|allocations"},
        {"all", 0, 0, G_OPTION_ARG_NONE, &all, "List all processes and sites", NULL},
        {"stacks", 0, 0, G_OPTION_ARG_NONE, &with_stacks, "Show the whole stack of each site", NULL},
        {"csv", 0, 0, G_OPTION_ARG_FILENAME, &csv, "Write all sites as CSV; - is standard output", "FILE"},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (tnd_cli_options(
            &argc, &argv, entries, "TRACE.prv",
            "Lists which stacks allocate, what they had when the heap was largest, and what was never freed.",
            &status)) {
        const struct order *order = find_order(by ? by : "live");
        status = TND_EXIT_USAGE;
        if (!order)
            tnd_cli_complain("heap", "--by: got \"%s\", takes live, peak, allocated or allocations", by);
        else if (argc != 2)
            tnd_cli_complain("heap", "takes one trace (see `tandem heap --help`)");
        else
            status = run(argv[1], order, csv, all, with_stacks);
    }
    g_free(by);
    g_free(csv);
    return status;
}
