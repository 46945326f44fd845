/* SPDX-License-Identifier: Apache-2.0
 *
 * A library to be wrapped by bench_library.
 */
void bench_nothing(void);
double bench_sum(int a, double b, long c, double d);

void bench_nothing(void) {}

double bench_sum(int a, double b, long c, double d)
{
    return a + b + (double)c + d;
}
