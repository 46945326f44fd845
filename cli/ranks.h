/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `mpirun -n 4 tandem merge ...`: every rank executes a second program, which is linked with the launcher's MPI,
 * because `tandem` itself must run without MPI.
 */
#ifndef TND_RANKS_H
#define TND_RANKS_H

#include <glib.h>

/* Whether a launcher has started this process as one of several ranks. */
gboolean tnd_ranks_are_several(void);

/* Whether this process is rank 0. */
gboolean tnd_ranks_is_first(void);

/* Executes the program that merges as a rank, with the same words.  Returns only if that fails; then one rank has
 * complained. */
void tnd_ranks_become(char **words);

#endif
