/* SPDX-License-Identifier: Apache-2.0
 *
 * dlsym, so that MPI's calls are recorded where a program looks them up in a library that it has loaded itself, as
 * bindings of other languages do: it gets our wrapper in place of MPI's function, if that is of the MPI that is
 * recorded.  It gets what it would have got for anything else: other names, PMPI_*, a tool's or another library's
 * function of such a name, the calls of a second MPI library in the process, RTLD_NEXT and RTLD_DEFAULT.
 *
 * libc's dlsym takes its caller from the return address, so that a call which is only passed on must be a jump: code
 * of ours that calls dlsym is its caller then, too.
 *
 * Cost: a comparison for other names; for MPI's some lookups.  Context: the program's calls of dlsym.
 */
#include "intercept/base/callee.h"
#include "intercept/mpi/mpi_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define PUBLIC __attribute__((visibility("default")))
#define NAME_SIZE 80

typedef void *look_up(void *, const char *);
static look_up *real_dlsym;

/* What we define cannot be asked for itself.  Its versions: since it is part of libc, and before, by processor. */
static look_up *find_real(void)
{
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.27", "GLIBC_2.0"};
    look_up *found = NULL;
    for (size_t i = 0; !found && i < sizeof versions / sizeof *versions; i++)
        found = (look_up *)dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    __atomic_store_n(&real_dlsym, found, __ATOMIC_RELEASE);
    return found;
}

static bool is_ours(const void *address)
{
    extern const char __ehdr_start __attribute__((visibility("hidden"))), _end __attribute__((visibility("hidden")));
    return (const char *)address >= &__ehdr_start && (const char *)address < &_end;
}

/* Our function of a name; NULL: we have none. */
static void *find_own(look_up *real, const char *name)
{
    Dl_info info;
    void *own = dladdr((const void *)find_own, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *found = own ? real(own, name) : NULL;
    if (own)
        dlclose(own);
    return found && is_ours(found) ? found : NULL;
}

/* Whether the file that has `found` is MPI's: it has the call's name in the profiling interface, too. */
static bool is_of_mpi(look_up *real, void *handle, const char *twin, const void *found)
{
    const void *there = real(handle, twin);
    return there && tnd_callee_file_of(there) == tnd_callee_file_of(found);
}

/* Whether calls by name reach another file: a tool's that stands behind us, or another MPI's. */
static bool is_elsewhere(look_up *real, const char *name, const char *twin, const void *found, const void *caller)
{
    static const char *const none[] = {NULL};
    const void *next = real(RTLD_NEXT, name), *file = tnd_callee_file_of(found);
    void *library;
    const void *bound = tnd_callee_find(twin, caller, none, &library);
    return (next && tnd_callee_file_of(next) != file) || (bound && tnd_callee_file_of(bound) != file);
}

static __attribute__((noinline)) void *choose(look_up *real, void *handle, const char *name, const void *caller)
{
    void *found = real(handle, name), *own;
    if (!found || is_ours(found))
        return found;
    int saved_errno = errno;
    char twin[NAME_SIZE];
    snprintf(twin, sizeof twin, "%c%s", name[0] == 'M' ? 'P' : 'p', name);
    own = find_own(real, name);
    if (own && is_of_mpi(real, handle, twin, found) && !is_elsewhere(real, name, twin, found, caller) &&
        tnd_mpi_library_take(handle, strncmp(name, "MPI_Init", 8) == 0))
        found = own;
    dlerror(); /* of lookups of ours; the program's has found something */
    errno = saved_errno;
    return found;
}

PUBLIC void *dlsym(void *handle, const char *name)
{
    look_up *real = __atomic_load_n(&real_dlsym, __ATOMIC_ACQUIRE);
    const void *caller = __builtin_return_address(0);
    if (!real)
        real = find_real();
    bool is_of_library = handle != RTLD_DEFAULT && handle != RTLD_NEXT;
    if (is_of_library && (strncmp(name, "MPI_", 4) == 0 || strncmp(name, "mpi_", 4) == 0) && !is_ours(caller))
        return choose(real, handle, name, caller);
    return real(handle, name); /* compiled as a jump, so that libc sees our caller */
}
