/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two kinds of colours: those of codes come from the .pcf, those of magnitudes from a line from green to blue.
 */
#include "viewer/paint/palette.h"

#include "viewer/paint/text.h"

#include <math.h>

TndPaletteScale tnd_palette_scale(TndView *view)
{
    const TndViewRule *rule = tnd_view_rule(view);
    const TndTrace *trace = tnd_view_trace(view);
    TndPaletteScale scale = {.kind = rule->palette, .pcf = tnd_trace_pcf(trace)};
    scale.zero_is_code = rule->are_states;
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
