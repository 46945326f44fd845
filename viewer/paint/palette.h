/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The colour of a value: one colour per code, or one of a gradient for a magnitude.
 */
#ifndef TND_PALETTE_H
#define TND_PALETTE_H

#include "analysis/views/view.h"
#include "viewer/paint/look.h"
#include "viewer/paint/quantiles.h"

typedef struct {
    TndPalette kind;
    TndColours colours;
    const struct tnd_pcf *pcf;
    double least, most;      /* of all values of a gradient that are not 0 */
    double minimum, maximum; /* of the gradient; values beyond an end have the colour of that end */
    gboolean is_log;
    const TndQuantiles *quantiles; /* of all values that are not 0; NULL: they are not found */
    gboolean is_lit;               /* only values of these limits, both included, have their full colour */
    double lit_least, lit_most;
    gboolean are_others_lit; /* only values beyond these limits have it */
    gboolean zero_is_code;   /* 0 has a colour of its own (the state Idle); else it has the canvas' colour */
} TndPaletteScale;

/* The scale of a view.  A gradient spans the values of the whole trace, so that zooming does not change colours.  Cost:
 * for a gradient, all rows are evaluated, on all cores. */
TndPaletteScale tnd_palette_scale(TndView *view);

/* Sets kind and limits of a gradient to those of a look.  Those that were set before are kept if it has none, or if it
 * has percentiles and these are not found. */
void tnd_palette_set_look(TndPaletteScale *scale, const TndLook *look);

/* 0xRRGGBB; NaN has the canvas' colour. */
guint32 tnd_palette_colour(const TndPaletteScale *scale, double value);
guint32 tnd_palette_gradient(TndColours colours, double fraction); /* 0 to 1 */

/* The muted colours of codes from 0 on.  Codes that are less than TND_PALETTE_APART from each other have colours that
 * are easily told apart; other codes may have the same colour. */
enum { TND_PALETTE_MUTED = 24, TND_PALETTE_APART = 8 };
extern const guint32 tnd_palette_muted[TND_PALETTE_MUTED];

/* How much lighter one colour is than the other, by WCAG 2.1: 1 to 21. */
double tnd_palette_contrast(guint32 a, guint32 b);

/* The colours of codes (value_codes.h) 0 to n - 1, as 0xRRGGBB; free with g_free. */
guint32 *tnd_palette_colours(const TndPaletteScale *scale, guint n);

/* The colour of text that can be read on a background of this colour. */
guint32 tnd_palette_ink_on(guint32 rgb);

#endif
