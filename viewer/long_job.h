/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs long work in a thread of its own, so that the window stays responsive.  A job knows how much of its work is
 * done, and can be cancelled.
 */
#ifndef TND_LONG_JOB_H
#define TND_LONG_JOB_H

#include "analysis/trace/trace.h"

/* Jobs that take no longer than this need not be shown to the user. */
#define TND_LONG_JOB_SOON_MS 100

typedef struct TndLongJob TndLongJob;

/* In the job's thread.  It calls progress now and then, and ends with an error if that gives FALSE. */
typedef gpointer (*TndLongJobWork)(gconstpointer subject, TndTraceProgress progress, gpointer data, GError **error);

/* Called once, in the main thread, unless the job was stopped.  Takes ownership of the result or the error.  The job is
 * freed afterwards. */
typedef void (*TndLongJobDone)(gpointer result, GError *error, gpointer user_data);

typedef struct {
    TndLongJobWork work;
    GDestroyNotify free_subject, free_result; /* NULL: nothing has to be freed */
    TndLongJobDone done;
} TndLongJobKind;

/* Takes ownership of the subject. */
TndLongJob *tnd_long_job_start(const TndLongJobKind *kind, gpointer subject, gpointer user_data);
double tnd_long_job_fraction(TndLongJob *job);
void tnd_long_job_cancel(TndLongJob *job); /* `done` is still called, with an error unless the work had ended before */

/* Cancels the job and returns when its work has ended; `done` is not called. */
void tnd_long_job_stop(TndLongJob *job);

/* Returns TRUE when the work has ended, FALSE after so many ms.  `done` is called later in both cases. */
gboolean tnd_long_job_wait(TndLongJob *job, guint at_most_ms);

#endif
