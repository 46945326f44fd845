/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Differences of counters, as Extrae's traces have them: 41999999 where a set begins to count, with its number, and 0
 * for those of its counters that did not count before; then, at each reading, what was counted since the one before.
 */
#include "analysis/merge/write/merge_counts.h"
#include "formats/event_types.h"

#include <string.h>

struct TndMergeCounts {
    guint set;     /* the set that counts now; 0: none does */
    guint n, room; /* how many counters it has, and for how many there is room */
    guint32 *types;
    guint64 *last;
    guint64 read_ns;
};

TndMergeCounts *tnd_merge_counts_new(void)
{
    return g_new0(TndMergeCounts, 1);
}

void tnd_merge_counts_free(TndMergeCounts *counts)
{
    if (!counts)
        return;
    g_free(counts->types);
    g_free(counts->last);
    g_free(counts);
}

void tnd_merge_counts_reset(TndMergeCounts *counts)
{
    counts->set = counts->n = 0;
}

static guint32 type_of(const TndMergeProcess *process, guint set, guint place)
{
    const TndMergeCounter *counted = (const TndMergeCounter *)(void *)process->counters->data;
    for (guint i = 0; i < process->counters->len; i++)
        if (counted[i].id == (set << 8 | place))
            return counted[i].type;
    return 0;
}

static gboolean has_type(const guint32 *types, guint n, guint32 type)
{
    for (guint i = 0; i < n; i++)
        if (types[i] == type)
            return TRUE;
    return FALSE;
}

/* Begins a set.  A counter that the set before has, too, and that was read at this very moment has its event
 * already. */
static guint begin_set(TndMergeCounts *counts, const TndMergeProcess *process, const struct tnd_record *record,
                       guint64 now, struct tnd_prv_pair *pairs)
{
    guint32 types[TND_RECORD_MAX_WORDS];
    guint n_pairs = 0, n_before = counts->set && counts->read_ns == now ? counts->n : 0;
    if (counts->set != record->id)
        pairs[n_pairs++] = (struct tnd_prv_pair){TND_TYPE_COUNTER_SET, record->id};
    for (guint i = 0; i < record->n_words; i++) {
        types[i] = type_of(process, record->id, i);
        if (types[i] && !has_type(counts->types, n_before, types[i]))
            pairs[n_pairs++] = (struct tnd_prv_pair){types[i], 0};
    }
    counts->set = record->id;
    counts->n = record->n_words;
    if (counts->n > counts->room) {
        counts->types = g_renew(guint32, counts->types, counts->n);
        counts->last = g_renew(guint64, counts->last, counts->n);
        counts->room = counts->n;
    }
    if (!counts->n)
        return n_pairs;
    memcpy(counts->types, types, counts->n * sizeof *types);
    memcpy(counts->last, record->words, counts->n * sizeof *counts->last);
    return n_pairs;
}

/* Counts on within a set.  A sample may come between the time of another record and that record's reading: then the
 * sample's reading is the later one, and has the difference already. */
static guint go_on(TndMergeCounts *counts, const struct tnd_record *record, struct tnd_prv_pair *pairs)
{
    guint n_pairs = 0;
    for (guint i = 0; i < counts->n && i < record->n_words; i++) {
        gint64 counted = (gint64)(record->words[i] - counts->last[i]);
        if (counted > 0)
            counts->last[i] = record->words[i];
        if (counts->types[i])
            pairs[n_pairs++] = (struct tnd_prv_pair){counts->types[i], MAX(counted, 0)};
    }
    return n_pairs;
}

guint tnd_merge_counts_read(TndMergeCounts *counts, const TndMergeProcess *process, const struct tnd_record *record,
                            guint64 now, struct tnd_prv_pair *pairs)
{
    guint n_pairs = 0;
    if (record->aux & TND_COUNTERS_BEGIN)
        n_pairs = begin_set(counts, process, record, now, pairs);
    else if (counts->set == record->id)
        n_pairs = go_on(counts, record, pairs);
    counts->read_ns = now;
    return n_pairs;
}
