/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks by which the ranks of one MPI job inform each other: empty files in their run directory, by their names:
 *
 *     rank.<job>.<size>.<rank>.<node>   a traced rank of a world, before its MPI_Init; job and node are hashes
 *     complete      no further rank of the job will come: MPI_Init was over somewhere
 *     apart         it holds ranks of one node and there are others, which cannot see it
 *     gathered      what other nodes' directories held has been brought here
 *     sent          what it held has been brought to another node; also in an image's directory
 *
 * A rank that sees the marks of all ranks of a world knows that all of them are traced; one that does not see all
 * cannot tell (docs/decisions/0008-who-communicates.md).
 *
 * Context: system calls only.
 */
#ifndef TND_RANK_MARKS_H
#define TND_RANK_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#define TND_RANK_MARKS_COMPLETE "complete"
#define TND_RANK_MARKS_APART "apart"
#define TND_RANK_MARKS_GATHERED "gathered"
#define TND_RANK_MARKS_SENT "sent"

/* A rank of a world: `job` tells its world from others with the same directory. */
struct tnd_rank_mark {
    uint64_t job, node;
    unsigned size, rank;
};

/* Adds a text to a hash, which begins with 0. */
uint64_t tnd_rank_marks_hash(uint64_t hash, const char *text);

/* Leaves a mark in the run directory. */
bool tnd_rank_marks_leave(const char *path, const struct tnd_rank_mark *mark);

/* How many ranks of the mark's world have left marks here; *one_node: whether all of these are on its node. */
unsigned tnd_rank_marks_count(const char *path, const struct tnd_rank_mark *mark, bool *one_node);

/* What is to be done with a run directory whose last member leaves. */
enum tnd_rank_marks_end {
    TND_RANK_MARKS_MERGE,  /* the trace */
    TND_RANK_MARKS_KEEP,   /* ranks of other nodes are not in it, or it holds something that was recorded after it was
                              sent */
    TND_RANK_MARKS_REMOVE, /* all of it has been sent */
};
enum tnd_rank_marks_end tnd_rank_marks_end(const char *path);

/* Makes an empty file of this name in the run directory, one of the above or another; and whether there is one. */
void tnd_rank_marks_set(const char *path, const char *name);
bool tnd_rank_marks_is(const char *path, const char *name);

#endif
