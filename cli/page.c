/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page as a whole: its head, its sections in their order, its file.
 */
#include "cli/page.h"

#include "cli/cli.h"
#include "cli/page_parts.h"
#include "cli/page_text.h"

static const char style[] =
    ":root{color-scheme:light dark;--paper:#fff;--ink:#1b1d21;--faint:#5d636d;--rule:#d5d8dd;--useful:#2a6fb0;"
    "--mpi:#c4572f;--openmp:#b3882a;--other:#b9bec7;--cell:42,111,176}\n"
    "@media (prefers-color-scheme:dark){:root{--paper:#16181c;--ink:#e6e8eb;--faint:#a2a8b2;--rule:#3a3e46;"
    "--useful:#5b9bd8;--mpi:#e0794f;--openmp:#d3ab4e;--other:#5a606b;--cell:91,155,216}}\n"
    "body{background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:1200px;"
    "padding:1em}\n"
    "h1{font-size:1.5em;overflow-wrap:anywhere}h2{font-size:1.2em;margin-top:2em;border-bottom:1px solid var(--rule)}\n"
    "p{max-width:75ch;overflow-wrap:anywhere}.wide{overflow-x:auto}table{border-collapse:collapse}\n"
    "th,td{padding:.2em .7em;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}\n"
    "th{color:var(--faint);font-weight:600}td:last-child{overflow-wrap:anywhere;min-width:9em}\n"
    ".n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
    "img{width:100%;height:auto;min-width:760px}.wide svg{display:block}svg "
    "text{fill:currentColor}.light{background:#fff;"
    "color:#000}\n"
    ".key{display:inline-block;width:.8em;height:.8em;margin:0 .4em 0 1em}\n"
    "ul.tree,ul.tree ul{list-style:none;padding-left:1.1em;margin:0}ul.tree{padding:0;min-width:max-content}\n"
    "ul.tree b{font-weight:400;color:var(--faint);font-variant-numeric:tabular-nums}\n"
    "@media (max-width:600px){body{font-size:14px;padding:.6em}th,td{padding:.2em .4em}}\n"
    "@media print{body{max-width:none;font-size:10px}section{break-inside:auto}h2{break-after:avoid}"
    ".wide{overflow:visible}img{min-width:0}tr{break-inside:avoid}}\n";

static void put_head(const TndPage *page)
{
    char *name = tnd_page_text_escape(tnd_trace_name(page->trace));
    g_string_append_printf(page->html,
                           "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                           "<link rel=\"icon\" href=\"data:,\">\n"
                           "<title>%s: report of tandem</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>%s</h1>\n",
                           name, style, name);
    g_free(name);
}

static void put_sections(const TndPage *page)
{
    static void (*const parts[])(const TndPage *) = {
        tnd_page_parts_run,       tnd_page_parts_efficiency, tnd_page_parts_shares, tnd_page_parts_timelines,
        tnd_page_parts_waits,     tnd_page_parts_path,       tnd_page_parts_calls,  tnd_page_parts_matrix,
        tnd_page_parts_functions, tnd_page_parts_flame,      tnd_page_parts_heap,   tnd_page_parts_sensors,
    };
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        parts[i](page);
}

int tnd_page_write(const TndTrace *trace, const char *path)
{
    const TndCallTreeOptions options = {.what = TND_SAMPLES_CPU};
    GError *error = NULL;
    TndStatistics *statistics = tnd_statistics_new(trace);
    TndStatTime *time = tnd_stat_time_new(trace, TRUE);
    TndCallTree *tree = tnd_call_tree_new(trace, &options);
    const TndPage page = {trace, statistics, time, tree, g_string_new(NULL)};
    put_head(&page);
    put_sections(&page);
    g_string_append(page.html, "<footer><p>Written by tandem " TND_VERSION ".</p></footer>\n</body>\n</html>\n");
    gboolean is_written = g_file_set_contents(path, page.html->str, (gssize)page.html->len, &error);
    if (!is_written)
        tnd_cli_complain_error(&error);
    g_string_free(page.html, TRUE);
    tnd_call_tree_free(tree);
    tnd_stat_time_free(time);
    tnd_statistics_free(statistics);
    return is_written ? TND_EXIT_FINE : TND_EXIT_INPUT;
}
