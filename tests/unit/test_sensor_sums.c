/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of sensors, and whose the energy is, against a computation by hand.
 */
#include "analysis/histogram/histogram.h"
#include "analysis/reports/sensor_sums.h"
#include "tests/unit/make_trace.h"

#include <math.h>

enum { TEMPERATURE = 92010100, POWER = 92011000, PACKAGE_POWER = 92011100, ENERGY = 92012000, FAN = 92013000 };

/* Three rows of one node; the first two compute, for a while together. */
static TndTrace *make(void)
{
    TndTraceBuild *build = make_trace(3, 600, 1);
    add_state(build, 1, 0, 200, 1);
    add_state(build, 2, 150, 400, 1);
    const struct {
        guint row;
        guint64 time_ns;
        guint32 type;
        gint64 value;
    } events[] = {
        {1, 100, POWER, 0},
        {1, 100, ENERGY, 0},
        {1, 300, POWER, 2000},
        {1, 300, ENERGY, 5},
        {1, 500, POWER, 4000},
        {1, 500, ENERGY, 7},
        {1, 100, TEMPERATURE, 40000},
        {1, 200, TEMPERATURE, 50000},
        {1, 500, TEMPERATURE, 50000},
        {2, 100, PACKAGE_POWER, 1000},
        {2, 200, PACKAGE_POWER, 3000},
        {3, 250, PACKAGE_POWER, 3000},
        {3, 350, PACKAGE_POWER, 5000},
        {1, 100, FAN, 0},
        {1, 200, FAN, 1000},
    };
    for (guint i = 0; i < G_N_ELEMENTS(events); i++)
        add_event(build, events[i].row, events[i].time_ns, events[i].type, events[i].value);
    struct tnd_pcf *pcf = tnd_pcf_new();
    tnd_pcf_set_type(pcf, TEMPERATURE, "Package 0 [m\302\260C] (coretemp)");
    tnd_pcf_set_type(pcf, POWER, "Power of the node [mW] (modelled: X)");
    tnd_pcf_set_type(pcf, FAN, "chip fan1 [RPM] (chip)");
    return tnd_trace_build_finish(build, pcf, NULL);
}

static void check(const TndSensorSum *sensor, const char *name, const char *unit, const double expected[static 4])
{
    g_assert_cmpstr(sensor->name, ==, name);
    g_assert_cmpstr(sensor->unit, ==, unit);
    const double values[] = {sensor->minimum, sensor->mean, sensor->maximum, sensor->joules};
    for (guint i = 0; i < 4; i++)
        if (isnan(expected[i]))
            g_assert_true(isnan(values[i]));
        else
            g_assert_cmpfloat_with_epsilon(values[i], expected[i], 1e-20 + fabs(expected[i]) * 1e-9);
}

/* The first reading of power is where somebody began; of two that read one after another nothing is between. */
static void test_sensors(void)
{
    TndTrace *trace = make();
    TndSensorSums *sums = tnd_sensor_sums_new(trace);
    const TndSensorSum *sensors = (const TndSensorSum *)sums->sensors->data;
    g_assert_cmpuint(sums->sensors->len, ==, 4);
    check(&sensors[0], "Package 0 (coretemp)", "\302\260C", (double[]){40, (45 * 100 + 50 * 300) / 400.0, 50, NAN});
    check(&sensors[1], "Power of the node (modelled: X)", "W", (double[]){2, 30, 4, 12e-6}); /* by its energy */
    check(&sensors[2], "92011100", "W", (double[]){1, 3, 5, 600e-9});
    check(&sensors[3], "chip fan1 (chip)", "RPM", (double[]){0, 500, 1000, NAN});
    tnd_sensor_sums_free(sums);
    tnd_trace_free(trace);
}

/* A power that is there at once holds for the time from the begin on; what was used before is none of the trace's. */
static void test_first_reading(void)
{
    TndTraceBuild *build = make_trace(1, 600, 1);
    static const guint64 times[] = {100, 300, 500};
    static const gint64 powers[] = {2000, 3000, 4000}, energies[] = {77, 6, 8};
    for (guint i = 0; i < G_N_ELEMENTS(times); i++) {
        add_event(build, 1, times[i], POWER, powers[i]);
        add_event(build, 1, times[i], ENERGY, energies[i]);
    }
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndSensorSums *sums = tnd_sensor_sums_new(trace);
    const double joules = 14e-6 + 2 * 100e-9;
    g_assert_cmpuint(sums->sensors->len, ==, 1);
    check((const TndSensorSum *)sums->sensors->data, "92011000", "W", (double[]){2, joules / 500e-9, 4, joules});
    tnd_sensor_sums_free(sums);
    tnd_trace_free(trace);
}

static void test_shares(void)
{
    TndTrace *trace = make();
    TndSensorSums *sums = tnd_sensor_sums_new(trace);
    TndView *everywhere = tnd_view_new(trace, "node-threads", NULL), *share = tnd_view_new(trace, "power-share", NULL);
    TndHistogramOptions options = {.statistic = TND_STATISTIC_INTEGRAL, .data = share};
    TndHistogram *table = tnd_histogram_new_with(everywhere, &options, NULL);
    const double nobodys = 4 * 100 / 3.0, expected[] = {100 + 50 + nobodys, 50 + 200 + 400 + nobodys, nobodys};
    g_assert_cmpuint(table->n_columns, ==, 1);
    g_assert_cmpstr(table->unit, ==, "J");
    for (guint row = 0; row < 3; row++) {
        g_assert_cmpfloat_with_epsilon(sums->joules[row], expected[row] * 1e-9, 1e-15);
        g_assert_cmpfloat_with_epsilon(table->cells[row].value, expected[row] * 1e-9, 1e-15);
    }
    g_assert_cmpfloat_with_epsilon(sums->all_joules, (2 * 200 + 4 * 200) * 1e-9, 1e-15);
    tnd_histogram_free(table);
    tnd_view_free(everywhere);
    tnd_view_free(share);
    tnd_sensor_sums_free(sums);
    tnd_trace_free(trace);
}

static void test_none(void)
{
    TndTrace *trace = tnd_trace_build_finish(make_trace(1, 100, 1), NULL, NULL);
    TndSensorSums *sums = tnd_sensor_sums_new(trace);
    g_assert_cmpuint(sums->sensors->len, ==, 0);
    g_assert_null(sums->joules);
    tnd_sensor_sums_free(sums);
    tnd_trace_free(trace);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sensor-sums/sensors", test_sensors);
    g_test_add_func("/sensor-sums/first-reading", test_first_reading);
    g_test_add_func("/sensor-sums/shares", test_shares);
    g_test_add_func("/sensor-sums/none", test_none);
    return g_test_run();
}
