/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs the program that is to be recorded, as a shell would: it has the terminal, signals that we get are passed on to
 * it, and we learn how it ended.
 */
#ifndef TND_LAUNCH_H
#define TND_LAUNCH_H

#include <glib.h>

/* Of a value in the environment of a program: the kernel takes 128 KiB of one (execve(2), MAX_ARG_STRLEN). */
#define TND_LAUNCH_MOST_BYTES ((gsize)120000)

/* Runs the command and waits for it.  Returns its exit status, or the negative number of the signal that ended it. With
 * *error: 127 if the command was not found or no process could be made, 126 if it cannot be executed. */
int tnd_launch_run(char **command, char **environment, GError **error);

/* From here on a file that would exceed the limit of its size (ulimit -f) is an error to us, which is told, and not a
 * signal that ends us.  The command gets that signal as we had it. */
void tnd_launch_outlive_limits(void);

/* The word of the command that is the program: the first one, or the program that a launcher (mpirun, env, ...)
 * launches.
 */
char **tnd_launch_program(char **command);

/* The name of the command's trace (run/program_name.h). */
char *tnd_launch_name(char **command);

#endif
