/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adds up the weights of samples by their innermost frames, or by those that called MPI.
 */
#include "analysis/reports/culprit_functions.h"

#include "analysis/reports/samples.h"

#include <string.h>

#define FRAMES 3
#define WITHIN ((TndSyncPlace)1 << 63)

/* The innermost frames of a sample, or those that called MPI. */
typedef struct {
    gint64 functions[FRAMES];
} Stack;

typedef struct {
    GHashTable *stacks; /* GBytes of a Stack, to a double */
    double all;
} Weights;

typedef struct {
    const TndSyncOps *ops;
    guint row;
    TndSyncPlace place;
    gsize op;                /* the first operation that begins after the last sample */
    GHashTable *calls;       /* function to whether it is the MPI call of the place (1) or another function (2) */
    Weights before, callers; /* before operations of the place; in them, of those who called MPI */
} Finding;

static void add(Weights *weights, const TndSample *sample, guint first)
{
    Stack stack = {0};
    for (guint i = first; i < MIN(sample->n_frames, first + FRAMES); i++)
        stack.functions[i - first] = sample->frames[i];
    GBytes *key = g_bytes_new(&stack, sizeof stack);
    double *weight = g_hash_table_lookup(weights->stacks, key);
    if (weight)
        g_bytes_unref(key);
    else
        g_hash_table_insert(weights->stacks, key, weight = g_new0(double, 1));
    *weight += (double)MAX(sample->weight_ns, 1);
    weights->all += (double)MAX(sample->weight_ns, 1);
}

/* Whether a function is an MPI call in one of its forms: MPI_Send, PMPI_Send, mpi_send_. */
static gboolean is_call(Finding *finding, const TndSyncOp *op, gint64 function)
{
    gpointer known = g_hash_table_lookup(finding->calls, &function);
    if (!known) {
        const char *call = tnd_sync_ops_name(finding->ops, op);
        char *name = tnd_samples_function_name(tnd_sync_ops_trace(finding->ops), function);
        const char *plain = g_ascii_strncasecmp(name, "PMPI_", 5) ? name : name + 1;
        gsize n = strlen(call);
        gboolean is_it = !g_ascii_strncasecmp(plain, call, n) && strspn(plain + n, "_") == strlen(plain + n);
        g_free(name);
        known = GINT_TO_POINTER(is_it ? 1 : 2);
        g_hash_table_insert(finding->calls, g_memdup2(&function, sizeof function), known);
    }
    return known == GINT_TO_POINTER(1);
}

/* The first frame of those who called MPI; 0: it is not known. */
static guint find_caller(Finding *finding, const TndSyncOp *op, const TndSample *sample)
{
    guint caller = 0;
    for (guint i = 0; op->kind == TND_SYNC_MPI && i + 1 < sample->n_frames; i++)
        if (is_call(finding, op, sample->frames[i]))
            caller = i + 1;
    return caller;
}

static void take(gpointer self, const TndSample *sample)
{
    Finding *finding = self;
    gsize n = tnd_sync_ops_n(finding->ops, finding->row);
    if (sample->is_rest || !sample->n_frames)
        return;
    while (finding->op < n && tnd_sync_ops_at(finding->ops, finding->row, finding->op)->begin_ns < sample->time_ns)
        finding->op++;
    const TndSyncOp *last = finding->op ? tnd_sync_ops_at(finding->ops, finding->row, finding->op - 1) : NULL;
    if (!last || last->end_ns <= sample->time_ns) {
        TndSyncPlace place =
            finding->op < n ? tnd_sync_ops_place(tnd_sync_ops_at(finding->ops, finding->row, finding->op), FALSE) : 0;
        if (place == (finding->place & ~WITHIN))
            add(&finding->before, sample, 0);
        return;
    }
    guint caller = tnd_sync_ops_place(last, TRUE) == finding->place ? find_caller(finding, last, sample) : 0;
    if (caller)
        add(&finding->callers, sample, caller);
}

static char *name_stack(const TndTrace *trace, const char *relation, const Stack *stack)
{
    GString *text = g_string_new(relation);
    gboolean is_main = FALSE;
    for (guint i = 0; i < FRAMES && stack->functions[i] && !is_main; i++) {
        char *name = tnd_samples_function_name(trace, stack->functions[i]);
        g_string_append_printf(text, "%s%s", i ? " < " : "", name);
        is_main = !strcmp(name, "main");
        g_free(name);
    }
    return g_string_free(text, FALSE);
}

/* The stack with the largest weight. */
static const Stack *find_most(const Weights *weights, double *percent)
{
    const Stack *most = NULL;
    double most_weight = 0;
    GHashTableIter iter;
    gpointer key, weight;
    g_hash_table_iter_init(&iter, weights->stacks);
    while (g_hash_table_iter_next(&iter, &key, &weight)) {
        const Stack *stack = g_bytes_get_data(key, NULL);
        gboolean is_more = *(double *)weight > most_weight ||
                           (*(double *)weight == most_weight && memcmp(stack, most, sizeof *stack) < 0);
        most = is_more ? stack : most;
        most_weight = is_more ? *(double *)weight : most_weight;
    }
    *percent = weights->all > 0 ? 100 * most_weight / weights->all : 0;
    return most;
}

static Weights new_weights(void)
{
    return (Weights){g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, g_free), 0};
}

char *tnd_culprit_functions_text(const TndSyncOps *ops, guint row, TndSyncPlace place, double *percent)
{
    const TndTrace *trace = tnd_sync_ops_trace(ops);
    Finding finding = {.ops = ops,
                       .row = row,
                       .place = place,
                       .calls = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
                       .before = new_weights(),
                       .callers = new_weights()};
    if (tnd_samples_exist(trace))
        tnd_samples_each_recorded(trace, row, TND_SAMPLES_CPU, take, &finding);
    gboolean has_callers = finding.callers.all > 0;
    const Stack *most = find_most(has_callers ? &finding.callers : &finding.before, percent);
    const char *relation = has_callers ? "called by " : place & WITHIN ? "before it, " : "";
    char *text = most ? name_stack(trace, relation, most) : NULL;
    g_hash_table_unref(finding.before.stacks);
    g_hash_table_unref(finding.callers.stacks);
    g_hash_table_unref(finding.calls);
    return text;
}
