/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which thread runs on a CPU at which time, by the CPUs of states and events.  Used by view_rows.c only.
 */
#ifndef TND_WINDOW_CPUS_H
#define TND_WINDOW_CPUS_H

#include "analysis/views/semantic.h"

/* A row's bursts, contiguous from 0 to the trace's end, bursts without length included. */
typedef struct {
    TndBurst *bursts;
    gsize n;
} TndSignal;

/* The bursts of a CPU (from 0): those of the thread that had the last record on it, and 0 after that thread has a
 * record on another CPU.  signal_of makes the bursts of a thread, which this function frees. */
typedef TndSignal (*TndWindowCpusSignal)(gconstpointer data, guint row);
TndSignal tnd_window_cpus_signal(const TndTrace *trace, guint cpu, TndWindowCpusSignal signal_of, gconstpointer data);

#endif
