/* SPDX-License-Identifier: Apache-2.0
 *
 * Values as people write them, on a command line or in the environment.
 *
 *   duration   500us, 1ms, 0.5s; without a unit: seconds
 *   period     a duration that has a unit; or 0
 *   size       256k, 1M; without a unit: bytes
 *   number     a whole number
 *   flag       0 or 1
 *   text       any, or one of several choices
 *   list       a text of words
 *
 * Context: any.
 */
#ifndef TND_VALUE_H
#define TND_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The type in C of each kind. */
#define TND_VALUE_period uint64_t
#define TND_VALUE_size uint64_t
#define TND_VALUE_number uint64_t
#define TND_VALUE_flag bool
#define TND_VALUE_text const char *
#define TND_VALUE_list const char *

/*
 * Each reads a value of a kind.  False, and nothing is stored, if the text is not such a value or not one that `takes`
 * allows.  A text is not copied.  `takes` is:
 *
 *   "A to B"          bounds of a period, a size or a number
 *   "a|b|c:EVENT@N"   the choices of a text; one with a colon allows any text that begins like it up to there and goes
 *                     on with an event, @ and a count
 *   "some of A, B"    all words that a list may have
 *   "... @TIME"       at its end: a period may follow an @ in each of the sets of a list, which / separates
 *   anything else     allows all values of the kind
 */
bool tnd_value_duration(uint64_t *ns, const char *text, const char *takes);
bool tnd_value_period(uint64_t *ns, const char *text, const char *takes);
bool tnd_value_size(uint64_t *bytes, const char *text, const char *takes);
bool tnd_value_number(uint64_t *number, const char *text, const char *takes);
bool tnd_value_flag(bool *flag, const char *text, const char *takes);
bool tnd_value_text(const char **kept, const char *text, const char *takes);
bool tnd_value_list(const char **kept, const char *text, const char *takes);

/* The part of a refused value that is wrong, *n characters, for messages: the first word of a list that is not allowed,
 * else all of it. */
const char *tnd_value_wrong(const char *text, const char *takes, size_t *n);

#endif
