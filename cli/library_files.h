/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where libraries are that users name: what the dynamic linker would load.
 */
#ifndef TND_LIBRARY_FILES_H
#define TND_LIBRARY_FILES_H

#include <glib.h>

/* Paths of the libraries that the pattern means (run/library_name.h): among those that the program links, else among
 * those that the dynamic linker knows by name.  program: NULL: none, or none that can be asked.  Each file is there
 * once.  Free with g_ptr_array_unref. */
GPtrArray *tnd_library_files_find(const char *pattern, const char *program);

/* What a program links, directly or not, one library a line, as our own dynamic linker lists it.  (`ldd` would run a
 * file that names another linker.)  "": it is no such program; NULL: there is no linker.  Free with g_free. */
char *tnd_library_files_linked(const char *program);

#endif
