/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which option of a recording gives the records of a view.
 */
#include "analysis/views/view_absence.h"

static const struct {
    const char *views, *options; /* a pattern of names; the first row that matches counts */
} recordings[] = {
    {"temperature*", "--sensors temperature"},
    {"power*", "--sensors power"},
    {"energy*", "--sensors power"},
    {"numa-*", "--sensors numa"},
    {"rss", "--sensors process"},
    {"page-fault*", "--sensors process"},
    {"context-switch*", "--sensors process"},
    {"io-*", "--sensors process"},
    {"migrations", "--sensors process"},
    {"huge-pages", "--sensors process"},
    {"heap-calls", "--heap calls"},
    {"heap-used", NULL}, /* of a board */
    {"heap-largest", NULL},
    {"heap*", "--heap values"},
    {"mapped", "--heap values"},
    {"python-memory*", "--heap values"},
    {"python-*", "--python auto"},
    {"library-values*", "--library NAME --library-values 'FUNCTION(ARGUMENT)'"},
    {"library-results*", "--library NAME --library-values 'FUNCTION->return'"},
    {"librar*", "--library NAME"},
    {"pthread", "--pthread all"},
    {"call*", "--callers 3"},
    {"stack", "--stack"},
    {"sampled-*", "--sampling-period 1ms"},
    {"waiting-*", "--sampling-period 1ms"},
    {"counter*", "--counters NAME"},
    {"ipc", "--counters PAPI_TOT_INS,PAPI_TOT_CYC"},
    {"instruction-rate", "--counters PAPI_TOT_INS"},
    {"cycle-rate", "--counters PAPI_TOT_CYC"},
    {"flop-rate", "--counters PAPI_FP_OPS"},
    {"l1-misses", "--counters PAPI_TOT_INS,PAPI_L1_DCM"},
    {"l2-misses", "--counters PAPI_TOT_INS,PAPI_L2_DCM"},
    {"branch-misses", "--counters PAPI_BR_MSP,PAPI_BR_INS"},
};

static const char *options_of(const char *view)
{
    for (gsize i = 0; i < G_N_ELEMENTS(recordings); i++)
        if (g_pattern_match_simple(recordings[i].views, view))
            return recordings[i].options;
    return NULL;
}

char *tnd_view_absence(const TndTrace *trace, const TndViewRule *rule)
{
    if (tnd_view_available(trace, rule))
        return NULL;
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%s: this view has nothing to show in %s", rule->name, tnd_trace_name(trace));
    const char *options = options_of(rule->name);
    if (options)
        g_string_append_printf(text, " (tandem record %s)", options);
    g_string_append(text, "; views that have: ");
    gboolean is_first = TRUE;
    for (const TndViewRule *const *other = tnd_view_rules(); *other; other++)
        if (tnd_view_available(trace, *other)) {
            g_string_append_printf(text, "%s%s", is_first ? "" : ", ", (*other)->name);
            is_first = FALSE;
        }
    return g_string_free(text, FALSE);
}
