/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of the heap, from records to lines of the trace.
 */
#include "analysis/merge/read/merge_heap.h"
#include "analysis/merge/read/merge_addresses.h"
#include "formats/fact.h"

#include <string.h>

#define MAX_FRAMES 64 /* of a stack, inlined ones too */

/* The figures of a stack, or of a process, in the order of the record's words. */
enum { N_FIGURES = 6 };

struct figures {
    guint64 ticks, words[N_FIGURES];
};

/* The figures of one stack, summed up over all processes. */
struct sum {
    gint64 live, peak_live;
    guint64 live_blocks, allocated, allocations, peak_blocks;
    guint n_processes;
};

struct site {
    guint64 ticks; /* the time of its record */
    GArray *frames;
    struct figures figures;
};

struct TndMergeHeap {
    GHashTable *sites; /* number -> struct site * */
    struct figures figures;
};

static void free_site(gpointer data)
{
    struct site *site = data;
    g_array_unref(site->frames);
    g_free(site);
}

static struct site *site_of(struct TndMergeHeap *heap, guint32 number)
{
    struct site *site = g_hash_table_lookup(heap->sites, GUINT_TO_POINTER(number));
    if (!site) {
        site = g_new0(struct site, 1);
        site->frames = g_array_new(FALSE, FALSE, sizeof(guint64));
        g_hash_table_insert(heap->sites, GUINT_TO_POINTER(number), site);
    }
    return site;
}

void tnd_merge_heap_note(TndMergeProcess *process, const struct tnd_record *record)
{
    if (!process->heap) {
        process->heap = g_new0(struct TndMergeHeap, 1);
        process->heap->sites = g_hash_table_new_full(NULL, NULL, NULL, free_site);
    }
    if (record->kind == TND_RECORD_HEAP_SITE) {
        struct site *site = site_of(process->heap, record->id);
        site->ticks = record->time;
        g_array_set_size(site->frames, 0);
        g_array_append_vals(site->frames, record->words, record->n_words);
    } else if (record->n_words >= N_FIGURES) {
        struct figures *figures = record->id ? &site_of(process->heap, record->id)->figures : &process->heap->figures;
        if (record->time < figures->ticks)
            return; /* an older record, of another stream */
        figures->ticks = record->time;
        memcpy(figures->words, record->words, sizeof figures->words);
    }
}

void tnd_merge_heap_free(TndMergeProcess *process)
{
    if (process->heap)
        g_hash_table_unref(process->heap->sites);
    g_clear_pointer(&process->heap, g_free);
}

/* "function at file:line <- function at file:line ..." */
static char *name_stack(const TndMerge *merge, const TndMergeProcess *process, const struct site *site)
{
    TndMergeLevel levels[MAX_FRAMES];
    guint n = 0;
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < site->frames->len; i++)
        n += tnd_merge_addresses_levels(process,
                                        TND_MERGE_ADDRESS_IN_STACK | (g_array_index(site->frames, guint64, i) - 1),
                                        site->ticks, levels + n, MAX_FRAMES - n);
    for (guint i = 0; i < n; i++) {
        const char *function = merge->function_names->pdata[levels[i].function - 1];
        const char *line = merge->line_names->pdata[levels[i].line - 1];
        g_string_append_printf(text, "%s%s" TND_FACT_STACK_AT "%s", i ? TND_FACT_STACK_CALLED_BY : "", function, line);
    }
    return g_string_free(text, FALSE);
}

static void add_site(const TndMerge *merge, const TndMergeProcess *process, const struct site *site, GHashTable *sums)
{
    char *stack = name_stack(merge, process, site);
    struct sum *sum = g_hash_table_lookup(sums, stack);
    if (!sum) {
        sum = g_new0(struct sum, 1);
        g_hash_table_insert(sums, g_strdup(stack), sum);
    }
    const guint64 *figures = site->figures.words;
    sum->live += (gint64)figures[0];
    sum->live_blocks += figures[1];
    sum->allocated += figures[2];
    sum->allocations += figures[3];
    sum->peak_live += (gint64)figures[4];
    sum->peak_blocks += figures[5];
    sum->n_processes++;
    g_free(stack);
}

static void add_process(const TndMerge *merge, const TndMergeProcess *process, struct tnd_prv_place at,
                        GHashTable *sums, GPtrArray *facts)
{
    const guint64 *figures = process->heap->figures.words;
    struct site *peak = figures[1] ? g_hash_table_lookup(process->heap->sites, GUINT_TO_POINTER(figures[1])) : NULL;
    char *stack = peak ? name_stack(merge, process, peak) : g_strdup("");
    g_ptr_array_add(facts, g_strdup_printf(TND_FACT_HEAP_PROCESS "=%u.%u %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                                                                 " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                                                                 " %" G_GINT64_FORMAT " %s",
                                           at.application, at.task, (gint64)figures[0], (gint64)figures[4], figures[2],
                                           figures[3], (gint64)figures[5], stack));
    g_free(stack);
    GHashTableIter iter;
    gpointer site;
    g_hash_table_iter_init(&iter, process->heap->sites);
    while (g_hash_table_iter_next(&iter, NULL, &site))
        add_site(merge, process, site, sums);
}

static int compare_lines(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

GPtrArray *tnd_merge_heap_facts(const TndMerge *merge)
{
    GPtrArray *facts = g_ptr_array_new_with_free_func(g_free), *sites = g_ptr_array_new();
    GHashTable *sums = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint i = 0; i < merge->rows->len; i++) {
        const TndMergeRow *row = merge->rows->pdata[i];
        for (guint k = 0; row->at.thread == 1 && k < row->parts->len; k++) {
            const TndMergeProcess *process = g_array_index(row->parts, TndMergePart, k).process;
            if (process->heap)
                add_process(merge, process, row->at, sums, facts);
        }
    }
    GHashTableIter at;
    gpointer stack, value;
    g_hash_table_iter_init(&at, sums);
    while (g_hash_table_iter_next(&at, &stack, &value)) {
        const struct sum *sum = value;
        g_ptr_array_add(sites,
                        g_strdup_printf(TND_FACT_HEAP_SITE "=%" G_GINT64_FORMAT " %" G_GUINT64_FORMAT
                                                           " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                                                           " %" G_GINT64_FORMAT " %" G_GUINT64_FORMAT " %u %s",
                                        sum->live, sum->live_blocks, sum->allocated, sum->allocations, sum->peak_live,
                                        sum->peak_blocks, sum->n_processes, (const char *)stack));
    }
    g_ptr_array_sort(sites, compare_lines);
    g_ptr_array_extend_and_steal(facts, sites);
    g_hash_table_unref(sums);
    return facts;
}
