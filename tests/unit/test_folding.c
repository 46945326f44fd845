/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instances of a value, and samples and counters folded over them, worked out by hand.
 */
#include "analysis/reports/fold_phases.h"
#include "analysis/reports/folding.h"
#include "formats/event_types.h"
#include "tests/unit/make_trace.h"

#include <math.h>

#define INSTRUCTIONS 42000050
#define CYCLES 42000059

static TndFoldChoice choice_of(const TndTrace *trace, const char *view, double value)
{
    GError *error = NULL;
    TndFoldChoice choice = {.view = tnd_view_new(trace, view, &error), .value = value, .end_ns = G_MAXUINT64};
    g_assert_no_error(error);
    return choice;
}

/* Finds the instances of a choice; frees its view. */
static TndFoldInstances *find(TndFoldChoice *choice)
{
    TndFoldInstances *instances = tnd_fold_instances_new(choice);
    tnd_view_free(choice->view);
    return instances;
}

static void assert_instances(const TndFoldInstances *instances, const guint64 *times, guint n)
{
    g_assert_cmpuint(instances->all->len, ==, n);
    for (guint i = 0; i < n; i++) {
        const TndFoldInstance *instance = &g_array_index(instances->all, TndFoldInstance, i);
        g_assert_cmpuint(instance->begin_ns, ==, times[2 * i]);
        g_assert_cmpuint(instance->end_ns, ==, times[2 * i + 1]);
    }
}

static TndTrace *make_events(guint32 type, const gint64 (*events)[2], guint n)
{
    TndTraceBuild *build = make_trace(1, 1000, 1);
    for (guint i = 0; i < n; i++)
        add_event(build, 1, (guint64)events[i][0], type, events[i][1]);
    return tnd_trace_build_finish(build, NULL, NULL);
}

/* Region 1 calls 2, which calls 3; a return to a region is no begin of it. */
static void test_regions_nest(void)
{
    static const gint64 events[][2] = {{10, 1}, {20, 2}, {25, 3}, {27, 2},  {30, 1},  {40, 0},
                                       {50, 1}, {60, 2}, {70, 1}, {100, 0}, {100, 1}, {140, 0}};
    TndTrace *trace = make_events(TND_TYPE_REGION, events, G_N_ELEMENTS(events));
    TndFoldChoice outer = choice_of(trace, "user-events", 1), inner = choice_of(trace, "user-events", 2);
    TndFoldChoice between = choice_of(trace, "user-events", 2), early = choice_of(trace, "user-events", 1);
    between.is_between = TRUE;
    early.begin_ns = 11;
    early.end_ns = 100;
    static const guint64 of_outer[] = {10, 40, 50, 100, 100, 140}, of_inner[] = {20, 30, 60, 70},
                         of_between[] = {20, 60};
    TndFoldInstances *found[] = {find(&outer), find(&inner), find(&between), find(&early)};
    assert_instances(found[0], of_outer, 3);
    assert_instances(found[1], of_inner, 2);
    assert_instances(found[2], of_between, 1);
    assert_instances(found[3], of_outer + 2, 1);
    for (guint i = 0; i < G_N_ELEMENTS(found); i++)
        tnd_fold_instances_free(found[i]);
    tnd_trace_free(trace);
}

/* Values of a program's own type do not nest: each ends where the next one begins; and a value that is set again begins
 * again, which only an instance between begins shows. */
static void test_phases_do_not_nest(void)
{
    static const gint64 events[][2] = {{10, 1}, {20, 2}, {30, 1}, {40, 2}, {50, 0}, {60, 1}, {70, 1}, {90, 1}};
    TndTrace *trace = make_events(1234, events, G_N_ELEMENTS(events));
    TndFoldChoice second = choice_of(trace, "user-events:1234", 2), any = choice_of(trace, "user-events:1234", 0);
    TndFoldChoice between = choice_of(trace, "user-events:1234", 1);
    any.any_value = TRUE;
    between.is_between = TRUE;
    static const guint64 of_second[] = {20, 30, 40, 50}, of_any[] = {10, 20, 20, 30, 30, 40, 40, 50},
                         of_between[] = {10, 30, 30, 60, 60, 70, 70, 90};
    TndFoldInstances *found[] = {find(&second), find(&any), find(&between)};
    assert_instances(found[0], of_second, 2);
    assert_instances(found[1], of_any, 4);
    assert_instances(found[2], of_between, 4);
    for (guint i = 0; i < G_N_ELEMENTS(found); i++)
        tnd_fold_instances_free(found[i]);
    tnd_trace_free(trace);
}

