/* SPDX-License-Identifier: Apache-2.0
 *
 * Which processes take part in a run, and which of them is the last to end.  A run has members, each of which holds a
 * lock on a file in the run directory (rundir.h), and images of processes, each of which has a directory in it.
 *
 * Context: system calls only, no allocation: callable after fork(); not in a handler.
 */
#ifndef TND_ATTENDANCE_H
#define TND_ATTENDANCE_H

#include <stdbool.h>

/* Becomes a member: holds a lock on `member.<key>` until tnd_attendance_leave or the end of the process.  Returns the
 * lock's descriptor (close-on-exec, its number as high as the limit allows, below about 4096) or -errno.  A child of
 * fork() inherits the descriptor and must close it, because its parent would count as alive as long as the child is;
 * then it may enter under a key of its own. */
int tnd_attendance_enter(const char *path, const char *key);

/* Leaves, and returns whether the caller is the last: `n_expected` members have entered (0: as many as there were), and
 * no other is alive.  Exactly one caller gets true. */
bool tnd_attendance_leave(const char *path, int member_fd, unsigned n_expected);

/* The process of the image directory `image_path` ends, not by an exec.  Returns whether it is to make the trace.  That
 * is the one that ends last among the run's maker and, once the maker has ended, all processes. */
bool tnd_attendance_end(const char *path, const char *image_path, bool is_maker);

/* Whether any process of this host that has an image here is alive and has not ended. */
bool tnd_attendance_is_alive(const char *path);

/* Makes the directory of an image of a process: `<host>.<pid>.<n>` with the first free n.  Its name goes to `name`.  0
 * or an errno. */
int tnd_attendance_make_image(const char *path, const char *host, int pid, char name[static 300]);

#endif
