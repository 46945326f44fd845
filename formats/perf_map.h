/* SPDX-License-Identifier: Apache-2.0
 *
 * The file /tmp/perf-PID.map, in which a just-in-time compiler tells what it calls its code, as perf wants it: a line
 * "ADDRESS SIZE NAME" for each function, in hexadecimal.
 *
 * Context: system calls only, no allocation; not in a handler.
 */
#ifndef TND_PERF_MAP_H
#define TND_PERF_MAP_H

#include <stdint.h>
#include <sys/types.h>

/* Opens the file of a process for reading.  Anybody may make files in /tmp, and pids are used again: it must be a file
 * of this user's, not a link, which others may not write, and which was last changed between these times (ns of
 * CLOCK_REALTIME; for a time, the kernel's clocks of files may be 20 ms late).  The descriptor, or -1. */
int tnd_perf_map_open(pid_t pid, uint64_t since_ns, uint64_t until_ns);

#endif
