/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages, given in any order, taken in the order of their logical sends (then of all else that they have, so that the
 * order is complete).  Beyond a limit they go to an unlinked file as sorted runs.
 */
#ifndef TND_MERGE_SPILL_H
#define TND_MERGE_SPILL_H

#include <glib.h>

typedef struct {
    guint64 logical_send, physical_send, logical_receive, physical_receive;
    gint64 size_bytes;
    gint32 tag;
    guint32 sender, receiver; /* rows */
} TndMergeMessage;

typedef struct TndMergeSpill TndMergeSpill;

/* How much is kept in memory.  Tests make it tiny. */
extern gsize tnd_merge_spill_limit_bytes;

/* directory: where the file may be made. */
TndMergeSpill *tnd_merge_spill_new(const char *directory);
void tnd_merge_spill_free(TndMergeSpill *spill);

gboolean tnd_merge_spill_add(TndMergeSpill *spill, const TndMergeMessage *message, GError **error);

/* All are there: from now on they are taken. */
gboolean tnd_merge_spill_sort(TndMergeSpill *spill, GError **error);

/* The first of those that are left; NULL: none. */
const TndMergeMessage *tnd_merge_spill_first(TndMergeSpill *spill);
gboolean tnd_merge_spill_drop_first(TndMergeSpill *spill, GError **error);

#endif
