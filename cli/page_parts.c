/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sections of the page that are tables of statistics.
 */
#include "cli/page_parts.h"

#include "analysis/base/quantity.h"
#include "analysis/reports/heap_list.h"
#include "analysis/reports/sensor_sums.h"
#include "cli/page_text.h"
#include "formats/fact.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 0.01 /* of a path in the call tree */

enum { LINES_SHOWN = 20, DEEPEST = 40 };

static char *count_text(guint64 n)
{
    return tnd_quantity_text((double)n, "");
}

/* A row of the first table, if the trace has the fact. */
static void put_fact(const TndPage *page, const char *title, const char *key, const char *unit)
{
    const char *text = tnd_statistics_comment(page->trace, key);
    if (text)
        tnd_page_text_row(page->html, "tt", g_strdup(title),
                          unit ? tnd_quantity_text(g_ascii_strtod(text, NULL), unit) : g_strdup(text));
}

static void put_nodes(const TndPage *page)
{
    const struct tnd_prv_header *header = tnd_trace_header(page->trace);
    for (guint i = 0; i < header->n_nodes && i < LINES_SHOWN; i++) {
        char *n_cpus = count_text(header->n_cpus[i]);
        tnd_page_text_row(page->html, "tt", g_strdup("machine"),
                          g_strdup_printf("%s, %s CPU%s", tnd_trace_node_name(page->trace, i + 1), n_cpus,
                                          header->n_cpus[i] == 1 ? "" : "s"));
        g_free(n_cpus);
    }
}

static void put_notes(const TndPage *page)
{
    for (const char *const *comment = tnd_trace_comments(page->trace); *comment; comment++) {
        const char *note = tnd_fact_value(*comment, TND_FACT_NOTE);
        if (note)
            tnd_page_text_row(page->html, "tt", g_strdup("note"), g_strdup(note));
    }
    char *missing = tnd_statistics_missing_end(page->trace);
    if (missing)
        tnd_page_text_row(page->html, "tt", g_strdup("note"), missing);
}

void tnd_page_parts_run(const TndPage *page)
{
    static const struct {
        const char *title, *key, *unit;
    } facts[] = {
        {"command", TND_FACT_COMMAND, NULL},
        {"records", TND_FACT_RECORDS, ""},
        {"records lost", TND_FACT_LOST, ""},
        {"CPU time", TND_FACT_CPU_NS, "ns"},
        {"overhead of the recording, about", TND_FACT_OVERHEAD_NS, "ns"},
        {"samples, one every", TND_FACT_SAMPLING_PERIOD_NS, "ns"},
        {"sends without a receive", TND_FACT_UNMATCHED_SENDS, ""},
        {"receives without a send", TND_FACT_UNMATCHED_RECEIVES, ""},
        {"calls open at the end", TND_FACT_OPEN_CALLS, ""},
        {"bytes that could not be read", TND_FACT_DAMAGED_BYTES, ""},
    };
    const TndStatistics *statistics = page->statistics;
    tnd_page_text_section(page->html, "The run", NULL);
    tnd_page_text_table(page->html, "what|value");
    tnd_page_text_row(page->html, "tt", g_strdup("recorded"), g_strdup(tnd_trace_header(page->trace)->date));
    tnd_page_text_row(page->html, "tt", g_strdup("duration"),
                      tnd_quantity_text((double)tnd_trace_end_ns(page->trace), "ns"));
    tnd_page_text_row(page->html, "tt", g_strdup("processes"), count_text(statistics->n_tasks));
    tnd_page_text_row(page->html, "tt", g_strdup("threads"), count_text(statistics->n_rows));
    put_nodes(page);
    for (guint i = 0; i < G_N_ELEMENTS(facts); i++)
        put_fact(page, facts[i].title, facts[i].key, facts[i].unit);
    tnd_page_text_row(page->html, "tt", g_strdup("messages"), count_text(statistics->n_messages));
    if (statistics->n_messages)
        tnd_page_text_row(page->html, "tt", g_strdup("bytes of messages"),
                          tnd_quantity_text(statistics->message_bytes, "B"));
    if (tnd_trace_n_faults(page->trace))
        tnd_page_text_row(page->html, "tt", g_strdup("faulty lines, left out"),
                          count_text(tnd_trace_n_faults(page->trace)));
    put_notes(page);
    tnd_page_text_table_end(page->html, 0);
    tnd_page_text_section_end(page->html);
}

static void put_functions(const TndPage *page, double all)
{
    GArray *functions = tnd_call_tree_functions(page->tree);
    guint n_own = 0;
    while (n_own < functions->len && g_array_index(functions, TndCallFunction, n_own).self)
        n_own++;
    guint n_shown = MIN(n_own, LINES_SHOWN);
    tnd_page_text_table(page->html, page->tree->is_time ? "#itself|#share|#with callees|function"
                                                        : "#samples|#share|#with callees|function");
    for (guint i = 0; i < n_shown; i++) {
        const TndCallFunction *function = &g_array_index(functions, TndCallFunction, i);
        tnd_page_text_row(
            page->html, "nnnt", tnd_quantity_text((double)function->self, page->tree->is_time ? "ns" : ""),
            tnd_page_text_percent((double)function->self / all), tnd_page_text_percent((double)function->total / all),
            tnd_call_tree_name(page->tree, function->function));
    }
    tnd_page_text_table_end(page->html, n_own - n_shown);
    g_array_unref(functions);
}

