/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a picture must never do: texts over each other, over data, or outside of the paper.
 */
#ifndef TND_TEST_BOXES_H
#define TND_TEST_BOXES_H

#include "viewer/paint/text.h"

#include <string.h>

static inline gboolean cut(TndRectangle a, TndRectangle b)
{
    const double touch = 0.5;
    return a.x + a.width > b.x + touch && b.x + b.width > a.x + touch && a.y + a.height > b.y + touch &&
           b.y + b.height > a.y + touch;
}

/* boxes (TndRectangle) may be NULL. */
static inline void check_boxes(const GArray *texts, const GArray *boxes, double width, double height)
{
    for (guint i = 0; i < texts->len; i++) {
        const TndText *text = &g_array_index(texts, TndText, i);
        if (text->box.x < 0 || text->box.y < 0 || text->box.x + text->box.width > width + 0.5 ||
            text->box.y + text->box.height > height + 0.5)
            g_error("%.0fx%.0f: '%s' is not on the paper", width, height, text->text);
        for (guint j = i + 1; j < texts->len; j++)
            if (cut(text->box, g_array_index(texts, TndText, j).box))
                g_error("%.0fx%.0f: '%s' and '%s' overlap", width, height, text->text,
                        g_array_index(texts, TndText, j).text);
        for (guint j = 0; boxes && j < boxes->len; j++)
            if (cut(text->box, g_array_index(boxes, TndRectangle, j)))
                g_error("%.0fx%.0f: '%s' is over data or a swatch", width, height, text->text);
    }
}

static inline gboolean has_text(const GArray *texts, const char *wanted)
{
    for (guint i = 0; i < texts->len; i++)
        if (g_str_equal(g_array_index(texts, TndText, i).text, wanted))
            return TRUE;
    return FALSE;
}

static inline gboolean has_part(const GArray *texts, const char *wanted)
{
    for (guint i = 0; i < texts->len; i++)
        if (strstr(g_array_index(texts, TndText, i).text, wanted))
            return TRUE;
    return FALSE;
}

static const int sizes[][2] = {{400, 200}, {420, 333}, {700, 300}, {800, 480}, {1200, 600}, {1920, 1080}, {3840, 2160}};

#endif
