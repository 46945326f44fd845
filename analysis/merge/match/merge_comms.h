/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which communicator a handle stands for, at the moment of a walk.
 */
#ifndef TND_MERGE_COMMS_H
#define TND_MERGE_COMMS_H

#include "analysis/merge/base/merge_model.h"

void tnd_merge_comms_run(TndMerge *merge);

/* Follows COMM records of a stream: process->comms has the communicator from there on.  n_told counts those that are
 * complete. */
void tnd_merge_comms_follow(TndMergeProcess *process, const TndMergeStream *stream, const struct tnd_record *record,
                            guint *n_told);

/* The communicator that the handle stands for; NULL: none. */
static inline TndMergeComm *tnd_merge_comms_find(TndMergeProcess *process, guint64 handle)
{
    if (!process->last_comm || process->last_comm->handle != handle)
        process->last_comm = g_hash_table_lookup(process->comms, &handle);
    return process->last_comm;
}

/* Before the next walk. */
void tnd_merge_comms_forget(TndMergeProcess *process);

#endif
