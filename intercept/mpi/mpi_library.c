/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding the MPI library.  Context: mpi_library.h.
 */
#include "intercept/mpi/mpi_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

struct tnd_mpi_library tnd_mpi_library;

static const char *const usual_names[] = {"libmpi.so.40", "libmpi.so.20", "libmpi.so.12", "libmpich.so.12",
                                          "libmpi.so"};

/* A handle of the library that the caller's own file sees, NULL if it cannot be had. */
static void *open_caller(void *caller)
{
    Dl_info info;
    if (!dladdr(caller, &info) || !info.dli_fname || !*info.dli_fname)
        return NULL;
    return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

/* A call of the library; what was opened stays open, so that what was found stays there. */
static void *find(const char *name, void *caller, void **library)
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

/* A datum of the library.  A program that refers to it may hold it itself (a copy relocation), and that one counts. */
static void *find_data(const char *name, void *library)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    return found ? found : dlsym(library, name);
}

#define FIND_CALL(call) tnd_mpi_library.call = (__typeof__(PMPI_##call) *)dlsym(library, "PMPI_" #call);
#ifdef OPEN_MPI
#define FIND_HANDLE(type, field, symbol, constant) tnd_mpi_library.field = (type)find_data(symbol, library);
#else
#define FIND_HANDLE(type, field, symbol, constant) tnd_mpi_library.field = constant;
#endif

void *tnd_mpi_library_find(unsigned number, void *caller)
{
    int saved_errno = errno;
    void *library;
    void *found = find(tnd_mpi_library_names[number], caller, &library);
    if (found) {
        TND_MPI_LIBRARY_CALLS(FIND_CALL)
        TND_MPI_LIBRARY_HANDLES(FIND_HANDLE)
        __atomic_store_n(&tnd_mpi_library_calls[number], found, __ATOMIC_RELEASE);
    }
    errno = saved_errno;
    return found;
}
