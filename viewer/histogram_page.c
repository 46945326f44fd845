/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One table at most is kept.
 */
#include "viewer/histogram_page.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>

void tnd_histogram_page_drop(TndHistogramPage *page)
{
    if (page->made)
        tnd_histogram_free(page->made);
    page->made = NULL;
}

void tnd_histogram_page_take(TndHistogramPage *page, TndHistogram *histogram)
{
    tnd_histogram_page_drop(page);
    page->made = histogram;
}

TndHistogramOptions tnd_histogram_page_options(const TndHistogramPage *page, TndZoom zoom)
{
    return (TndHistogramOptions){.statistic = page->statistic,
                                 .begin_ns = zoom.begin_ns,
                                 .end_ns = zoom.end_ns,
                                 .first_row = zoom.first_row,
                                 .n_rows = zoom.last_row - zoom.first_row + 1};
}

const TndHistogram *tnd_histogram_page_make(TndHistogramPage *page, TndView *view, TndZoom zoom, GError **error)
{
    TndHistogramOptions options = tnd_histogram_page_options(page, zoom);
    if (!page->made)
        page->made = tnd_histogram_new_with(view, &options, error);
    return page->made;
}

gboolean tnd_histogram_page_write_csv(const TndHistogram *histogram, const char *path, GError **error)
{
    FILE *file = strcmp(path, "-") ? fopen(path, "w") : stdout;
    if (!file) {
        g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "%s: %s", path, g_strerror(errno));
        return FALSE;
    }
    gboolean is_good = tnd_histogram_write_csv(histogram, file, FALSE, error);
    int failed = fflush(file), cause = errno;
    if (file != stdout && fclose(file) && !failed) {
        failed = -1;
        cause = errno;
    }
    if (is_good && failed)
        g_set_error(error, G_IO_ERROR, g_io_error_from_errno(cause), "%s: %s", path, g_strerror(cause));
    return is_good && !failed;
}
