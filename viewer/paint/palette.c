/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Muted colours of codes were found by a search among those of little chroma, so that distances in the space OKLab,
 * also as they look with each kind of colour-blindness, are as large as a test says (tests/paint/test_palette.c).
 */
#include "viewer/paint/palette.h"

#include "viewer/paint/text.h"

#include <math.h>

const guint32 tnd_palette_muted[TND_PALETTE_MUTED] = {0xc3c9d0, 0x4f7cac, 0x98fbfb, 0xb8423f, 0xf6e779, 0x1e5477,
                                                      0x9e8a90, 0xcc7d3a, 0x8dd4b0, 0x882f19, 0xa45897, 0x9497f8,
                                                      0xc7b0eb, 0xe0a336, 0xbc92be, 0x54458b, 0xebc973, 0x557223,
                                                      0xaefdc4, 0x818164, 0x7f5776, 0x7e2d4e, 0xafad5c, 0x48b5d1};

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
    scale->colours = look->colours;
    if (look->has_limits && !look->are_percentiles) {
        scale->minimum = look->least;
        scale->maximum = look->most;
    } else if (look->has_limits && scale->quantiles) {
        scale->minimum = tnd_quantiles_at(scale->quantiles, look->least / 100);
        scale->maximum = tnd_quantiles_at(scale->quantiles, look->most / 100);
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

/* Muted: from dark to light, so that order is seen without hues. */
guint32 tnd_palette_gradient(TndColours colours, double fraction)
{
    static const guint8 stops[][3] = {{63, 78, 148},   {52, 108, 158}, {48, 137, 152}, {72, 162, 132},
                                      {126, 184, 107}, {188, 203, 96}, {250, 224, 120}};
    enum { N = G_N_ELEMENTS(stops) - 1 };
    fraction = CLAMP(fraction, 0, 1);
    if (colours == TND_COLOURS_PARAVER) {
        guint blue = (guint)lrint(255 * fraction);
        return (255 - blue) << 8 | blue;
    }
    const guint at = MIN((guint)(fraction * N), N - 1);
    guint32 rgb = 0;
    for (guint i = 0; i < 3; i++)
        rgb = rgb << 8 | (guint)lrint(stops[at][i] + (fraction * N - at) * (stops[at + 1][i] - stops[at][i]));
    return rgb;
}

/* Each time around begins elsewhere in the table, so that MPI_Init is not as MPI_Bcast, 24 before it. */
static guint32 muted_colour(double value)
{
    enum { AROUND = 16 };
    const guint64 code = (guint64)MIN(floor(fabs(value)), 0x1p52);
    return tnd_palette_muted[(code + code / TND_PALETTE_MUTED * AROUND) % TND_PALETTE_MUTED];
}

static guint32 full_colour(const TndPaletteScale *scale, double value)
{
    if (isnan(value) || (value == 0 && !scale->zero_is_code))
        return TND_CANVAS;
    if (scale->kind == TND_PALETTE_GRADIENT)
        return tnd_palette_gradient(scale->colours, fraction_of(scale, value));
    if (scale->colours == TND_COLOURS_MUTED)
        return muted_colour(value);
    struct tnd_pcf_colour colour = tnd_pcf_value_colour(scale->pcf, (int64_t)value);
    return (guint32)colour.r << 16 | (guint32)colour.g << 8 | colour.b;
}

guint32 tnd_palette_colour(const TndPaletteScale *scale, double value)
{
    const guint32 colour = full_colour(scale, value);
    const gboolean is_named = value >= scale->lit_least && value <= scale->lit_most;
    const gboolean is_dim = scale->is_lit && is_named == scale->are_others_lit;
    return is_dim ? colour >> 2 & 0x3f3f3f : colour;
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

/* The light that a part of a colour makes, 0 to 1. */
static double light_of(guint32 part)
{
    const double value = part / 255.0;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

double tnd_palette_contrast(guint32 a, guint32 b)
{
    const guint32 both[] = {a, b};
    double light[2];
    for (guint i = 0; i < 2; i++)
        light[i] = 0.05 + 0.2126 * light_of(both[i] >> 16 & 255) + 0.7152 * light_of(both[i] >> 8 & 255) +
                   0.0722 * light_of(both[i] & 255);
    return MAX(light[0], light[1]) / MIN(light[0], light[1]);
}

guint32 tnd_palette_ink_on(guint32 rgb)
{
    return tnd_palette_contrast(rgb, TND_INK_DARK) > tnd_palette_contrast(rgb, TND_INK_LIGHT) ? TND_INK_DARK
                                                                                              : TND_INK_LIGHT;
}
