/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of libtandem-analysis share: from the types of its interface to our own, errors as texts, and whom
 * long work tells its progress.
 */
#ifndef TND_PUBLIC_H
#define TND_PUBLIC_H

#include "analysis/tandem_analysis.h"
#include "analysis/views/view.h"

static inline const TndTrace *tnd_public_trace(const tandem_trace *trace)
{
    return (const TndTrace *)trace;
}

static inline TndView *tnd_public_view(tandem_view *view)
{
    return (TndView *)view;
}

/* Makes a text of an error, unless nobody wants it, and frees it. */
void tnd_public_fail(GError *reason, char **error);
void tnd_public_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* What long work of this thread is given as the function to be told, and its data; NULL: nobody waits. */
TndTraceProgress tnd_public_progress(void);
gpointer tnd_public_watch(void);

/* The rows of a view with threads that a text names.  Free with g_free.  NULL and error: a part of it names none, or
 * the rows are CPUs. */
gboolean *tnd_public_rows(const TndView *view, const char *text, GError **error);

#endif
