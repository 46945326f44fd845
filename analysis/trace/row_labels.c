/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A short label is the end of a long one.
 */
#include "analysis/trace/row_labels.h"

#include "analysis/trace/row_choice.h"
#include "analysis/trace/trace_build.h"
#include "formats/event_types.h"

#include <string.h>

typedef struct {
    gboolean are_ranks;
    char **names[TND_LEVEL_N]; /* [row]; NULL until it is asked for */
    guint n[TND_LEVEL_N];
    guint8 *begin_short; /* [thread]: where the short label begins */
} Labels;

static gboolean has_ranks(const TndTrace *trace)
{
    static const guint32 types[] = {TND_TYPE_MPI_P2P, TND_TYPE_MPI_COLLECTIVE, TND_TYPE_MPI_OTHER};
    gboolean has = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(types); i++)
        has |= tnd_trace_n_events_of(trace, types[i]) > 0;
    return has;
}

/* Applications are told apart if there are several: ranks that were spawned are another one. */
static char *rank_name(const TndTrace *trace, guint application, guint task)
{
    if (tnd_levels_n_rows(trace, TND_LEVEL_APPLICATION) > 1)
        return g_strdup_printf("App %u rank %u", application, task - 1);
    return g_strdup_printf("Rank %u", task - 1);
}

static char *thread_name(const TndTrace *trace, guint row, guint8 *begin_short)
{
    const TndThread *thread = tnd_trace_thread(trace, row);
    const struct tnd_prv_place place = {0, thread->application, thread->task, thread->thread};
    char *usual = tnd_row_choice_default_name(&place), *name;
    const gsize length = strlen(usual);
    if (strncmp(thread->name, usual, length) || g_ascii_isdigit(thread->name[length])) {
        name = g_strdup(thread->name);
    } else {
        char *rank = rank_name(trace, thread->application, thread->task);
        const char *rest = thread->name + length;
        if (tnd_trace_n_threads(trace) > tnd_levels_n_rows(trace, TND_LEVEL_TASK)) {
            name = g_strdup_printf("%s thread %u%s", rank, thread->thread - 1, rest);
            *begin_short = (guint8)(strlen(rank) + 1);
        } else {
            name = g_strconcat(rank, rest, NULL);
        }
        g_free(rank);
    }
    g_free(usual);
    return name;
}

static char *task_name(const TndTrace *trace, guint row)
{
    const guint application = tnd_levels_row_above(trace, TND_LEVEL_TASK, row, TND_LEVEL_APPLICATION);
    guint first;
    tnd_levels_rows_below(trace, TND_LEVEL_APPLICATION, application, &first);
    return rank_name(trace, application + 1, row - first + 1);
}

static gpointer make(const TndTrace *trace)
{
    Labels *labels = g_new0(Labels, 1);
    labels->are_ranks = has_ranks(trace);
    labels->begin_short = g_new0(guint8, tnd_trace_n_threads(trace) + 1);
    for (TndLevel level = 0; level < TND_LEVEL_N; level++) {
        labels->n[level] = tnd_levels_n_rows(trace, level);
        labels->names[level] = g_new0(char *, labels->n[level] + 1);
    }
    return labels;
}

/* Threads that ask for the same one make the same. */
static const char *get(const Labels *labels, const TndTrace *trace, TndLevel level, guint row)
{
    char **place = &labels->names[level][row], *name = g_atomic_pointer_get(place);
    if (name)
        return name;
    if (labels->are_ranks && level == TND_LEVEL_THREAD)
        name = thread_name(trace, row, &labels->begin_short[row]);
    else if (labels->are_ranks && level == TND_LEVEL_TASK)
        name = task_name(trace, row);
    else
        name = tnd_levels_row_name(trace, level, row);
    if (!g_atomic_pointer_compare_and_exchange(place, NULL, name))
        g_free(name);
    return g_atomic_pointer_get(place);
}

static void free_labels(gpointer data)
{
    Labels *labels = data;
    for (TndLevel level = 0; level < TND_LEVEL_N; level++) {
        for (guint row = 0; row < labels->n[level]; row++)
            g_free(labels->names[level][row]);
        g_free(labels->names[level]);
    }
    g_free(labels->begin_short);
    g_free(labels);
}

static const Labels *labels_of(const TndTrace *trace)
{
    return tnd_trace_keep(trace, TND_TRACE_ROW_LABELS, make, free_labels);
}

/* A thread of a process that has no other one gets its number, too, if processes of the other trace have several. */
static void join_thread(Labels *labels, const TndTrace *trace, guint row, const TndTrace *part, guint of_part)
{
    const Labels *own = labels_of(part);
    const char *label = get(own, part, TND_LEVEL_THREAD, of_part), *prefix = tnd_trace_name(part);
    const guint task = tnd_levels_row_above(part, TND_LEVEL_THREAD, of_part, TND_LEVEL_TASK);
    const gboolean is_alone = !strcmp(label, get(own, part, TND_LEVEL_TASK, task)) &&
                              tnd_trace_n_threads(trace) > tnd_levels_n_rows(trace, TND_LEVEL_TASK);
    const gsize short_at = is_alone ? strlen(label) + 1 : own->begin_short[of_part];
    labels->names[TND_LEVEL_THREAD][row] = g_strdup_printf("%s: %s%s", prefix, label, is_alone ? " thread 0" : "");
    labels->begin_short[row] = (guint8)MIN(short_at ? strlen(prefix) + 2 + short_at : 0, G_MAXUINT8);
}

void tnd_row_labels_join(TndTrace *trace, const TndTrace *first, const TndTrace *second)
{
    static const TndLevel levels[] = {TND_LEVEL_APPLICATION, TND_LEVEL_TASK, TND_LEVEL_THREAD, TND_LEVEL_NODE,
                                      TND_LEVEL_CPU};
    Labels *labels = make(trace);
    for (guint i = 0; i < G_N_ELEMENTS(levels); i++) {
        char **names = labels->names[levels[i]];
        const guint n_first = tnd_levels_n_rows(first, levels[i]);
        for (guint row = 0; row < labels->n[levels[i]]; row++) {
            const TndTrace *part = row < n_first ? first : second;
            const guint of_part = row < n_first ? row : row - n_first;
            if (levels[i] == TND_LEVEL_THREAD)
                join_thread(labels, trace, row, part, of_part);
            else
                names[row] =
                    g_strdup_printf("%s: %s", tnd_trace_name(part), tnd_row_labels_get(part, levels[i], of_part));
        }
    }
    trace->kept[TND_TRACE_ROW_LABELS].free_it = free_labels;
    trace->kept[TND_TRACE_ROW_LABELS].made = (gsize)labels;
}

const char *tnd_row_labels_get(const TndTrace *trace, TndLevel level, guint row)
{
    return get(labels_of(trace), trace, level, row);
}

const char *tnd_row_labels_short(const TndTrace *trace, guint thread)
{
    const Labels *labels = labels_of(trace);
    const char *name = get(labels, trace, TND_LEVEL_THREAD, thread);
    return name + labels->begin_short[thread];
}
