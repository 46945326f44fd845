/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stable radix sort of words by some of their bits, the least significant digit first.
 *
 * Cost: about 3 ns a word and digit of 12 bits (measured, tests/bench/bench_merge).  Memory: a second array.
 */
#ifndef TND_DIGIT_SORT_H
#define TND_DIGIT_SORT_H

#include <glib.h>

/* How many bits a number has, up to the highest one that is set. */
static inline guint tnd_digit_sort_bits(guint64 number)
{
    return number ? 64 - (guint)__builtin_clzll(number) : 0;
}

/* Sorts n words by the n_bits bits from bit `shift` on.  *others is a second array of n words; the two pointers may be
 * exchanged.  *words is then sorted. */
void tnd_digit_sort_run(guint64 **words, guint64 **others, guint32 n, guint shift, guint n_bits);

#endif
