/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a value to a colour, as Paraver's users know them: a colour per code, or green to blue for a magnitude.
 */
#ifndef TND_PALETTE_H
#define TND_PALETTE_H

#include "analysis/view.h"

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

/* Codes of values, so that a cell of a picture is two bytes: the greater the magnitude, the greater the code.  0 is
 * what is outside of all; of a code, the value + 1; of a gradient 0 is 0, and the rest its colours. */
enum {
    TND_PALETTE_CODE_OF_ZERO = 1,
    TND_PALETTE_GRADIENT_CODES = 257,
    TND_PALETTE_MOST_CODES = 32769,
    TND_PALETTE_STEP = 64,
};

/* Whether values may have codes: not those of a gradient where any is negative. */
gboolean tnd_palette_has_codes(const TndPaletteScale *scale);

/* Encodes n values, a multiple of TND_PALETTE_STEP; a gradient's are in its range, or 0.  FALSE: one has no code. */
gboolean tnd_palette_encode(const TndPaletteScale *scale, const double *values, guint n, guint16 *codes);

/* Colours of codes 0 to n - 1, over black: g_free. */
guint32 *tnd_palette_colours(const TndPaletteScale *scale, guint n);

/* Ink that can be read on a colour. */
guint32 tnd_palette_ink_on(guint32 rgb);

#endif
