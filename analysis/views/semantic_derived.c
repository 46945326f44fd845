/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Derived functions: of the values of two windows, or ("controlled") of the data's bursts within bursts of the control.
 */
#include "analysis/views/semantic.h"

#include <math.h>

#define OF_VALUES(name, expression)                                                                                    \
    static double name(double data, double control)                                                                    \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
OF_VALUES(add, data + control)
OF_VALUES(product, data *control)
OF_VALUES(difference, data - control)
OF_VALUES(quotient, control == 0 ? 0 : data / control)
OF_VALUES(larger, data > control ? data : control)
OF_VALUES(smaller, data < control ? data : control)
OF_VALUES(different, data != control)

/* Paraver divides by the inverse of a small factor; doing the same gives the same last digit. */
static double scale(double value, double factor)
{
    return fabs(factor) < 1 ? (factor < 0 ? -value : value) / (1 / fabs(factor)) : value * factor;
}

/* Goes through the two rows in steps, in which the bursts of both rows stay the same. */
typedef struct {
    TndBurstWalk *walks;
    guint64 begin_ns, end_ns; /* of the step */
    guint64 trace_end_ns;
} Steps;

static const TndBurst *burst_of(const Steps *steps, guint i)
{
    return steps->walks[i].at;
}

/* Moves on to the next burst, unless this is the last one. */
static void go_on(TndBurstWalk *walk, guint64 trace_end_ns)
{
    if (walk->at->end_ns < trace_end_ns)
        tnd_burst_walk_next(walk);
}

/* Takes the next step; FALSE: there are no more. */
static gboolean take_step(Steps *steps)
{
    if (steps->end_ns >= steps->trace_end_ns)
        return FALSE;
    steps->begin_ns = steps->end_ns;
    for (guint i = 0; i < 2; i++)
        if (burst_of(steps, i)->end_ns <= steps->begin_ns)
            go_on(&steps->walks[i], steps->trace_end_ns);
    steps->end_ns = MIN(burst_of(steps, 0)->end_ns, burst_of(steps, 1)->end_ns);
    return TRUE;
}

static Steps start_steps(TndBurstWalk walks[2], guint64 trace_end_ns)
{
    return (Steps){walks, 0, MIN(walks[0].at->end_ns, walks[1].at->end_ns), trace_end_ns};
}

static void append(TndBurstStream *stream, const Steps *steps, double value)
{
    tnd_burst_stream_append(stream, (TndBurst){steps->begin_ns, steps->end_ns, value});
}

/* When the control falls, the data is 0 until the end of its burst. */
static void clear_by(TndBurstWalk walks[2], const double factors[2], guint64 end_ns, TndBurstStream *stream)
{
    double before = 0;
    guint64 cleared_ns = 0;
    Steps steps = start_steps(walks, end_ns);
    do {
        double now = scale(burst_of(&steps, 1)->value, factors[1]), value = 0;
        guint64 since_ns = burst_of(&steps, 0)->begin_ns;
        if (now < before)
            cleared_ns = since_ns;
        else if (cleared_ns != since_ns || since_ns == 0)
            value = scale(burst_of(&steps, 0)->value, factors[0]);
        before = now;
        append(stream, &steps, value);
    } while (take_step(&steps));
}

/* Counts the non-zero bursts of the data since the control last fell. */
static void enumerate(TndBurstWalk walks[2], const double factors[2], guint64 end_ns, TndBurstStream *stream)
{
    double before = 0, n = 0;
    guint64 last_ns = 0;
    Steps steps = start_steps(walks, end_ns);
    do {
        double now = scale(burst_of(&steps, 1)->value, factors[1]);
        guint64 since_ns = burst_of(&steps, 0)->begin_ns;
        if (now < before)
            n = 0;
        else
            n += last_ns == 0 || (since_ns != last_ns && scale(burst_of(&steps, 0)->value, factors[0]) != 0);
        before = now;
        last_ns = since_ns;
        append(stream, &steps, n);
    } while (take_step(&steps));
}

