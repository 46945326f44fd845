/* SPDX-License-Identifier: GPL-3.0-or-later
 * A library of functions that are short, long, or sometimes long. */
#include <time.h>

void s_short(void) {}

void s_long(int us)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < us * 1000L);
}

void s_mixed(int is_long)
{
    if (is_long)
        s_long(1000);
}

void s_calls(void (*function)(int), int argument)
{
    function(argument);
}

int s_value(int n)
{
    return n;
}
