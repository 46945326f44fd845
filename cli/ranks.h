/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `mpirun -n 4 tandem merge ...`: every rank becomes a second program that is linked with the launcher's MPI, because
 * `tandem` itself runs where there is none.
 */
#ifndef TND_RANKS_H
#define TND_RANKS_H

#include <glib.h>

/* Whether a launcher has started this process as one of several ranks. */
gboolean tnd_ranks_are_several(void);

/* Whether its number is 0. */
gboolean tnd_ranks_is_first(void);

/* Becomes the program that merges as a rank, with the same words.  Returns only if it cannot, having complained once
 * for all ranks. */
void tnd_ranks_become(char **words);

#endif
