/* SPDX-License-Identifier: Apache-2.0
 *
 * The environment of programs that this process executes: run/gate.h, with what this process gives to its children, and
 * the ledger of those that cannot be recorded (run/missed.h).
 *
 * Context: but for the start, as exec: also in handlers and in children of vfork.  System calls only; errno kept; takes
 * 5 KiB of stack besides the new environment's bytes.
 */
#ifndef TND_EXEC_GATE_H
#define TND_EXEC_GATE_H

#include "run/gate.h"

/* At start, when the run is known: remembers what is given to children, then hides from the program what it was not
 * given by its parent. */
void tnd_exec_gate_start(void);

/* The plan for a program, found as execveat does; path NULL: not known.  *plan is for tnd_gate_make, with room of
 * plan->n_bytes on the caller's stack, at most 16 KiB; 0 bytes: the environment stays as it is, as always on an
 * alternate signal stack, which may be small. */
void tnd_exec_gate_look(struct tnd_gate_plan *plan, struct tnd_executable *program, int at_fd, const char *path,
                        char *const environment[]);

/* The same for a name that is looked for in PATH, if it has no slash. */
void tnd_exec_gate_look_in_path(struct tnd_gate_plan *plan, struct tnd_executable *program, const char *file,
                                char *const environment[]);

/* Of libc's own exec of a shell (system, popen), which no wrapper sees: notes it if the environment lacks what would
 * make the shell join the run. */
void tnd_exec_gate_shell(void);

#endif
