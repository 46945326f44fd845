/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the facts of the heap.
 */
#include "analysis/reports/heap_list.h"

#include "formats/fact.h"

#include <stdio.h>
#include <string.h>

static void clear_site(gpointer site)
{
    g_free(((TndHeapSite *)site)->stack);
}

static void clear_process(gpointer process)
{
    g_free(((TndHeapProcess *)process)->stack);
}

static void read_site(TndHeapList *list, const char *text)
{
    TndHeapSite site = {0};
    TndHeapFigures *figures = &site.figures;
    int end = 0;
    if (sscanf(text,
               "%" G_GINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
               " %" G_GINT64_FORMAT " %" G_GUINT64_FORMAT " %u %n",
               &figures->live, &figures->live_blocks, &figures->allocated, &figures->allocations, &figures->peak_live,
               &figures->peak_blocks, &figures->n_processes, &end) < 7)
        return;
    site.stack = g_strdup(text + end);
    g_array_append_val(list->sites, site);
}

static void read_process(TndHeapList *list, const char *text)
{
    TndHeapProcess process = {0};
    int end = 0;
    if (sscanf(text,
               "%u.%u %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
               " %" G_GINT64_FORMAT " %n",
               &process.application, &process.task, &process.live, &process.peak, &process.allocated,
               &process.allocations, &process.sample, &end) < 7)
        return;
    process.stack = g_strdup(text + end);
    g_array_append_val(list->processes, process);
}

/* The most live bytes first, then the most allocated, then by stack, so that the order is always the same. */
static int compare_sites(gconstpointer a, gconstpointer b)
{
    const TndHeapSite *x = a, *y = b;
    if (x->figures.live != y->figures.live)
        return x->figures.live < y->figures.live ? 1 : -1;
    if (x->figures.allocated != y->figures.allocated)
        return x->figures.allocated < y->figures.allocated ? 1 : -1;
    return strcmp(x->stack, y->stack);
}

TndHeapList *tnd_heap_list_new(const TndTrace *trace)
{
    TndHeapList *list = g_new0(TndHeapList, 1);
    list->processes = g_array_new(FALSE, FALSE, sizeof(TndHeapProcess));
    list->sites = g_array_new(FALSE, FALSE, sizeof(TndHeapSite));
    g_array_set_clear_func(list->processes, clear_process);
    g_array_set_clear_func(list->sites, clear_site);
    for (const char *const *comment = tnd_trace_comments(trace); *comment; comment++) {
        const char *site = tnd_fact_value(*comment, TND_FACT_HEAP_SITE);
        const char *process = tnd_fact_value(*comment, TND_FACT_HEAP_PROCESS);
        if (site)
            read_site(list, site);
        else if (process)
            read_process(list, process);
    }
    g_array_sort(list->sites, compare_sites);
    return list;
}

void tnd_heap_list_free(TndHeapList *list)
{
    g_array_unref(list->processes);
    g_array_unref(list->sites);
    g_free(list);
}

static gboolean is_of_language(const char *function)
{
    static const char *const prefixes[] = {"operator new", "std::",    "__gnu_cxx::", "void std::", "__GI_",
                                           "strdup at",    "__strdup", "strndup at",  "g_malloc",   "g_strdup"};
    for (gsize i = 0; i < G_N_ELEMENTS(prefixes); i++)
        if (g_str_has_prefix(function, prefixes[i]))
            return TRUE;
    return FALSE;
}

char *tnd_heap_list_name(const char *stack)
{
    const char *first = stack;
    for (const char *next; is_of_language(stack) && (next = strstr(stack, TND_FACT_STACK_CALLED_BY));)
        stack = next + strlen(TND_FACT_STACK_CALLED_BY);
    if (is_of_language(stack))
        stack = first;
    const char *end = strstr(stack, TND_FACT_STACK_CALLED_BY);
    return end ? g_strndup(stack, (gsize)(end - stack)) : g_strdup(stack);
}
