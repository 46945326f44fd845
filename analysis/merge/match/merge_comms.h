/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pass that finds out which communicators of processes are one; and which communicator a handle stands for at a
 * moment of a walk.
 */
#ifndef TND_MERGE_COMMS_H
#define TND_MERGE_COMMS_H

#include "analysis/merge/base/merge_model.h"

void tnd_merge_comms_run(TndMerge *merge);

/* Takes a COMM record of a stream: from here on its handle stands for that communicator.  n_told counts the
 * communicators of the stream that were complete so far. */
void tnd_merge_comms_follow(TndMergeProcess *process, const TndMergeStream *stream, const struct tnd_record *record,
                            guint *n_told);

/* The communicator that the handle stands for now; NULL: there is none. */
static inline TndMergeComm *tnd_merge_comms_find(TndMergeProcess *process, guint64 handle)
{
    if (!process->last_comm || process->last_comm->handle != handle)
        process->last_comm = g_hash_table_lookup(process->comms, &handle);
    return process->last_comm;
}

/* Forgets all handles, for the next walk. */
void tnd_merge_comms_forget(TndMergeProcess *process);

#endif
