/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where functions begin and end by the unwind tables, which are left in stripped files, too.
 */
#ifndef TND_ELF_UNWIND_H
#define TND_ELF_UNWIND_H

#include "analysis/merge/read/elf_file.h"

/* The last function that begins at the address or before it.  It may end before the address; where the tables do not
 * say where it ends, that is where the next one begins.  FALSE: there is none, or no index that can be read.  Costs a
 * search in the index. */
gboolean tnd_elf_unwind_find(const TndElfFile *elf, guint64 address, guint64 *begin, guint64 *end);

#endif
