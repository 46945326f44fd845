/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The .pcf and .row of a merged trace: labels of the event types that occur (and of the rest of their family, so that
 * a legend is whole), names of nodes, tasks and threads.
 */
#include "analysis/merge/write/merge_labels.h"
#include "analysis/merge/write/merge_function_sums.h"
#include "formats/event_types.h"

#include <stdlib.h>
#include <string.h>

/* Types that Paraver's analyses expect together. */
static const struct {
    guint32 first, last;
} families[] = {
    {50000001, 50000005}, /* calls of MPI, which are numbered over five types */
    {50100001, 50100004}, /* what a collective moves, its root and communicator */
};

static void add_type(struct tnd_pcf *pcf, guint32 type)
{
    const struct tnd_event_type *known = tnd_event_types_find(type);
    char label[128];
    tnd_pcf_set_type(pcf, type, tnd_event_types_label(type, label, sizeof label) ? label : "User event");
    for (gsize i = 0; known && i < known->n_values; i++)
        tnd_pcf_set_value(pcf, type, known->values[i].value, known->values[i].label);
}

static void add_names(struct tnd_pcf *pcf, guint32 type, const GPtrArray *names)
{
    tnd_pcf_set_value(pcf, type, 0, "End");
    for (guint i = 0; i < names->len; i++)
        tnd_pcf_set_value(pcf, type, i + 1, names->pdata[i]);
}

/* Types whose values are names that only this run has. */
static const struct {
    guint32 first, last;
    gsize names; /* where TndMerge has the GPtrArray of them */
} named[] = {
#define NAMED(type, last, names)                                                                                       \
    {                                                                                                                  \
        TND_TYPE_##type, TND_TYPE_##last, G_STRUCT_OFFSET(TndMerge, names)                                             \
    }
    NAMED(SAMPLED_FUNCTION, SAMPLED_FUNCTION_CALLER_LAST, function_names),
    NAMED(SAMPLED_LINE, SAMPLED_LINE_CALLER_LAST, line_names),
    NAMED(WAITING_FUNCTION, WAITING_FUNCTION_CALLER_LAST, function_names),
    NAMED(WAITING_LINE, WAITING_LINE_CALLER_LAST, line_names),
    NAMED(CALLER_LEVEL, CALLER_LEVEL_LAST, function_names),
    NAMED(CALLER_LINE_LEVEL, CALLER_LINE_LEVEL_LAST, line_names),
    NAMED(OPENMP_FUNCTION, OPENMP_FUNCTION, function_names),
    NAMED(OPENMP_FUNCTION_LINE, OPENMP_FUNCTION_LINE, line_names),
    NAMED(OPENMP_TASK, OPENMP_TASK_CREATED, function_names),
    NAMED(OPENMP_TASK_LINE, OPENMP_TASK_CREATED_LINE, line_names),
    NAMED(THREAD_FUNCTION, THREAD_FUNCTION, function_names),
    NAMED(THREAD_FUNCTION_LINE, THREAD_FUNCTION_LINE, line_names),
    NAMED(REGION, REGION, region_names),
    NAMED(LIBRARY, LIBRARY, library_files),
    NAMED(IMAGE, IMAGE, image_names),
#undef NAMED
};

static void add_own_names(const TndMerge *merge, struct tnd_pcf *pcf, guint32 type)
{
    for (gsize i = 0; i < G_N_ELEMENTS(named); i++)
        if (type >= named[i].first && type <= named[i].last)
            add_names(pcf, type, G_STRUCT_MEMBER(const GPtrArray *, merge, named[i].names));
    if (type == TND_TYPE_LIBRARY_FUNCTION)
        tnd_merge_function_sums_labels(merge->library_sums, merge->library_names, "[]", pcf, type);
    if (type == TND_TYPE_PYTHON_FUNCTION)
        tnd_merge_function_sums_labels(merge->python_sums, merge->python_names, "()", pcf, type);
    if (type >= TND_TYPE_USER_COUNTER && type <= TND_TYPE_USER_COUNTER_LAST &&
        type - TND_TYPE_USER_COUNTER < merge->counter_names->len)
        tnd_pcf_set_type(pcf, type, merge->counter_names->pdata[type - TND_TYPE_USER_COUNTER]);
}

static int compare_types(gconstpointer a, gconstpointer b)
{
    guint x = GPOINTER_TO_UINT(*(gpointer const *)a), y = GPOINTER_TO_UINT(*(gpointer const *)b);
    return (x > y) - (x < y);
}

