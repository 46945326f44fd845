/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choices of rows as users write them, separated by commas: numbers of applications, tasks and threads (1.2.3, 1.2.*,
 * 1.1-4.*; 1.2 means all threads of a task), tasks of every application as in Paraver's cutter (3, 1-16), ranks
 * (rank:0-15), and names of the .row with * and ?.
 */
#ifndef TND_ROW_CHOICE_H
#define TND_ROW_CHOICE_H

#include "analysis/trace/trace.h"
#include "formats/pcf.h"
#include "formats/prv.h"

/* The words for this in messages. */
#define TND_ROW_CHOICE_TAKES "rows, as 1.2.*, 1.1-4, rank:0-3 or a name, separated by commas"

/* The default name of a thread's row.  Free with g_free. */
char *tnd_row_choice_default_name(const struct tnd_prv_place *place);

/* Whether each row is chosen.  row: names of the .row, or NULL.  NULL and error: a part of the text matches no row.
 * Free with g_free. */
gboolean *tnd_row_choice_parse(const char *text, const struct tnd_prv_header *header, const struct tnd_row *row,
                               GError **error);

/* The same for the threads of a loaded trace. */
gboolean *tnd_row_choice_of_trace(const TndTrace *trace, const char *text, GError **error);

#endif
