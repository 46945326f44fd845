/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls that are open in a row, and the sums over all rows.
 */
#include "analysis/merge/write/merge_function_sums.h"
#include "analysis/merge/read/merge_names.h"

#define MAX_FACTS 200

/* The calls of functions of one type. */
struct of_type {
    TndMergeFunctionSum *sums; /* the merge's */
    guint32 *depths;           /* by values: how many calls are open; NULL: nothing has been called yet */
    guint64 *begins;           /* by values: when the outermost of them began */
    guint32 top;               /* the innermost function; 0: none */
    guint64 since_ns;
};

struct TndMergeFunctionSums {
    TndMerge *merge;
    struct of_type python, library;
};

TndMergeFunctionSums *tnd_merge_function_sums_new(TndMerge *merge)
{
    TndMergeFunctionSums *row = g_new0(TndMergeFunctionSums, 1);
    row->merge = merge;
    return row;
}

void tnd_merge_function_sums_free(TndMergeFunctionSums *row)
{
    g_free(row->python.depths);
    g_free(row->python.begins);
    g_free(row->library.depths);
    g_free(row->library.begins);
    g_free(row);
}

static struct of_type *find(TndMergeFunctionSums *row, guint32 type)
{
    gboolean is_python = type == TND_TYPE_PYTHON_FUNCTION;
    struct of_type *found = is_python ? &row->python : &row->library;
    if (found->depths)
        return found;
    gsize n = (is_python ? row->merge->python_names : row->merge->library_names)->len + 1;
    found->sums = is_python ? row->merge->python_sums : row->merge->library_sums;
    found->depths = g_new0(guint32, n);
    found->begins = g_new0(guint64, n);
    return found;
}

static void change_top(struct of_type *calls, guint32 value, guint64 now)
{
    calls->sums[calls->top].self_ns += now - calls->since_ns;
    calls->top = value;
    calls->since_ns = now;
}

void tnd_merge_function_sums_enter(TndMergeFunctionSums *row, guint32 type, guint32 value, gboolean is_call,
                                   guint64 now)
{
    struct of_type *calls = find(row, type);
    change_top(calls, value, now);
    calls->sums[value].n_enters++;
    calls->sums[value].n_calls += is_call;
    if (calls->depths[value]++ == 0)
        calls->begins[value] = now;
}

void tnd_merge_function_sums_leave(TndMergeFunctionSums *row, guint32 type, guint32 value, guint32 outer, guint64 now)
{
    struct of_type *calls = find(row, type);
    change_top(calls, outer, now);
    if (--calls->depths[value] == 0)
        calls->sums[value].inclusive_ns += now - calls->begins[value];
}

void tnd_merge_function_sums_share(TndMerge *merge)
{
    const guint n_each = sizeof *merge->python_sums / sizeof(guint64);
    tnd_merge_team_sum(merge->team, &merge->python_sums->n_enters, (merge->python_names->len + 1) * n_each);
    tnd_merge_team_sum(merge->team, &merge->library_sums->n_enters, (merge->library_names->len + 1) * n_each);
}

/* By self time, most first; then by calls, most first; then by value. */
static int compare_sums(gconstpointer a, gconstpointer b, gpointer sums)
{
    guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;
    const TndMergeFunctionSum *p = (const TndMergeFunctionSum *)sums + x, *q = (const TndMergeFunctionSum *)sums + y;
    guint64 p_ns = p->self_ns + p->counted_ns, q_ns = q->self_ns + q->counted_ns;
    guint64 p_calls = p->n_calls + p->n_counted, q_calls = q->n_calls + q->n_counted;
    if (p_ns != q_ns)
        return p_ns < q_ns ? 1 : -1;
    if (p_calls != q_calls)
        return p_calls < q_calls ? 1 : -1;
    return (x > y) - (x < y);
}

GPtrArray *tnd_merge_function_sums_facts(const TndMergeFunctionSum *sums, guint n_functions, guint *n_called)
{
    GArray *values = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 value = 1; value <= n_functions; value++)
        if (sums[value].n_enters)
            g_array_append_val(values, value);
    g_array_sort_with_data(values, compare_sums, (gpointer)sums);
    GPtrArray *facts = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < MIN(values->len, MAX_FACTS); i++) {
        guint32 value = g_array_index(values, guint32, i);
        const TndMergeFunctionSum *sum = &sums[value];
        GString *fact = g_string_new(NULL);
        g_string_printf(fact, "%u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, value, sum->n_calls,
                        sum->self_ns, sum->inclusive_ns);
        if (sum->n_counted)
            g_string_append_printf(fact, " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, sum->n_counted, sum->counted_ns);
        g_ptr_array_add(facts, g_string_free(fact, FALSE));
    }
    *n_called = values->len;
    g_array_unref(values);
    return facts;
}

void tnd_merge_function_sums_labels(const TndMergeFunctionSum *sums, const GPtrArray *names, const char *brackets,
                                    struct tnd_pcf *pcf, guint32 type)
{
    GPtrArray *labels = g_ptr_array_new_with_free_func(g_free);
    GArray *values = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 value = 1; value <= names->len; value++) {
        if (!sums[value].n_enters)
            continue;
        g_ptr_array_add(labels, g_strdup(names->pdata[value - 1]));
        g_array_append_val(values, value);
    }
    tnd_merge_names_shorten(labels, brackets);
    tnd_pcf_set_value(pcf, type, 0, "End");
    for (guint i = 0; i < labels->len; i++)
        tnd_pcf_set_value(pcf, type, g_array_index(values, guint32, i), labels->pdata[i]);
    g_array_unref(values);
    g_ptr_array_unref(labels);
}
