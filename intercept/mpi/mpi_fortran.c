/* SPDX-License-Identifier: Apache-2.0
 *
 * Fortran programs' MPI.  Context: mpi_fortran.h.
 */
#include "intercept/mpi/mpi_fortran.h"

#include "intercept/base/callee.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Fortran's constants that are addresses; until they are known, addresses that no argument has. */
static const void *in_place = &in_place, *status_ignore = &status_ignore, *statuses_ignore = &statuses_ignore;

/* How compilers spell a name, the most likely first; the first two are both TND_MPI_UNDERSCORE. */
static const struct way {
    enum tnd_mpi_spelling spelling;
    const char *tail;
} ways[] = {{TND_MPI_UNDERSCORE, "_"}, {TND_MPI_UNDERSCORE, "__"}, {TND_MPI_F08, "_f08_"}};
enum { N_WAYS = sizeof ways / sizeof *ways, F08_WAY = N_WAYS - 1, NAME_SIZE = 80 };

static void spell(char text[NAME_SIZE], const char *before, const char *name, const struct way *way)
{
    snprintf(text, NAME_SIZE, "%s%s%s", before, name, way->tail);
}

#ifdef OPEN_MPI
#define CONSTANT_NAMES "mpi_fortran_in_place", "mpi_fortran_status_ignore", "mpi_fortran_statuses_ignore"
#else /* of MPICH: those of the module mpi_f08 */
#define CONSTANT_NAMES "MPIR_F08_MPI_IN_PLACE", "MPIR_F08_MPI_STATUS_IGNORE_OBJ", "MPIR_F08_MPI_STATUSES_IGNORE_OBJ"
#endif

static void find_constants(void *library)
{
    static const char *const names[] = {CONSTANT_NAMES};
    const void **const constants[] = {&in_place, &status_ignore, &statuses_ignore};
    char text[NAME_SIZE];
    for (int constant = 0; constant < 3; constant++) {
        const void *found = NULL;
        for (int i = 0; !found && i < 2 * F08_WAY; i++) {
            spell(text, "", names[constant], &ways[i / 2]);
            found = dlsym(i % 2 ? library : RTLD_DEFAULT, text);
        }
        if (found)
            *constants[constant] = found;
    }
}

/* MPI's own procedure, however the library spells it. */
static void *find_real(const char *name, enum tnd_mpi_spelling spelling, void *caller, void **library)
{
    char text[NAME_SIZE];
    void *found = NULL;
    for (int i = 0; !found && i < N_WAYS; i++) {
        if ((i == F08_WAY) != (spelling == TND_MPI_F08))
            continue;
        spell(text, "p", name, &ways[i]);
        found = tnd_callee_find(text, caller, tnd_mpi_library_files, library);
    }
    if (!found && spelling == TND_MPI_F08) { /* MPICH: pmpir_wait_f08_ */
        snprintf(text, NAME_SIZE, "pmpir_%s_f08_", name + strlen("mpi_"));
        found = tnd_callee_find(text, caller, tnd_mpi_library_files, library);
    }
    return found;
}

/* The function that the call would have reached without us. */
static void *find_other(const char *name, enum tnd_mpi_spelling spelling, void *caller)
{
    char text[NAME_SIZE];
    void *found = NULL;
    for (int i = 0; !found && i < N_WAYS; i++) {
        if (ways[i].spelling != spelling)
            continue;
        spell(text, "", name, &ways[i]);
        found = tnd_callee_find_namesake(text, caller, tnd_mpi_library_files);
    }
    return found;
}

void *tnd_mpi_fortran_find(unsigned number, void *caller, bool *known)
{
    *known = false;
    void *other = __atomic_load_n(&tnd_mpi_fortran_others[number], __ATOMIC_ACQUIRE);
    if (other)
        return other;
    int saved_errno = errno;
    const char *name = tnd_mpi_fortran_names[number / TND_MPI_N_SPELLINGS];
    enum tnd_mpi_spelling spelling = number % TND_MPI_N_SPELLINGS;
    void *library, *real = find_real(name, spelling, caller, &library);
    if (!real)
        other = find_other(name, spelling, caller);
    *known =
        real && (!other || tnd_callee_file_of(other) == tnd_callee_file_of(real)) && tnd_mpi_library_complete(library);
    if (*known)
        find_constants(library);
    else if (!other)
        other = real;
    __atomic_store_n(*known ? &tnd_mpi_fortran_calls[number] : &tnd_mpi_fortran_others[number], *known ? real : other,
                     __ATOMIC_RELEASE);
    errno = saved_errno;
    return *known ? real : other;
}

const void *tnd_mpi_fortran_buffer(const void *buffer)
{
    return buffer == in_place ? MPI_IN_PLACE : buffer;
}

const MPI_Fint *tnd_mpi_fortran_status(const void *status, MPI_Fint room[TND_MPI_FORTRAN_STATUS])
{
    return status == status_ignore ? room : status;
}

bool tnd_mpi_fortran_ignores_statuses(const void *statuses)
{
    return statuses == statuses_ignore;
}
