/* SPDX-License-Identifier: Apache-2.0
 *
 * The name of a trace that the user has given none: the program's.  A script of Python is a program, too: people say
 * that they run app.py, not that they run python3.
 *
 * Context: system calls only, no allocation; not in a handler.
 */
#ifndef TND_PROGRAM_NAME_H
#define TND_PROGRAM_NAME_H

#include <stddef.h>
#include <sys/types.h>

/* The program's name without directory and ".py"; of an interpreter of Python, that of the script or the module which
 * the arguments (ended by NULL) let it run.  Never empty, and cut at a whole character to what a run directory may be
 * called (TND_RUNDIR_STEM_MAX). */
void tnd_program_name(const char *program, char *const *arguments, char *name, size_t size);

/* The same for a running process, with the arguments that the kernel knows of it, up to 4 KiB. */
void tnd_program_name_of_process(pid_t pid, const char *program, char *name, size_t size);

#endif
