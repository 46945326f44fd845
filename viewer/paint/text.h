/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The texts of a picture: measured, placed and shortened when a picture is laid out, drawn when it is painted.  A
 * layout is a list of them, so that tests can ask whether any two overlap.
 */
#ifndef TND_TEXT_H
#define TND_TEXT_H

#include <cairo.h>
#include <glib.h>

typedef struct {
    double x, y, width, height;
} TndRectangle;

typedef enum { TND_TEXT_TITLE, TND_TEXT_NORMAL, TND_TEXT_STRONG, TND_TEXT_SMALL, TND_TEXT_N_STYLES } TndTextStyle;
typedef enum { TND_TEXT_LEFT, TND_TEXT_CENTRE, TND_TEXT_RIGHT } TndTextAlign;

/* 0xRRGGBB: the few colours of everything that is not data. */
enum {
    TND_INK = 0x202124,
    TND_INK_SOFT = 0x5f6368,
    TND_INK_LIGHT = 0xffffff,
    TND_PAPER = 0xffffff,
    TND_PAPER_SOFT = 0xf1f3f4,
    TND_RULE = 0xbdc1c6,
    TND_CANVAS = 0x000000,
};

typedef struct {
    TndRectangle box; /* where its ink may be: never wider than the space it was given */
    char *text;
    guint32 colour;
    TndTextStyle style;
    gboolean is_upright; /* turned by 90 degrees, read from below */
    gboolean is_cut;     /* an ellipsis is in its middle */
} TndText;

double tnd_text_height(TndTextStyle style); /* of a line, in pixels */
double tnd_text_width(TndTextStyle style, const char *text);

GArray *tnd_text_list_new(void); /* of TndText; free with g_array_unref */

/* Puts text into `space`, centred vertically, shortened if it is too wide; nothing if not even a few letters fit. */
void tnd_text_add(GArray *texts, TndTextStyle style, TndTextAlign align, guint32 colour, TndRectangle space,
                  const char *text);
/* The same, turned: `space` is as wide as a line is high. */
void tnd_text_add_upright(GArray *texts, TndTextStyle style, TndTextAlign align, guint32 colour, TndRectangle space,
                          const char *text);
void tnd_text_draw(const GArray *texts, cairo_t *cr);

void tnd_text_set_colour(cairo_t *cr, guint32 rgb); /* as the source of cr */

#endif
