/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What /proc says of a process of which we are not a part.
 */
#ifndef TND_ATTACH_PROC_H
#define TND_ATTACH_PROC_H

#include "attach/attach_memory.h"

#include <glib.h>

/* The ids of its threads: guint32, in ascending order; empty if it has ended.  Free with g_array_unref. */
GArray *tnd_attach_proc_threads(int pid);

/* How a thread is: R runs or waits for a CPU, S and D sleep, Z has ended; 0: there is no such thread. */
char tnd_attach_proc_state(int pid, int tid);

/* The name of a thread, "" if it has ended; the process's file, command (arguments separated by blanks) and boot id,
 * which may be "".  Free with g_free. */
char *tnd_attach_proc_thread_name(int pid, int tid);
char *tnd_attach_proc_executable(int pid);
char *tnd_attach_proc_command(int pid);
char *tnd_attach_proc_boot(void);

/* A number in its file `status`, by the name before it ("Uid:", "Tgid:", "PPid:", "Seccomp:"); -1: unknown.  pid 0:
 * of this process. */
gint64 tnd_attach_proc_status(int pid, const char *name);

/* When it began, in ns of CLOCK_REALTIME; 0: unknown. */
guint64 tnd_attach_proc_begin_ns(int pid);

/* Calls `each` with every mapping that has code.  FALSE with errno: they cannot be read. */
gboolean tnd_attach_proc_mappings(int pid, void (*each)(gpointer self, const TndAttachMapping *mapping), gpointer self);

/* The numbers of the CPUs that are online: guint32. */
GArray *tnd_attach_proc_cpus(void);

#endif
