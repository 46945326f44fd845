/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operations while they are being found: only for sync_ops.c, which keeps them, and sync_reading.c, which finds them.
 */
#ifndef TND_SYNC_STORE_H
#define TND_SYNC_STORE_H

#include "analysis/causes/sync_ops.h"

/* Operations, or groups, in one piece of memory. */
#define TND_SYNC_CHUNK 1024

typedef struct {
    GPtrArray *chunks; /* of TND_SYNC_CHUNK operations each; NULL: none */
    gsize n;
} TndSyncRow;

struct TndSyncOps {
    const TndTrace *trace;
    TndMessageTable *messages;
    TndLargeMemory *memory;
    TndSyncRow *rows;
    GPtrArray *groups; /* of TND_SYNC_CHUNK TndSyncGroups each; the first one is none */
    guint32 n_groups;
    GArray *calls; /* TndSyncCall */
    GHashTable *call_indices;
    GArray *frames;      /* TndSyncFrame of all paths */
    GArray *path_begins; /* guint32: where each path begins in frames, and the end of the last one */
    GHashTable *path_indices;
};

guint32 tnd_sync_store_new_group(TndSyncOps *ops);
guint16 tnd_sync_store_call(TndSyncOps *ops, guint32 type, gint64 value);
guint32 tnd_sync_store_path(TndSyncOps *ops, const TndSyncFrame *frames, guint n_frames);

static inline TndSyncGroup *tnd_sync_store_group(const TndSyncOps *ops, guint32 group)
{
    return (TndSyncGroup *)g_ptr_array_index(ops->groups, group / TND_SYNC_CHUNK) + group % TND_SYNC_CHUNK;
}

/* Appends an operation to a row, and counts it in the group that waits for it. */
void tnd_sync_store_add(TndSyncOps *ops, guint row, const TndSyncOp *op);

/* When the last operation of a row ended; 0: it has none. */
guint64 tnd_sync_store_end(const TndSyncOps *ops, guint row);

#endif
