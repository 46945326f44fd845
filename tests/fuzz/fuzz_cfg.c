/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any text as a configuration of Paraver's: if it reads, its windows have bursts on every row from 0 to the end of a
 * small trace, and its histograms cells, or are refused with a word.
 */
#include "analysis/bursts/burst_walk.h"
#include "analysis/histogram/cfg_histogram.h"
#include "analysis/trace/trace_build.h"

#include <math.h>
#include <string.h>

#define MOST_WINDOWS 6
#define MOST_COLUMNS 1000.0

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Two applications, a thread without records, two nodes, an event of two types, a message that is received too early.
 */
static const char prv[] = "#Paraver (22/11/2026 at 10:00):1000_ns:2(2,1):2:2(2:1,1:2),1(1:2)\n"
                          "1:1:1:1:1:0:400:1\n1:1:1:1:1:400:400:5\n1:1:1:1:1:450:900:3\n1:3:2:1:1:0:1000:1\n"
                          "2:1:1:1:1:0:50000001:1:42000050:700\n2:1:1:1:1:300:50000001:0\n2:1:1:1:1:300:50000001:-4\n"
                          "2:2:1:1:1:700:50000001:8:42000050:9000000000\n2:3:2:1:1:250:50000001:3\n"
                          "3:1:1:1:1:100:110:3:2:1:1:500:490:64:7\n3:3:2:1:1:600:600:2:1:2:1:550:560:0:1\n";

typedef struct {
    const char *at;
    size_t left;
} Rest;

static ssize_t read_rest(void *source, char *buffer, size_t size)
{
    Rest *rest = source;
    size_t n = MIN(size, rest->left);
    memcpy(buffer, rest->at, n);
    rest->at += n;
    rest->left -= n;
    return (ssize_t)n;
}

static TndTrace *open_trace(void)
{
    Rest rest = {prv, sizeof prv - 1};
    TndTraceBuild *build = tnd_trace_build_new("made.prv", -1);
    tnd_prv_read(read_rest, &rest, &tnd_trace_build_visitor, build);
    return tnd_trace_build_finish(build, NULL, NULL);
}

static void check_window(TndView *view)
{
    guint64 end_ns = tnd_trace_end_ns(tnd_view_trace(view));
    for (guint row = 0; row < tnd_view_n_rows(view); row++) {
        TndBurst last = {0, 0, 0};
        TndBurstWalk walk = tnd_burst_walk_start(tnd_view_row(view, row), 0);
        for (; walk.at; tnd_burst_walk_next(&walk)) {
            if (walk.at->begin_ns != last.end_ns || walk.at->end_ns < walk.at->begin_ns)
                __builtin_trap();
            last = *walk.at;
        }
        tnd_burst_walk_end(&walk);
        if (last.end_ns != end_ns)
            __builtin_trap();
        g_free(tnd_view_value_text(view, last.value));
    }
}

/* Neither slow nor large. */
static gboolean is_small(const TndCfgHistogram *histogram)
{
    if (histogram->is_automatic ? histogram->has_fixed_delta : histogram->n_columns > MOST_COLUMNS)
        return FALSE;
    if (!histogram->is_automatic && !((histogram->maximum - histogram->minimum) / histogram->delta <= MOST_COLUMNS))
        return FALSE;
    return histogram->third == G_MAXUINT ||
           (!histogram->third_is_automatic &&
            (histogram->third_maximum - histogram->third_minimum) / histogram->third_delta <= 10);
}

static void check_histogram(TndView *const *views, const TndCfg *cfg, guint index)
{
    GError *error = NULL;
    if (!is_small(tnd_cfg_histogram(cfg, index)))
        return;
    TndCfgTables *tables = tnd_cfg_histogram_new(views, cfg, index, NULL, &error);
    if (!tables != (error && error->message[0]))
        __builtin_trap();
    g_clear_error(&error);
    tnd_cfg_histogram_free(tables);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    GError *error = NULL;
    char *text = g_strndup((const char *)data, size);
    TndCfg *cfg = tnd_cfg_parse(text, "fuzz.cfg", &error);
    g_free(text);
    if (!cfg != (error && error->message[0]))
        __builtin_trap();
    g_clear_error(&error);
    if (!cfg)
        return 0;
    TndTrace *trace = open_trace();
    TndView **views = cfg->windows->len <= MOST_WINDOWS ? tnd_view_new_of_cfg(trace, cfg, &error) : NULL;
    for (guint i = 0; views && i < cfg->windows->len; i++)
        check_window(views[i]);
    for (guint i = 0; views && i < MIN(cfg->histograms->len, 3); i++)
        check_histogram(views, cfg, i);
    g_clear_error(&error);
    tnd_view_free_all(views);
    tnd_trace_free(trace);
    tnd_cfg_free(cfg);
    return 0;
}
