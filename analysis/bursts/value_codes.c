/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The double 2^52 + x has x in its lowest bits, rounded as by lrint().  Loops that use this are vectorized.
 */
#include "analysis/bursts/value_codes.h"

#include <string.h>

/* Items of a loop of constant length, which the compiler vectorizes. */
enum { STEP = 16 };

static const double whole = 0x1p52;

TndValueCodes tnd_value_codes_of_numbers(void)
{
    return (TndValueCodes){.largest = TND_VALUE_CODES_MOST - 1 - TND_VALUE_CODES_OF_ZERO,
                           .zero = TND_VALUE_CODES_OF_ZERO};
}

TndValueCodes tnd_value_codes_of_gradient(double minimum, double maximum)
{
    const gboolean is_one = maximum <= minimum; /* the only value gets the last colour */
    return (TndValueCodes){.is_gradient = TRUE,
                           .least = is_one ? 0 : minimum,
                           .span = is_one ? maximum : maximum - minimum,
                           .largest = minimum < 0 ? -1 : maximum};
}

static inline guint64 bits_of(double value)
{
    guint64 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline void encode_numbers(const double *restrict values, guint n, guint16 *restrict to)
{
    for (guint i = 0; i < n; i++)
        to[i] = (guint16)(bits_of(values[i] + whole) + TND_VALUE_CODES_OF_ZERO);
}

static inline void encode_gradient(const double *restrict values, guint n, double least, double span,
                                   guint16 *restrict to)
{
    for (guint i = 0; i < n; i++) {
        double shifted = 255 * ((values[i] - least) / span) + whole;
        shifted = values[i] == 0 ? whole + 0xffff : shifted; /* before the first colour */
        guint16 code = (guint16)(bits_of(shifted) + 1);
        to[i] = MIN(code, TND_VALUE_CODES_GRADIENT - 1);
    }
}

static inline void encode(const TndValueCodes *codes, const double *values, guint n, guint16 *to)
{
    if (codes->is_gradient)
        encode_gradient(values, n, codes->least, codes->span, to);
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
    return code ? codes->least + codes->span * (code - 1) / 255 : 0;
}
