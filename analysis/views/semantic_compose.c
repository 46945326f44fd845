/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is done with a value of a row: burst by burst where it needs nothing else, along the row where it remembers.
 */
#include "analysis/views/semantic.h"

#include <math.h>

#define OF(name, expression)                                                                                           \
    static double name(const TndBurst *burst, const TndSemanticCall *call)                                             \
    {                                                                                                                  \
        double value = burst->value, given = tnd_semantic_parameter(call, 0);                                          \
        (void)value, (void)given;                                                                                      \
        return expression;                                                                                             \
    }

/* Pairs of a largest and a smallest value. */
static gboolean is_in_ranges(double value, const TndSemanticCall *call, gboolean is_open)
{
    guint n = MIN(call->parameters[0].n, call->parameters[1].n);
    for (guint i = 0; i < n; i++) {
        double high = call->parameters[0].values[i], low = call->parameters[1].values[i];
        if (value >= low && (value < high || (value == high && !is_open)))
            return TRUE;
    }
    return FALSE;
}

static double translated(double value, const TndSemanticCall *call)
{
    const TndNumbers *pairs = &call->parameters[0];
    for (guint i = 0; i + 1 < pairs->n; i += 2)
        if (pairs->values[i] == value)
            return pairs->values[i + 1];
    return value;
}

static double logarithm(double value, double base)
{
    double result = value > 0 ? log(value) / log(base) : 0;
    return result < 0 ? 0 : result;
}

static double power(double base, double value)
{
    double result = pow(base, value);
    return isnan(result) || (base == 0 && value < 0) ? 0 : result;
}

static double duration(const TndBurst *burst, const TndSemanticCall *call)
{
    return (double)(burst->end_ns - burst->begin_ns) / call->unit_ns;
}

OF(as_is, value)
OF(sign, value != 0)
OF(one_less_sign, value == 0)
OF(mod, fmod(value, given != 0 ? given : 1))
OF(mod_plus_1, fmod(value, given != 0 ? given : 1) + 1)
OF(quotient, given != 0 ? value / given : fmod(value, 1))
OF(product, value *given)
OF(sum, value + given)
OF(difference, value - given)
OF(complement, given - value)
OF(inverse, value != 0 ? given / value : 0)
OF(select_range, is_in_ranges(value, call, FALSE) ? value : 0)
OF(select_open_range, is_in_ranges(value, call, TRUE) ? value : 0)
OF(in_range, is_in_ranges(value, call, FALSE))
OF(in_open_range, is_in_ranges(value, call, TRUE))
OF(equal, tnd_semantic_is_given(call, value) ? value : 0)
OF(equal_sign, tnd_semantic_is_given(call, value))
OF(lower, floor(value))
OF(upper, ceil(value))
OF(nearest, rint(value))
OF(magnitude, fabs(value))
OF(burst_time, duration(burst, call))
OF(per_time, burst->end_ns == burst->begin_ns ? 0 : value / duration(burst, call))
OF(begin_time, (double)burst->begin_ns / call->unit_ns)
OF(end_time, (double)burst->end_ns / call->unit_ns)
OF(translate, translated(value, call))
OF(sine, sin(value))
OF(cosine, cos(value))
OF(root, sqrt(fabs(value)))
OF(arc_tangent, atan(value))
OF(log_n, logarithm(value, given))
OF(exponential, power(given, value))

/* Those that remember. */

/* A value is pushed, a 0 pops; what to tell of the stack then. */
static void walk_stack(TndSignal *signal, double (*tell)(const GArray *stack, double given), double given)
{
    GArray *stack = g_array_new(FALSE, FALSE, sizeof(double));
    for (gsize i = 0; i < signal->n; i++) {
        double value = signal->bursts[i].value;
        if (value != 0)
            g_array_append_val(stack, value);
        else if (stack->len > 0)
            g_array_set_size(stack, stack->len - 1);
        signal->bursts[i].value = tell(stack, given);
    }
    g_array_unref(stack);
}

static double top_of(const GArray *stack, double given)
{
    return stack->len ? g_array_index(stack, double, stack->len - 1) : 0;
}

static double top_if_given(const GArray *stack, double given)
{
    return top_of(stack, given) == given ? given : 0;
}

static double depth_of(const GArray *stack, double given)
{
    return stack->len;
}

static void stacked(TndSignal *signal, const TndSemanticCall *call)
{
    walk_stack(signal, top_of, 0);
}

static void in_stacked(TndSignal *signal, const TndSemanticCall *call)
{
    walk_stack(signal, top_if_given, tnd_semantic_parameter(call, 0));
}

static void nesting(TndSignal *signal, const TndSemanticCall *call)
{
    walk_stack(signal, depth_of, 0);
}

/* How many other values have come since this one did; one more than are remembered if it is not. */
static void lru_depth(TndSignal *signal, const TndSemanticCall *call)
{
    guint n_kept = (guint)CLAMP(tnd_semantic_parameter(call, 0), 0, 1e6);
    GArray *latest = g_array_new(FALSE, FALSE, sizeof(double)); /* the latest is the last */
    for (gsize i = 0; i < signal->n; i++) {
        double value = signal->bursts[i].value;
        if (value == 0)
            continue;
        guint at = latest->len;
        while (at > 0 && g_array_index(latest, double, at - 1) != value)
            at--;
        signal->bursts[i].value = at > 0 ? latest->len - at + 1 : n_kept + 1;
        if (at > 0)
            g_array_remove_index(latest, at - 1);
        g_array_append_val(latest, value);
        if (latest->len > n_kept)
            g_array_remove_index(latest, 0);
    }
    g_array_unref(latest);
}