/* Twenty instances of 10, of which each fifth lasts 30: the longer ones are left out.  Value 2 lasts longer, but only
 * twice; value 3 is repeated and shorter. */
static TndTrace *make_repeated(void)
{
    TndTraceBuild *build = make_trace(1, 10000, 1);
    guint64 time = 100;
    for (guint i = 0; i < 20; i++) {
        guint64 duration = i % 5 == 4 ? 30 : 10;
        add_event(build, 1, time, TND_TYPE_REGION, 1);
        add_event(build, 1, time += duration, TND_TYPE_REGION, 0);
        add_event(build, 1, time += 1, TND_TYPE_REGION, 3);
        add_event(build, 1, time += 3, TND_TYPE_REGION, 0);
        if (i % 10)
            continue;
        add_event(build, 1, time += 1, TND_TYPE_REGION, 2);
        add_event(build, 1, time += 2000, TND_TYPE_REGION, 0);
    }
    return tnd_trace_build_finish(build, NULL, NULL);
}

static void test_outliers(void)
{
    TndTrace *trace = make_repeated();
    TndFoldChoice choice = {.end_ns = G_MAXUINT64};
    g_assert_true(tnd_fold_instances_choose(trace, &choice));
    g_assert_cmpfloat(choice.value, ==, 1);
    g_assert_false(choice.is_between || choice.any_value);
    TndFoldInstances *instances = tnd_fold_instances_new(&choice);
    g_assert_cmpuint(instances->all->len, ==, 20);
    g_assert_cmpuint(instances->n_kept, ==, 16);
    g_assert_cmpuint(instances->kept_ns, ==, 160);
    g_assert_cmpuint(instances->all_ns, ==, 280);
    g_assert_cmpfloat(instances->mean_ns, ==, 10);
    g_assert_cmpfloat(instances->deviation_ns, ==, 0);
    tnd_fold_instances_free(instances);
    choice.least_ns = 20;
    choice.most_ns = 40;
    instances = find(&choice);
    g_assert_cmpuint(instances->n_kept, ==, 4);
    g_assert_cmpfloat(instances->mean_ns, ==, 30);
    tnd_fold_instances_free(instances);
    tnd_trace_free(trace);
}

/* Numbers of iterations, none of which is repeated: all are instances. */
static void test_numbers_of_iterations(void)
{
    TndTraceBuild *build = make_trace(1, 1000, 1);
    for (guint i = 0; i <= 12; i++)
        add_event(build, 1, 10 + 10 * i, 77, i < 12 ? i + 1 : 0);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndFoldChoice choice = choice_of(trace, "user-events:77", 0);
    g_assert_true(tnd_fold_instances_choose_value(&choice));
    g_assert_true(choice.any_value);
    TndFoldInstances *instances = find(&choice);
    g_assert_cmpuint(instances->n_kept, ==, 12);
    tnd_fold_instances_free(instances);
    tnd_trace_free(trace);
}

static void add_stack(TndTraceBuild *build, guint64 time, gint64 function, gint64 caller, gint64 weight)
{
    add_event(build, 1, time, TND_TYPE_SAMPLED_FUNCTION, function);
    if (caller)
        add_event(build, 1, time, TND_TYPE_SAMPLED_FUNCTION + 1, caller);
    add_event(build, 1, time, TND_TYPE_SAMPLE_WEIGHT, weight);
}

