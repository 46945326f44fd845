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

/* A sentence for whoever reads the trace's statistics: what was refused, what was lost.  In a thread, not in a handler
 * of the program's. */
void tnd_run_note(const char *sentence);

/* Something that the user asked for is not to be had: says so in one line on stderr, once a run (`mark` is the name of
 * a file that tells), and as a note.  At start. */
void tnd_run_tell(const char *mark, const char *sentence);

/* What the lifecycle functions of libc lead to.  In the thread that calls them; exec's pair around the call. */
void tnd_run_start(void);
void tnd_run_end(enum tnd_process_end how, int status);
void tnd_run_before_exec(void);
void tnd_run_after_failed_exec(void);

/* Nothing more is recorded in this process: its streams are complete, and what is to be done when it ends is still done
 * then.  In a thread of the program's; others may run. */
void tnd_run_close(void);

/* Recording on or off by the program's wish. */
void tnd_run_switch(bool on);

/* It is off by that, while the run goes on. */
bool tnd_run_is_off(void);

#endif
