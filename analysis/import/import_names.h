/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Event types and values for the names that another tool gave to things.  Names that tandem's own traces have (of MPI's
 * calls, of event types) get tandem's numbers, so that its views know them; others get new ones.
 */
#ifndef TND_IMPORT_NAMES_H
#define TND_IMPORT_NAMES_H

#include "formats/pcf.h"

#include <glib.h>

/* A call or a region: a value of an event type; type 0: none. */
typedef struct {
    guint32 type;
    gint64 value;
} TndImportCall;

/* What a new event type is of: a counter whose values tell of the time before them, or whose values hold from then on.
 */
typedef enum { TND_IMPORT_EVENT, TND_IMPORT_COUNTER, TND_IMPORT_LEVEL } TndImportKind;

typedef struct {
    struct tnd_pcf *pcf; /* labels of all that got a number */
    GHashTable *types;   /* of labels */
    GHashTable *values;  /* of "type:label", the next new value of "type" */
    GHashTable *mpi;     /* TndImportCall of the names of MPI's calls */
    guint32 next[3];     /* new types, by TndImportKind */
} TndImportNames;

TndImportNames *tnd_import_names_new(void);
void tnd_import_names_free(TndImportNames *names);

/* The event type that has this label in tandem's traces; 0: there is none. */
guint32 tnd_import_names_known(TndImportNames *names, const char *label);

/* The same, or a new one. */
guint32 tnd_import_names_type(TndImportNames *names, const char *label, TndImportKind kind);

/* The value of a label; a label that is a number may be that value. */
gint64 tnd_import_names_value(TndImportNames *names, guint32 type, const char *label);

/* MPI's call of this name; if there is none, its type is 0. */
TndImportCall tnd_import_names_mpi(TndImportNames *names, const char *name);

/* The label of a line of the source, as tandem's traces have it.  Free with g_free. */
char *tnd_import_names_line(const char *file, guint line);

/* The state of a thread in a call; TND_STATE_NONE: that of the call around it. */
guint32 tnd_import_names_state(TndImportCall call);

#endif
