/* SPDX-License-Identifier: Apache-2.0
 *
 * What the generated Fortran entry points need: the library's own Fortran procedures, and what differs from C in what
 * they are given.  What is recorded is the same as for C (mpi_message.h), with handles as C has them, because a program
 * may make a communicator in one language and use it in the other.
 *
 * MPICH's Fortran library calls MPI by its C names, where the C wrappers see it, but for those procedures of mpi_f08
 * that have no buffer among their arguments; Open MPI's never does.  There are entry points for what is not seen in C,
 * so that a call is recorded once.  Cost over C: a conversion or two, some ns each.
 *
 * Names in lower case with an underscore are MPI's, but others are anybody's: a library of its own arithmetic may have
 * an mpi_init, and a program that was linked with a serial stand-in for MPI has all of them.  So whatever a library
 * with a profiling interface does not answer for is handed on to where the call would have gone without us, and not
 * recorded.
 *
 * Context: mpi_library.h.
 */
#ifndef TND_MPI_FORTRAN_H
#define TND_MPI_FORTRAN_H

#include "intercept/mpi/mpi_library.h"

#include <stdbool.h>
#include <stddef.h>

/* MPI_STATUS_SIZE: a status has the same words in Fortran as in C, in all libraries known. */
enum { TND_MPI_FORTRAN_STATUS = sizeof(MPI_Status) / sizeof(MPI_Fint) };
_Static_assert(sizeof(MPI_Fint) == sizeof(int), "Fortran's arrays of integers are read as C's");

/* The names of a call: compilers spell it name_ or name__, some name or NAME; with `use mpi_f08` it is name_f08_. */
enum tnd_mpi_spelling { TND_MPI_UNDERSCORE, TND_MPI_F08, TND_MPI_PLAIN, TND_MPI_UPPER, TND_MPI_N_SPELLINGS };

/* Generated: the names in lower case, and for each spelling of each where it is: MPI's, or somebody else's. */
extern const char *const tnd_mpi_fortran_names[] __attribute__((visibility("hidden")));
extern void *tnd_mpi_fortran_calls[] __attribute__((visibility("hidden")));
extern void *tnd_mpi_fortran_others[] __attribute__((visibility("hidden")));

/* The slow half of tnd_mpi_fortran_get; number: of the call x TND_MPI_N_SPELLINGS + spelling.  Keeps errno. */
void *tnd_mpi_fortran_find(unsigned number, void *caller, bool *known);

/* The real procedure.  *known: it is MPI's, which can be asked about what it is given; false: somebody else's of that
 * name, or another MPI's than ours, or NULL: nobody's. */
static inline void *tnd_mpi_fortran_get(unsigned number, void *caller, bool *known)
{
    void *real = __atomic_load_n(&tnd_mpi_fortran_calls[number], __ATOMIC_ACQUIRE);
    *known = true;
    return __builtin_expect(real != NULL, 1) ? real : tnd_mpi_fortran_find(number, caller, known);
}

/* The end of a procedure: mpi_f08 may have passed no ierror. */
static inline uintptr_t tnd_mpi_fortran_end(MPI_Fint *ierror, MPI_Fint result)
{
    if (ierror)
        *ierror = result;
    return 0;
}

/* A buffer as C would have passed it: of interest is only whether it is MPI_IN_PLACE. */
const void *tnd_mpi_fortran_buffer(const void *buffer);

/* The status to hand on: the program's, or `room` if it said MPI_STATUS_IGNORE. */
const MPI_Fint *tnd_mpi_fortran_status(const void *status, MPI_Fint room[TND_MPI_FORTRAN_STATUS]);
bool tnd_mpi_fortran_ignores_statuses(const void *statuses);

static inline void tnd_mpi_fortran_read_status(const MPI_Fint *from, MPI_Status *status)
{
    tnd_mpi_library.Status_f2c((MPI_Fint *)from, status);
}

#endif
