/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The label of a counter's type is its name and what that stands for; the label of a set is the names of its counters.
 */
#include "analysis/merge/read/merge_counters.h"
#include "analysis/merge/read/merge_names.h"
#include "formats/event_types.h"

#include <string.h>

void tnd_merge_counters_note(TndMerge *merge, TndMergeProcess *process, const struct tnd_record *define,
                             const char *text)
{
    const char *more = strstr(text, TND_MERGE_MORE);
    TndMergeCounter counted = {define->id, (guint32)define->words[0],
                               g_strndup(text, more ? (gsize)(more - text) : strlen(text))};
    char *label = more && more[1] ? g_strdup_printf("%s [%s]", counted.name, more + 1) : g_strdup(counted.name);
    TndMergeLabel of_type = {.type = counted.type, .label = label};
    g_array_append_val(merge->labels, of_type);
    g_array_append_val(process->counters, counted);
}

/* Where the counters of a set are not the same in all processes, its label has those of the first process. */
void tnd_merge_counters_run(TndMerge *merge)
{
    GHashTable *known = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < merge->processes->len; i++) {
        const TndMergeProcess *process = merge->processes->pdata[i];
        for (guint k = 0; k < process->counters->len; k++) {
            const guint set = g_array_index(process->counters, TndMergeCounter, k).id >> 8;
            if (!g_hash_table_add(known, GUINT_TO_POINTER(set)))
                continue;
            GString *names = g_string_new(NULL);
            for (guint m = k; m < process->counters->len; m++) {
                const TndMergeCounter *counted = &g_array_index(process->counters, TndMergeCounter, m);
                if (counted->id >> 8 == set)
                    g_string_append_printf(names, "%s%s", names->len ? ", " : "", counted->name);
            }
            TndMergeLabel label = {TND_TYPE_COUNTER_SET, set, TRUE, g_string_free(names, FALSE)};
            g_array_append_val(merge->labels, label);
        }
    }
    g_hash_table_unref(known);
}
