/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The texts of a picture: they are measured, placed and shortened when the picture is laid out, and drawn when it is
 * painted.  A layout has a list of its texts, so that tests can check whether any two overlap.
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

typedef enum { TND_THEME_LIGHT, TND_THEME_DARK, TND_THEME_N } TndTheme;

/* The colours of everything that is not data: as 0xRRGGBB, or from TND_INK on as what they are for, which the theme
 * gives a colour. */
enum {
    TND_CANVAS = 0x000000, /* where there is no value, in every theme */
    TND_INK_DARK = 0x000000,
    TND_INK_LIGHT = 0xffffff,
    TND_INK = 0x1000000,
    TND_INK_SOFT,
    TND_PAPER,
    TND_PAPER_SOFT,
    TND_RULE,
    TND_COLOURS_END
};

typedef struct {
    TndRectangle box; /* that the text covers; never wider than the space it was given */
    char *text;
    guint32 colour;
    TndTextStyle style;
    gboolean is_upright; /* rotated by 90 degrees, to be read from bottom to top */
    gboolean is_cut;     /* it is shortened, with an ellipsis in its middle */
} TndText;

double tnd_text_height(TndTextStyle style); /* of a line, in pixels */
double tnd_text_width(TndTextStyle style, const char *text);

GArray *tnd_text_list_new(void); /* of TndText; free with g_array_unref */

/* Adds text within `space`, centred vertically, shortened if it is too wide; nothing if not even a few letters fit. */
void tnd_text_add(GArray *texts, TndTextStyle style, TndTextAlign align, guint32 colour, TndRectangle space,
                  const char *text);
/* The same with upright text: the width of `space` is the height of a line. */
void tnd_text_add_upright(GArray *texts, TndTextStyle style, TndTextAlign align, guint32 colour, TndRectangle space,
                          const char *text);
void tnd_text_draw(const GArray *texts, cairo_t *cr);

/* The theme of what is drawn with cr from now on; it is light until then. */
void tnd_text_set_theme(cairo_t *cr, TndTheme theme);
guint32 tnd_text_theme_colour(TndTheme theme, guint32 colour); /* as 0xRRGGBB */
void tnd_text_set_colour(cairo_t *cr, guint32 colour);         /* as the source of cr */

#endif
