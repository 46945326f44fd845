/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is in a run directory (rundir.h), and who of them is the last: members, which hold a lock, and images, which have
 * a directory each.
 *
 * Context: system calls only, no allocation: callable after fork(); not in a handler.
 */
#ifndef TND_ATTENDANCE_H
#define TND_ATTENDANCE_H

#include <stdbool.h>

/* Becomes a member: holds a lock on `member.<key>` until tnd_attendance_leave or death.  Returns the lock's descriptor
 * (close-on-exec, number as high as the limit allows, below about 4096) or -errno.  A child of fork() inherits it and
 * must close it, lest its parent seem alive as long as the child; then it may enter under a key of its own. */
int tnd_attendance_enter(const char *path, const char *key);

/* Leaves, and answers whether the caller is the last: all `n_expected` members (0: only those seen) have been there
 * and no other is alive.  Exactly one caller gets true. */
bool tnd_attendance_leave(const char *path, int member_fd, unsigned n_expected);

/* The process of the image directory `image_path` ends, for good.  Answers whether it is to make the trace: of those
 * that may (the maker of the run, and, once that has ended, every process), the one that ends last. */
bool tnd_attendance_end(const char *path, const char *image_path, bool is_maker);

/* Whether processes of this host that have an image here, and have not ended, are alive. */
bool tnd_attendance_is_alive(const char *path);

/* Makes the directory of an image of a process: `<host>.<pid>.<n>` with the first free n.  Its path, relative to the
 * run's, goes to name.  0 or an errno. */
int tnd_attendance_make_image(const char *path, const char *host, int pid, char name[static 300]);

#endif
