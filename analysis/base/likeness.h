/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How similar two names are, for suggestions when a user mistyped one.
 *
 * Cost: the product of their lengths.
 */
#ifndef TND_LIKENESS_H
#define TND_LIKENESS_H

#include <glib.h>

/* The edit distance of two names (letters to change, insert or delete), ignoring case.  It is at most 1 if `name`
 * contains `wanted`, and smaller if only the parts before the last dot differ. */
guint tnd_likeness_distance(const char *wanted, const char *name);

/* The name that the user may have meant, of a list that NULL ends; NULL: none is near. */
const char *tnd_likeness_nearest(const char *wanted, const char *const *names);

/* Names at a greater distance from `wanted` are not worth suggesting. */
guint tnd_likeness_limit(const char *wanted);

#endif
