/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timelines painted on surfaces in memory, and the pixels of them.
 */
#ifndef TND_TEST_PICTURE_H
#define TND_TEST_PICTURE_H

#include "viewer/paint/timeline.h"

#include <math.h>

static inline TndTrace *open_trace(const char *name)
{
    char *file = g_strdup_printf("%s.prv", name);
    char *path = g_test_build_filename(G_TEST_DIST, "data", "traces", name, file, NULL);
    GError *error = NULL;
    TndTrace *trace = tnd_trace_open(path, NULL, NULL, &error);
    g_assert_no_error(error);
    g_free(path);
    g_free(file);
    return trace;
}

static inline TndTimelineSubject whole(TndView *view)
{
    const TndTrace *trace = tnd_view_trace(view);
    return (TndTimelineSubject){.view = view,
                                .end_ns = tnd_trace_end_ns(trace),
                                .last_row = tnd_view_n_rows(view) - 1,
                                .messages = TND_MESSAGES_NONE,
                                .look.colours = TND_COLOURS_PARAVER};
}

typedef struct {
    TndTimeline *timeline;
    cairo_surface_t *surface;
} Picture;

static inline Picture paint_picture(const TndTimelineSubject *subject, int width, int height)
{
    Picture picture = {tnd_timeline_new(subject, width, height, 1),
                       cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)};
    cairo_t *cr = cairo_create(picture.surface);
    tnd_timeline_paint(picture.timeline, cr);
    cairo_destroy(cr);
    cairo_surface_flush(picture.surface);
    return picture;
}

static inline void free_picture(Picture *picture)
{
    tnd_timeline_free(picture->timeline);
    cairo_surface_destroy(picture->surface);
}

static inline guint32 pixel_at(const Picture *picture, double x, double y)
{
    const unsigned char *data = cairo_image_surface_get_data(picture->surface);
    const guint32 *line = (const guint32 *)(data + (gsize)y * (gsize)cairo_image_surface_get_stride(picture->surface));
    return line[(gsize)x] & 0xffffff;
}

/* The colour in the middle of a row at a time. */
static inline guint32 colour_at(const Picture *picture, guint row, guint64 time_ns)
{
    double top, bottom;
    tnd_timeline_row_span(picture->timeline, row, &top, &bottom);
    return pixel_at(picture, tnd_timeline_x(picture->timeline, time_ns), floor((top + bottom) / 2));
}

#endif
