/* SPDX-License-Identifier: Apache-2.0
 *
 * Sentences made of texts and numbers, without printf: a board's C library may have none that is small, and that of the
 * program may be locked.
 *
 * Context: any.
 */
#ifndef TND_SENTENCE_H
#define TND_SENTENCE_H

#include <stddef.h>
#include <stdint.h>

/* Puts texts one after another, the last argument is NULL; cut to size. */
__attribute__((sentinel)) void tnd_sentence(char *text, size_t size, const char *first, ...);

/* A number in decimal digits, which end the buffer. */
#define TND_SENTENCE_NUMBER_BYTES 12
const char *tnd_sentence_number(char digits[static TND_SENTENCE_NUMBER_BYTES], uint32_t number);

#endif
