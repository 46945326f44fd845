/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The machine, the processes and threads, and the communicators of an OTF2 archive.  Nodes are those of the system tree
 * by their numbers (0 is the machine), processes and threads are location groups and locations by their rows.
 */
#ifndef TND_OTF2_PLACES_H
#define TND_OTF2_PLACES_H

#include "analysis/convert/otf2_archive.h"

typedef struct TndOtf2Places TndOtf2Places;

/* Defines nodes and processes.  NULL and error: the communicators of the trace could not be read. */
TndOtf2Places *tnd_otf2_places_new(TndOtf2Archive *archive, GError **error);
/* Defines communicators, after all threads. */
void tnd_otf2_places_finish(const TndOtf2Places *places);
void tnd_otf2_places_free(TndOtf2Places *places);

/* Defines a thread, whose events are written. */
void tnd_otf2_places_thread(const TndOtf2Places *places, guint row, guint64 n_events);

/* The communicator of messages between two rows, of all processes of an application or of all applications, and the
 * rank of the partner in it. */
OTF2_CommRef tnd_otf2_places_world(const TndOtf2Places *places, guint row, guint partner, guint32 *rank);

/* The communicator of a row's collective call by its number in the trace; that of all processes of its application, if
 * the trace does not say who is in it.  root: the row of the call's root (G_MAXUINT: none), *rank: what OTF2 says for
 * it. */
OTF2_CommRef tnd_otf2_places_communicator(const TndOtf2Places *places, guint row, gint64 number, guint root,
                                          guint32 *rank);

#endif
