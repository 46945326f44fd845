/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of formats, and what their writers share.
 */
#include "analysis/convert/conversion.h"

#include "analysis/convert/chrome.h"
#include "analysis/convert/collapsed.h"
#include "analysis/convert/csv_lines.h"
#include "analysis/convert/otf2_write.h"
#include "analysis/convert/perfetto.h"
#include "analysis/convert/pprof.h"
#include "analysis/convert/row_items.h"
#include "analysis/convert/speedscope.h"
#include "analysis/reports/samples.h"

#include <string.h>

#define NO_SAMPLES "the trace has no samples (tandem record --sampling-period)"
#define NO_ITEMS "the trace has no states, calls, counters or samples"

const TndConversionFormat tnd_conversion_formats[] = {
    {.name = "collapsed", .write = tnd_collapsed_write, .has_any = tnd_samples_exist, .nothing = NO_SAMPLES},
    {.name = "speedscope", .write = tnd_speedscope_write, .has_any = tnd_samples_exist, .nothing = NO_SAMPLES},
    {.name = "pprof", .write = tnd_pprof_write, .has_any = tnd_samples_exist, .nothing = NO_SAMPLES},
    {.name = "chrome", .write = tnd_chrome_write, .has_any = tnd_row_items_exist, .nothing = NO_ITEMS},
    {.name = "perfetto", .write = tnd_perfetto_write, .has_any = tnd_row_items_exist, .nothing = NO_ITEMS},
    {.name = "csv", .write = tnd_csv_lines_write, .has_any = tnd_row_items_exist, .nothing = NO_ITEMS},
    {.name = "otf2",
     .write_archive = tnd_otf2_write,
     .anchor = "traces.otf2",
     .has_any = tnd_row_items_exist,
     .nothing = NO_ITEMS},
};

const guint tnd_conversion_n = G_N_ELEMENTS(tnd_conversion_formats);

const TndConversionFormat *tnd_conversion_find(const char *name)
{
    for (guint i = 0; i < tnd_conversion_n; i++)
        if (strcmp(tnd_conversion_formats[i].name, name) == 0)
            return &tnd_conversion_formats[i];
    return NULL;
}

gint64 tnd_conversion_begin_s(const TndTrace *trace)
{
    int day, month, year, hour, minute;
    if (sscanf(tnd_trace_header(trace)->date, "%d/%d/%d at %d:%d", &day, &month, &year, &hour, &minute) != 5)
        return 0;
    GDateTime *time = g_date_time_new_local(year, month, day, hour, minute, 0);
    gint64 seconds = time ? g_date_time_to_unix(time) : 0;
    if (time)
        g_date_time_unref(time);
    return seconds;
}
