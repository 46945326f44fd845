/* SPDX-License-Identifier: Apache-2.0
 *
 * What the ranks of one MPI job leave in their run directory for each other, as names of empty files:
 *
 *     rank.<job>.<size>.<rank>.<node>   a traced rank of a world, before its MPI_Init; job and node are hashes
 *     complete      no further rank of the job will come: MPI_Init was over somewhere
 *     apart         it holds ranks of one node and there are others, which cannot see it
 *     gathered      what other nodes' directories held has been brought here
 *     sent          what it held has been brought to another node; also in an image's directory
 *
 * A rank that sees the marks of a whole world knows that all of it is traced; where they are not all to be seen it
 * knows nothing (docs/decisions/0008-who-communicates.md).
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

/* A hash of texts, one after another: begin with 0. */
uint64_t tnd_rank_marks_hash(uint64_t hash, const char *text);

/* Leaves a mark in the run directory. */
bool tnd_rank_marks_leave(const char *path, const struct tnd_rank_mark *mark);

/* How many ranks of the mark's world left theirs here; *one_node: all on its node. */
unsigned tnd_rank_marks_count(const char *path, const struct tnd_rank_mark *mark, bool *one_node);

/* What is to be done with a run directory whose last member leaves. */
enum tnd_rank_marks_end {
    TND_RANK_MARKS_MERGE,  /* the trace */
    TND_RANK_MARKS_KEEP,   /* its other nodes' ranks are elsewhere, or it holds what was recorded after it was sent */
    TND_RANK_MARKS_REMOVE, /* all of it has been sent */
};
enum tnd_rank_marks_end tnd_rank_marks_end(const char *path);

/* An empty file of this name there, one of the above or another: makes it; asks for it. */
void tnd_rank_marks_set(const char *path, const char *name);
bool tnd_rank_marks_is(const char *path, const char *name);

#endif
