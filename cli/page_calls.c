/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sections of the page that say which calls cost how much: of MPI, OpenMP, libraries and Python.
 */
#include "cli/page_parts.h"

#include "analysis/base/quantity.h"
#include "analysis/reports/call_sites.h"
#include "analysis/trace/row_labels.h"
#include "cli/page_text.h"

#include <math.h>

enum { LINES_SHOWN = 20, SITE_FRAMES = 3 };

static char *count_text(guint64 n)
{
    return tnd_quantity_text((double)n, "");
}

static char *average_text(double time_ns, guint64 n)
{
    return tnd_quantity_text(floor(time_ns / (double)MAX(n, 1)), "ns");
}

static void put_mpi_calls(const TndPage *page)
{
    const GArray *calls = page->statistics->calls;
    guint n_shown = MIN(calls->len, LINES_SHOWN);
    if (!calls->len)
        return;
    tnd_page_text_section(page->html, "MPI calls by cost", "Summed up over all threads.");
    tnd_page_text_table(page->html, "call|#calls|#time|#of MPI|#average");
    for (guint i = 0; i < n_shown; i++) {
        const TndUser *call = &g_array_index(calls, TndUser, i);
        tnd_page_text_row(
            page->html, "tnnnn", g_strdup(call->name), count_text(call->n), tnd_quantity_text(call->time_ns, "ns"),
            call->is_counted ? g_strdup("only counted")
                             : tnd_page_text_percent(call->time_ns / (double)MAX(page->statistics->mpi_ns, 1)),
            average_text(call->time_ns, call->n));
    }
    tnd_page_text_table_end(page->html, calls->len - n_shown);
    tnd_page_text_section_end(page->html);
}

static void put_regions(const TndPage *page)
{
    const GArray *regions = page->statistics->regions;
    guint n_shown = MIN(regions->len, LINES_SHOWN);
    if (!regions->len)
        return;
    tnd_page_text_section(page->html, "Parallel regions of OpenMP by cost",
                          "Summed up over all threads: each thread that runs a region has a part of it.");
    tnd_page_text_table(page->html, "function|#parts|#time|#average");
    for (guint i = 0; i < n_shown; i++) {
        const TndUser *region = &g_array_index(regions, TndUser, i);
        tnd_page_text_row(page->html, "tnnn", g_strdup(region->name), count_text(region->n),
                          tnd_quantity_text(region->time_ns, "ns"), average_text(region->time_ns, region->n));
    }
    tnd_page_text_table_end(page->html, regions->len - n_shown);
    tnd_page_text_section_end(page->html);
}

static void put_sites(const TndPage *page)
{
    GArray *sites = tnd_call_sites_new(page->time->ops, SITE_FRAMES);
    guint n_shown = MIN(sites->len, LINES_SHOWN);
    double all_ns = (double)MAX(tnd_trace_end_ns(page->trace), 1) * page->statistics->n_rows;
    if (sites->len) {
        tnd_page_text_section(page->html, "Calls and waits by where they are",
                              "Of MPI, OpenMP and pthread, as shares of the time of all threads. Functions and lines "
                              "are there if they were recorded (tandem record --callers).");
        tnd_page_text_table(page->html, "#time|#share|#times|#average|most of it|where");
        for (guint i = 0; i < n_shown; i++) {
            const TndCallSite *site = &g_array_index(sites, TndCallSite, i);
            double time_ns = (double)site->time_ns;
            tnd_page_text_row(
                page->html, "nnnntt", tnd_quantity_text(time_ns, "ns"), tnd_page_text_percent(time_ns / all_ns),
                count_text(site->n), average_text(time_ns, site->n),
                g_strdup(tnd_row_labels_get(page->trace, TND_LEVEL_THREAD, site->worst_row)), g_strdup(site->where));
        }
        tnd_page_text_table_end(page->html, sites->len - n_shown);
        tnd_page_text_section_end(page->html);
    }
    g_array_unref(sites);
}

static void put_uses(const TndPage *page, const TndFunctionUses *uses, const char *title)
{
    guint n_shown = MIN(uses->most->len, LINES_SHOWN);
    if (!n_shown)
        return;
    tnd_page_text_section(page->html, title, "Their calls, summed up over all threads.");
    tnd_page_text_table(page->html, "function|#calls|#itself|#of these|#with callees|#average");
    for (guint i = 0; i < n_shown; i++) {
        const TndFunctionUse *use = &g_array_index(uses->most, TndFunctionUse, i);
        tnd_page_text_row(page->html, "tnnnnn", g_strdup(use->name), count_text(use->n_calls),
                          tnd_quantity_text((double)use->self_ns, "ns"),
                          tnd_page_text_percent((double)use->self_ns / (double)MAX(uses->self_ns, 1)),
                          tnd_quantity_text((double)use->inclusive_ns, "ns"),
                          average_text((double)use->inclusive_ns, use->n_calls));
    }
    tnd_page_text_table_end(page->html, (guint)(uses->n - n_shown));
    tnd_page_text_section_end(page->html);
}

void tnd_page_parts_calls(const TndPage *page)
{
    put_mpi_calls(page);
    put_regions(page);
    put_sites(page);
    put_uses(page, &page->statistics->library, "Functions of libraries");
    put_uses(page, &page->statistics->python, "Functions of Python");
}
