/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pass in which sends meet receives.
 */
#ifndef TND_MERGE_MESSAGES_H
#define TND_MERGE_MESSAGES_H

#include "analysis/merge/base/merge_model.h"

/* Adds messages to those of the merge, and sorts them.  After the tasks pass, which adds to them, too. */
gboolean tnd_merge_messages_run(TndMerge *merge, GError **error);

#endif
