/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem wrap --check LIBRARY -- COMMAND`: the calls of a program counted in two ways.
 */
#ifndef TND_WRAP_COUNT_H
#define TND_WRAP_COUNT_H

/* Runs the command twice, once recorded with --library, once with the linker's audit interface, and prints where the
 * numbers of calls differ; if they do, a third time, to tell what differs from run to run.  The exit status: 1 if they
 * differ, or complained. */
int tnd_wrap_count_check(const char *library, char **command);

#endif
