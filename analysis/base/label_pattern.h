/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Patterns for labels and names: * matches any text, ? any character, everything else itself.  They are matched byte by
 * byte, because the labels of a trace may be in any encoding.
 *
 * Cost: about the length of the text; at worst the product of the lengths of text and pattern.
 */
#ifndef TND_LABEL_PATTERN_H
#define TND_LABEL_PATTERN_H

#include <glib.h>

/* Skips a character of UTF-8; in other encodings a byte. */
static inline const char *tnd_label_pattern_skip(const char *text)
{
    do
        text++;
    while ((*text & 0xc0) == 0x80);
    return text;
}

static inline gboolean tnd_label_pattern_matches(const char *pattern, const char *text)
{
    const char *after_star = NULL, *again = NULL; /* pattern and text to try again from after a mismatch */
    while (*text) {
        if (*pattern == '*') {
            after_star = ++pattern;
            again = text;
        } else if (*pattern == '?') {
            pattern++;
            text = tnd_label_pattern_skip(text);
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (after_star) {
            pattern = after_star;
            text = ++again;
        } else {
            return FALSE;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

#endif
