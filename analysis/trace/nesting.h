/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which calls and regions a thread is in, from the events of its row.  An event tells a type's value from then on: that
 * of a call that begins, or of the one around when a call ends, or 0.  A trace does not tell a return to a function
 * from a call of it where functions call each other in turn (f, g, f): it is taken for the return.  If more than
 * TND_NESTING_MOST calls of a type are open, its values are not of calls within each other, and all of them end.
 *
 * Cost: some ns an event; where calls of several types are open, it also looks at those of other types.
 */
#ifndef TND_NESTING_H
#define TND_NESTING_H

#include <glib.h>

typedef struct {
    guint32 type;
    gint64 value;
    guint64 begin_ns;
} TndNestingCall;

#define TND_NESTING_MOST 1024
#define TND_NESTING_SLOTS 64

typedef struct {
    GArray *calls; /* TndNestingCall that are open, the innermost last; kept by the user */
    /* Is called before an open call is taken out of the array; may be NULL. */
    void (*end)(gpointer self, guint index, guint64 time_ns);
    gpointer self;
    guint n_open[TND_NESTING_SLOTS]; /* how many calls are open of the types that share a slot */
} TndNesting;

/* Forgets all open calls. */
void tnd_nesting_clear(TndNesting *nesting);

/* TRUE: a call has begun, and is the last one in the array. */
gboolean tnd_nesting_follow(TndNesting *nesting, guint64 time_ns, guint32 type, gint64 value);

#endif
