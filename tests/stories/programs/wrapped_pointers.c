/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls functions of the wrapped library whose addresses it takes, too, and compares these with the library's own. */
#include "wrapped.h"

#include <stdio.h>

static int (*volatile kept)(int, int);

int main(void)
{
    int sum = 0;
    kept = w_add;
    for (int i = 0; i < 10; i++)
        sum += w_add(i, 1) + w_many(i);
    printf("%d %d %d\n", sum, kept == w_add, w_same(w_add));
    return 0;
}
