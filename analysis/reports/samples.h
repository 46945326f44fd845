/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples of a trace, one after another, with their stacks.
 *
 * Cost: one walk over the row's events.
 */
#ifndef TND_SAMPLES_H
#define TND_SAMPLES_H

#include "analysis/trace/trace.h"

#define TND_SAMPLES_MOST_FRAMES 100

typedef struct {
    guint64 time_ns;
    guint64 weight_ns; /* the time that it stands for; 0: the trace does not say */
    gboolean is_rest;  /* what a thread used after its last sample */
    guint n_frames;
    gint64 frames[TND_SAMPLES_MOST_FRAMES]; /* functions, numbered as in all stacks of the trace; innermost first.
                                             * A region of the program: -value (region_stacks.h) */
    gint64 lines[TND_SAMPLES_MOST_FRAMES];  /* of the frames, likewise; 0: not told */
} TndSample;

/* What samples are of. */
typedef enum {
    TND_SAMPLES_CPU,   /* CPU time; a thread may have one more, what it used after the last */
    TND_SAMPLES_WAITS, /* time that a thread waited; the innermost function is the one that it waited in */
} TndSamplesOf;

typedef void (*TndSampleTake)(gpointer self, const TndSample *sample);

/* Calls `take` for each sample of a thread, in the order of time.  What a thread used after its last sample counts for
 * the place of that sample: it is one more, with the same stack, and is_rest.  Stacks of OpenMP's threads go on with
 * that of the thread that opened the region (team_stacks.h). */
void tnd_samples_each(const TndTrace *trace, guint row, TndSamplesOf what, TndSampleTake take, gpointer self);

/* The same, with stacks as they were recorded. */
void tnd_samples_each_recorded(const TndTrace *trace, guint row, TndSamplesOf what, TndSampleTake take, gpointer self);

/* The same for those who walk over the events of a thread themselves, and give each event to a follower.  A sample is
 * given when an event of a later sample comes, when a later time is passed, or when the follower is finished, which
 * frees it. */
typedef struct TndSampleFollower TndSampleFollower;
TndSampleFollower *tnd_samples_follower_new(const TndTrace *trace, guint row, TndSamplesOf what, TndSampleTake take,
                                            gpointer self);
void tnd_samples_follow(TndSampleFollower *follower, const TndEvent *event);
void tnd_samples_pass(TndSampleFollower *follower, guint64 time_ns);
void tnd_samples_follower_finish(TndSampleFollower *follower);

/* Whether events of the type are parts of samples. */
gboolean tnd_samples_are_of(guint32 type);

/* Whether the trace has samples, and whether they have weights. */
gboolean tnd_samples_exist(const TndTrace *trace);
gboolean tnd_samples_are_weighed(const TndTrace *trace, TndSamplesOf what);

/* The name of a function or region in a stack.  Free with g_free. */
char *tnd_samples_function_name(const TndTrace *trace, gint64 function);

#endif
