/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prototypes of functions, by the debug information (DWARF) of the library that exports them: in the library itself, or
 * in a file of its own, which is found by the library's build ID (/usr/lib/debug/.build-id) or the name that it has for
 * it; with DEBUGINFOD_URLS set, also on a server.
 *
 * A function is found by its address.  So aliases and constructors of C++ need no care, and what the compiler has made
 * of it (the library may be optimised) does not matter: its arguments are where its callers put them.
 */
#ifndef TND_LIBRARY_DWARF_H
#define TND_LIBRARY_DWARF_H

#include "cli/prototype.h"

/* Whether the function of that symbol is wanted. */
typedef gboolean (*TndLibraryWants)(const char *symbol, gpointer data);

/* Prototypes of the wanted functions that are described: TndPrototype *, with symbols as names, to be freed with
 * g_ptr_array_unref.  Functions of other languages than C, C++ and Fortran are left out.  NULL: an error: the file is
 * no library, or there is no debug information. */
GPtrArray *tnd_library_dwarf_read(const char *path, TndLibraryWants wants, gpointer data, GError **error);

#endif