static void add_sample(TndTraceBuild *build, guint64 time, gint64 function, gint64 caller, gint64 weight)
{
    add_stack(build, time, function, caller, weight);
    add_event(build, 1, time, TND_TYPE_SAMPLE_DEPTH, caller ? 2 : 1);
}

/* Forty instances of 100 and of 102 in turn.  Each has one sample, at the middle of one of ten parts, in turn: function
 * 2 until 0.3, then 3.  Instructions: 1000 an instance, at an even rate, cycles: none until 0.5, then 1000. */
static TndTrace *make_folded(void)
{
    TndTraceBuild *build = make_trace(1, 100000, 1);
    guint64 time = 1000;
    add_sample(build, 500, 2, 4, 10); /* in no instance, as the last but one */
    for (guint i = 0; i < 40; i++) {
        guint64 duration = i % 2 ? 102 : 100, part = (i / 2) % 10, middle = duration * (2 * part + 1) / 20;
        gint64 cycles = middle * 2 < duration ? 0 : (gint64)(2000 * middle / duration) - 1000;
        gint64 instructions = (gint64)(1000 * middle / duration);
        add_event(build, 1, time, TND_TYPE_REGION, 1);
        add_event(build, 1, time, INSTRUCTIONS, 12345); /* counted before */
        add_event(build, 1, time, CYCLES, 54321);
        add_sample(build, time + middle, part < 3 ? 2 : 3, 4, part < 3 ? 30 : 10);
        add_event(build, 1, time + middle, INSTRUCTIONS, instructions);
        add_event(build, 1, time + middle, CYCLES, cycles);
        add_event(build, 1, time + middle, TND_TYPE_USER_COUNTER, (gint64)part);
        time += duration;
        add_event(build, 1, time, TND_TYPE_REGION, 0);
        add_event(build, 1, time, INSTRUCTIONS, 1000 - instructions);
        add_event(build, 1, time, CYCLES, 1000 - cycles);
        time += 10;
    }
    add_sample(build, time + 1, 2, 4, 10);
    add_stack(build, time + 2, 2, 4, 10000); /* what was used after the last sample */
    return tnd_trace_build_finish(build, NULL, NULL);
}

static TndFolding *fold(const TndTrace *trace, TndFoldInstances **instances)
{
    TndFoldChoice choice = {.end_ns = G_MAXUINT64};
    const TndFoldingOptions options = {.n_bins = 10};
    g_assert_true(tnd_fold_instances_choose(trace, &choice));
    *instances = find(&choice);
    return tnd_folding_new(trace, *instances, NULL, &options);
}

static void test_samples(void)
{
    TndTrace *trace = make_folded();
    TndFoldInstances *instances;
    TndFolding *folding = fold(trace, &instances);
    g_assert_cmpuint(instances->n_kept, ==, 40);
    g_assert_cmpfloat(folding->mean_ns, ==, 101);
    g_assert_cmpuint(folding->n_samples, ==, 40);
    g_assert_cmpuint(folding->n_outside, ==, 2);
    g_assert_cmpuint(folding->functions->len, ==, 2);
    g_assert_cmpint(tnd_folding_function(folding, 0)->function, ==, 2); /* 12 samples of 30 against 28 of 10 */
    g_assert_cmpfloat(tnd_folding_function(folding, 0)->weight, ==, 360);
    double sure;
    g_assert_cmpfloat_with_epsilon(tnd_folding_total(folding, 0, &sure), 360.0 / 640, 1e-12);
    for (guint bin = 0; bin < 10; bin++) {
        g_assert_cmpuint(folding->counts[bin], ==, 4);
        g_assert_cmpfloat(tnd_folding_share(folding, 0, bin, &sure), ==, bin < 3);
        /* Wilson's interval of 4 samples of 4 */
        g_assert_cmpfloat_with_epsilon(sure, 0.5 * 3.8416 / 4 / (1 + 3.8416 / 4), 1e-9);
    }
    double expected;
    g_assert_cmpuint(tnd_folding_overfull(folding, instances), ==, 0);
    folding->counts[3] = 1000;
    g_assert_cmpuint(tnd_folding_overfull(folding, instances), ==, 1);
    g_assert_cmpuint(tnd_folding_parts_hit(folding, &expected), ==, 20); /* the middles of unlike durations are apart */
    g_assert_cmpfloat_with_epsilon(expected, 100 * (1 - pow(0.99, 40)), 1e-9);
    tnd_folding_free(folding);
    tnd_fold_instances_free(instances);
    tnd_trace_free(trace);
}

