/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the library of wrapped.c and its programs share: functions whose arguments and results are in every place that
 * the ABI knows. */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct of_int {
    int i;
};
struct of_two {
    long a;
    double b;
};
struct of_float4 {
    float f[4];
};
struct of_mixed {
    char c;
    float f;
    double d;
};
struct of_three {
    long a, b, c;
};
struct of_large {
    double d[1000];
};
struct of_ld {
    long double x;
};
struct packed {
    char c;
    double d;
} __attribute__((packed));
typedef double v2 __attribute__((vector_size(16)));
typedef double v4 __attribute__((vector_size(32)));
typedef double v8 __attribute__((vector_size(64)));

int w_add(int a, int b);
struct of_int w_int(struct of_int s);
struct of_two w_two(struct of_two s);
struct of_float4 w_float4(struct of_float4 s);
struct of_mixed w_mixed(struct of_mixed s);
struct of_three w_three(struct of_three s);
struct of_large w_large(struct of_large s, int i);
struct of_ld w_ld_struct(struct of_ld s);
struct packed w_packed(struct packed s);
long double w_ld(long double a, double b, long double c);
double complex w_complex(double complex a, float complex b);
long double complex w_ld_complex(long double complex a);
float complex w_float_complex(float complex a);
__int128 w_int128(__int128 a, __int128 b);
_Bool w_bool(_Bool a);
double w_twenty(int a, double b, long c, float d, char e, long double f, short g, double h, void *i, double j, int k,
                double l, unsigned m, double n, long o, double p, struct of_mixed q, double r, struct of_three s,
                double t);
double w_variadic(const char *kinds, ...);
double w_list(const char *kinds, va_list list);
int w_callback(int (*f)(int, void *), void *data, int n);
int w_recursive(int n, int (*f)(int));
int w_tail(int n);
int w_tail_inner(int n);
void w_jump(jmp_buf *to, int value);
int w_jump_through(jmp_buf *to, int n);
void *w_thread(void *data);
void w_errno(int value);
int w_many(int n);
v2 w_v2(v2 a, v2 b);
void w_v4_in(const double *in, double *out);
const char *w_data_name(void);
extern int w_data;
int w_ifunc(int a);
int w_alias(int a);
void w_exit_thread(void);
int w_same(int (*add)(int, int));
