/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calls the functions of described.c with arguments that its story knows. */
#include <stdio.h>
#include <stdlib.h>

long d_many(char, short, int, long, unsigned char, unsigned, int, unsigned short);
double d_float(int, double, float, const double *);
float d_half(float);
int d_pointed(const int *, unsigned long *, short *);
int d_astray(const int *, long *);
void d_none(void);

int main(void)
{
    double z = 0.0625, sum = 0;
    int *on_heap = malloc(sizeof *on_heap), on_stack = 41;
    short both = 5;
    unsigned long out;
    *on_heap = -7;
    sum += d_many(-1, -2, -3, -4000000000, 255, 4000000000u, -7, 65535);
    sum += d_float(-1, -2.5, 1e9f, &z) + d_float(2, 1e-9, 0.0f, &z) + d_half(3.0f);
    sum += d_pointed(on_heap, &out, &both) + (double)out;
    sum += d_pointed(&on_stack, &out, &both) + (double)out;
    sum += d_astray(0, 0) + d_astray((const int *)8, (long *)0xdead000000000000);
    for (int i = 0; i < 100; i++)
        d_none();
    printf("%.6f %d\n", sum, both);
    free(on_heap);
    return 0;
}
