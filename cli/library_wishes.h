/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From what the user wants to know of calls (--library-values) to where it is in a call: the plan that the library
 * takes (intercept/library/library_values.h).
 */
#ifndef TND_LIBRARY_WISHES_H
#define TND_LIBRARY_WISHES_H

#include <glib.h>

/* The plan for the libraries of --library, by their descriptions, and by the debug information of those that the
 * program links (NULL: none) or the dynamic linker knows.  wishes: the value of --library-values, "" for those that the
 * descriptions choose, "none" for none.  *defaults: the functions that are recorded of libraries whose descriptions
 * choose some, as intercept/library/library_choice.h has them.  Free both with g_free.  NULL: an error: a wish that
 * nothing fulfils, a value that cannot be recorded. */
char *tnd_library_wishes_plan(const char *libraries, const char *wishes, const char *program, char **defaults,
                              GError **error);

#endif
