/* SPDX-License-Identifier: Apache-2.0
 *
 * Trampolines: for each wrapped function some instructions of its own, which say which function it is and go on in
 * library_enter.S.  They are written into pages that are never writable and executable at once.  16 bytes a function,
 * and 16 in the table of functions.
 *
 * Context: at start and after the program has loaded something, one thread at a time.
 */
#ifndef TND_LIBRARY_STUBS_H
#define TND_LIBRARY_STUBS_H

#include <stdbool.h>
#include <stdint.h>

/* False, and a note says why: this processor or this kernel cannot. */
bool tnd_library_stubs_start(void);

/* The trampoline of the function at `real`, called `symbol`, of the library of that path, made if it is new; 0: there
 * is no room.  It can be called from tnd_library_stubs_finish on. */
uint64_t tnd_library_stubs_get(uint64_t real, const char *symbol, const char *path);

/* A trampoline of a function that is called where an exception is caught. */
uint64_t tnd_library_stubs_get_landing(uint64_t real, const char *symbol);

/* Whether the address is that of a trampoline. */
bool tnd_library_stubs_has(uint64_t address);

/* Makes the new trampolines executable; false: they are not, and must not be called. */
bool tnd_library_stubs_finish(void);

#endif
