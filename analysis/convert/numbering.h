/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers for what comes up again and again and is written once: 1 for the first, 2 for the next, ...
 */
#ifndef TND_NUMBERING_H
#define TND_NUMBERING_H

#include <glib.h>

/* Of texts, or of pairs of numbers.  Free with g_hash_table_unref. */
GHashTable *tnd_numbering_new_texts(void);
GHashTable *tnd_numbering_new_pairs(void);

/* *is_new: it has just got its number. */
guint tnd_numbering_text(GHashTable *numbers, const char *text, gboolean *is_new);
guint tnd_numbering_pair(GHashTable *numbers, gint64 a, gint64 b, gboolean *is_new);

#endif
