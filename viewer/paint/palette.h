/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a value to a colour, as Paraver's users know them: a colour per code, or green to blue for a magnitude.
 */
#ifndef TND_PALETTE_H
#define TND_PALETTE_H

#include "analysis/views/view.h"

typedef struct {
    TndPalette kind;
    const struct tnd_pcf *pcf;
    double minimum, maximum; /* of the gradient; what is beyond has the colour of its end */
    gboolean zero_is_code;   /* 0 has a colour of its own (states: Idle); else it is the canvas */
} TndPaletteScale;

/* For a view, its gradient spanning all of the trace, so that zooming changes no colour.  Cost: of a gradient, what it
 * takes to evaluate all rows, on all cores. */
TndPaletteScale tnd_palette_scale(TndView *view);

/* 0xRRGGBB; NaN is the canvas. */
guint32 tnd_palette_colour(const TndPaletteScale *scale, double value);
guint32 tnd_palette_gradient(double fraction); /* 0 to 1 */

/* Colours of codes (value_codes.h) 0 to n - 1, over black: g_free. */
guint32 *tnd_palette_colours(const TndPaletteScale *scale, guint n);

/* Ink that can be read on a colour. */
guint32 tnd_palette_ink_on(guint32 rgb);

#endif
