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
        !tnd_view_range(view, 0, tnd_trace_end_ns(trace), &scale.least, &scale.most))
        scale.least = scale.most = 0;
    scale.minimum = scale.least;
    scale.maximum = scale.most;
    tnd_palette_set_look(&scale, &(TndLook){0});
    return scale;
}

void tnd_palette_set_look(TndPaletteScale *scale, const TndLook *look)
{
    if (look->has_limits) {
        scale->minimum = look->least;
        scale->maximum = look->most;
    }
    const gboolean is_wide = scale->maximum > TND_SCALE_WIDE * scale->minimum;
    scale->is_log = scale->minimum >= 0 && (look->scale == TND_SCALE_LOG || (look->scale == TND_SCALE_AUTO && is_wide));
    if (scale->is_log && scale->minimum == 0) /* a limit: there is no logarithm of it */
        scale->minimum = scale->least < scale->maximum && scale->least > 0 ? scale->least : scale->maximum / 1e6;
}

static double fraction_of(const TndPaletteScale *scale, double value)
{
    const double minimum = scale->minimum, maximum = scale->maximum;
    if (maximum <= minimum)
        return value < minimum ? 0 : 1;
    if (scale->is_log)
        return log(MAX(value, minimum) / minimum) / log(maximum / minimum);
    return (value - minimum) / (maximum - minimum);
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
    if (scale->kind == TND_PALETTE_GRADIENT)
        return tnd_palette_gradient(fraction_of(scale, value));
    struct tnd_pcf_colour colour = tnd_pcf_value_colour(scale->pcf, (int64_t)value);
    return (guint32)colour.r << 16 | (guint32)colour.g << 8 | colour.b;
}

guint32 *tnd_palette_colours(const TndPaletteScale *scale, guint n)
{
    guint32 *colours = g_new(guint32, MAX(n, 1));
    const TndValueCodes codes = scale->kind == TND_PALETTE_GRADIENT
                                    ? tnd_value_codes_of_gradient(scale->least, scale->most)
                                    : tnd_value_codes_of_numbers();
    colours[0] = TND_CANVAS;
    for (guint code = 1; code < n; code++)
        colours[code] = tnd_palette_colour(scale, tnd_value_codes_value(&codes, (guint16)code));
    return colours;
}

guint32 tnd_palette_ink_on(guint32 rgb)
{
    double light = 0.299 * (rgb >> 16 & 255) + 0.587 * (rgb >> 8 & 255) + 0.114 * (rgb & 255);
    return light > 100 ? TND_INK : TND_INK_LIGHT;
}
