/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chooses the library to preload for a command: there is one for each implementation of MPI, with and without the heap.
 *
 * The choice depends, in this order, on what the program links (as the dynamic linker lists it; the program is not
 * run), on the launcher in front of it, and on the launcher that started us.  The command or script of a shell is
 * searched for programs.  What other interpreters load is not known beforehand, so there the launchers decide; without
 * one it is Open MPI.
 *
 * How it is preloaded into the program is known here, too.
 *
 * Cost: about 2 ms for each program that is examined.
 */
#ifndef TND_PRELOAD_H
#define TND_PRELOAD_H

#include "system/executable.h"

#include <glib.h>

/* The path of the library, to be freed with free.  choice: the value of the setting mpi-library.  NULL: complained,
 * because that library is not installed with this command. */
char *tnd_preload_choose(char **command, const char *choice, gboolean with_heap);

/* The program that a command begins with. */
struct tnd_preload_program {
    char *path; /* where it is found, or what was typed */
    struct tnd_executable about;
};

/* Looks at a program; the path is to be freed with g_free. */
struct tnd_preload_program tnd_preload_look(const char *name);

/* The environment of the program: with the library in LD_PRELOAD where it must stand, or without, if it cannot be
 * loaded (run/gate.h).  Frees the one that is given. */
char **tnd_preload_into(const struct tnd_preload_program *program, const char *library, char **environment);

/* Puts the program into the ledger of the run (run/missed.h), if it is known beforehand that it will not be recorded:
 * what it starts may be. */
void tnd_preload_note_missed(const struct tnd_preload_program *program, const char *run_directory);

/* Complains that nothing was recorded of the program in that run directory, and says why. */
void tnd_preload_complain(const struct tnd_preload_program *program, const char *run_directory);

/* The path of a library of this command's build tree or installation; NULL: it is not there.  Free with free. */
char *tnd_preload_find(const char *library);

#endif
