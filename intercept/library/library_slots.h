/* SPDX-License-Identifier: Apache-2.0
 *
 * Leading calls to trampolines: in each loaded file, the slots through which it calls functions of the wrapped libraries
 * (the global offset table) are changed.  Calls that do not leave the library go through other slots, or through none,
 * and stay as they are.
 *
 * A slot that holds the address of a function, rather than being called through, is never changed: the function's
 * address is the same for all files.  So calls through pointers are not seen, nor those of virtual functions.
 *
 * Context: at start and after the program has loaded or unloaded something; allocates.  Not in a handler.
 */
#ifndef TND_LIBRARY_SLOTS_H
#define TND_LIBRARY_SLOTS_H

/* Looks at what is loaded now. */
void tnd_library_slots_look(void);

#endif
