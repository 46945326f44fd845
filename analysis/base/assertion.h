/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tnd_assert: what must hold if the code is right, written where it must hold.  It is no check of an input: a file may
 * say anything, and what is wrong with it is a message for the user, in every build.
 *
 * Cost: none, except in builds with -Dassertions=true, which those of tests and of fuzzing are.  There the expression
 * is evaluated, and one that is false is printed with its place and ends the program by SIGABRT.
 */
#ifndef TND_ASSERTION_H
#define TND_ASSERTION_H

#include <glib.h>

/* Allocates nothing, because what failed may be the memory. */
G_NORETURN void tnd_assertion_fail(const char *expression, const char *file, int line, const char *function);

/* Where it is off, the expression is compiled all the same, so that it cannot rot and its variables are used. */
#ifdef TND_ASSERTIONS
#define tnd_assert(expression)                                                                                         \
    (G_LIKELY(expression) ? (void)0 : tnd_assertion_fail(#expression, __FILE__, __LINE__, G_STRFUNC))
#else
#define tnd_assert(expression) ((void)(0 && (expression)))
#endif

#endif
