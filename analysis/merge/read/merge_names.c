/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions, counters, functions of Python and executables get numbers in the order of their names, so that a name has
 * one value in all processes.
 */
#include "analysis/merge/read/merge_names.h"
#include "analysis/merge/base/merge_model.h"
#include "formats/event_types.h"

#include <string.h>

TndMergeProcess *tnd_merge_names_parent(const TndMerge *merge, const TndMergeProcess *process)
{
    TndMergeProcess *parent =
        process->parent_image_id ? g_hash_table_lookup(merge->by_image_id, &process->parent_image_id) : NULL;
    return parent == process ? NULL : parent;
}

static int compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts names, and drops those that are there twice. */
static void sort_names(GPtrArray *names)
{
    g_ptr_array_sort(names, compare_names);
    guint n = 0;
    for (guint i = 0; i < names->len; i++)
        if (!n || strcmp(names->pdata[n - 1], names->pdata[i]) != 0)
            names->pdata[n++] = names->pdata[i];
    g_ptr_array_set_size(names, (int)n);
}

static guint index_of(const GPtrArray *names, const char *name)
{
    guint low = 0, high = names->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (strcmp(names->pdata[middle], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_names(GPtrArray *all, const GPtrArray *names)
{
    for (guint i = 0; i < names->len; i++)
        if (names->pdata[i])
            g_ptr_array_add(all, names->pdata[i]);
}

/* A forked child goes on using the numbers that its parent defined. */
static void inherit_names(GPtrArray *names, const GPtrArray *parents)
{
    if (names->len < parents->len)
        g_ptr_array_set_size(names, (int)parents->len);
    for (guint i = 0; i < parents->len; i++)
        if (!names->pdata[i])
            names->pdata[i] = g_strdup(parents->pdata[i]);
}

/* For each name, base plus its place among all names. */
static guint32 *number_names(const GPtrArray *names, const GPtrArray *all, guint32 base)
{
    guint32 *numbers = g_new0(guint32, MAX(names->len, 1));
    for (guint i = 0; i < names->len; i++)
        if (names->pdata[i])
            numbers[i] = base + index_of(all, names->pdata[i]);
    return numbers;
}

/* A hash of a name, for is_same_name: without what may follow the name. */
static guint hash_name(gconstpointer name)
{
    guint hash = 5381;
    for (const char *c = name; *c && *c != TND_MERGE_MORE[0]; c++)
        hash = hash * 33 + (guchar)*c;
    return hash;
}

static gboolean is_same_name(gconstpointer a, gconstpointer b)
{
    gsize length = strcspn(a, TND_MERGE_MORE);
    return strcspn(b, TND_MERGE_MORE) == length && memcmp(a, b, length) == 0;
}

void tnd_merge_names_shorten(GPtrArray *names, const char *brackets)
{
    GHashTable *counts = g_hash_table_new(hash_name, is_same_name);
    for (guint i = 0; i < names->len; i++) {
        guint n = GPOINTER_TO_UINT(g_hash_table_lookup(counts, names->pdata[i]));
        g_hash_table_insert(counts, names->pdata[i], GUINT_TO_POINTER(n + 1));
    }
    char **labels = g_new(char *, names->len + 1);
    for (guint i = 0; i < names->len; i++) {
        char *name = names->pdata[i], *more = strstr(name, TND_MERGE_MORE);
        gboolean is_shared = GPOINTER_TO_UINT(g_hash_table_lookup(counts, name)) > 1;
        int length = more ? (int)(more - name) : (int)strlen(name);
        labels[i] = more && is_shared ? g_strdup_printf("%.*s %c%s%c", length, name, brackets[0], more + 1, brackets[1])
                                      : g_strndup(name, (gsize)length);
    }
    g_hash_table_unref(counts);
    for (guint i = 0; i < names->len; i++) {
        g_free(names->pdata[i]);
        names->pdata[i] = labels[i];
    }
    g_free(labels);
}

static const char *executable_of(const TndMergeProcess *process)
{
    return process->executable ? process->executable : "unknown";
}

static void number_all_names(TndMerge *merge)
{
    for (guint i = 0; i < merge->processes->len; i++) { /* in the order of begins: parents come before children */
        TndMergeProcess *process = merge->processes->pdata[i];
        const TndMergeProcess *parent = tnd_merge_names_parent(merge, process);
        if (parent && process->birth == TND_BIRTH_FORK) {
            inherit_names(process->region_names, parent->region_names);
            inherit_names(process->counter_names, parent->counter_names);
            inherit_names(process->python_names, parent->python_names);
            inherit_names(process->library_names, parent->library_names);
        }
        if (!process->is_shown)
            continue;
        add_names(merge->region_names, process->region_names);
        add_names(merge->counter_names, process->counter_names);
        add_names(merge->python_names, process->python_names);
        add_names(merge->library_names, process->library_names);
        g_ptr_array_add(merge->image_names, (gpointer)executable_of(process));
    }
    sort_names(merge->region_names);
    sort_names(merge->counter_names);
    sort_names(merge->python_names);
    sort_names(merge->library_names);
    sort_names(merge->image_names);
    for (guint i = 0; i < merge->processes->len; i++) {
        TndMergeProcess *process = merge->processes->pdata[i];
        if (!process->is_shown)
            continue;
        process->region_values = number_names(process->region_names, merge->region_names, 1);
        process->counter_types = number_names(process->counter_names, merge->counter_names, TND_TYPE_USER_COUNTER);
        process->python_values = number_names(process->python_names, merge->python_names, 1);
        process->library_values = number_names(process->library_names, merge->library_names, 1);
        process->image_value = 1 + index_of(merge->image_names, executable_of(process));
    }
}

void tnd_merge_names_run(TndMerge *merge)
{
    for (guint i = 0; i < merge->processes->len; i++) {
        TndMergeProcess *process = merge->processes->pdata[i];
        if (process->image_id)
            g_hash_table_insert(merge->by_image_id, &process->image_id, process);
    }
    number_all_names(merge);
}
