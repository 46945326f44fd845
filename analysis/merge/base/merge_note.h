/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a merge has to tell the user besides the trace: sentences, of which there are some at most.
 */
#ifndef TND_MERGE_NOTE_H
#define TND_MERGE_NOTE_H

#include "analysis/merge/base/merge_model.h"

/* A sentence for the user.  One that was told before is told once, and none beyond a hundred. */
void tnd_merge_note(TndMerge *merge, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
