/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The probability is a regularised incomplete beta function, which is computed by its continued fraction; the limit is
 * found by halving.
 */
#include "analysis/base/student.h"

#include "analysis/base/assertion.h"

#include <float.h>
#include <math.h>

enum { MOST_TERMS = 500, HALVINGS = 200 };

/* Above this many degrees of freedom the distribution is the normal one, to nine digits. */
#define NORMAL_FREEDOM 1e9

static double away_from_zero(double value)
{
    return fabs(value) < DBL_MIN ? DBL_MIN : value;
}

/* A term of the continued fraction: makes *numerator and *denominator the next ones, and returns their ratio's part. */
static double step(double term, double *numerator, double *denominator)
{
    *denominator = 1 / away_from_zero(1 + term * *denominator);
    *numerator = away_from_zero(1 + term / *numerator);
    return *numerator * *denominator;
}

/* The continued fraction of the incomplete beta function, which converges fast for x < (a + 1) / (a + b + 2); evaluated
 * from the front, by the method of Lentz. */
static double fraction(double x, double a, double b)
{
    double numerator = 1, denominator = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = denominator;
    for (int m = 1; m <= MOST_TERMS; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        value *= step(even, &numerator, &denominator);
        double last = step(odd, &numerator, &denominator);
        value *= last;
        if (fabs(last - 1) < 4 * DBL_EPSILON)
            break;
    }
    return value;
}

/* The regularised incomplete beta function; y is 1 - x, which may be known better than by subtraction. */
static double beta(double x, double y, double a, double b)
{
    if (x <= 0)
        return 0;
    if (y <= 0)
        return 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y));
    return x < (a + 1) / (a + b + 2) ? front * fraction(x, a, b) / a : 1 - front * fraction(y, b, a) / b;
}

double tnd_student_chance(double t, double freedom)
{
    tnd_assert(freedom > 0);
    if (freedom > NORMAL_FREEDOM || isinf(t))
        return isinf(t) ? 0 : erfc(fabs(t) / sqrt(2));
    return beta(freedom / (freedom + t * t), t * t / (freedom + t * t), freedom / 2, 0.5);
}

double tnd_student_limit(double chance, double freedom)
{
    tnd_assert(chance > 0 && chance <= 1);
    double least = 0, most = 1;
    while (tnd_student_chance(most, freedom) > chance && most < 1e150)
        most *= 2;
    for (int i = 0; i < HALVINGS && most - least > DBL_EPSILON * most; i++) {
        double middle = (least + most) / 2;
        if (tnd_student_chance(middle, freedom) > chance)
            least = middle;
        else
            most = middle;
    }
    return most;
}
