/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes texts plain that come from files: a terminal would obey their control characters.
 *
 * Context: any.
 */
#ifndef TND_PLAIN_TEXT_H
#define TND_PLAIN_TEXT_H

/* Puts a blank for each tab and end of a line, and ? for each byte of another control character (C0, DEL, and C1 in
 * UTF-8), but for the characters in `kept`. */
void tnd_plain_text_make(char *text, const char *kept);

#endif