static const TndFoldCurve *curve_of(const TndFolding *folding, const char *name)
{
    for (guint i = 0; i < folding->curves->len; i++)
        if (g_strcmp0(tnd_folding_curve(folding, i)->name, name) == 0)
            return tnd_folding_curve(folding, i);
    g_assert_not_reached();
}

static void test_curves(void)
{
    TndTrace *trace = make_folded();
    TndFoldInstances *instances;
    TndFolding *folding = fold(trace, &instances);
    const TndFoldCurve *use = curve_of(folding, "Use of the CPU"), *even = curve_of(folding, "42000050"),
                       *late = curve_of(folding, "42000059"), *ratio = curve_of(folding, "Instructions per cycle"),
                       *held = curve_of(folding, "92000101");
    double second = 1000 / 101e-9; /* the mean rate of both */
    g_assert_cmpfloat(even->total, ==, 1000);
    g_assert_cmpfloat(late->total, ==, 1000);
    g_assert_true(isnan(held->total) && held->holds);
    for (guint bin = 0; bin < 10; bin++) {
        g_assert_cmpfloat_with_epsilon(use->values[bin], 100 * (bin < 3 ? 120 : 40) * 10 / 4040.0, 1e-9);
        g_assert_cmpfloat_with_epsilon(even->values[bin] / second, 1,
                                       0.02); /* counts and positions are whole numbers */
        g_assert_cmpfloat_with_epsilon(late->values[bin] / second,
                                       bin < 4    ? 0
                                       : bin == 4 ? 0.5
                                       : bin == 5 ? 1.5
                                                  : 2,
                                       0.05);
        g_assert_cmpfloat(held->values[bin], ==, bin);
        g_assert_cmpuint(even->counts[bin], ==, 4);
        if (bin < 4)
            g_assert_true(isnan(ratio->values[bin]));
        else
            g_assert_cmpfloat_with_epsilon(ratio->values[bin], even->values[bin] / late->values[bin], 1e-12);
    }
    g_assert_cmpfloat_with_epsilon(late->values[9] / second, 2, 0.05);
    tnd_folding_free(folding);
    tnd_fold_instances_free(instances);
    tnd_trace_free(trace);
}

/* Instances of which the fractions that were read fall, from 0.5 to 0.3 to 0.9: what was counted cannot fall, so that
 * the first two are one point, 0.4. */
static void test_fractions_that_fall(void)
{
    TndTraceBuild *build = make_trace(1, 100000, 1);
    static const gint64 read[] = {50, 30, 90};
    for (guint i = 0; i < 12; i++) {
        guint64 begin = 1000 + 700 * i;
        add_event(build, 1, begin, TND_TYPE_REGION, 1);
        add_event(build, 1, begin, INSTRUCTIONS, 7);
        add_event(build, 1, begin + 100 + 200 * (i % 3), INSTRUCTIONS, read[i % 3]);
        add_event(build, 1, begin + 600, TND_TYPE_REGION, 0);
        add_event(build, 1, begin + 600, INSTRUCTIONS, 100 - read[i % 3]);
    }
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndFoldChoice choice = choice_of(trace, "user-events", 1);
    const TndFoldingOptions options = {.n_bins = 3};
    TndFoldInstances *instances = find(&choice);
    TndFolding *folding = tnd_folding_new(trace, instances, NULL, &options);
    static const double expected[] = {1.2, 1.0, 0.8};
    for (guint bin = 0; bin < 3; bin++)
        g_assert_cmpfloat_with_epsilon(curve_of(folding, "42000050")->values[bin] / (100 / 600e-9), expected[bin],
                                       1e-9);
    tnd_folding_free(folding);
    tnd_fold_instances_free(instances);
    tnd_trace_free(trace);
}

