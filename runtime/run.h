/* SPDX-License-Identifier: Apache-2.0
 *
 * The life of a process in a run: how it starts, forks, execs and ends.
 *
 * A process belongs to the run that TANDEM_RUN names.  Without one it is the root of a run of its own: it makes the run
 * directory, puts TANDEM_RUN into its environment, so that its children belong to the same run, and has the trace made
 * when it ends.  The ranks of one MPI job share a run, and the last to end has the trace made.
 *
 * Context: as each function says.
 */
#ifndef TND_RUN_H
#define TND_RUN_H

#include "runtime/thread.h"

/* Path of the run's directory; "" while there is none.  Any context. */
const char *tnd_run_directory(void);

/* Records a sentence for the user, which `tandem stat` prints: what was refused, what was lost.  In a thread, not in a
 * handler of the program's. */
void tnd_run_note(const char *sentence);

/* Something that the user asked for cannot be recorded: says so as a note, and in one line on stderr, once in a run
 * (the file `mark` in its directory says that it was done).  At start, also of a thread. */
void tnd_run_tell(const char *mark, const char *sentence);

/* For the wrappers of libc's functions, in the thread that calls those: a process begins, ends, is about to become
 * another program, or could not. */
void tnd_run_start(void);
void tnd_run_end(enum tnd_process_end how, int status);
void tnd_run_before_exec(void);
void tnd_run_after_failed_exec(void);

/* Ends recording in this process: its streams are complete from here on.  The rest of tnd_run_end is still done when
 * the process ends.  In a thread of the program's; others may run. */
void tnd_run_close(void);

/* Ends recording in this process for good, because nothing of ours may call the kernel from here on.  Its children
 * are not recorded.  In a thread of the program's; others may run. */
void tnd_run_leave(void);

/* Switches recording on or off, as the program asks. */
void tnd_run_switch(bool on);

/* Whether the program has switched it off, and the run goes on. */
bool tnd_run_is_off(void);

#endif
