/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The double 2^52 + x has x in its lowest bits, rounded as by lrint().  The bits of a double that is greater than 0, as
 * a whole number, grow with its logarithm.  Loops that use this are vectorized.
 */
#include "analysis/bursts/value_codes.h"

#include <string.h>

/* Items of a loop of constant length, which the compiler vectorizes. */
enum { STEP = 16 };

/* Bits of doubles are taken in units of 2^UNIT, so that their differences are less than 2^52. */
enum { UNIT = 12, STEPS = TND_VALUE_CODES_GRADIENT - 2 };

static const double whole = 0x1p52;

TndValueCodes tnd_value_codes_of_numbers(void)
{
    return (TndValueCodes){.largest = TND_VALUE_CODES_MOST - 1 - TND_VALUE_CODES_OF_ZERO,
                           .zero = TND_VALUE_CODES_OF_ZERO};
}

static inline guint64 bits_of(double value)
{
    guint64 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

TndValueCodes tnd_value_codes_of_gradient(double minimum, double maximum)
{
    const gboolean is_one = maximum <= minimum; /* the only value gets the last code */
    const guint64 least = bits_of(minimum), most = bits_of(maximum);
    return (TndValueCodes){.is_gradient = TRUE,
                           .least = is_one ? least - (1 << UNIT) : least,
                           .span = is_one ? 1 : (double)((most - least) >> UNIT),
                           .largest = minimum < 0 ? -1 : maximum};
}

static inline void encode_numbers(const double *restrict values, guint n, guint16 *restrict to)
{
    for (guint i = 0; i < n; i++)
        to[i] = (guint16)(bits_of(values[i] + whole) + TND_VALUE_CODES_OF_ZERO);
}

static inline void encode_gradient(const double *restrict values, guint n, guint64 least, double per_unit,
                                   guint16 *restrict to)
{
    for (guint i = 0; i < n; i++) {
        const guint64 bits = (bits_of(values[i]) - least) >> UNIT | G_GUINT64_CONSTANT(0x4330000000000000);
        double units;
        memcpy(&units, &bits, sizeof units);
        double shifted = (units - whole) * per_unit + whole;
        shifted = values[i] == 0 ? whole + 0xffff : shifted; /* before the first code */
        guint16 code = (guint16)(bits_of(shifted) + 1);
        to[i] = MIN(code, TND_VALUE_CODES_GRADIENT - 1);
    }
}

static inline void encode(const TndValueCodes *codes, const double *values, guint n, guint16 *to)
{
    if (codes->is_gradient)
        encode_gradient(values, n, codes->least, STEPS / MAX(codes->span, 1), to);
    else
        encode_numbers(values, n, to);
}

void tnd_value_codes_encode(const TndValueCodes *codes, const double *values, guint n, guint16 *to)
{
    guint at = 0;
    for (; at + STEP <= n; at += STEP)
        encode(codes, values + at, STEP, to + at);
    encode(codes, values + at, n - at, to + at);
}

double tnd_value_codes_value(const TndValueCodes *codes, guint16 code)
{
    if (!codes->is_gradient)
        return code ? code - (double)TND_VALUE_CODES_OF_ZERO : 0;
    const guint64 bits = codes->least + ((guint64)(MAX(codes->span, 1) * (code - 1) / STEPS) << UNIT);
    double value;
    memcpy(&value, &bits, sizeof value);
    return code ? value : 0;
}
