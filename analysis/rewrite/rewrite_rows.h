/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of a trace and those of the one that is made of it: which are chosen, what they are then called, and what
 * becomes of the header, the communicators and the names.
 */
#ifndef TND_REWRITE_ROWS_H
#define TND_REWRITE_ROWS_H

#include "formats/pcf.h"
#include "formats/prv.h"

#include <glib.h>

typedef struct {
    guint n_applications, n_rows, n_chosen;
    guint *first_task, *first_row; /* of an application, of a task; and one past */
    guint *new_application;        /* number in the new trace; 0: not there */
    gboolean *chosen;
    gboolean is_renumbered;
    struct tnd_prv_place *places; /* of each row in the new trace; without CPU */
    struct tnd_prv_header header; /* of the new trace, in ns; without communicators */
} TndRewriteRows;

/* chosen: NULL: all; taken over.  all_stay: rows that are not chosen stay in the header, so that numbers are what they
 * were. */
TndRewriteRows *tnd_rewrite_rows_new(const struct tnd_prv_header *header, gboolean *chosen, gboolean all_stay);
void tnd_rewrite_rows_free(TndRewriteRows *rows);

/* A line of a communicator as the new trace has it; NULL: nothing of it is left.  Free with g_free. */
char *tnd_rewrite_rows_communicator(const TndRewriteRows *rows, const char *line, gsize length);

/* Names for a renumbered trace; row may be NULL.  Free with tnd_row_free. */
struct tnd_row *tnd_rewrite_rows_names(const TndRewriteRows *rows, const struct tnd_row *row);

/* Of a place that the header has. */
static inline guint tnd_rewrite_rows_find(const TndRewriteRows *rows, const struct tnd_prv_place *place)
{
    return rows->first_row[rows->first_task[place->application - 1] + place->task - 1] + place->thread - 1;
}

#endif
