/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls that are open in a row, and the sums over all rows.
 */
#include "analysis/merge/write/merge_python_sums.h"
#include "analysis/merge/read/merge_names.h"

#define MAX_FACTS 200

struct TndMergePythonSums {
    TndMerge *merge;
    guint32 *depths; /* by values: how many calls are open */
    guint64 *begins; /* by values: when the outermost of them began */
    guint32 top;     /* the innermost function; 0: none */
    guint64 since_ns;
};

TndMergePythonSums *tnd_merge_python_sums_new(TndMerge *merge)
{
    TndMergePythonSums *python = g_new0(TndMergePythonSums, 1);
    python->merge = merge;
    python->depths = g_new0(guint32, merge->python_names->len + 1);
    python->begins = g_new0(guint64, merge->python_names->len + 1);
    return python;
}

void tnd_merge_python_sums_free(TndMergePythonSums *python)
{
    if (!python)
        return;
    g_free(python->depths);
    g_free(python->begins);
    g_free(python);
}

static void change_top(TndMergePythonSums *python, guint32 value, guint64 now)
{
    python->merge->python_sums[python->top].self_ns += now - python->since_ns;
    python->top = value;
    python->since_ns = now;
}

void tnd_merge_python_sums_enter(TndMergePythonSums *python, guint32 value, gboolean is_call, guint64 now)
{
    change_top(python, value, now);
    python->merge->python_sums[value].n_enters++;
    python->merge->python_sums[value].n_calls += is_call;
    if (python->depths[value]++ == 0)
        python->begins[value] = now;
}

void tnd_merge_python_sums_leave(TndMergePythonSums *python, guint32 value, guint32 outer, guint64 now)
{
    change_top(python, outer, now);
    if (--python->depths[value] == 0)
        python->merge->python_sums[value].inclusive_ns += now - python->begins[value];
}

void tnd_merge_python_sums_share(TndMerge *merge)
{
    guint n_numbers = (merge->python_names->len + 1) * (guint)(sizeof *merge->python_sums / sizeof(guint64));
    tnd_merge_team_sum(merge->team, &merge->python_sums->n_enters, n_numbers);
}

/* By self time, most first; then by calls, most first; then by value. */
static int compare_sums(gconstpointer a, gconstpointer b, gpointer sums)
{
    guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;
    const TndMergePythonSum *p = (const TndMergePythonSum *)sums + x, *q = (const TndMergePythonSum *)sums + y;
    if (p->self_ns != q->self_ns)
        return p->self_ns < q->self_ns ? 1 : -1;
    if (p->n_calls != q->n_calls)
        return p->n_calls < q->n_calls ? 1 : -1;
    return (x > y) - (x < y);
}

GPtrArray *tnd_merge_python_sums_facts(const TndMerge *merge, guint *n_functions)
{
    GArray *values = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 value = 1; value <= merge->python_names->len; value++)
        if (merge->python_sums[value].n_enters)
            g_array_append_val(values, value);
    g_array_sort_with_data(values, compare_sums, merge->python_sums);
    GPtrArray *facts = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < MIN(values->len, MAX_FACTS); i++) {
        guint32 value = g_array_index(values, guint32, i);
        const TndMergePythonSum *sum = &merge->python_sums[value];
        g_ptr_array_add(facts, g_strdup_printf("%u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                                               value, sum->n_calls, sum->self_ns, sum->inclusive_ns));
    }
    *n_functions = values->len;
    g_array_unref(values);
    return facts;
}

void tnd_merge_python_sums_labels(const TndMerge *merge, struct tnd_pcf *pcf, guint32 type)
{
    GPtrArray *labels = g_ptr_array_new_with_free_func(g_free);
    GArray *values = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 value = 1; value <= merge->python_names->len; value++) {
        if (!merge->python_sums[value].n_enters)
            continue;
        g_ptr_array_add(labels, g_strdup(merge->python_names->pdata[value - 1]));
        g_array_append_val(values, value);
    }
    tnd_merge_names_shorten(labels, "()");
    tnd_pcf_set_value(pcf, type, 0, "End");
    for (guint i = 0; i < labels->len; i++)
        tnd_pcf_set_value(pcf, type, g_array_index(values, guint32, i), labels->pdata[i]);
    g_array_unref(values);
    g_ptr_array_unref(labels);
}
