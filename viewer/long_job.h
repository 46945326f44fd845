/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What takes long, in a thread of its own, so that the window lives on: how far it is can be asked, it can be
 * cancelled.
 */
#ifndef TND_LONG_JOB_H
#define TND_LONG_JOB_H

#include "analysis/trace/trace.h"

/* What takes no longer than this need not be shown as a job. */
#define TND_LONG_JOB_SOON_MS 100

typedef struct TndLongJob TndLongJob;

/* In the job's thread.  It calls progress now and then, and ends with an error if that gives FALSE. */
typedef gpointer (*TndLongJobWork)(gconstpointer subject, TndTraceProgress progress, gpointer data, GError **error);

/* In the main thread, once, unless the job was stopped; takes the result, or the error.  The job is gone afterwards. */
typedef void (*TndLongJobDone)(gpointer result, GError *error, gpointer user_data);

typedef struct {
    TndLongJobWork work;
    GDestroyNotify free_subject, free_result; /* NULL: nothing is to be freed */
    TndLongJobDone done;
} TndLongJobKind;

/* The subject becomes the job's. */
TndLongJob *tnd_long_job_start(const TndLongJobKind *kind, gpointer subject, gpointer user_data);
double tnd_long_job_fraction(TndLongJob *job);
void tnd_long_job_cancel(TndLongJob *job); /* done is called, with an error if it is not too late for that */

/* Returns when the work has ended; done is never called. */
void tnd_long_job_stop(TndLongJob *job);

/* Returns when the work has ended (TRUE), or after so many ms; done is called later all the same. */
gboolean tnd_long_job_wait(TndLongJob *job, guint at_most_ms);

#endif
