/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library that is linked without its symbols: two functions that have no name, reached through one that has.
 */
static __attribute__((noinline)) int first(int n)
{
    return n > 1 ? n * first(n - 1) : 1;
}

static __attribute__((noinline)) int second(int n)
{
    return n > 1 ? n + second(n - 1) : 1;
}

typedef int (*nameless_function)(int);
nameless_function nameless(int which);

nameless_function nameless(int which)
{
    return which ? second : first;
}
