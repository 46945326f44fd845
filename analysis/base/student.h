/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Student's t distribution: how often chance alone gives a value as far from 0.
 *
 * Cost: some 100 ns for a probability, 50 times that for a limit.
 */
#ifndef TND_STUDENT_H
#define TND_STUDENT_H

/* The probability that a value is at least as far from 0 as t, on either side.  freedom: degrees of freedom, which need
 * not be whole; INFINITY is the normal distribution. */
double tnd_student_chance(double t, double freedom);

/* The value that is reached with this probability (above 0, at most 1), on either side. */
double tnd_student_limit(double chance, double freedom);

#endif
