/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * States of a thread that is sampled: of the time outside of calls, the time on a CPU is told from the time off it.
 *
 * Between two moments at which the thread's CPU time is known, the rest of the time was off a CPU.  Calls that have a
 * state of their own wait first: only what is more than they lasted was off a CPU outside of them.  It is put where a
 * wait was recorded, else at the begin of the time between the two moments; so the sums of the states are exact, and
 * their places to a sampling period.
 *
 * Cost: the states of one such time are held in memory, at most TND_MERGE_OFF_CPU_HELD of them; those before them
 * stay as they are.
 */
#ifndef TND_MERGE_OFF_CPU_H
#define TND_MERGE_OFF_CPU_H

#include "formats/prv_write.h"

#include <glib.h>

#define TND_MERGE_OFF_CPU_HELD 4096

/* Time off a CPU that is shorter is kept until there is more of it: interrupts and the clocks' error. */
#define TND_MERGE_OFF_CPU_LEAST_NS 100000

typedef struct {
    GArray *held;        /* struct tnd_prv_state: since `since_ns`, contiguous */
    GArray *ready;       /* likewise: complete */
    guint n_taken;       /* of `ready` */
    gboolean is_sampled; /* a moment at which the CPU time is known is still to come */
    guint64 since_ns;    /* the last such moment */
    guint64 in_calls_ns; /* since then, not Running */
    gint64 carried_ns;   /* time off a CPU that was too short, or less than 0 */
    gboolean is_cut;     /* the next state goes on with the one before, if it is the same */
} TndMergeOffCpu;

/* A moment at which a thread's CPU time is known. */
typedef struct {
    guint64 time_ns;
    guint64 cpu_ns;      /* that the thread used since the moment before */
    guint64 call_ns;     /* when the call began that waited until this moment; time_ns: there was none */
    gboolean was_pushed; /* outside of that call it did not wait, but others had its CPU */
} TndMergeOffCpuMoment;

TndMergeOffCpu *tnd_merge_off_cpu_new(void);
void tnd_merge_off_cpu_free(TndMergeOffCpu *off);

/* A thread begins, or has ended. */
void tnd_merge_off_cpu_begin(TndMergeOffCpu *off, guint64 time_ns);

/* Whether moments will follow; at first none do. */
void tnd_merge_off_cpu_expect(TndMergeOffCpu *off, gboolean is_sampled);

/* The next state is complete. */
void tnd_merge_off_cpu_add(TndMergeOffCpu *off, const struct tnd_prv_state *state);

/* A moment that no state crosses: the state that holds was added up to it. */
void tnd_merge_off_cpu_know(TndMergeOffCpu *off, const TndMergeOffCpuMoment *moment);

/* Takes the next state; FALSE: it is not known yet.  is_over: no more will be added. */
gboolean tnd_merge_off_cpu_take(TndMergeOffCpu *off, gboolean is_over, struct tnd_prv_state *state);

#endif
