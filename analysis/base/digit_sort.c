/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For each digit, the words with each value of it are counted, and then every word is moved to its place.
 */
#include "analysis/base/digit_sort.h"

#include <string.h>

#define DIGIT_BITS 12 /* the largest digit whose table of places stays in the first-level cache */

static void sort_by_digit(const guint64 *from, guint64 *to, guint32 n, guint shift, guint n_bits)
{
    guint32 places[1 << DIGIT_BITS], n_digits = 1u << n_bits, mask = n_digits - 1;
    memset(places, 0, n_digits * sizeof *places);
    for (guint32 i = 0; i < n; i++)
        places[from[i] >> shift & mask]++;
    for (guint32 digit = 0, place = 0; digit < n_digits; digit++) {
        guint32 n_here = places[digit];
        places[digit] = place;
        place += n_here;
    }
    for (guint32 i = 0; i < n; i++)
        to[places[from[i] >> shift & mask]++] = from[i];
}

void tnd_digit_sort_run(guint64 **words, guint64 **others, guint32 n, guint shift, guint n_bits)
{
    guint n_digits = (n_bits + DIGIT_BITS - 1) / DIGIT_BITS;
    for (guint i = 0; i < n_digits; i++) {
        guint begin = n_bits * i / n_digits, end = n_bits * (i + 1) / n_digits;
        sort_by_digit(*words, *others, n, shift + begin, end - begin);
        guint64 *sorted = *others;
        *others = *words;
        *words = sorted;
    }
}
