/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions that linked wrappers see, because functions_main.c calls them: results of each kind, arguments on the
 * stack, and recursion.
 */
long long of_eight(int a, int b, int c, int d, int e, int f, int g, long long h);
double of_doubles(double a, float b);
unsigned fibonacci(unsigned n);
unsigned deep(unsigned n);
unsigned (*call_deep)(unsigned) = deep;

long long of_eight(int a, int b, int c, int d, int e, int f, int g, long long h)
{
    return ((((((a * 10LL + b) * 10 + c) * 10 + d) * 10 + e) * 10 + f) * 10 + g) * 1000 + h;
}

double of_doubles(double a, float b)
{
    return a * 3 + (double)b;
}

unsigned fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

unsigned deep(unsigned n)
{
    return n ? 1 + call_deep(n - 1) : 0;
}