/* A counter that was not read at the ends of instances says nothing about them. */
static void test_a_counter_between_samples_only(void)
{
    TndTraceBuild *build = make_trace(1, 100000, 1);
    for (guint i = 0; i < 20; i++) {
        add_event(build, 1, 1000 + 100 * i, TND_TYPE_REGION, 1);
        add_sample(build, 1000 + 100 * i + i, 2, 0, 10);
        add_event(build, 1, 1000 + 100 * i + i, INSTRUCTIONS, 100);
        add_event(build, 1, 1090 + 100 * i, TND_TYPE_REGION, 0);
    }
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndFoldInstances *instances;
    TndFolding *folding = fold(trace, &instances);
    g_assert_cmpuint(folding->curves->len, ==, 1); /* use of the CPU */
    tnd_folding_free(folding);
    tnd_fold_instances_free(instances);
    tnd_trace_free(trace);
}

/* Phases of a folding that consists of samples only: function 0 until 0.25, 1 until 0.75, both in turn until the end.
 */
static void test_phases(void)
{
    const guint n = 4000;
    TndFolding folding = {.samples = g_array_new(FALSE, FALSE, sizeof(TndFoldSample)),
                          .functions = g_array_new(FALSE, FALSE, sizeof(TndFoldFunction))};
    g_array_set_size(folding.functions, 2);
    for (guint i = 0; i < n; i++) {
        TndFoldSample sample = {.position = (i + 0.5) / n, .function = i * 4 < n ? 0 : i * 4 < 3 * n ? 1 : i % 2};
        g_array_append_val(folding.samples, sample);
    }
    GArray *phases = tnd_fold_phases_new(&folding);
    const TndFoldPhase *found = (const TndFoldPhase *)(void *)phases->data;
    g_assert_cmpuint(phases->len, ==, 3);
    g_assert_cmpfloat_with_epsilon(found[0].end, 0.25, 0.001);
    g_assert_cmpfloat_with_epsilon(found[1].end, 0.75, 0.003);
    g_assert_cmpfloat(found[2].end, ==, 1);
    g_assert_cmpfloat(found[0].uncertainty, <, 0.002);
    g_assert_cmpfloat(found[1].uncertainty, <, 0.005);
    g_assert_cmpfloat(found[2].uncertainty, ==, 0);
    g_assert_cmpuint(found[1].n_functions, ==, 1);
    g_assert_cmpuint(found[1].functions[0], ==, 1);
    g_assert_cmpuint(found[2].n_functions, ==, 2);
    g_assert_cmpfloat_with_epsilon(found[2].shares[0], 0.5, 0.01);
    g_assert_cmpuint(found[0].n + found[1].n + found[2].n, ==, n);
    g_array_unref(phases);
    g_array_set_size(folding.samples, 0);
    phases = tnd_fold_phases_new(&folding);
    g_assert_cmpuint(phases->len, ==, 0);
    g_array_unref(phases);
    g_array_unref(folding.samples);
    g_array_unref(folding.functions);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/folding/regions-nest", test_regions_nest);
    g_test_add_func("/folding/phases-do-not-nest", test_phases_do_not_nest);
    g_test_add_func("/folding/outliers", test_outliers);
    g_test_add_func("/folding/numbers-of-iterations", test_numbers_of_iterations);
    g_test_add_func("/folding/samples", test_samples);
    g_test_add_func("/folding/curves", test_curves);
    g_test_add_func("/folding/fractions-that-fall", test_fractions_that_fall);
    g_test_add_func("/folding/a-counter-between-samples-only", test_a_counter_between_samples_only);
    g_test_add_func("/folding/phases", test_phases);
    return g_test_run();
}
