/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The MPI calls that have a wrapper, sorted by what is recorded of them.  Made of the tables of which the wrappers are
 * made.
 */
#ifndef TND_MPI_CALLS_H
#define TND_MPI_CALLS_H

#include <stdbool.h>

struct tnd_mpi_call {
    const char *name;
    const char *text; /* what is recorded besides enter and leave, or why nothing is */
    bool is_more;     /* the former */
};

extern const struct tnd_mpi_call tnd_mpi_calls[];
extern const unsigned tnd_mpi_calls_n;

#endif
