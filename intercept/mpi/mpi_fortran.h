/* SPDX-License-Identifier: Apache-2.0
 *
 * What the generated wrappers of Fortran's procedures need: the library's own procedures, and conversions of their
 * arguments.  Records are the same as for C (mpi_message.h), with C's handles, because a program may make a
 * communicator in one language and use it in the other.
 *
 * MPICH's Fortran library calls MPI by its C names, where the C wrappers see the call, except in the procedures of
 * mpi_f08 that have no buffer among their arguments; Open MPI's never does.  Only procedures that C wrappers do not see
 * are wrapped, so that a call is recorded once.  Cost over C: a conversion or two, some ns each.
 *
 * Names in lower case with an underscore are not MPI's alone: a library of multiple-precision integers may have an
 * mpi_init, and a program that was linked with a serial replacement of MPI has all of the names.  So a name that no
 * library with MPI's profiling interface has is passed on to the function that the call would have reached without us,
 * and is not recorded.
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

/* The names of a call: compilers spell it name_ or name__; with `use mpi_f08` it is name_f08_.  Some can spell it name
 * or NAME, which are often functions of the program's: docs/decisions/0022-names-taken.md. */
enum tnd_mpi_spelling { TND_MPI_UNDERSCORE, TND_MPI_F08, TND_MPI_N_SPELLINGS };

/* What a name of mpi_f08 has after pmpi or pmpix in the profiling interface. */
#ifdef OPEN_MPI
#define TND_MPI_FORTRAN_F08 ""
#else
#define TND_MPI_FORTRAN_F08 "r"
#endif

/* Generated: the names in lower case, and for each spelling of each name the procedure that was found, MPI's or another
 * one. */
extern const char *const tnd_mpi_fortran_names[] __attribute__((visibility("hidden")));
extern void *tnd_mpi_fortran_calls[] __attribute__((visibility("hidden")));
extern void *tnd_mpi_fortran_others[] __attribute__((visibility("hidden")));

/* The slow half of tnd_mpi_fortran_get; number: the call's number x TND_MPI_N_SPELLINGS + spelling.  Keeps errno. */
void *tnd_mpi_fortran_find(unsigned number, void *caller, bool *known);

/* The real procedure.  *known: it is that of our MPI, which can be asked about the arguments; false: it is another one
 * of that name, or of another MPI than ours, or there is none (NULL). */
static inline void *tnd_mpi_fortran_get(unsigned number, void *caller, bool *known)
{
    void *real = __atomic_load_n(&tnd_mpi_fortran_calls[number], __ATOMIC_ACQUIRE);
    *known = true;
    return __builtin_expect(real != NULL, 1) ? real : tnd_mpi_fortran_find(number, caller, known);
}

/* The end of a procedure.  With mpi_f08 the program may have passed no ierror. */
static inline uintptr_t tnd_mpi_fortran_end(MPI_Fint *ierror, MPI_Fint result)
{
    if (ierror)
        *ierror = result;
    return 0;
}

/* The buffer as C would have passed it; only whether it is MPI_IN_PLACE matters. */
const void *tnd_mpi_fortran_buffer(const void *buffer);

/* The status to pass on: the program's, or `room` if that is MPI_STATUS_IGNORE. */
const MPI_Fint *tnd_mpi_fortran_status(const void *status, MPI_Fint room[TND_MPI_FORTRAN_STATUS]);
bool tnd_mpi_fortran_ignores_statuses(const void *statuses);

static inline void tnd_mpi_fortran_read_status(const MPI_Fint *from, MPI_Status *status)
{
    tnd_mpi_library.Status_f2c((MPI_Fint *)from, status);
}

#endif
