/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page as a whole: its sections in their order.
 */
#include "cli/page.h"

#include "cli/cli.h"
#include "cli/page_parts.h"
#include "cli/page_text.h"

static void put_sections(const TndPage *page)
{
    static void (*const parts[])(const TndPage *) = {
        tnd_page_parts_run,       tnd_page_parts_efficiency, tnd_page_parts_phases, tnd_page_parts_shares,
        tnd_page_parts_timelines, tnd_page_parts_waits,      tnd_page_parts_path,   tnd_page_parts_calls,
        tnd_page_parts_matrix,    tnd_page_parts_functions,  tnd_page_parts_flame,  tnd_page_parts_heap,
        tnd_page_parts_sensors,
    };
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        parts[i](page);
}

int tnd_page_write(const TndTrace *trace, const char *path)
{
    const TndCallTreeOptions options = {.what = TND_SAMPLES_CPU};
    TndStatistics *statistics = tnd_statistics_new(trace);
    TndPageTimelines *timelines = tnd_page_timelines_begin(trace, statistics->n_calls > 0);
    TndStatTime *time = tnd_stat_time_new(trace, TRUE);
    TndCallTree *tree = tnd_call_tree_new(trace, &options);
    const TndPage page = {trace, statistics, time, tree, timelines, g_string_new(NULL)};
    tnd_page_text_begin(page.html, tnd_trace_name(trace), "report of tandem");
    put_sections(&page);
    gboolean is_written = tnd_page_text_write(page.html, path);
    tnd_call_tree_free(tree);
    tnd_stat_time_free(time);
    tnd_page_timelines_free(timelines);
    tnd_statistics_free(statistics);
    return is_written ? TND_EXIT_FINE : TND_EXIT_INPUT;
}
