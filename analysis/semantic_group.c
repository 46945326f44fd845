/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the values of a group's rows come to, and what a CPU has of the thread that runs there.
 */
#include "analysis/semantic.h"

static double adding(const double *values, guint n, guint changed, const TndSemanticCall *call)
{
    double sum = 0;
    for (guint i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

static double adding_sign(const double *values, guint n, guint changed, const TndSemanticCall *call)
{
    return adding(values, n, changed, call) > 0;
}

static double average(const double *values, guint n, guint changed, const TndSemanticCall *call)
{
    return adding(values, n, changed, call) / n;
}

/* Never below 0, as Paraver has it. */
static double maximum(const double *values, guint n, guint changed, const TndSemanticCall *call)
{
    double most = 0;
    for (guint i = 0; i < n; i++)
        most = MAX(most, values[i]);
    return most;
}

/* Of those from the first that is not 0 on. */
static double minimum(const double *values, guint n, guint changed, const TndSemanticCall *call)
{
    double least = 0;
    for (guint i = 0; i < n; i++)
        if (least == 0 || values[i] < least)
            least = values[i];
    return least;
}

/* The value that all have, if it is among those given. */
static double activity(const double *values, guint n, guint changed, const TndSemanticCall *call)
{
    if (!tnd_semantic_is_given(call, values[0]))
        return 0;
    for (guint i = 1; i < n; i++)
        if (values[i] != values[0])
            return 0;
    return values[0];
}

static double in_activity(const double *values, guint n, guint changed, const TndSemanticCall *call)
{
    return activity(values, n, changed, call) != 0;
}

/* Of the most frequent values the one that is so often first. */
static double mode(const double *values, guint n, guint changed, const TndSemanticCall *call)
{
    GHashTable *counts = g_hash_table_new(g_double_hash, g_double_equal);
    guint most = 0;
    double result = 0;
    for (guint i = 0; i < n; i++) {
        guint count = GPOINTER_TO_UINT(g_hash_table_lookup(counts, &values[i])) + 1;
        g_hash_table_insert(counts, (gpointer)&values[i], GUINT_TO_POINTER(count));
        if (count > most) {
            most = count;
            result = values[i];
        }
    }
    g_hash_table_unref(counts);
    return result;
}

static double one(const double *values, guint n, guint changed, const TndSemanticCall *call)
{
    double index = tnd_semantic_parameter(call, 0);
    return index >= 1 && index <= n ? values[(guint)index - 1] : 0;
}

static double adding_given(const double *values, guint n, guint changed, const TndSemanticCall *call)
{
    double sum = 0;
    for (guint i = 0; i < call->parameters[0].n; i++) {
        double index = call->parameters[0].values[i];
        sum += index >= 0 && index < n ? values[(guint)index] : 0;
    }
    return sum;
}

static double changed_value(const double *values, guint n, guint changed, const TndSemanticCall *call)
{
    return values[changed];
}

const TndSemanticGroup tnd_semantic_groups[] = {
    {{"Adding", 0, {0}}, adding},
    {{"AddingSign", 0, {0}}, adding_sign},
    {{"Average", 0, {0}}, average},
    {{"Maximum", 0, {0}}, maximum},
    {{"Minimum", 0, {0}}, minimum},
    {{"Activity", 1, {1}}, activity},
    {{"In Activity", 1, {1}}, in_activity},
    {{"Mode", 0, {0}}, mode},
    {{"Thread i", 1, {1}}, one},
    {{"Add Tasks", 1, {0}}, adding_given},
    {{"Changed value", 0, {0}}, changed_value},
    {{NULL, 0, {0}}, NULL},
};

/* A CPU has the value of the thread that runs there. */

static double active(const double *values, guint n, guint changed, const TndSemanticCall *call)
{
    return values[0];
}

static double active_sign(const double *values, guint n, guint changed, const TndSemanticCall *call)
{
    return values[0] != 0;
}

static double active_given(const double *values, guint n, guint changed, const TndSemanticCall *call)
{
    return tnd_semantic_is_given(call, values[0]) ? values[0] : 0;
}

static double active_given_sign(const double *values, guint n, guint changed, const TndSemanticCall *call)
{
    return tnd_semantic_is_given(call, values[0]);
}

const TndSemanticGroup tnd_semantic_cpus[] = {
    {{"Active Thd", 0, {0}}, active},
    {{"Active Thd Sign", 0, {0}}, active_sign},
    {{"Active Thd Val", 1, {1}}, active_given},
    {{"Active Thd Val Sign", 1, {1}}, active_given_sign},
    {{NULL, 0, {0}}, NULL},
};
