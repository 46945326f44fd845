/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding the MPI library.  Context: mpi_library.h.
 */
#include "intercept/mpi/mpi_library.h"

#include "intercept/base/callee.h"
#include "runtime/config.h"
#include "runtime/target.h"
#include "sampler/unwind.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

struct tnd_mpi_library tnd_mpi_library;
bool tnd_mpi_library_is_foreign, tnd_mpi_library_is_silent;

/* Files of Open MPI and libraries derived from it; or files with MPICH's ABI, which Intel MPI, MVAPICH and Cray MPI
 * share. */
#ifdef OPEN_MPI
#define IS_OPEN_MPI true
static const char *files[] = {NULL,        "libmpi.so.40",       "libmpi.so.20",       "libmpi.so.12",
                              "libmpi.so", "libmpi_mpifh.so.40", "libmpi_mpifh.so.20", NULL};
#else
#define IS_OPEN_MPI false
static const char *files[] = {
    NULL, "libmpich.so.12", "libmpi.so.12", "libmpi.so", "libmpi_mpifh.so.40", "libmpi_mpifh.so.20", NULL};
#endif

const char *const *tnd_mpi_library_files = files + 1;

#define FIND_CALL(call) tnd_mpi_library.call = (__typeof__(PMPI_##call) *)dlsym(library, "PMPI_" #call);
#ifdef OPEN_MPI
/* Finds a variable of the library.  A program that refers to it may have it in its own file (a copy relocation), and
 * that one counts. */
static void *find_data(const char *name, void *library)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    return found ? found : dlsym(library, name);
}

#define FIND_HANDLE(type, field, symbol, constant) tnd_mpi_library.field = (type)find_data(symbol, library);
#else
#define FIND_HANDLE(type, field, symbol, constant) tnd_mpi_library.field = constant;
#endif

/* Looks for a variable that every Open MPI has, and no other library. */
static bool is_open_mpi(void *library)
{
    return dlsym(library, "ompi_mpi_comm_world") != NULL;
}

static void say_foreign(void)
{
    static int said;
    if (__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED) || tnd_mpi_library_is_silent)
        return;
    tnd_target_say(IS_OPEN_MPI ? "tandem: MPI calls are not recorded: the program's MPI is MPICH, so preload "
                                 "libtandem-mpich.so (tandem record --mpi-library mpich)\n"
                               : "tandem: MPI calls are not recorded: the program's MPI is Open MPI, so preload "
                                 "libtandem.so (tandem record --mpi-library openmpi)\n");
}

bool tnd_mpi_library_complete(void *library)
{
    if (is_open_mpi(library) != IS_OPEN_MPI) {
        tnd_mpi_library_is_foreign = true;
        say_foreign();
        return false;
    }
    static bool is_complete;
    if (!__atomic_load_n(&is_complete, __ATOMIC_ACQUIRE)) { /* threads that do this at the same time find the same */
        TND_MPI_LIBRARY_CALLS(FIND_CALL)
        TND_MPI_LIBRARY_HANDLES(FIND_HANDLE)
        __atomic_store_n(&is_complete, true, __ATOMIC_RELEASE);
    }
    return true;
}

bool tnd_mpi_library_take(void *handle, bool is_told)
{
    static const void *taken; /* the file */
    void *rank = dlsym(handle, "PMPI_Comm_rank");
    const void *file = rank ? tnd_callee_file_of(rank) : NULL, *none = NULL;
    if (!file)
        return false;
    if (is_open_mpi(handle) != IS_OPEN_MPI) {
        if (is_told)
            say_foreign();
        return false;
    }
    const void *known = (const void *)tnd_mpi_library.Comm_rank;
    if (known && tnd_callee_file_of(known) != file)
        return false;
    if (!__atomic_compare_exchange_n(&taken, &none, file, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return none == file;
    Dl_info info;
    if (tnd_callee_keep(rank, RTLD_NEXT) && dladdr(rank, &info)) {
        files[0] = info.dli_fname;
        __atomic_store_n(&tnd_mpi_library_files, files, __ATOMIC_RELEASE);
    }
    return true;
}

/* MPICH's Fortran library calls MPI by its C names (mpi_fortran.h): its frames are left out of the callers. */
static void leave_out_fortran(const void *caller)
{
    void *library, *found = tnd_callee_find("pmpi_init_", caller, tnd_mpi_library_files, &library);
    if (found)
        tnd_unwind_leave_out(found);
}

/* The function that a call would have reached without us, if that is of another tool: it stands behind us, and calls
 * the real one itself.  Else the real one.  name: "P", and that of the call. */
static void *find_tool(const char *name, void *real)
{
    void *next = dlsym(RTLD_NEXT, name + strlen("P"));
    bool is_tool = next && dlsym(RTLD_NEXT, name) == real && tnd_callee_file_of(next) != tnd_callee_file_of(real) &&
                   tnd_callee_file_of(next) != tnd_callee_file_of((const void *)find_tool);
    return is_tool ? next : real;
}

void *tnd_mpi_library_find(unsigned number, void *caller)
{
    int saved_errno = errno;
    void *library;
    const char *name = tnd_mpi_library_names[number];
    void *found = tnd_callee_find(name, caller, tnd_mpi_library_files, &library);
    if (found) {
        if (tnd_mpi_library_complete(library) && !IS_OPEN_MPI && tnd_config.callers)
            leave_out_fortran(caller);
        found = find_tool(name, found);
    } else if ((found = tnd_callee_find_namesake(name + strlen("P"), caller, tnd_mpi_library_files))) {
        tnd_mpi_library_is_foreign = true; /* a replacement of MPI in serial programs, for example */
    }
    if (found)
        __atomic_store_n(&tnd_mpi_library_calls[number], found, __ATOMIC_RELEASE);
    errno = saved_errno;
    return found;
}
