/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of patterns with * and ?, separated by commas, as settings have them.
 *
 * Context: start; the comparisons are fnmatch's.
 */
#ifndef TND_PATTERN_H
#define TND_PATTERN_H

#include <stdbool.h>

/* Whether a pattern of the list means the name; an empty list means none.  A pattern of more than 255 bytes means none.
 */
bool tnd_pattern_means(const char *list, const char *name);

/* Copies the next pattern and returns what follows it in the list; NULL: there is none. */
#define TND_PATTERN_BYTES 256
const char *tnd_pattern_next(const char *list, char pattern[static TND_PATTERN_BYTES]);

#endif
