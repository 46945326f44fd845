/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of wrapped libraries: their names, which library each is of, and what the user should know of libraries
 * that were asked for in vain.
 */
#ifndef TND_MERGE_LIBRARY_H
#define TND_MERGE_LIBRARY_H

#include "analysis/merge/base/merge_model.h"

/* What a DEFINE says of a function, with its name demangled: the name, a newline, the library's file.  Free with
 * g_free.
 */
char *tnd_merge_library_name(const char *text);

/* Lists the libraries, makes room for the sums of all functions, and notes those that were asked for in vain.  After
 * the names pass. */
void tnd_merge_library_run(TndMerge *merge);

/* Notes how many calls were counted instead of recorded, if any were.  With the sums over all ranks. */
void tnd_merge_library_tell_counted(TndMerge *merge);

#endif
