/* SPDX-License-Identifier: Apache-2.0
 *
 * The function that a wrapper of ours stands in front of: found when the program first calls it, never loaded by us.
 *
 * It is looked for first where the caller itself finds it, because Python and others load libraries where the rest of
 * the process cannot see them (RTLD_LOCAL); then among the libraries after ours; then by the names that the library
 * usually has.  What was found stays loaded.
 *
 * Context: the program's calls, its static constructors' included; not for handlers.  The first call of each function
 * takes the dynamic linker's lock; after that one load.  Keeps errno.
 */
#ifndef TND_CALLEE_H
#define TND_CALLEE_H

#include <stddef.h>

struct tnd_callee {
    const char *name;
    void *found; /* NULL: not looked for, or not there */
};

/* usual: names of libraries, the last one NULL.  *library: a handle for dlsym of where it was.  NULL: nowhere. */
void *tnd_callee_find(const char *name, const void *caller, const char *const usual[], void **library);

/* What has `found` is not unloaded from now on, so that it may be remembered; the handle that tnd_callee_find gave,
 * which may be a plugin's, is let go of.  A handle of what is kept; NULL: it cannot be had, and `library` stays. */
void *tnd_callee_keep(const void *found, void *library);

/* Where a call of the very name of one of our wrappers would have gone without us.  NULL: nowhere. */
void *tnd_callee_find_namesake(const char *name, const void *caller, const char *const usual[]);

/* What tells the file apart that an address is in; NULL: none. */
const void *tnd_callee_file_of(const void *address);

#endif
