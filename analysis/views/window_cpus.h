/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which thread ran on a CPU from when to when, as the CPUs of its states and events say.  For view_rows.c alone.
 */
#ifndef TND_WINDOW_CPUS_H
#define TND_WINDOW_CPUS_H

#include "analysis/views/semantic.h"

/* A row's bursts, contiguous from 0 to the trace's end; those of no length count. */
typedef struct {
    TndBurst *bursts;
    gsize n;
} TndSignal;

/* The bursts of whichever thread had the last record on this CPU (0-based), 0 from where that thread has one on
 * another.  `signal_of` makes those of a thread, which are freed here. */
typedef TndSignal (*TndWindowCpusSignal)(gconstpointer data, guint row);
TndSignal tnd_window_cpus_signal(const TndTrace *trace, guint cpu, TndWindowCpusSignal signal_of, gconstpointer data);

#endif
