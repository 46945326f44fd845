/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a merge has to tell the user besides the trace: a list of sentences.
 */
#ifndef TND_MERGE_NOTE_H
#define TND_MERGE_NOTE_H

#include "analysis/merge/base/merge_model.h"

/* Adds a sentence for the user, unless it is there already or there are a hundred. */
void tnd_merge_note(TndMerge *merge, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
