/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding the MPI library.  Context: mpi_library.h.
 */
#include "intercept/mpi/mpi_library.h"

#include "runtime/target.h"

#include <dlfcn.h>
#include <errno.h>

struct tnd_mpi_library tnd_mpi_library;
bool tnd_mpi_library_is_foreign, tnd_mpi_library_is_silent;

/* Open MPI's own, and those of its relatives; of MPICH's ABI, which Intel MPI, MVAPICH and Cray MPI share. */
#ifdef OPEN_MPI
#define IS_OPEN_MPI true
static const char *const usual_names[] = {"libmpi.so.40", "libmpi.so.20",       "libmpi.so.12",
                                          "libmpi.so",    "libmpi_mpifh.so.40", "libmpi_mpifh.so.20"};
#else
#define IS_OPEN_MPI false
static const char *const usual_names[] = {"libmpich.so.12", "libmpi.so.12", "libmpi.so", "libmpi_mpifh.so.40",
                                          "libmpi_mpifh.so.20"};
#endif

/* A handle of the library that the caller's own file sees, NULL if it cannot be had. */
static void *open_caller(void *caller)
{
    Dl_info info;
    if (!dladdr(caller, &info) || !info.dli_fname || !*info.dli_fname)
        return NULL;
    return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

/* What was opened stays open, so that what was found stays there. */
void *tnd_mpi_library_look_up(const char *name, void *caller, void **library)
{
    void *found = NULL;
    *library = open_caller(caller);
    if (*library)
        found = dlsym(*library, name);
    if (!found)
        found = dlsym(*library = RTLD_NEXT, name);
    for (size_t i = 0; !found && i < sizeof usual_names / sizeof *usual_names; i++) {
        *library = dlopen(usual_names[i], RTLD_LAZY | RTLD_NOLOAD);
        if (*library)
            found = dlsym(*library, name);
    }
    return found;
}

#define FIND_CALL(call) tnd_mpi_library.call = (__typeof__(PMPI_##call) *)dlsym(library, "PMPI_" #call);
#ifdef OPEN_MPI
/* A datum of the library.  A program that refers to it may hold it itself (a copy relocation), and that one counts. */
static void *find_data(const char *name, void *library)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    return found ? found : dlsym(library, name);
}

#define FIND_HANDLE(type, field, symbol, constant) tnd_mpi_library.field = (type)find_data(symbol, library);
#else
#define FIND_HANDLE(type, field, symbol, constant) tnd_mpi_library.field = constant;
#endif

/* A datum that every Open MPI has and nothing else. */
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
    TND_MPI_LIBRARY_CALLS(FIND_CALL)
    TND_MPI_LIBRARY_HANDLES(FIND_HANDLE)
    return true;
}

void *tnd_mpi_library_find(unsigned number, void *caller)
{
    int saved_errno = errno;
    void *library;
    void *found = tnd_mpi_library_look_up(tnd_mpi_library_names[number], caller, &library);
    if (found) {
        tnd_mpi_library_complete(library);
        __atomic_store_n(&tnd_mpi_library_calls[number], found, __ATOMIC_RELEASE);
    }
    errno = saved_errno;
    return found;
}
