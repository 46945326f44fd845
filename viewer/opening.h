/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is to be opened: a trace, or two as one.  It is opened in any thread, with a window or without.
 */
#ifndef TND_OPENING_H
#define TND_OPENING_H

#include "analysis/trace/trace.h"

typedef struct {
    char *path;
    char *beside;    /* the second trace; NULL: there is none */
    char *alignment; /* of the two (analysis/causes/alignment.h); NULL: by their starts */
} TndOpening;

/* Copies the texts. */
TndOpening *tnd_opening_new(const char *path, const char *beside, const char *alignment);
void tnd_opening_free(TndOpening *opening);

char *tnd_opening_text(const TndOpening *opening); /* "Opening app.1.prv beside app.prv"; free with g_free */

/* As tnd_trace_open. */
TndTrace *tnd_opening_run(const TndOpening *opening, TndTraceProgress progress, gpointer user_data, GError **error);

/* Where what was last shown of the trace is kept: a path that belongs to both if there are two.  Free with g_free. */
char *tnd_opening_key(const TndTrace *trace);

#endif
