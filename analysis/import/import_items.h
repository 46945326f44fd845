/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a tool recorded in any order: kept until all is known, then told thread by thread in the order of time.
 *
 * Memory: 48 bytes a span, event or sample.
 */
#ifndef TND_IMPORT_ITEMS_H
#define TND_IMPORT_ITEMS_H

#include "analysis/import/import_trace.h"

typedef struct TndImportItems TndImportItems;

TndImportItems *tnd_import_items_new(TndImport *import);
void tnd_import_items_free(TndImportItems *items);

/* A thread by the tool's numbers; rows are in their order. */
guint tnd_import_items_thread(TndImportItems *items, gint64 process, gint64 thread);
/* What they are called, whether they do anything or not. */
void tnd_import_items_name_process(TndImportItems *items, gint64 process, const char *name);
void tnd_import_items_name_thread(TndImportItems *items, gint64 process, gint64 thread, const char *name);

void tnd_import_items_span(TndImportItems *items, guint thread, guint64 begin_ns, guint64 end_ns, TndImportCall call);
void tnd_import_items_event(TndImportItems *items, guint thread, guint64 time_ns, guint32 type, gint64 value);
/* A value of a counter, whose values may have decimal places. */
void tnd_import_items_counter(TndImportItems *items, guint thread, guint64 time_ns, guint32 type, double value);
void tnd_import_items_sample(TndImportItems *items, guint thread, guint64 time_ns, guint frame, guint64 weight_ns);
/* From one thread to another. */
void tnd_import_items_message(TndImportItems *items, guint from, guint64 sent_ns, guint to, guint64 received_ns);

/* Frames of samples were indices of this array until now. */
void tnd_import_items_map_frames(TndImportItems *items, const GArray *frames);

/* A time that belongs to the trace, though nothing is told of it. */
void tnd_import_items_see(TndImportItems *items, guint64 time_ns);

/* The last time so far. */
guint64 tnd_import_items_end_ns(const TndImportItems *items);

/* Tells all; *begin_ns: the first time, *end_ns: the last one. */
void tnd_import_items_tell(TndImportItems *items, guint64 *begin_ns, guint64 *end_ns);

#endif
