/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adds up the weights of samples by their innermost frames.
 */
#include "analysis/reports/culprit_functions.h"

#include "analysis/reports/samples.h"

#include <string.h>

#define FRAMES 3

/* The innermost frames of a sample. */
typedef struct {
    gint64 functions[FRAMES], lines[FRAMES];
} Stack;

typedef struct {
    const TndSyncOps *ops;
    guint row;
    TndSyncPlace place;
    gsize op;            /* the first operation that begins after the last sample */
    GHashTable *weights; /* GBytes of a Stack, to a double */
    double all;
} Finding;

static void take(gpointer self, const TndSample *sample)
{
    Finding *finding = self;
    gsize n = tnd_sync_ops_n(finding->ops, finding->row);
    Stack stack = {0};
    while (finding->op < n && tnd_sync_ops_at(finding->ops, finding->row, finding->op)->begin_ns < sample->time_ns)
        finding->op++;
    const TndSyncOp *before = finding->op ? tnd_sync_ops_at(finding->ops, finding->row, finding->op - 1) : NULL;
    TndSyncPlace place =
        finding->op < n ? tnd_sync_ops_place(tnd_sync_ops_at(finding->ops, finding->row, finding->op), FALSE) : 0;
    if (sample->is_rest || !sample->n_frames || place != finding->place || (before && before->end_ns > sample->time_ns))
        return;
    for (guint i = 0; i < MIN(sample->n_frames, FRAMES); i++) {
        stack.functions[i] = sample->frames[i];
        stack.lines[i] = i ? sample->lines[i] : 0; /* the innermost line changes from sample to sample */
    }
    GBytes *key = g_bytes_new(&stack, sizeof stack);
    double *weight = g_hash_table_lookup(finding->weights, key);
    if (weight)
        g_bytes_unref(key);
    else
        g_hash_table_insert(finding->weights, key, weight = g_new0(double, 1));
    *weight += (double)MAX(sample->weight_ns, 1);
    finding->all += (double)MAX(sample->weight_ns, 1);
}

static char *name_stack(const TndTrace *trace, const Stack *stack)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < FRAMES && stack->functions[i]; i++) {
        char *name = tnd_samples_function_name(trace, stack->functions[i]);
        g_string_append_printf(text, "%s%s", i ? " < " : "", name);
        g_free(name);
    }
    return g_string_free(text, FALSE);
}

char *tnd_culprit_functions_text(const TndSyncOps *ops, guint row, TndSyncPlace place, double *percent)
{
    const TndTrace *trace = tnd_sync_ops_trace(ops);
    Finding finding = {.ops = ops,
                       .row = row,
                       .place = place,
                       .weights =
                           g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, g_free)};
    const Stack *most = NULL;
    double most_weight = 0;
    GHashTableIter iter;
    gpointer key, weight;
    if (tnd_samples_exist(trace))
        tnd_samples_each_recorded(trace, row, TND_SAMPLES_CPU, take, &finding);
    g_hash_table_iter_init(&iter, finding.weights);
    while (g_hash_table_iter_next(&iter, &key, &weight)) {
        const Stack *stack = g_bytes_get_data(key, NULL);
        gboolean is_more = *(double *)weight > most_weight ||
                           (*(double *)weight == most_weight && memcmp(stack, most, sizeof *stack) < 0);
        most = is_more ? stack : most;
        most_weight = is_more ? *(double *)weight : most_weight;
    }
    char *text = most ? name_stack(trace, most) : NULL;
    *percent = finding.all > 0 ? 100 * most_weight / finding.all : 0;
    g_hash_table_unref(finding.weights);
    return text;
}
