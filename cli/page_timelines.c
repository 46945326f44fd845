/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread waits for tview, which writes the pictures to its standard output: nothing is left if a signal ends all
 * this.
 */
#include "cli/page_timelines.h"

#include "cli/page_parts.h"
#include "cli/page_text.h"

#include <gio/gio.h>

#define SHAPE_BYTES 25      /* the least that a shape of a timeline takes in an SVG */
#define TIMELINE_WIDTH 1000 /* about, in pixels */

typedef enum { SHAPES, PIXELS, N_FORMS } Form;

struct TndPageTimelines {
    const TndTrace *trace;
    gboolean has_calls;
    char *tview; /* NULL: it is not there */
    GThread *thread;
    char *light, *dark; /* pictures as addresses of themselves; NULL: tview could not draw them */
};

/* tview beside this command, as it is installed or built.  NULL: it is not there.  Free with g_free. */
static char *find_tview(void)
{
    static const char *const places[] = {"tview", "../viewer/tview"};
    char *self = g_file_read_link("/proc/self/exe", NULL), *directory = self ? g_path_get_dirname(self) : NULL;
    char *found = NULL;
    for (guint i = 0; directory && !found && i < G_N_ELEMENTS(places); i++) {
        found = g_build_filename(directory, places[i], NULL);
        if (!g_file_test(found, G_FILE_TEST_IS_EXECUTABLE))
            g_clear_pointer(&found, g_free);
    }
    g_free(directory);
    g_free(self);
    return found;
}

/* Has tview write a picture to its standard output; NULL: it could not. */
static GBytes *draw(const TndPageTimelines *timelines, const char *file, const char *theme)
{
    const char *words[] = {timelines->tview,
                           "--fresh",
                           "--export",
                           file,
                           "--theme",
                           theme,
                           "--view",
                           "state",
                           tnd_trace_path(timelines->trace),
                           "--view",
                           "mpi-calls",
                           NULL};
    GBytes *bytes = NULL;
    if (!timelines->has_calls)
        words[9] = NULL;
    GSubprocess *tview =
        g_subprocess_newv(words, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL);
    if (tview && g_subprocess_communicate(tview, NULL, NULL, &bytes, NULL, NULL) && !g_subprocess_get_successful(tview))
        g_clear_pointer(&bytes, g_bytes_unref);
    g_clear_object(&tview);
    return bytes;
}

/* A picture as the address of itself, in the first form from *form on that is small enough, which *form then is.  NULL:
 * tview could not.  Free with g_free. */
static char *picture_address(const TndPageTimelines *timelines, const char *theme, Form *form)
{
    static const struct {
        const char *file, *type;
    } forms[N_FORMS] = {[SHAPES] = {"-.svg", "image/svg+xml"}, [PIXELS] = {"-.png", "image/png"}};
    for (; *form < N_FORMS; ++*form) {
        GBytes *bytes = draw(timelines, forms[*form].file, theme);
        gsize size = bytes ? g_bytes_get_size(bytes) : 0;
        char *text = size && size <= TND_PAGE_PARTS_MOST_PICTURE_BYTES
                         ? g_base64_encode(g_bytes_get_data(bytes, NULL), size)
                         : NULL;
        char *address = text ? g_strdup_printf("data:%s;base64,%s", forms[*form].type, text) : NULL;
        g_free(text);
        if (bytes)
            g_bytes_unref(bytes);
        if (address)
            return address;
    }
    return NULL;
}

/* Whether timelines are too large as shapes for certain: they have one for each record, at most one a pixel. */
static gboolean have_many_shapes(const TndPageTimelines *timelines)
{
    guint n_threads = tnd_trace_n_threads(timelines->trace), n_lanes = timelines->has_calls ? 2 : 1;
    gsize n_records = 0;
    for (guint row = 0; row < n_threads; row++) {
        const TndThread *thread = tnd_trace_thread(timelines->trace, row);
        n_records += thread->n_states + thread->n_events;
    }
    return MIN(n_records, (gsize)n_threads * n_lanes * TIMELINE_WIDTH) >
           TND_PAGE_PARTS_MOST_PICTURE_BYTES / SHAPE_BYTES;
}

static gpointer draw_both(gpointer data)
{
    TndPageTimelines *timelines = data;
    Form form = have_many_shapes(timelines) ? PIXELS : SHAPES;
    timelines->light = picture_address(timelines, "light", &form);
    timelines->dark = timelines->light ? picture_address(timelines, "dark", &form) : NULL;
    return NULL;
}

TndPageTimelines *tnd_page_timelines_begin(const TndTrace *trace, gboolean has_calls)
{
    TndPageTimelines *timelines = g_new0(TndPageTimelines, 1);
    *timelines = (TndPageTimelines){.trace = trace, .has_calls = has_calls, .tview = find_tview()};
    if (timelines->tview)
        timelines->thread = g_thread_new("timelines", draw_both, timelines);
    return timelines;
}

void tnd_page_parts_timelines(const TndPage *page)
{
    TndPageTimelines *timelines = page->timelines;
    if (timelines->thread)
        g_thread_join(g_steal_pointer(&timelines->thread));
    tnd_page_text_section(page->html, "Timelines", NULL);
    if (timelines->dark)
        g_string_append_printf(
            page->html,
            "<div class=\"wide\"><picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"%s\">"
            "<img alt=\"Timelines: what every thread does, and its MPI calls\" src=\"%s\"></picture></div>\n",
            timelines->dark, timelines->light);
    else
        tnd_page_text_paragraph(page->html,
                                g_strdup(timelines->tview
                                             ? "The pictures are missing: tview could not draw them."
                                             : "The pictures are missing: tview, which draws them, is not installed "
                                               "beside the command tandem."));
    tnd_page_text_section_end(page->html);
}

void tnd_page_timelines_free(TndPageTimelines *timelines)
{
    if (timelines->thread)
        g_thread_join(timelines->thread);
    g_free(timelines->light);
    g_free(timelines->dark);
    g_free(timelines->tview);
    g_free(timelines);
}