/* The children of a node that have a share worth showing, as a list. */
static void put_children(const TndPage *page, guint at, guint depth, double all)
{
    guint n = 0;
    for (guint child = tnd_call_tree_node(page->tree, at)->first_child; child && depth < DEEPEST;
         child = tnd_call_tree_node(page->tree, child)->sibling) {
        const TndCallNode *node = tnd_call_tree_node(page->tree, child);
        if ((double)node->total / all < LEAST_SHARE)
            break; /* those with the largest total are first */
        char *name = tnd_call_tree_name(page->tree, node->function), *escaped = tnd_page_text_escape(name);
        char *share = tnd_page_text_percent((double)node->total / all);
        g_string_append_printf(page->html, "%s<li><b>%s</b> %s",
                               n++     ? ""
                               : depth ? "\n<ul>\n"
                                       : "<ul class=\"tree\">\n",
                               share, escaped);
        put_children(page, child, depth + 1, all);
        g_string_append(page->html, "</li>\n");
        g_free(share);
        g_free(escaped);
        g_free(name);
    }
    if (n)
        g_string_append(page->html, "</ul>\n");
}

void tnd_page_parts_functions(const TndPage *page)
{
    double all = (double)tnd_call_tree_node(page->tree, 0)->total;
    if (all <= 0)
        return;
    tnd_page_text_section(
        page->html, "Functions",
        "Where the CPU time goes, by samples: functions themselves, and who called them. Paths of less "
        "than 1 % are left out.");
    put_functions(page, all);
    g_string_append(page->html, "<h3>Who calls whom</h3>\n<div class=\"wide\">\n");
    put_children(page, 0, 0, all);
    g_string_append(page->html, "</div>\n");
    tnd_page_text_section_end(page->html);
}

static void put_sites(const TndPage *page, const TndHeapList *list)
{
    guint n = 0;
    while (n < list->sites->len && g_array_index(list->sites, TndHeapSite, n).figures.live > 0)
        n++;
    if (!n)
        return;
    tnd_page_text_paragraph(page->html, g_strdup("What was never freed, by who allocated it."));
    tnd_page_text_table(page->html, "#never freed|#blocks|by");
    for (guint i = 0; i < MIN(n, LINES_SHOWN); i++) {
        const TndHeapSite *site = &g_array_index(list->sites, TndHeapSite, i);
        tnd_page_text_row(page->html, "nnt", tnd_quantity_text((double)site->figures.live, "B"),
                          count_text(site->figures.live_blocks), tnd_heap_list_name(site->stack));
    }
    tnd_page_text_table_end(page->html, n - MIN(n, LINES_SHOWN));
}

void tnd_page_parts_heap(const TndPage *page)
{
    TndHeapList *list = tnd_heap_list_new(page->trace);
    guint n = list->processes->len, n_shown = MIN(n, LINES_SHOWN);
    if (n) {
        tnd_page_text_section(page->html, "Heap", "In usable bytes, by process.");
        tnd_page_text_table(page->html, "process|#largest|#at the end|#allocated|#allocations|it was largest in");
        for (guint i = 0; i < n_shown; i++) {
            const TndHeapProcess *process = &g_array_index(list->processes, TndHeapProcess, i);
            tnd_page_text_row(page->html, "tnnnnt", g_strdup_printf("TASK %u.%u", process->application, process->task),
                              tnd_quantity_text((double)process->peak, "B"),
                              tnd_quantity_text((double)process->live, "B"),
                              tnd_quantity_text((double)process->allocated, "B"), count_text(process->allocations),
                              process->stack[0] ? tnd_heap_list_name(process->stack) : g_strdup("-"));
        }
        tnd_page_text_table_end(page->html, n - n_shown);
        put_sites(page, list);
        tnd_page_text_section_end(page->html);
    }
    tnd_heap_list_free(list);
}

void tnd_page_parts_sensors(const TndPage *page)
{
    TndSensorSums *sums = tnd_sensor_sums_new(page->trace);
    if (sums->sensors->len) {
        tnd_page_text_section(page->html, "Sensors", NULL);
        tnd_page_text_table(page->html, "sensor|node|#least|#mean|#most|#energy");
        for (guint i = 0; i < sums->sensors->len; i++) {
            const TndSensorSum *sensor = &g_array_index(sums->sensors, TndSensorSum, i);
            gboolean is_power = !isnan(sensor->joules);
            const char *unit = is_power ? "W" : sensor->unit;
            tnd_page_text_row(page->html, "ttnnnn", g_strdup(sensor->name),
                              g_strdup(sensor->node ? tnd_trace_node_name(page->trace, sensor->node) : "-"),
                              tnd_quantity_text(sensor->minimum, unit), tnd_quantity_text(sensor->mean, unit),
                              tnd_quantity_text(sensor->maximum, unit),
                              is_power ? tnd_quantity_text(sensor->joules, "J") : g_strdup(""));
        }
        tnd_page_text_table_end(page->html, 0);
        tnd_page_text_section_end(page->html);
    }
    tnd_sensor_sums_free(sums);
}
