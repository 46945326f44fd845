/* SPDX-License-Identifier: Apache-2.0
 *
 * Which functions the user wants recorded: lists of patterns with * and ?, separated by commas, as settings have them.
 * A source asks once for each of its functions, and keeps the answers in a table of its own.
 *
 * Context: start; the comparisons are fnmatch's.
 */
#ifndef TND_PATTERN_H
#define TND_PATTERN_H

#include <stdbool.h>

/* Whether a pattern of the list means the name; an empty list means none, and so does a pattern
 * of TND_PATTERN_BYTES or more. */
bool tnd_pattern_means(const char *list, const char *name);

/* Whether a function is wanted: `only` means it, or is empty, and `excluded` does not. */
bool tnd_pattern_wants(const char *only, const char *excluded, const char *name);

/* Notes in one line the patterns of the list that mean none of n names; name_of returns NULL for a place without one.
 * setting: where the list is from. */
void tnd_pattern_note_unmet(const char *setting, const char *list, unsigned n, const char *(*name_of)(unsigned i));

/* Copies the next pattern and returns what follows it in the list; NULL: there is none. */
#define TND_PATTERN_BYTES 4096 /* paths are patterns, too */
const char *tnd_pattern_next(const char *list, char pattern[static TND_PATTERN_BYTES]);

#endif
