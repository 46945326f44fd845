/* SPDX-License-Identifier: Apache-2.0
 *
 * Leading calls to trampolines: in each loaded file, the slots through which it calls functions of the wrapped
 * libraries (the global offset table) are changed.  Calls that do not leave the library go through other slots, or
 * through none, and stay as they are.
 *
 * A slot that code reads as the address of a function is never changed, because that address must be the same for all
 * files; instructions that call through such a slot are changed themselves.  So calls through pointers are not seen,
 * nor those of virtual functions.
 *
 * Context: at start and after the program has loaded or unloaded something; allocates.  Not in a handler.
 */
#ifndef TND_LIBRARY_SLOTS_H
#define TND_LIBRARY_SLOTS_H

/* Looks at what is loaded now. */
void tnd_library_slots_look(void);

/* What dlsym is to give for what it has found: a trampoline, or the same. */
void *tnd_library_slots_find(void *function, const char *name);

/* What calls of dlsym are led to (setting `library-dlsym`); of library_calls.c, which sees to it that one thread looks
 * at a time. */
void *tnd_library_slots_dlsym(void *handle, const char *name);

#endif
