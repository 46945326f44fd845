/* SPDX-License-Identifier: Apache-2.0
 *
 * Recursion of all depths, in turn through functions with frames of several sizes, by pointers, and left by longjmp: a
 * stack has at the same place now this frame and now another one, and words of frames that are gone.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned state = 1;
static volatile unsigned sum;
static jmp_buf back;

static unsigned chance(unsigned below)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
}

static void small(unsigned depth);
static void large(unsigned depth);
static void aligned(unsigned depth);
static void varied(unsigned depth);
static void (*const kinds[])(unsigned) = {small, large, aligned, varied};

__attribute__((noinline)) static void go_on(unsigned depth)
{
    for (unsigned i = 0; i < 200; i++)
        sum += chance(7) * i;
    if (depth && chance(400) == 0)
        longjmp(back, 1);
    for (unsigned n = depth ? chance(4) : 0; n > 0; n--)
        kinds[chance(4)](depth - 1);
    sum++;
}

__attribute__((noinline)) static void small(unsigned depth)
{
    go_on(depth);
    sum += depth;
}

__attribute__((noinline)) static void large(unsigned depth)
{
    volatile char bytes[700];
    bytes[depth] = (char)depth;
    go_on(depth);
    sum += (unsigned)bytes[depth];
}

__attribute__((noinline)) static void aligned(unsigned depth)
{
    __attribute__((aligned(64))) volatile char bytes[64];
    bytes[depth] = (char)depth;
    go_on(depth);
    sum += (unsigned)bytes[depth];
}

__attribute__((noinline)) static void varied(unsigned depth)
{
    volatile char *bytes = __builtin_alloca(16 + 16 * chance(20));
    bytes[0] = (char)depth;
    go_on(depth);
    sum += (unsigned)bytes[0];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1;
    for (volatile int i = 0; i < n; i++)
        for (volatile int k = 0; k < 20; k++)
            if (setjmp(back) == 0)
                go_on(30);
    printf("%u\n", sum != 0);
    return 0;
}
