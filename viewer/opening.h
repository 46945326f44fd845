/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opens a trace in a thread of its own, so that the window lives on: how far it is can be asked, it can be cancelled.
 */
#ifndef TND_OPENING_H
#define TND_OPENING_H

#include "analysis/trace.h"

typedef struct TndOpening TndOpening;

/* In the main thread, once, unless abandoned; takes trace (or error).  The opening is gone afterwards. */
typedef void (*TndOpeningDone)(TndTrace *trace, GError *error, gpointer user_data);

TndOpening *tnd_opening_start(const char *path, TndOpeningDone done, gpointer user_data);
double tnd_opening_fraction(TndOpening *opening);
void tnd_opening_cancel(TndOpening *opening);  /* done is called with G_IO_ERROR_CANCELLED */
void tnd_opening_abandon(TndOpening *opening); /* done is never called */

#endif
