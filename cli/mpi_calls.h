/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The MPI calls that have a wrapper, sorted by what is recorded of them.  Generated from the tables of the wrappers.
 */
#ifndef TND_MPI_CALLS_H
#define TND_MPI_CALLS_H

#include <stdbool.h>

struct tnd_mpi_call {
    const char *name;
    const char *text; /* what is recorded besides enter and leave, or why nothing else is */
    bool is_more;     /* something else is recorded */
};

extern const struct tnd_mpi_call tnd_mpi_calls[];
extern const unsigned tnd_mpi_calls_n;

#endif
