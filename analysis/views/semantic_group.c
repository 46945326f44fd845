/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Group functions, and those of a CPU, of the thread that runs on it.
 */
#include "analysis/views/semantic.h"

#include <math.h>

#define MAX_WHOLE 0x1p53 /* a double holds all integers up to this exactly */

TndSemanticValues tnd_semantic_group_start(guint n)
{
    return (TndSemanticValues){.values = g_new0(double, n), .n = n, .n_most = n + 1};
}

void tnd_semantic_group_clear(TndSemanticValues *values)
{
    g_free(values->values);
}

static gboolean is_small_and_whole(const TndSemanticValues *values, double value)
{
    return fabs(value) <= MAX_WHOLE / values->n && (double)(gint64)value == value;
}

void tnd_semantic_group_change(TndSemanticValues *values, guint row, double value)
{
    double before = values->values[row];
    values->values[row] = value;
    values->changed = row;
    if (is_small_and_whole(values, before))
        values->sum -= before;
    else
        values->n_others--;
    if (is_small_and_whole(values, value))
        values->sum += value;
    else
        values->n_others++;
    if (value > values->most && values->n_most > 0) {
        values->most = value;
        values->n_most = 1;
    } else if (values->n_most > 0) {
        values->n_most += value == values->most;
        values->n_most -= before == values->most;
    }
}

static double adding(TndSemanticValues *values, const TndSemanticCall *call)
{
    if (values->n_others == 0)
        return values->sum;
    double sum = 0;
    for (guint i = 0; i < values->n; i++)
        sum += values->values[i];
    return sum;
}

static double adding_sign(TndSemanticValues *values, const TndSemanticCall *call)
{
    return adding(values, call) > 0;
}

static double average(TndSemanticValues *values, const TndSemanticCall *call)
{
    return adding(values, call) / values->n;
}

/* Never below 0, as in Paraver. */
static double maximum(TndSemanticValues *values, const TndSemanticCall *call)
{
    if (values->n_most == 0) {
        values->most = 0;
        values->n_most = 1; /* the 0 that always counts */
        for (guint i = 0; i < values->n; i++) {
            if (values->values[i] > values->most) {
                values->most = values->values[i];
                values->n_most = 0;
            }
            values->n_most += values->values[i] == values->most;
        }
    }
    return values->most;
}

/* The minimum of the values from the first one on that is not 0. */
static double minimum(TndSemanticValues *values, const TndSemanticCall *call)
{
    double least = 0;
    for (guint i = 0; i < values->n; i++)
        if (least == 0 || values->values[i] < least)
            least = values->values[i];
    return least;
}

/* The value that all rows have, if it is among the parameters. */
static double activity(TndSemanticValues *values, const TndSemanticCall *call)
{
    if (!tnd_semantic_is_given(call, values->values[0]))
        return 0;
    for (guint i = 1; i < values->n; i++)
        if (values->values[i] != values->values[0])
            return 0;
    return values->values[0];
}

static double in_activity(TndSemanticValues *values, const TndSemanticCall *call)
{
    return activity(values, call) != 0;
}

/* The most frequent value; of several, the one that reaches its count first. */
static double mode(TndSemanticValues *values, const TndSemanticCall *call)
{
    GHashTable *counts = g_hash_table_new(g_double_hash, g_double_equal);
    guint most = 0;
    double result = 0;
    for (guint i = 0; i < values->n; i++) {
        guint count = GPOINTER_TO_UINT(g_hash_table_lookup(counts, &values->values[i])) + 1;
        g_hash_table_insert(counts, (gpointer)&values->values[i], GUINT_TO_POINTER(count));
        if (count > most) {
            most = count;
            result = values->values[i];
        }
    }
    g_hash_table_unref(counts);
    return result;
}

static double one(TndSemanticValues *values, const TndSemanticCall *call)
{
    double index = tnd_semantic_parameter(call, 0);
    return index >= 1 && index <= values->n ? values->values[(guint)index - 1] : 0;
}

static double adding_given(TndSemanticValues *values, const TndSemanticCall *call)
{
    double sum = 0;
    for (guint i = 0; i < call->parameters[0].n; i++) {
        double index = call->parameters[0].values[i];
        sum += index >= 0 && index < values->n ? values->values[(guint)index] : 0;
    }
    return sum;
}

static double changed_value(TndSemanticValues *values, const TndSemanticCall *call)
{
    return values->values[values->changed];
}

const TndSemanticGroup tnd_semantic_groups[] = {
    {{"Adding", 0, {0}}, FALSE, adding},
    {{"AddingSign", 0, {0}}, FALSE, adding_sign},
    {{"Average", 0, {0}}, FALSE, average},
    {{"Maximum", 0, {0}}, TRUE, maximum},
    {{"Minimum", 0, {0}}, TRUE, minimum},
    {{"Activity", 1, {1}}, FALSE, activity},
    {{"In Activity", 1, {1}}, FALSE, in_activity},
    {{"Mode", 0, {0}}, TRUE, mode},
    {{"Thread i", 1, {1}}, TRUE, one},
    {{"Add Tasks", 1, {0}}, FALSE, adding_given},
    {{"Changed value", 0, {0}}, TRUE, changed_value},
    {{NULL, 0, {0}}, FALSE, NULL},
};

/* A CPU has the value of the thread that runs there. */
#define OF_CPU(name, expression)                                                                                       \
    static double name(TndSemanticValues *values, const TndSemanticCall *call)                                         \
    {                                                                                                                  \
        const double value = values->values[0];                                                                        \
        return expression;                                                                                             \
    }
OF_CPU(active, value)
OF_CPU(active_sign, value != 0)
OF_CPU(active_given, tnd_semantic_is_given(call, value) ? value : 0)
OF_CPU(active_given_sign, tnd_semantic_is_given(call, value))

const TndSemanticGroup tnd_semantic_cpus[] = {
    {{"Active Thd", 0, {0}}, TRUE, active},
    {{"Active Thd Sign", 0, {0}}, FALSE, active_sign},
    {{"Active Thd Val", 1, {1}}, TRUE, active_given},
    {{"Active Thd Val Sign", 1, {1}}, FALSE, active_given_sign},
    {{NULL, 0, {0}}, FALSE, NULL},
};
