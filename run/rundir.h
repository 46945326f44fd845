/* SPDX-License-Identifier: Apache-2.0
 *
 * The run directory: `<name>.tandem/`, private (0700), made by the process that starts a run and shared by all its
 * processes.
 *
 *     run                       a text: one `key=value` a line; written before the directory gets its name
 *     <host>.<pid>.<n>/         one image of one process: n counts what exec and fork left under the same pid
 *         rings                                     what the slots' threads did last   (formats/rings.h)
 *         <slot>.main.stream  <slot>.signal.stream  and before that; what their signal handler saw
 *         ended                                       the image's process has ended (an exec does not end it)
 *     orphaned, merging      the run's maker has ended; somebody makes the trace: see tnd_attendance_end
 *     trouble, counters, ... a process has said that something is wrong (runtime/root.c): once a run is enough
 *     missed.<kind>.<program>   it was executed and could not be recorded (run/missed.h)
 *     member.<key>              held with flock() by a member for as long as it lives: see tnd_attendance_leave; it is
 *                               new.<key> until it is held
 *     rank.*, ...            what ranks of several nodes tell each other: run/rank_marks.h
 *     sensors.<host>            held with flock() by the process that reads the node's sensors (sampler/sensors.c)
 *     leaving, left             a lock that members take on leaving; there once one of them was the last
 *
 * Everything is opened relative to a directory's descriptor, and no symbolic link is followed in the last part of a
 * path.
 * Context: system calls only, no allocation: callable after fork(); not in a handler unless a function says so.
 */
#ifndef TND_RUNDIR_H
#define TND_RUNDIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TND_RUNDIR_ENDING ".tandem"
#define TND_RUNDIR_PATH_MAX 4096
#define TND_RUNDIR_STEM_MAX                                                                                            \
    (255 - 32) /* bytes of a name, so that with numbers and endings it is still one (NAME_MAX) */
#define TND_RUNDIR_RUN_FILE "run"
#define TND_RUNDIR_ENDED_FILE "ended"
#define TND_RUNDIR_TROUBLE_FILE "trouble"

struct tnd_rundir {
    char path[TND_RUNDIR_PATH_MAX]; /* absolute */
    bool created;                   /* by this call, rather than joined */
};

/* Makes `<stem>.tandem`, or, if there is such a directory, the next free `<stem>.2.tandem`, ...; with `force` the first
 * name is taken and an old directory of that name is emptied.
 * `run_text` becomes the file `run`, followed by a line `job=<job>`.  With a job that is not empty, an existing
 * directory of the candidates whose `run` has the same `job=` line is joined instead.  Atomic between competitors.
 * 0, or an errno; *rundir untouched on failure. */
int tnd_rundir_make(const char *stem, const char *run_text, const char *job, bool force, struct tnd_rundir *rundir);

/* Removes a run directory and what is in it. */
void tnd_rundir_remove(const char *path);

/* Opens a directory that belongs to this user and that nobody else may enter.  Its descriptor, or -errno (EPERM: it is
 * not such a directory). */
int tnd_rundir_open_private(int dir_fd, const char *path);

/* Whether the directory has an entry of that name; also true if that cannot be found out. */
bool tnd_rundir_has(int dir_fd, const char *name);

/* Makes an empty file; false if that fails, or, with exclusive = O_EXCL, if the file exists. */
bool tnd_rundir_mark(int dir_fd, const char *name, int exclusive);

/* Value of a key of the `run` file into value, cut to size; false if there is none.  The last line of a key counts. */
bool tnd_rundir_get(const char *path, const char *key, char *value, size_t size);

#endif
