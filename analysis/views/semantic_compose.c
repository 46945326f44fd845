/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compose functions: of single values, and of a row's bursts in order, with a memory of earlier ones.
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

/* Whether a value is in one of the ranges, whose parameters are pairs of a largest and a smallest value. */
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

/* Functions with a memory of earlier bursts. */

static GArray *values_of(TndSemanticMemory *memory)
{
    if (!memory->values)
        memory->values = g_array_new(FALSE, FALSE, sizeof(double));
    return memory->values;
}

static void say(TndBurstStream *stream, const TndBurst *burst, double value)
{
    tnd_burst_stream_append(stream, (TndBurst){burst->begin_ns, burst->end_ns, value});
}

/* Pushes a value that is not 0; a 0 pops the last one.  Returns the stack. */
static const GArray *step_stack(TndSemanticMemory *memory, double value)
{
    GArray *stack = values_of(memory);
    if (value != 0)
        g_array_append_val(stack, value);
    else if (stack->len > 0)
        g_array_set_size(stack, stack->len - 1);
    return stack;
}

static double top_of(const GArray *stack)
{
    return stack->len ? g_array_index(stack, double, stack->len - 1) : 0;
}

#define FOLLOW(name)                                                                                                   \
    static void name(TndSemanticMemory *memory, const TndBurst *burst, const TndSemanticCall *call,                    \
                     TndBurstStream *stream)

FOLLOW(stacked)
{
    say(stream, burst, top_of(step_stack(memory, burst->value)));
}

FOLLOW(in_stacked)
{
    double given = tnd_semantic_parameter(call, 0);
    say(stream, burst, top_of(step_stack(memory, burst->value)) == given ? given : 0);
}

FOLLOW(nesting)
{
    say(stream, burst, step_stack(memory, burst->value)->len);
}

/* The place of a value in the list of the latest values, 1 for the latest; one more than the list holds if it is not
 * in it. */
FOLLOW(lru_depth)
{
    guint n_kept = (guint)CLAMP(tnd_semantic_parameter(call, 0), 0, 1e6);
    GArray *latest = values_of(memory); /* the latest one last */
    double value = burst->value;
    guint at = latest->len;
    if (value == 0) {
        say(stream, burst, value);
        return;
    }
    while (at > 0 && g_array_index(latest, double, at - 1) != value)
        at--;
    say(stream, burst, at > 0 ? latest->len - at + 1 : n_kept + 1);
    if (at > 0)
        g_array_remove_index(latest, at - 1);
    g_array_append_val(latest, value);
    if (latest->len > n_kept)
        g_array_remove_index(latest, 0);
}

FOLLOW(enumerate)
{
    say(stream, burst, memory->value += burst->value != 0);
}

FOLLOW(accumulate)
{
    say(stream, burst, memory->value += burst->value);
}

FOLLOW(delta)
{
    say(stream, burst, burst->value - memory->value);
    memory->value = burst->value;
}

FOLLOW(join)
{
    if (!tnd_burst_stream_extend(stream, burst))
        tnd_burst_stream_append(stream, *burst);
}

/* Like join, and leaves out bursts without length. */
FOLLOW(join_lasting)
{
    if (burst->end_ns > burst->begin_ns)
        join(memory, burst, call, stream);
}

/* Values that are not 0 last for at most the parameter's ns, counted from the first of adjacent such bursts on; the
 * rest of the burst is 0. */
FOLLOW(timer)
{
    double limit_ns = CLAMP(tnd_semantic_parameter(call, 0), 0, 0x1p62), *sum_ns = &memory->value;
    if (burst->value == 0) {
        *sum_ns = 0;
        tnd_burst_stream_append(stream, *burst);
        return;
    }
    if (*sum_ns == 0)
        memory->since_ns = burst->begin_ns;
    *sum_ns += (double)(burst->end_ns - burst->begin_ns);
    guint64 until_ns = *sum_ns > limit_ns ? memory->since_ns + (guint64)limit_ns : burst->end_ns;
    tnd_burst_stream_append(stream, (TndBurst){burst->begin_ns, until_ns, burst->value});
    if (*sum_ns > limit_ns)
        tnd_burst_stream_append(stream, (TndBurst){until_ns, burst->end_ns, 0});
    if (*sum_ns >= limit_ns)
        *sum_ns = 0;
}

