/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of a level become threads; the call tree is that of `tandem report`.
 */
#include "viewer/profile_page.h"

#include "analysis/base/quantity.h"

#include <gio/gio.h>

void tnd_profile_page_free(TndProfile *profile)
{
    if (!profile)
        return;
    tnd_call_tree_free(profile->tree);
    g_array_unref(profile->functions);
    g_free(profile->text);
    g_free(profile);
}

void tnd_profile_page_take(TndProfilePage *page, TndProfile *profile)
{
    tnd_profile_page_free(page->made);
    page->made = profile;
    page->top = 0;
}

void tnd_profile_page_drop(TndProfilePage *page)
{
    tnd_profile_page_take(page, NULL);
}

static gboolean is_in_rows(const TndTrace *trace, guint thread, TndZoom zoom, TndLevel level, const TndRowOrder *order)
{
    guint row = 0;
    gint64 line;
    if (level == TND_LEVEL_NODE)
        row = tnd_trace_thread(trace, thread)->node - 1;
    else if (level == TND_LEVEL_THREAD || tnd_levels_is_above(level, TND_LEVEL_THREAD))
        row = tnd_levels_row_above(trace, TND_LEVEL_THREAD, thread, level);
    else
        return TRUE;
    return tnd_row_order_line(order, zoom.first_row, row, &line) && line >= 0 &&
           line < tnd_row_order_n_lines(order, zoom.first_row, zoom.last_row);
}

static char *text_of(const TndTrace *trace, guint n_chosen, TndZoom zoom)
{
    guint n = tnd_trace_n_threads(trace);
    char *begin = zoom.begin_ns ? tnd_quantity_text((double)zoom.begin_ns, "ns") : g_strdup("0"),
         *end = tnd_quantity_text((double)zoom.end_ns, "ns");
    char *threads = n_chosen == n ? g_strdup(n == 1 ? "the only thread" : "all threads")
                                  : g_strdup_printf("%u of %u threads", n_chosen, n);
    char *text = g_strdup_printf("%s, %s to %s", threads, begin, end);
    g_free(threads);
    g_free(end);
    g_free(begin);
    return text;
}

TndProfileSource *tnd_profile_page_source(const TndProfilePage *page, const TndTrace *trace, TndZoom zoom,
                                          TndLevel level, const TndRowOrder *order)
{
    TndProfileSource *source = g_new0(TndProfileSource, 1);
    guint n = tnd_trace_n_threads(trace), n_chosen = 0;
    source->trace = trace;
    source->is_chosen = g_new0(gboolean, n);
    for (guint thread = 0; thread < n; thread++)
        n_chosen += source->is_chosen[thread] = is_in_rows(trace, thread, zoom, level, order);
    source->options = (TndCallTreeOptions){.begin_ns = zoom.begin_ns, .until_ns = zoom.end_ns, .what = page->what};
    if (zoom.end_ns >= tnd_trace_end_ns(trace))
        source->options.until_ns = 0;
    source->text = text_of(trace, n_chosen, zoom);
    return source;
}

void tnd_profile_page_free_source(TndProfileSource *source)
{
    g_free(source->is_chosen);
    g_free(source->text);
    g_free(source);
}

TndProfile *tnd_profile_page_make(const TndProfileSource *source, TndTraceProgress progress, gpointer user_data,
                                  GError **error)
{
    TndCallTreeOptions options = source->options;
    options.is_chosen = source->is_chosen;
    options.progress = progress;
    options.user_data = user_data;
    TndCallTree *tree = tnd_call_tree_new(source->trace, &options);
    if (!tree) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the profile is not wanted any more");
        return NULL;
    }
    TndProfile *profile = g_new0(TndProfile, 1);
    profile->tree = tree;
    profile->functions = tnd_call_tree_functions(tree);
    profile->text = g_strdup(source->text);
    return profile;
}
