/* SPDX-License-Identifier: Apache-2.0
 *
 * The real function behind a wrapper of ours: found when the program first calls it, in a library that the program has
 * loaded.
 *
 * It is looked for first where the caller's own file finds it, because Python and others load libraries that the rest
 * of the process cannot see (RTLD_LOCAL); then in the libraries after ours; then in libraries of the usual names.  The
 * library is kept loaded.
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

/* Keeps the file that has `found` loaded, so that the address may be remembered, and closes the handle that
 * tnd_callee_find gave, which may be a plugin's.  A handle of that file; NULL: it cannot be opened, and `library` stays
 * open. */
void *tnd_callee_keep(const void *found, void *library);

/* The function that a call of a name would have reached without our wrapper of that name.  NULL: none. */
void *tnd_callee_find_namesake(const char *name, const void *caller, const char *const usual[]);

/* An address that identifies the file which has that address; NULL: none has. */
const void *tnd_callee_file_of(const void *address);

#endif
