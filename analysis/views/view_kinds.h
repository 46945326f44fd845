/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kinds of evaluation: how the records of one row become bursts, as Paraver's functions of the same names do it: State
 * As Is and State Record Dur. (with gaps filled as idle), Last Evt Val, Next Evt Val; and some of our own.
 */
#ifndef TND_VIEW_KINDS_H
#define TND_VIEW_KINDS_H

#include "analysis/views/views.h"

void tnd_view_kinds_state(const TndViewSubject *subject, guint row, TndBurstStream *stream);

/* How long each stretch of the definition's state lasts. */
void tnd_view_kinds_state_duration(const TndViewSubject *subject, guint row, TndBurstStream *stream);

void tnd_view_kinds_last_value(const TndViewSubject *subject, guint row, TndBurstStream *stream);

/* From every event on what the next one says: a counter is read at the end of what it counted. */
void tnd_view_kinds_next_value(const TndViewSubject *subject, guint row, TndBurstStream *stream);

/* How many threads of a scope are in the definition's state: a burst each time that one begins or ends.  row: the first
 * of them. */
void tnd_view_kinds_threads_in_state(const TndViewSubject *subject, guint row, TndBurstStream *stream);

/* How many rows the scope has. */
void tnd_view_kinds_rows(const TndViewSubject *subject, guint row, TndBurstStream *stream);

/* The innermost wait of a thread, unless it runs a task within. */
void tnd_view_kinds_wait(const TndViewSubject *subject, guint row, TndBurstStream *stream);

#endif
