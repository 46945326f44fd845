/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows as users name them, comma-separated: numbers as a trace has them (1.2.3, 1.2.*, 1.1-4.*; 1.2 is all of a task),
 * tasks of every application as Paraver's cutter takes them (3, 1-16), ranks (rank:0-15), names of the .row with * and
 * ?.
 */
#ifndef TND_ROW_CHOICE_H
#define TND_ROW_CHOICE_H

#include "formats/pcf.h"
#include "formats/prv.h"

#include <glib.h>

/* How rows are named, for messages. */
#define TND_ROW_CHOICE_TAKES "rows, as 1.2.*, 1.1-4, rank:0-3 or a name, separated by commas"

/* The default name of a thread's row.  Free with g_free. */
char *tnd_row_choice_default_name(const struct tnd_prv_place *place);

/* One for each row, TRUE: it is chosen.  NULL and error if a part of the text names none.  row may be NULL.  Free with
 * g_free. */
gboolean *tnd_row_choice_parse(const char *text, const struct tnd_prv_header *header, const struct tnd_row *row,
                               GError **error);

#endif
