/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How like two names are, to tell a user who mistyped one what there is.
 * Cost: the product of their lengths.
 */
#ifndef TND_LIKENESS_H
#define TND_LIKENESS_H

#include <glib.h>

/* Letters to change, add or leave out to make one name of the other, capitals aside.  One that has the other in it as a
 * whole, or ends in the same part after a dot, is nearer than one that does not. */
guint tnd_likeness_distance(const char *wanted, const char *name);

/* Names farther from this one are not like it. */
guint tnd_likeness_limit(const char *wanted);

#endif
