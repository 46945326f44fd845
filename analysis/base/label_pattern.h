/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Patterns as users write them for labels and names: * is any text, ? any character, all else itself.  Of bytes,
 * because the labels of a trace may be in any encoding.
 *
 * Cost: about the length of the text; that times the pattern's at worst.
 */
#ifndef TND_LABEL_PATTERN_H
#define TND_LABEL_PATTERN_H

#include <glib.h>

/* One byte on; of UTF-8 the whole character. */
static inline const char *tnd_label_pattern_skip(const char *text)
{
    do
        text++;
    while ((*text & 0xc0) == 0x80);
    return text;
}

static inline gboolean tnd_label_pattern_matches(const char *pattern, const char *text)
{
    const char *after_star = NULL, *again = NULL; /* where to go on if it fails, and from which text */
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
