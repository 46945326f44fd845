/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The messages of a merge: they are added in any order and taken in the order of their logical sends; of equal ones,
 * in that of everything else that they have, so that the order is complete. Beyond a limit they go to an unlinked file
 * as sorted runs.
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

/* How many bytes of messages are kept in memory.  Tests make it tiny. */
extern gsize tnd_merge_spill_limit_bytes;

/* directory: in which a file may be made. */
TndMergeSpill *tnd_merge_spill_new(const char *directory);
void tnd_merge_spill_free(TndMergeSpill *spill);

gboolean tnd_merge_spill_add(TndMergeSpill *spill, const TndMergeMessage *message, GError **error);

/* Sorts the messages.  After that none is added. */
gboolean tnd_merge_spill_sort(TndMergeSpill *spill, GError **error);

/* The first of the messages that are left; NULL: none is left. */
const TndMergeMessage *tnd_merge_spill_first(TndMergeSpill *spill);
gboolean tnd_merge_spill_drop_first(TndMergeSpill *spill, GError **error);

#endif
