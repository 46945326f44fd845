/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts in pictures that are written as SVG in a monospaced font of 11 pixels.
 */
#ifndef TND_SVG_TEXT_H
#define TND_SVG_TEXT_H

#include <glib.h>

#define TND_SVG_TEXT_CHARACTER 6.6 /* the width of one, in pixels */

/* The beginning of a text, so long that it fits in; nothing if that is too little to read.  Free with g_free. */
static inline char *tnd_svg_text_fit(const char *text, double width)
{
    glong room = (glong)((width - 4) / TND_SVG_TEXT_CHARACTER), length = g_utf8_strlen(text, -1);
    if (room < 3)
        return g_strdup("");
    if (length <= room)
        return g_strdup(text);
    char *beginning = g_utf8_substring(text, 0, room - 2), *cut = g_strconcat(beginning, "..", NULL);
    g_free(beginning);
    return cut;
}

#endif
