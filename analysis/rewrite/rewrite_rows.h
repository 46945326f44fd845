/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of a trace and of the trace that is made from it: which are chosen, their new numbers, and the new header,
 * communicators and names.
 */
#ifndef TND_REWRITE_ROWS_H
#define TND_REWRITE_ROWS_H

#include "formats/pcf.h"
#include "formats/prv.h"

#include <glib.h>

typedef struct {
    guint n_applications, n_rows, n_chosen;
    guint *first_task, *first_row; /* of each application and each task, and the end of the last one */
    guint *new_application;        /* number of each application in the new trace; 0: it is left out */
    gboolean *chosen;              /* of each row */
    gboolean is_renumbered;
    struct tnd_prv_place *places; /* of each row in the new trace, without CPU */
    struct tnd_prv_header header; /* of the new trace, in ns; without communicators */
} TndRewriteRows;

/* chosen: for each row; taken over; NULL: all rows.  all_stay: rows that are not chosen stay in the header, so that no
 * row gets another number. */
TndRewriteRows *tnd_rewrite_rows_new(const struct tnd_prv_header *header, gboolean *chosen, gboolean all_stay);
void tnd_rewrite_rows_free(TndRewriteRows *rows);

/* The line of a communicator in the new trace; NULL: it has no member left.  Free with g_free. */
char *tnd_rewrite_rows_communicator(const TndRewriteRows *rows, const char *line, gsize length);

/* Names for a renumbered trace; row may be NULL.  Free with tnd_row_free. */
struct tnd_row *tnd_rewrite_rows_names(const TndRewriteRows *rows, const struct tnd_row *row);

/* The row of a place, which must be in the header. */
static inline guint tnd_rewrite_rows_find(const TndRewriteRows *rows, const struct tnd_prv_place *place)
{
    return rows->first_row[rows->first_task[place->application - 1] + place->task - 1] + place->thread - 1;
}

#endif