/* A value of all bursts of the data that overlap a burst of the control; each counts as a whole. */
typedef struct {
    double value;
    double sum, time_ns; /* for averages */
} Over;

static inline void over_control(TndBurstWalk walks[2], double factor, guint64 end_ns, TndBurstStream *stream,
                                void (*take)(Over *over, const TndBurst *burst, double value))
{
    TndBurstWalk *data = &walks[0], *control = &walks[1];
    for (; control->at; tnd_burst_walk_next(control)) {
        const TndBurst *burst = control->at;
        Over over = {0, 0, 0};
        while (data->at->end_ns <= burst->begin_ns && data->at->end_ns < end_ns)
            tnd_burst_walk_next(data);
        if (data->at->end_ns > burst->begin_ns)
            take(&over, data->at, data->at->value * factor);
        while (data->at->end_ns < burst->end_ns && data->at->end_ns < end_ns) {
            tnd_burst_walk_next(data);
            take(&over, data->at, data->at->value * factor);
        }
        tnd_burst_stream_append(stream, (TndBurst){burst->begin_ns, burst->end_ns, over.value});
    }
}

static void take_maximum(Over *over, const TndBurst *burst, double value)
{
    over->value = MAX(over->value, value);
}

static void take_sum(Over *over, const TndBurst *burst, double value)
{
    over->value += value;
}

static void take_average(Over *over, const TndBurst *burst, double value)
{
    double time_ns = (double)(burst->end_ns - burst->begin_ns);
    over->sum += value * time_ns;
    over->time_ns += time_ns;
    over->value = over->time_ns == 0 ? 0 : over->sum / over->time_ns;
}

#define OVER_CONTROL(name, take)                                                                                       \
    static void name(TndBurstWalk walks[2], const double factors[2], guint64 end_ns, TndBurstStream *stream)           \
    {                                                                                                                  \
        over_control(walks, factors[0], end_ns, stream, take);                                                         \
    }
OVER_CONTROL(over_maximum, take_maximum)
OVER_CONTROL(over_sum, take_sum)
OVER_CONTROL(over_average, take_average)

static void pair(const TndSemanticDerived *function, TndBurstWalk walks[2], const double factors[2], guint64 end_ns,
                 TndBurstStream *stream)
{
    Steps steps = start_steps(walks, end_ns);
    do
        append(stream, &steps,
               function->value(scale(burst_of(&steps, 0)->value, factors[0]),
                               scale(burst_of(&steps, 1)->value, factors[1])));
    while (take_step(&steps));
}

void tnd_semantic_derived_evaluate(const TndSemanticDerived *function, TndBurstWalk walks[2], const double factors[2],
                                   guint64 end_ns, TndBurstStream *stream)
{
    if (walks[0].at && walks[1].at) { /* else the trace has no duration */
        if (function->follow)
            function->follow(walks, factors, end_ns, stream);
        else
            pair(function, walks, factors, end_ns, stream);
    }
    tnd_burst_walk_end(&walks[0]);
    tnd_burst_walk_end(&walks[1]);
}

const TndSemanticDerived tnd_semantic_deriveds[] = {
    {{"add", 0, {0}}, add, NULL},
    {{"product", 0, {0}}, product, NULL},
    {{"substract", 0, {0}}, difference, NULL},
    {{"divide", 0, {0}}, quotient, NULL},
    {{"maximum", 0, {0}}, larger, NULL},
    {{"minimum", 0, {0}}, smaller, NULL},
    {{"different", 0, {0}}, different, NULL},
    {{"controlled: clear by", 0, {0}}, NULL, clear_by},
    {{"controlled: maximum", 0, {0}}, NULL, over_maximum},
    {{"controlled: add", 0, {0}}, NULL, over_sum},
    {{"controlled: enumerate", 0, {0}}, NULL, enumerate},
    {{"controlled: average", 0, {0}}, NULL, over_average},
    {{NULL, 0, {0}}, NULL, NULL},
};
