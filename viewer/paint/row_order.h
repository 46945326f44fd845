/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which rows of a level are shown, and in which order.  Some of them may be pinned: they stay above the others, which
 * are scrolled below them.  NULL stands for all rows in the trace's order, wherever an order may be given.
 *
 * A place is a number of the rows that are scrolled, from 0 on.  A line is a number of the rows on the screen if those
 * from the place `first` on are shown: pinned rows have the first lines.
 *
 * What it is not: it does not know what the rows are.
 */
#ifndef TND_ROW_ORDER_H
#define TND_ROW_ORDER_H

#include <glib.h>

typedef struct {
    guint n;         /* rows that are shown, at least one */
    guint n_pinned;  /* of them, the first in `rows` */
    guint *rows;     /* [n] */
    guint n_all;     /* rows of the level */
    guint *position; /* [row]: its index in `rows`; G_MAXUINT: it is hidden */
} TndRowOrder;

/* Copies the rows, which must be different and less than n_all. */
TndRowOrder *tnd_row_order_new(const guint *rows, guint n, guint n_pinned, guint n_all);
void tnd_row_order_free(TndRowOrder *order);

/* Gives the rows of a level that a name stands for ([row]; free with g_free), or NULL and error. */
typedef gboolean *(*TndRowOrderFind)(const char *name, gpointer data, GError **error);

/* Reads "3, 8-5, 1": numbers from 1 on, ranges, which may go down, and names, which `find` knows (NULL: none).  NULL
 * and error: it is no such list, or a row does not exist.  A row that is named twice has its first place. */
TndRowOrder *tnd_row_order_parse(const char *text, guint n_all, TndRowOrderFind find, gpointer data, GError **error);
char *tnd_row_order_text(const TndRowOrder *order, guint n_all); /* such a list; free with g_free */

/* The number of the last place; 0 also if all rows are pinned. */
guint tnd_row_order_last_place(const TndRowOrder *order, guint n_all);

/* What is shown of the places first to last: how many lines, the row of a line, and the line of a row, which is outside
 * of the screen if the row is scrolled away.  FALSE: the row is hidden. */
guint tnd_row_order_n_lines(const TndRowOrder *order, guint first, guint last);
guint tnd_row_order_row(const TndRowOrder *order, guint first, guint line);
gboolean tnd_row_order_line(const TndRowOrder *order, guint first, guint row, gint64 *line);

/* The place of a row; that of the first one, if the row is hidden or pinned. */
guint tnd_row_order_place(const TndRowOrder *order, guint row);

#endif
