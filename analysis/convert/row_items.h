/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What timelines of other tools show of a row: states, calls one within another, and counters.
 *
 * Cost: some 20 ns an event; memory for the calls that are open, and for each counter.
 */
#ifndef TND_ROW_ITEMS_H
#define TND_ROW_ITEMS_H

#include "analysis/trace/nesting.h"
#include "analysis/trace/trace.h"
#include "analysis/views/views.h"

typedef struct {
    void (*state)(gpointer self, const TndState *state); /* those of a row follow each other */
    /* Calls are within each other: where the events say that a call ends before one within it, that one is ended, too,
     * and goes on as another one. */
    void (*begin)(gpointer self, const TndNestingCall *call);
    void (*end)(gpointer self, const TndNestingCall *call, guint64 time_ns);
    /* A value that holds from this time on; not in the order of time, since the events of some counters tell of the
     * time before them. */
    void (*counter)(gpointer self, guint32 type, guint64 time_ns, gint64 value);
    /* Any event, before what is made of it (FALSE: no more is wanted); one of another type.  Either may be NULL, as may
     * `state`. */
    gboolean (*event)(gpointer self, const TndEvent *event);
    void (*other)(gpointer self, const TndEvent *event);
} TndRowItemsTake;

void tnd_row_items_each(const TndTrace *trace, guint row, const TndRowItemsTake *take, gpointer self);

/* Whether the trace has any of these, or samples. */
gboolean tnd_row_items_exist(const TndTrace *trace);

/* What kind of call a type is: "MPI", "OpenMP"; NULL: none. */
const char *tnd_row_items_category(guint32 type);
/* The names of a type, of a call and of a state, as the trace says; free with g_free. */
char *tnd_row_items_type_name(const TndTrace *trace, guint32 type);
char *tnd_row_items_call_name(const TndTrace *trace, guint32 type, gint64 value);
char *tnd_row_items_state_name(const TndTrace *trace, guint32 state);

/* A counter: its name, with that of the thread or node if others have one of the same name there (free with g_free);
 * whose it is; and what its values are divided by, because the trace tells decimal places. */
char *tnd_row_items_counter_name(const TndTrace *trace, guint row, guint32 type, TndViewScope *scope);
double tnd_row_items_divisor(const TndTrace *trace, guint32 type);

/* The number of a row's process, which is that of its first thread + 1, and its name with that of the program.  Free
 * with g_free. */
guint tnd_row_items_process(const TndTrace *trace, guint row);
char *tnd_row_items_process_name(const TndTrace *trace, guint row);

#endif
