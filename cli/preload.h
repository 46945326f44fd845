/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which library to preload for a command: there is one for each implementation of MPI, with and without the heap.
 *
 * Asked are, in this order, what the program links (as the dynamic linker lists it: nothing of the program is run), the
 * launcher in front of it, and the launcher that started us.  A shell's command or script is looked through for
 * programs; what any other interpreter will load is not known beforehand, so there the launchers decide, and without
 * them it is Open MPI.
 * Cost: about 2 ms for each program that is asked.
 */
#ifndef TND_PRELOAD_H
#define TND_PRELOAD_H

#include <glib.h>

/* A path, to be freed.  choice: as the setting mpi-library has it.  NULL: complained, there is no such library beside
 * this command. */
char *tnd_preload_choose(char **command, const char *choice, gboolean with_heap);

/* The path of a library that is beside this command, in the build tree or where it is installed; NULL: it is not.  Free
 * with free. */
char *tnd_preload_find(const char *library);

#endif