static void add_families(GHashTable *types)
{
    for (guint i = 0; i < G_N_ELEMENTS(families); i++) {
        gboolean occurs = FALSE;
        for (guint32 type = families[i].first; type <= families[i].last; type++)
            occurs |= g_hash_table_contains(types, GUINT_TO_POINTER(type));
        for (guint32 type = families[i].first; occurs && type <= families[i].last; type++)
            g_hash_table_add(types, GUINT_TO_POINTER(type));
    }
}

struct tnd_pcf *tnd_merge_labels_pcf(const TndMerge *merge)
{
    struct tnd_pcf *pcf = tnd_pcf_new();
    add_families(merge->types);
    guint n_types;
    gpointer *types = g_hash_table_get_keys_as_array(merge->types, &n_types);
    qsort(types, n_types, sizeof *types, compare_types);
    for (guint i = 0; i < n_types; i++) {
        guint32 type = GPOINTER_TO_UINT(types[i]);
        add_type(pcf, type);
        add_own_names(merge, pcf, type);
    }
    g_free(types);
    for (guint i = 0; i < merge->labels->len; i++) {
        const TndMergeLabel *label = &g_array_index(merge->labels, TndMergeLabel, i);
        if (!g_hash_table_contains(merge->types, GUINT_TO_POINTER(label->type)))
            continue;
        if (label->has_value)
            tnd_pcf_set_value(pcf, label->type, label->value, label->label);
        else
            tnd_pcf_set_type(pcf, label->type, label->label);
    }
    return pcf;
}

/* The name that the program gave to the threads of a stream, if all have the same; NULL: they have none. */
static const char *name_of(const TndMergeProcess *process, const TndMergeThreads *threads)
{
    const GPtrArray *told = process->thread_names; /* the names of threads that still live, as they were told last */
    gboolean is_told = threads->last < told->len && told->pdata[threads->last];
    const char *name = is_told ? told->pdata[threads->last] : threads->name;
    gboolean is_of_all = threads->n <= 1 || (!threads->have_several_names && strcmp(threads->first_name, name) == 0);
    return *name && is_of_all ? name : NULL;
}

/* The name of what a process ran: for its first row, in a run of several processes without ranks; else NULL. */
static const char *process_name(const TndMerge *merge, const TndMergeRow *row)
{
    const TndMergeApplication *application = merge->applications->pdata[row->at.application - 1];
    const TndMergeTask *task = &g_array_index(application->tasks, TndMergeTask, row->at.task - 1);
    gboolean is_told = row->at.thread == 1 && application->tasks->len > 1 && !application->is_ranked;
    return is_told ? task->name : NULL;
}

/* The name of a row besides its place: that of its threads, or that of its process; NULL: there is none. */
static const char *other_name(const TndMerge *merge, const TndMergeRow *row)
{
    const TndMergePart *part = &g_array_index(row->parts, TndMergePart, 0);
    const char *name = NULL;
    if (row->parts->len == 1 && part->streams[TND_MERGE_MAIN] >= 0) {
        const GArray *streams = part->process->streams;
        name = name_of(part->process, &g_array_index(streams, TndMergeStream, part->streams[TND_MERGE_MAIN]).threads);
    }
    return name ? name : process_name(merge, row);
}

static char *row_name(const TndMerge *merge, const TndMergeRow *row)
{
    const char *name = other_name(merge, row);
    char *place = g_strdup_printf("THREAD %u.%u.%u", row->at.application, row->at.task, row->at.thread);
    if (!name)
        return place;
    char *text = g_utf8_make_valid(name, -1), *whole = g_strdup_printf("%s (%s)", place, text);
    for (char *c = whole; *c; c++)
        if ((guchar)*c < ' ' || *c == 127)
            *c = '?';
    g_free(text);
    g_free(place);
    return whole;
}

struct tnd_row *tnd_merge_labels_row(const TndMerge *merge)
{
    struct tnd_row *row = tnd_row_new();
    for (guint i = 0; i < merge->nodes->len; i++)
        tnd_row_add(row, TND_ROW_NODE, merge->nodes->pdata[i]);
    for (guint i = 0; i < merge->applications->len; i++) {
        const GArray *tasks = ((TndMergeApplication *)merge->applications->pdata[i])->tasks;
        for (guint t = 0; t < tasks->len; t++)
            tnd_row_add(row, TND_ROW_TASK, g_array_index(tasks, TndMergeTask, t).name);
    }
    for (guint i = 0; i < merge->rows->len; i++) {
        char *name = row_name(merge, merge->rows->pdata[i]);
        tnd_row_add(row, TND_ROW_THREAD, name);
        g_free(name);
    }
    return row;
}
