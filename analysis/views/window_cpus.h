/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which thread ran on a CPU from when to when, as the CPUs of its states and events say.  For windows.c alone.
 */
#ifndef TND_WINDOW_CPUS_H
#define TND_WINDOW_CPUS_H

#include "analysis/views/semantic.h"

typedef struct TndWindowCpus TndWindowCpus;

TndWindowCpus *tnd_window_cpus_new(const TndTrace *trace, guint n_cpus);
void tnd_window_cpus_free(TndWindowCpus *cpus);

/* The bursts of whichever thread had the last record on this CPU (0-based), 0 from where that thread has one on
 * another.  `signal_of` makes those of a thread, which are freed here. */
typedef TndSignal (*TndWindowCpusSignal)(void *data, guint row);
TndSignal tnd_window_cpus_signal(const TndWindowCpus *cpus, guint cpu, guint64 end_ns, TndWindowCpusSignal signal_of,
                                 void *data);

#endif
