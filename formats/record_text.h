/* SPDX-License-Identifier: Apache-2.0
 *
 * A record as one line of text and back, without loss: for `tandem dump`, and for goldens, which are written in it.
 *
 *     TIME KIND ID AUX WORD... "TEXT"
 *     1200 enter 50000001 1
 *     1210 send 7 0 0x5581 4096 1
 *     1000 thread 0 0 4711:0                      two halves of a word, the low one first
 *     1000 text 1 9 "/bin/true"
 *
 * KIND is a name below or `kind-N`.  On reading a word may stand in any of its forms, decimal, hexadecimal or halves;
 * blanks separate, "#" begins a remark.  In TEXT, \" \\ and \xHH stand for a byte.
 *
 * Context: not for handlers.
 */
#ifndef TND_RECORD_TEXT_H
#define TND_RECORD_TEXT_H

#include "formats/record.h"

#include <stdio.h>

/* The line, without its end. */
void tnd_record_text_write(FILE *file, const struct tnd_record *record);
void tnd_record_text_write_at(FILE *file, const struct tnd_record *record, uint64_t time); /* of another time */

/* Reads a line into record, which has room for TND_RECORD_MAX_BYTES.  NULL, or what is wrong with it. */
const char *tnd_record_text_read(const char *line, struct tnd_record *record);

const char *tnd_record_text_kind(uint8_t kind); /* NULL: no name */

/* 0: no such kind. */
uint8_t tnd_record_text_find_kind(const char *name);

#endif
