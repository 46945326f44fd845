/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding the real function behind a wrapper.  Context: callee.h.
 */
#include "intercept/base/callee.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

static bool is_ours(const void *address)
{
    Dl_info info, own;
    return dladdr(address, &info) && dladdr((const void *)&tnd_callee_find, &own) && info.dli_fbase == own.dli_fbase;
}

/* A handle of the caller's file, NULL if it cannot be opened.  A tail call in a function that one of ours called has an
 * address of ours as its caller. */
static void *open_caller(const void *caller)
{
    Dl_info info;
    if (is_ours(caller) || !dladdr(caller, &info) || !info.dli_fname || !*info.dli_fname)
        return NULL;
    return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

/* Whether `found` is itself a wrapper in front of ours: it is in the caller's own file, and calls of that name reach it
 * before they reach us. */
static bool is_in_front(const char *name, const void *found, const void *caller)
{
    return tnd_callee_file_of(found) == tnd_callee_file_of(caller) && dlsym(RTLD_DEFAULT, name) == found;
}

void *tnd_callee_find(const char *name, const void *caller, const char *const usual[], void **library)
{
    int saved_errno = errno;
    void *found = NULL;
    *library = open_caller(caller);
    if (*library)
        found = dlsym(*library, name);
    if (found && is_in_front(name, found, caller))
        found = NULL;
    if (*library && !found)
        dlclose(*library);
    if (!found)
        found = dlsym(*library = RTLD_NEXT, name);
    for (; !found && *usual; usual++) {
        *library = dlopen(*usual, RTLD_LAZY | RTLD_NOLOAD);
        if (*library)
            found = dlsym(*library, name);
    }
    errno = saved_errno;
    return found;
}

void *tnd_callee_keep(const void *found, void *library)
{
    int saved_errno = errno;
    Dl_info info;
    void *kept = dladdr(found, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (kept && library != RTLD_NEXT)
        dlclose(library);
    errno = saved_errno;
    return kept;
}

const void *tnd_callee_file_of(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fbase : NULL;
}

void *tnd_callee_find_namesake(const char *name, const void *caller, const char *const usual[])
{
    int saved_errno = errno;
    void *library, *found = dlsym(RTLD_NEXT, name);
    if (!found)
        found = tnd_callee_find(name, caller, usual, &library);
    if (found && tnd_callee_file_of(found) == tnd_callee_file_of((const void *)tnd_callee_find))
        found = NULL;
    errno = saved_errno;
    return found;
}
