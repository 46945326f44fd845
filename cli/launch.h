/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running the program that is to be recorded, as a shell would: it has the terminal, signals to us reach it, and its
 * end is ours to report.
 */
#ifndef TND_LAUNCH_H
#define TND_LAUNCH_H

#include <glib.h>

/* Runs the command and waits for it.  Its exit status, or 128 + signal if one killed it.  With *error: 127 if it was
 * not found, or no process could be made for it; 126 if it cannot be run. */
int tnd_launch_run(char **command, char **environment, GError **error);

/* The word of the command that is the program: its first, or what a launcher in front (mpirun, env, ...) launches. */
char **tnd_launch_program(char **command);

/* What the command is called in a trace's name: its first word without directory; of a launcher (mpirun, env, ...)
 * the program that it launches. */
char *tnd_launch_name(char **command);

#endif
