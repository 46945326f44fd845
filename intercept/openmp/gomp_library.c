/* SPDX-License-Identifier: Apache-2.0
 *
 * Which library is behind the wrappers of libgomp's entry points, where a dynamic linker decides that.  Context:
 * gomp_region.h.
 */
#include "intercept/openmp/gomp_region.h"
#include "intercept/openmp/ompt.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

/* Whether OMPT reports the call: it does, except for locks and the number of threads. */
static bool is_told(const char *call)
{
    return strncmp(call, "GOMP_", 5) == 0 || strncmp(call, "omp_fulfill", 11) == 0;
}

/* Whether OMPT tells what the library does: LLVM's library asks for a tool when it is first used, which is now at the
 * latest.  One that is built without OMPT, or told not to use it, never asks; nor do others with such names. */
static bool is_heard_by_ompt(void *library, const void *found)
{
    void *begin = dlsym(library, "__kmpc_global_thread_num");
    if (begin && tnd_callee_file_of(begin) == tnd_callee_file_of(found))
        ((int (*)(void *))begin)(NULL);
    return __atomic_load_n(&tnd_ompt_is_asked, __ATOMIC_RELAXED);
}

static bool is_of_llvm(void *library, const void *found)
{
    const void *fork = dlsym(library, "__kmpc_fork_call");
    return fork && tnd_callee_file_of(fork) == tnd_callee_file_of(found);
}

void *tnd_gomp_region_find(struct tnd_callee *callee, const void *caller)
{
    static const char *const usual[] = {"libgomp.so.1", NULL};
    int saved_errno = errno;
    void *library, *found = tnd_callee_find(callee->name, caller, usual, &library);
    if (found && (library = tnd_callee_keep(found, library)) && is_told(callee->name) && is_of_llvm(library, found) &&
        is_heard_by_ompt(library, found))
        __atomic_store_n(&tnd_gomp_region_is_foreign, true, __ATOMIC_RELAXED);
    errno = saved_errno;
    __atomic_store_n(&callee->found, found, __ATOMIC_RELEASE);
    return found;
}

void tnd_gomp_region_leave_to_llvm(const void *caller)
{
    tnd_ompt_hint.caller = caller;
}
