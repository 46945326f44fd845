/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts the allocations that happen while events are made, by having malloc and its kin of its own.
 */
#include "runtime/tandem.h"

#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
static volatile int n_allocations;

void *malloc(size_t size)
{
    n_allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    n_allocations++;
    return __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    n_allocations++;
    return __libc_realloc(old, size);
}

int main(void)
{
    free(malloc(1));
    tandem_region region = tandem_region_register("region");
    tandem_counter counter = tandem_counter_register("counter");
    int before = n_allocations;
    for (int i = 0; i < 100000; i++) {
        tandem_region_begin(region);
        tandem_event(1000, i);
        tandem_counter_set(counter, i);
        tandem_region_end(region);
    }
    tandem_off();
    tandem_on();
    printf("%d allocations, %s\n", n_allocations - before, before > 0 ? "counting" : "not counting");
    return 0;
}