const TndSemanticCompose tnd_semantic_composes[] = {
    {{"As Is", 0, {0}}, TRUE, NULL, NULL},
    {{"Sign", 0, {0}}, FALSE, sign, NULL},
    {{"1-Sign", 0, {0}}, FALSE, one_less_sign, NULL},
    {{"Mod", 1, {1}}, FALSE, mod, NULL},
    {{"Mod+1", 1, {1}}, FALSE, mod_plus_1, NULL},
    {{"Div", 1, {1}}, FALSE, quotient, NULL},
    {{"Prod", 1, {0}}, FALSE, product, NULL},
    {{"Add", 1, {0}}, FALSE, sum, NULL},
    {{"Subs", 1, {0}}, FALSE, difference, NULL},
    {{"Complement", 1, {0}}, FALSE, complement, NULL},
    {{"Inverse Div", 1, {1}}, FALSE, inverse, NULL},
    {{"Select Range", 2, {1, 0}}, TRUE, select_range, NULL},
    {{"Select Range [)", 2, {1, 0}}, TRUE, select_open_range, NULL},
    {{"Is In Range", 2, {1, 0}}, FALSE, in_range, NULL},
    {{"Is In Range [)", 2, {1, 0}}, FALSE, in_open_range, NULL},
    {{"Is Equal", 1, {1}}, TRUE, equal, NULL},
    {{"Is Equal (Sign)", 1, {1}}, FALSE, equal_sign, NULL},
    {{"Floor", 0, {0}}, TRUE, lower, NULL},
    {{"Ceil", 0, {0}}, TRUE, upper, NULL},
    {{"Round", 0, {0}}, TRUE, nearest, NULL},
    {{"Abs", 0, {0}}, TRUE, magnitude, NULL},
    {{"Stacked Val", 0, {0}}, TRUE, NULL, stacked},
    {{"In Stacked Val", 1, {1}}, FALSE, NULL, in_stacked},
    {{"Nesting level", 0, {0}}, FALSE, NULL, nesting},
    {{"LRU Depth", 1, {256}}, FALSE, NULL, lru_depth},
    {{"Enumerate", 0, {0}}, FALSE, NULL, enumerate},
    {{"Accumulate", 0, {0}}, FALSE, NULL, accumulate},
    {{"Delta", 0, {0}}, FALSE, NULL, delta},
    {{"Burst Time", 0, {0}}, FALSE, burst_time, NULL},
    {{"Divide by Burst Time", 0, {0}}, FALSE, per_time, NULL},
    {{"Join Bursts", 0, {0}}, TRUE, NULL, join},
    {{"Timer", 1, {1}}, TRUE, NULL, timer},
    {{"Begin Time", 0, {0}}, FALSE, begin_time, NULL},
    {{"End Time", 0, {0}}, FALSE, end_time, NULL},
    {{"Translate", 1, {0}}, TRUE, translate, NULL},
    {{"sin", 0, {0}}, FALSE, sine, NULL},
    {{"cos", 0, {0}}, FALSE, cosine, NULL},
    {{"sqrt (abs)", 0, {0}}, FALSE, root, NULL},
    {{"arc tan", 0, {0}}, FALSE, arc_tangent, NULL},
    {{"log N", 1, {G_E}}, FALSE, log_n, NULL},
    {{"exp", 1, {G_E}}, FALSE, exponential, NULL},
    {{TND_SEMANTIC_JOIN_LASTING, 0, {0}}, TRUE, NULL, join_lasting},
    {{NULL, 0, {0}}, FALSE, NULL, NULL},
};
