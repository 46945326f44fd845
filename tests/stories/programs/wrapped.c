/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library to be wrapped: wrapped.h. */
#include "wrapped.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

int w_data = 7;

int w_add(int a, int b)
{
    return a + b;
}
struct of_int w_int(struct of_int s)
{
    s.i++;
    return s;
}
struct of_two w_two(struct of_two s)
{
    return (struct of_two){s.a + 1, s.b * 2};
}
struct of_float4 w_float4(struct of_float4 s)
{
    for (int i = 0; i < 4; i++)
        s.f[i] += (float)i;
    return s;
}
struct of_mixed w_mixed(struct of_mixed s)
{
    return (struct of_mixed){(char)(s.c + 1), s.f + 1, s.d + 1};
}
struct of_three w_three(struct of_three s)
{
    return (struct of_three){s.c, s.a, s.b};
}
struct of_large w_large(struct of_large s, int i)
{
    s.d[i] += i;
    return s;
}
struct of_ld w_ld_struct(struct of_ld s)
{
    s.x *= 3;
    return s;
}
struct packed w_packed(struct packed s)
{
    s.d += s.c;
    return s;
}
long double w_ld(long double a, double b, long double c)
{
    return a * b + c;
}
double complex w_complex(double complex a, float complex b)
{
    return a * b;
}
long double complex w_ld_complex(long double complex a)
{
    return a * a;
}
float complex w_float_complex(float complex a)
{
    return a * 2;
}
__int128 w_int128(__int128 a, __int128 b)
{
    return a * b;
}
_Bool w_bool(_Bool a)
{
    return !a;
}
double w_twenty(int a, double b, long c, float d, char e, long double f, short g, double h, void *i, double j, int k,
                double l, unsigned m, double n, long o, double p, struct of_mixed q, double r, struct of_three s,
                double t)
{
    return a + b * 2 + (double)c * 3 + d * 5 + e * 7 + (double)f * 11 + g * 13 + h * 17 + (double)(intptr_t)i * 19 +
           j * 23 + k * 29 + l * 31 + m * 37 + n * 41 + (double)o * 43 + p * 47 + q.c + q.f + q.d + r * 53 +
           (double)(s.a + s.b + s.c) + t * 59;
}
double w_list(const char *kinds, va_list list)
{
    double sum = 0;
    for (; *kinds; kinds++)
        sum = sum * 3 + (*kinds == 'i'   ? va_arg(list, int)
                         : *kinds == 'd' ? va_arg(list, double)
                         : *kinds == 'L' ? (double)va_arg(list, long double)
                                         : (double)va_arg(list, struct of_three).b);
    return sum;
}
double w_variadic(const char *kinds, ...)
{
    va_list list;
    va_start(list, kinds);
    double sum = w_list(kinds, list);
    va_end(list);
    return sum;
}
int w_callback(int (*f)(int, void *), void *data, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += f(i, data);
    return sum;
}
int w_recursive(int n, int (*f)(int))
{
    return n ? f(n - 1) + 1 : 0;
}
int w_tail_inner(int n)
{
    return n * 2;
}
int w_tail(int n)
{
    return w_tail_inner(n + 1);
}
void w_jump(jmp_buf *to, int value)
{
    longjmp(*to, value);
}
int w_jump_through(jmp_buf *to, int n)
{
    volatile char room[200];
    room[n] = (char)n;
    return n ? w_jump_through(to, n - 1) + room[n] : (w_jump(to, 5), 0);
}
void *w_thread(void *data)
{
    ++*(int *)data;
    return data;
}
void w_errno(int value)
{
    errno = value;
}
int w_many(int n)
{
    return n + 1;
}
v2 w_v2(v2 a, v2 b)
{
    return a * b;
}
#if defined(__x86_64__)
__attribute__((target("avx"))) v4 w_v4(v4 a, v4 b)
{
    return a * b + a;
}
__attribute__((target("avx512f"))) v8 w_v8(v8 a, v8 b)
{
    return a * b + a;
}
#endif
const char *w_data_name(void)
{
    return "data";
}
static int one(int a)
{
    return a + 1;
}
static int (*choose(void))(int)
{
    return one;
}
int w_ifunc(int a) __attribute__((ifunc("choose")));
int w_aliased(int a)
{
    return a + 10;
}
int w_alias(int a) __attribute__((alias("w_aliased")));
void w_exit_thread(void)
{
    pthread_exit((void *)3);
}
int w_same(int (*add)(int, int))
{
    return add == w_add;
}
