/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What two windows' rows make together: of their values, or, "controlled", along the data's bursts within the
 * control's.
 */
#include "analysis/views/semantic.h"

#include <math.h>

static double add(double data, double control)
{
    return data + control;
}

static double product(double data, double control)
{
    return data * control;
}

static double difference(double data, double control)
{
    return data - control;
}

static double quotient(double data, double control)
{
    return control == 0 ? 0 : data / control;
}

static double larger(double data, double control)
{
    return data > control ? data : control;
}

static double smaller(double data, double control)
{
    return data < control ? data : control;
}

static double different(double data, double control)
{
    return data != control;
}

/* Dividing by the inverse of a small factor is how Paraver does it, to the last digit. */
static double scale(double value, double factor)
{
    return fabs(factor) < 1 ? (factor < 0 ? -value : value) / (1 / fabs(factor)) : value * factor;
}

/* The two rows, burst by burst: a step ends where a burst of either does. */
typedef struct {
    const TndSignal *signals[2];
    gsize at[2];
    guint64 begin_ns, end_ns; /* of the step */
} Walk;

static const TndBurst *burst_of(const Walk *walk, guint i)
{
    return &walk->signals[i]->bursts[walk->at[i]];
}

static void take_step(Walk *walk)
{
    walk->begin_ns = walk->end_ns;
    for (guint i = 0; i < 2; i++)
        walk->at[i] += walk->at[i] + 1 < walk->signals[i]->n && burst_of(walk, i)->end_ns <= walk->begin_ns;
    walk->end_ns = MIN(burst_of(walk, 0)->end_ns, burst_of(walk, 1)->end_ns);
}

static Walk start_walk(const TndSignal *data, const TndSignal *control)
{
    return (Walk){{data, control}, {0, 0}, 0, MIN(data->bursts[0].end_ns, control->bursts[0].end_ns)};
}

static void append(TndSignal *signal, const Walk *walk, double value)
{
    signal->bursts[signal->n++] = (TndBurst){walk->begin_ns, walk->end_ns, value};
}

/* Where the control falls, the data's burst is 0 from there to its end. */
static void clear_by(TndSignal *signal, const TndSignal *data, const TndSignal *control, const double factors[2])
{
    double before = 0;
    guint64 cleared_ns = 0, end_ns = data->bursts[data->n - 1].end_ns;
    for (Walk walk = start_walk(data, control);; take_step(&walk)) {
        double now = scale(burst_of(&walk, 1)->value, factors[1]), value = 0;
        guint64 since_ns = burst_of(&walk, 0)->begin_ns;
        if (now < before)
            cleared_ns = since_ns;
        else if (cleared_ns != since_ns || since_ns == 0)
            value = scale(burst_of(&walk, 0)->value, factors[0]);
        before = now;
        append(signal, &walk, value);
        if (walk.end_ns >= end_ns)
            return;
    }
}

/* How many bursts of the data that are not 0 there were since the control fell. */
static void enumerate(TndSignal *signal, const TndSignal *data, const TndSignal *control, const double factors[2])
{
    double before = 0, n = 0;
    guint64 last_ns = 0, end_ns = data->bursts[data->n - 1].end_ns;
    for (Walk walk = start_walk(data, control);; take_step(&walk)) {
        double now = scale(burst_of(&walk, 1)->value, factors[1]);
        guint64 since_ns = burst_of(&walk, 0)->begin_ns;
        if (now < before)
            n = 0;
        else
            n += last_ns == 0 || (since_ns != last_ns && scale(burst_of(&walk, 0)->value, factors[0]) != 0);
        before = now;
        last_ns = since_ns;
        append(signal, &walk, n);
        if (walk.end_ns >= end_ns)
            return;
    }
}

/* Over the data's bursts that a control's touches, whole; the first of them first. */
typedef struct {
    double value;        /* so far */
    double sum, time_ns; /* for an average */
} Over;

static void over_control(TndSignal *signal, const TndSignal *data, const TndSignal *control, const double factors[2],
                         void (*take)(Over *over, const TndBurst *burst, double value))
{
    gsize at = 0;
    for (gsize i = 0; i < control->n; i++) {
        const TndBurst *burst = &control->bursts[i];
        Over over = {0, 0, 0};
        while (at + 1 < data->n && data->bursts[at].end_ns <= burst->begin_ns)
            at++;
        if (data->bursts[at].end_ns > burst->begin_ns)
            take(&over, &data->bursts[at], data->bursts[at].value * factors[0]);
        while (at + 1 < data->n && data->bursts[at].end_ns < burst->end_ns) {
            at++;
            take(&over, &data->bursts[at], data->bursts[at].value * factors[0]);
        }
        signal->bursts[signal->n++] = (TndBurst){burst->begin_ns, burst->end_ns, over.value};
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

static void over_maximum(TndSignal *signal, const TndSignal *data, const TndSignal *control, const double factors[2])
{
    over_control(signal, data, control, factors, take_maximum);
}

static void over_sum(TndSignal *signal, const TndSignal *data, const TndSignal *control, const double factors[2])
{
    over_control(signal, data, control, factors, take_sum);
}

static void over_average(TndSignal *signal, const TndSignal *data, const TndSignal *control, const double factors[2])
{
    over_control(signal, data, control, factors, take_average);
}

TndSignal tnd_semantic_derived_signal(const TndSemanticDerived *function, const TndSignal *data,
                                      const TndSignal *control, const double factors[2], guint64 end_ns)
{
    TndSignal signal = {g_new(TndBurst, data->n + control->n), 0};
    if (function->whole) {
        function->whole(&signal, data, control, factors);
        return signal;
    }
    for (Walk walk = start_walk(data, control);; take_step(&walk)) {
        append(&signal, &walk,
               function->value(scale(burst_of(&walk, 0)->value, factors[0]),
                               scale(burst_of(&walk, 1)->value, factors[1])));
        if (walk.end_ns >= end_ns)
            return signal;
    }
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
