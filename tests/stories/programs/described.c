/* SPDX-License-Identifier: GPL-3.0-or-later
 * Functions with arguments and results of every kind that a description may name. */
#include <string.h>

long d_many(char a, short b, int c, long d, unsigned char e, unsigned f, int g, unsigned short h)
{
    return a + b + c + d + e + f + g + h;
}

double d_float(int n, double x, float y, const double *z)
{
    return n + x + y + *z;
}

float d_half(float x)
{
    return x / 2;
}

int d_pointed(const int *in, unsigned long *out, short *both)
{
    *out = 1000000000000UL + (unsigned long)*in;
    *both = (short)(*both - 10);
    return *in;
}

/* Reads nothing where its pointers lead. */
int d_astray(const int *in, long *out)
{
    return in == 0 || (long)in == 8 || out == 0;
}

void d_none(void) {}
