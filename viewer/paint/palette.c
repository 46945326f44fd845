/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two kinds of colours: of codes, from the .pcf; of magnitudes, a line from green to blue.
 */
#include "viewer/paint/palette.h"

#include "analysis/cores.h"
#include "viewer/paint/text.h"

#include <math.h>
#include <string.h>

/* Rows are evaluated when they are first asked for. */
static void ask_row(guint row, gpointer view)
{
    double value;
    tnd_view_columns(view, row, 0, 1, 1, &value);
}

TndPaletteScale tnd_palette_scale(TndView *view)
{
    const TndViewRule *rule = tnd_view_rule(view);
    const TndTrace *trace = tnd_view_trace(view);
    TndPaletteScale scale = {.kind = rule->palette, .pcf = tnd_trace_pcf(trace)};
    scale.zero_is_code = !strcmp(rule->name, "state");
    if (rule->palette == TND_PALETTE_GRADIENT)
        tnd_cores_run(tnd_trace_n_threads(trace), ask_row, view);
    if (rule->palette == TND_PALETTE_GRADIENT &&
        !tnd_view_range(view, 0, tnd_trace_end_ns(trace), &scale.minimum, &scale.maximum))
        scale.minimum = scale.maximum = 0;
    return scale;
}

guint32 tnd_palette_gradient(double fraction)
{
    guint blue = (guint)lrint(255 * CLAMP(fraction, 0, 1));
    return (255 - blue) << 8 | blue;
}

guint32 tnd_palette_colour(const TndPaletteScale *scale, double value)
{
    if (isnan(value) || (value == 0 && !scale->zero_is_code))
        return TND_CANVAS;
    if (scale->kind == TND_PALETTE_GRADIENT) {
        double span = scale->maximum - scale->minimum;
        return tnd_palette_gradient(span > 0 ? (value - scale->minimum) / span : 1);
    }
    struct tnd_pcf_colour colour = tnd_pcf_value_colour(scale->pcf, (int64_t)value);
    return (guint32)colour.r << 16 | (guint32)colour.g << 8 | colour.b;
}

/* In double precision 2^52 + n has n in its lowest bits, rounded as lrint() does: loops over these are many at once. */
static const double whole = 0x1p52;

static inline guint64 bits_of(double value)
{
    guint64 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Not 0: one is no small whole number. */
static guint64 encode_numbers(const double *restrict values, guint16 *restrict codes)
{
    guint64 wrong = 0;
    for (guint i = 0; i < TND_PALETTE_STEP; i++) {
        double shifted = values[i] + whole;
        guint64 number = bits_of(shifted) ^ bits_of(whole);
        wrong |= (bits_of(shifted - whole) ^ bits_of(values[i])) | number >> 15;
        codes[i] = (guint16)(number + TND_PALETTE_CODE_OF_ZERO);
    }
    return wrong;
}

static void encode_part(const double *restrict values, double minimum, double span, guint16 *restrict codes)
{
    for (guint i = 0; i < TND_PALETTE_STEP; i++) {
        double shifted = 255 * ((values[i] - minimum) / span) + whole;
        shifted = values[i] == 0 ? whole + 0xffff : shifted; /* before the first colour */
        guint16 code = (guint16)(bits_of(shifted) + 1);
        codes[i] = MIN(code, TND_PALETTE_GRADIENT_CODES - 1);
    }
}

gboolean tnd_palette_has_codes(const TndPaletteScale *scale)
{
    return scale->kind == TND_PALETTE_CODE || scale->minimum >= 0;
}

gboolean tnd_palette_encode(const TndPaletteScale *scale, const double *values, guint n, guint16 *codes)
{
    const double span = scale->maximum - scale->minimum;
    guint64 wrong = 0;
    for (guint at = 0; at < n && !wrong; at += TND_PALETTE_STEP)
        if (scale->kind == TND_PALETTE_CODE)
            wrong = encode_numbers(values + at, codes + at);
        else
            encode_part(values + at, span > 0 ? scale->minimum : 0, span > 0 ? span : scale->maximum, codes + at);
    return !wrong;
}

guint32 *tnd_palette_colours(const TndPaletteScale *scale, guint n)
{
    guint32 *colours = g_new(guint32, MAX(n, 1));
    colours[0] = TND_CANVAS;
    for (guint code = 1; code < n; code++)
        colours[code] = scale->kind == TND_PALETTE_GRADIENT ? tnd_palette_gradient((code - 1) / 255.0)
                                                            : tnd_palette_colour(scale, code - 1.0);
    return colours;
}

guint32 tnd_palette_ink_on(guint32 rgb)
{
    double light = 0.299 * (rgb >> 16 & 255) + 0.587 * (rgb >> 8 & 255) + 0.114 * (rgb & 255);
    return light > 100 ? TND_INK : TND_INK_LIGHT;
}
