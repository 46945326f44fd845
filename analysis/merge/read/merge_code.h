/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of a process's code that is in no file: that of the kernel's module, and of just-in-time compilers.
 */
#ifndef TND_MERGE_CODE_H
#define TND_MERGE_CODE_H

#include "analysis/merge/base/merge_model.h"

/* After the clock pass.  NULL: nothing is known of the address.  The name lives as long as the process. */
const char *tnd_merge_code_find(TndMergeProcess *process, guint64 address);

#endif
