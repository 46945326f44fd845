/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums in an array by type and value.
 */
#include "analysis/merge/write/merge_counted.h"

#include "analysis/merge/base/merge_team.h"
#include "formats/event_types.h"

#define N_VALUES TND_EVENT_MPI_VALUES
#define N_TYPES (TND_TYPE_MPI_IO - TND_TYPE_MPI_P2P + 1)

void tnd_merge_counted_new(TndMerge *merge)
{
    merge->counted_calls = g_new0(TndMergeCounted, N_TYPES * N_VALUES);
}

static void add_library(TndMerge *merge, const TndMergeProcess *process, const struct tnd_record *record)
{
    gboolean is_known = record->aux < process->library_names->len;
    TndMergeFunctionSum *sum = &merge->library_sums[is_known ? process->library_values[record->aux] : 0];
    sum->n_counted += record->words[0];
    sum->counted_ns += record->words[1];
}

void tnd_merge_counted_add(TndMerge *merge, const TndMergeProcess *process, const struct tnd_record *record)
{
    if (record->n_words >= 2 && record->id == TND_TYPE_LIBRARY_FUNCTION)
        add_library(merge, process, record);
    if (record->n_words < 2 || !tnd_event_types_is_mpi(record->id) || record->aux >= N_VALUES)
        return;
    TndMergeCounted *counted = &merge->counted_calls[(record->id - TND_TYPE_MPI_P2P) * N_VALUES + record->aux];
    counted->n += record->words[0];
    counted->time_ns += record->words[1];
}

void tnd_merge_counted_share(TndMerge *merge)
{
    tnd_merge_team_sum(merge->team, &merge->counted_calls->n,
                       N_TYPES * N_VALUES * sizeof(TndMergeCounted) / sizeof(guint64));
}

GPtrArray *tnd_merge_counted_facts(const TndMerge *merge)
{
    GPtrArray *facts = g_ptr_array_new_with_free_func(g_free);
    for (guint32 i = 0; i < N_TYPES * N_VALUES; i++) {
        const TndMergeCounted *counted = &merge->counted_calls[i];
        if (counted->n)
            g_ptr_array_add(facts, g_strdup_printf("%u %u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                                                   TND_TYPE_MPI_P2P + i / N_VALUES, i % N_VALUES, counted->n,
                                                   counted->time_ns));
    }
    return facts;
}
