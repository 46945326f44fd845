/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events and the messages of a trace as tables.
 *
 * Cost: two walks over the records; memory: 25 bytes an event, 50 a message.
 */
#ifndef TND_RECORD_TABLES_H
#define TND_RECORD_TABLES_H

#include "analysis/tables/table.h"

/* Columns: row (code), time_ns, type, value.  types: only these n types, if n is not 0. */
TndTable *tnd_record_tables_events(const TndTrace *trace, const guint32 *types, gsize n_types,
                                   const TndTableSelection *selection, GError **error);

/* Columns: sender and receiver (codes), logical_send_ns, physical_send_ns, logical_receive_ns, physical_receive_ns,
 * size_bytes, tag.  A message is selected if any of its times is in the stretch, and its sender or its receiver among
 * the rows.  Both functions: NULL and error: not enough memory, or cancelled. */
TndTable *tnd_record_tables_messages(const TndTrace *trace, const TndTableSelection *selection, GError **error);

/* The names of the rows of a trace.  Free with g_strfreev. */
char **tnd_record_tables_rows(const TndTrace *trace);

#endif
