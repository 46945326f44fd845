/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which rows of a level are shown, and in which order.  Some of them may be pinned: they stay above the others, which
 * are scrolled below them.  Several rows may be folded: they have one line together.  NULL stands for all rows in the
 * trace's order, each with a line of its own, wherever an order may be given.
 *
 * A place is a number of the lines that are scrolled, from 0 on.  A line is a number of those on the screen if those
 * from the place `first` on are shown: pinned ones are the first lines.
 *
 * What it is not: it does not know what the rows are.
 */
#ifndef TND_ROW_ORDER_H
#define TND_ROW_ORDER_H

#include <glib.h>

/* The rows of a line. */
typedef struct {
    const guint *rows;
    guint n; /* at least one */
} TndRowGroup;

typedef struct {
    guint n;         /* lines, at least one */
    guint n_pinned;  /* of them, the first ones */
    guint *rows;     /* of all lines, one after another */
    guint *first;    /* [n + 1]: where the rows of a line begin in `rows` */
    guint n_all;     /* rows of the level */
    guint *position; /* [row]: its line; G_MAXUINT: it is hidden */
} TndRowOrder;

/* Copies the rows, which must be different and less than n_all. */
TndRowOrder *tnd_row_order_new(const TndRowGroup *lines, guint n, guint n_pinned, guint n_all);
TndRowOrder *tnd_row_order_usual(guint n_all); /* each row has a line, in the trace's order */
void tnd_row_order_free(TndRowOrder *order);
/* Folds neighbouring lines whose rows are all of the same group; [row]: its group. */
TndRowOrder *tnd_row_order_fold(const TndRowOrder *order, guint n_all, const guint *groups);

/* Gives the rows of a level that a name stands for ([row]; free with g_free), or NULL and error. */
typedef gboolean *(*TndRowOrderFind)(const char *name, gpointer data, GError **error);

/* Reads "3, 8-5, [1-2]": numbers from 1 on, ranges, which may go down, names, which `find` knows (NULL: none), and in
 * brackets a list of rows that are folded.  NULL and error: it is no such list, or a row does not exist.  A row that is
 * named twice has its first place. */
TndRowOrder *tnd_row_order_parse(const char *text, guint n_all, TndRowOrderFind find, gpointer data, GError **error);
char *tnd_row_order_text(const TndRowOrder *order, guint n_all); /* such a list; free with g_free */

/* The number of the last place; 0 also if all rows are pinned. */
guint tnd_row_order_last_place(const TndRowOrder *order, guint n_all);

/* What is shown of the places first to last: how many lines, how many rows a line has, the rows of a line (the first of
 * them, or the i-th), and the line of a row, which is outside of the screen if the row is scrolled away.  FALSE: the
 * row is hidden. */
guint tnd_row_order_n_lines(const TndRowOrder *order, guint first, guint last);
guint tnd_row_order_n_rows(const TndRowOrder *order, guint first, guint line);
guint tnd_row_order_row(const TndRowOrder *order, guint first, guint line);
guint tnd_row_order_row_at(const TndRowOrder *order, guint first, guint line, guint i);
gboolean tnd_row_order_line(const TndRowOrder *order, guint first, guint row, gint64 *line);

/* The place of a row; the first one, if the row is hidden or pinned. */
guint tnd_row_order_place(const TndRowOrder *order, guint row);

#endif
