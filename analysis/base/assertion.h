/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tnd_assert: a condition that holds if the code is right, written where it must hold.  It does not check input: a file
 * may say anything, and an error in it is a message for the user, in every build.
 *
 * Cost: none, except in builds with -Dassertions=true, such as those of tests and of fuzzing.  There the expression is
 * evaluated; if it is false, it is printed with its place and the program ends by SIGABRT.
 */
#ifndef TND_ASSERTION_H
#define TND_ASSERTION_H

#include <glib.h>

/* Prints the assertion and aborts.  Allocates nothing, because the memory may be what is damaged. */
G_NORETURN void tnd_assertion_fail(const char *expression, const char *file, int line, const char *function);

/* Without TND_ASSERTIONS the expression is still compiled, so that it cannot rot and its variables are used. */
#ifdef TND_ASSERTIONS
#define tnd_assert(expression)                                                                                         \
    (G_LIKELY(expression) ? (void)0 : tnd_assertion_fail(#expression, __FILE__, __LINE__, G_STRFUNC))
#else
#define tnd_assert(expression) ((void)(0 && (expression)))
#endif

#endif