static void enumerate(TndSignal *signal, const TndSemanticCall *call)
{
    double n = 0;
    for (gsize i = 0; i < signal->n; i++)
        signal->bursts[i].value = n += signal->bursts[i].value != 0;
}

static void accumulate(TndSignal *signal, const TndSemanticCall *call)
{
    double sum = 0;
    for (gsize i = 0; i < signal->n; i++)
        signal->bursts[i].value = sum += signal->bursts[i].value;
}

static void delta(TndSignal *signal, const TndSemanticCall *call)
{
    double before = 0;
    for (gsize i = 0; i < signal->n; i++) {
        double value = signal->bursts[i].value;
        signal->bursts[i].value = value - before;
        before = value;
    }
}

static void join(TndSignal *signal, const TndSemanticCall *call)
{
    gsize n = 0;
    for (gsize i = 0; i < signal->n; i++) {
        if (n > 0 && signal->bursts[n - 1].value == signal->bursts[i].value)
            signal->bursts[n - 1].end_ns = signal->bursts[i].end_ns;
        else
            signal->bursts[n++] = signal->bursts[i];
    }
    signal->n = n;
}

/* A value holds for so many ns at most, counted over bursts that follow one another, then 0 until its burst's end. */
static void timer(TndSignal *signal, const TndSemanticCall *call)
{
    double limit_ns = CLAMP(tnd_semantic_parameter(call, 0), 0, 0x1p62), sum_ns = 0;
    guint64 since_ns = 0;
    TndBurst *bursts = g_new(TndBurst, 2 * signal->n + 1);
    gsize n = 0;
    for (gsize i = 0; i < signal->n; i++) {
        TndBurst burst = signal->bursts[i];
        if (burst.value == 0) {
            sum_ns = 0;
            bursts[n++] = burst;
            continue;
        }
        if (sum_ns == 0)
            since_ns = burst.begin_ns;
        sum_ns += (double)(burst.end_ns - burst.begin_ns);
        bursts[n++] = burst;
        if (sum_ns > limit_ns) {
            guint64 until_ns = since_ns + (guint64)limit_ns;
            bursts[n - 1].end_ns = until_ns;
            bursts[n++] = (TndBurst){until_ns, burst.end_ns, 0};
        }
        if (sum_ns >= limit_ns)
            sum_ns = 0;
    }
    g_free(signal->bursts);
    signal->bursts = bursts;
    signal->n = n;
}

const TndSemanticCompose tnd_semantic_composes[] = {
    {{"As Is", 0, {0}}, as_is, NULL},
    {{"Sign", 0, {0}}, sign, NULL},
    {{"1-Sign", 0, {0}}, one_less_sign, NULL},
    {{"Mod", 1, {1}}, mod, NULL},
    {{"Mod+1", 1, {1}}, mod_plus_1, NULL},
    {{"Div", 1, {1}}, quotient, NULL},
    {{"Prod", 1, {0}}, product, NULL},
    {{"Add", 1, {0}}, sum, NULL},
    {{"Subs", 1, {0}}, difference, NULL},
    {{"Complement", 1, {0}}, complement, NULL},
    {{"Inverse Div", 1, {1}}, inverse, NULL},
    {{"Select Range", 2, {1, 0}}, select_range, NULL},
    {{"Select Range [)", 2, {1, 0}}, select_open_range, NULL},
    {{"Is In Range", 2, {1, 0}}, in_range, NULL},
    {{"Is In Range [)", 2, {1, 0}}, in_open_range, NULL},
    {{"Is Equal", 1, {1}}, equal, NULL},
    {{"Is Equal (Sign)", 1, {1}}, equal_sign, NULL},
    {{"Floor", 0, {0}}, lower, NULL},
    {{"Ceil", 0, {0}}, upper, NULL},
    {{"Round", 0, {0}}, nearest, NULL},
    {{"Abs", 0, {0}}, magnitude, NULL},
    {{"Stacked Val", 0, {0}}, NULL, stacked},
    {{"In Stacked Val", 1, {1}}, NULL, in_stacked},
    {{"Nesting level", 0, {0}}, NULL, nesting},
    {{"LRU Depth", 1, {256}}, NULL, lru_depth},
    {{"Enumerate", 0, {0}}, NULL, enumerate},
    {{"Accumulate", 0, {0}}, NULL, accumulate},
    {{"Delta", 0, {0}}, NULL, delta},
    {{"Burst Time", 0, {0}}, burst_time, NULL},
    {{"Divide by Burst Time", 0, {0}}, per_time, NULL},
    {{"Join Bursts", 0, {0}}, NULL, join},
    {{"Timer", 1, {1}}, NULL, timer},
    {{"Begin Time", 0, {0}}, begin_time, NULL},
    {{"End Time", 0, {0}}, end_time, NULL},
    {{"Translate", 1, {0}}, translate, NULL},
    {{"sin", 0, {0}}, sine, NULL},
    {{"cos", 0, {0}}, cosine, NULL},
    {{"sqrt (abs)", 0, {0}}, root, NULL},
    {{"arc tan", 0, {0}}, arc_tangent, NULL},
    {{"log N", 1, {G_E}}, log_n, NULL},
    {{"exp", 1, {G_E}}, exponential, NULL},
    {{NULL, 0, {0}}, NULL, NULL},
};
