/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walking over streams in time: a reader over a row's streams one after another, opened when their time has come; the
 * calls that are open at a moment; and the tree that says which of many walkers is next.
 *
 * Cost: reading a record about 5 ns, a step of the tree over 64 walkers about 15 ns (measured, tests/bench).
 */
#ifndef TND_MERGE_WALK_H
#define TND_MERGE_WALK_H

#include "analysis/merge/merge_clock.h"
#include "formats/event_types.h"

/* Reads the streams of one sort of a row. */
typedef struct TndMergeReader {
    const TndMergeRow *row;
    guint which; /* TND_MERGE_MAIN ... */
    guint part;
    const TndMergePart *at; /* NULL: no part is open */
    const TndMergeClock *clock;
    struct tnd_stream_reader *stream;
    struct TndMergeReader *other;   /* of the same streams; what one reads the other need not; NULL: none */
    struct tnd_stream_reader *kept; /* for the other, when it opens the part of that number */
    guint kept_part;
    guint64 last_ns;    /* time never falls */
    guint64 told_bytes; /* of the part, to progress */
    guint n_steps;      /* since */
} TndMergeReader;

/* Before the first walk: whether all streams may be open at one time. */
void tnd_merge_walk_prepare(TndMerge *merge);

/* When the next part begins; G_MAXUINT64 if there is none.  Opens nothing. */
guint64 tnd_merge_walk_part_time(TndMergeReader *reader);

/* Opens the next part.  FALSE with error if its files are gone. */
gboolean tnd_merge_walk_open_part(TndMergeReader *reader, GError **error);

/* The part's next record, NULL at its end. */
static inline const struct tnd_record *tnd_merge_walk_record(TndMergeReader *reader)
{
    return tnd_stream_next(reader->stream);
}

/* Its time. */
static inline guint64 tnd_merge_walk_time(TndMergeReader *reader, const struct tnd_record *record)
{
    guint64 time = tnd_merge_clock_time(reader->clock, record->time);
    return reader->last_ns = time > reader->last_ns ? time : reader->last_ns;
}

/* Tells progress now and then; a pass calls it often.  FALSE: cancelled. */
#define TND_MERGE_TELL_STEPS 4096
gboolean tnd_merge_walk_tell(TndMergeReader *reader, TndMerge *merge, TndMergePass pass, GError **error);

static inline gboolean tnd_merge_walk_advance(TndMergeReader *reader, TndMerge *merge, TndMergePass pass,
                                              GError **error)
{
    return ++reader->n_steps < TND_MERGE_TELL_STEPS || tnd_merge_walk_tell(reader, merge, pass, error);
}

/* Both read the same streams of a row. */
void tnd_merge_walk_share(TndMergeReader *a, TndMergeReader *b);

/* Closes all that is open. */
void tnd_merge_walk_end(TndMergeReader *reader);

/* Closes the part; the next one follows. */
void tnd_merge_walk_close_part(TndMergeReader *reader);

/* A call that is open. */
typedef struct {
    guint32 type, value, state;
    guint64 begin_ns;
    gpointer data; /* the walker's own */
} TndMergeFrame;

/* The calls that are open, the innermost last; freed with g_free(frames). */
typedef struct {
    TndMergeFrame *frames;
    guint n, room;
} TndMergeCalls;

/* A new innermost frame, to be filled. */
static inline TndMergeFrame *tnd_merge_walk_push(TndMergeCalls *calls)
{
    if (calls->n == calls->room)
        calls->frames = g_renew(TndMergeFrame, calls->frames, calls->room = 2 * calls->room + 8);
    return &calls->frames[calls->n++];
}

/* tnd_merge_walk_pop of a frame that need not be the last. */
gboolean tnd_merge_walk_pop_any(TndMergeCalls *calls, guint32 type, TndMergeFrame *frame);

/* Removes the innermost frame of the type and gives it; FALSE if there is none. */
static inline gboolean tnd_merge_walk_pop(TndMergeCalls *calls, guint32 type, TndMergeFrame *frame)
{
    if (!calls->n || calls->frames[calls->n - 1].type != type)
        return tnd_merge_walk_pop_any(calls, type, frame);
    *frame = calls->frames[--calls->n];
    return TRUE;
}

/* The innermost frame of the type; NULL: none. */
static inline TndMergeFrame *tnd_merge_walk_find(const TndMergeCalls *calls, guint32 type)
{
    for (guint i = calls->n; i-- > 0;)
        if (calls->frames[i].type == type)
            return &calls->frames[i];
    return NULL;
}

/* The type that a TASK record is a CODE of, or leaves; 0: none. */
static inline guint32 tnd_merge_walk_task_opens(const struct tnd_record *record)
{
    if (record->aux == TND_TASK_CREATE && record->n_words >= 2 && !(record->words[1] >> 32 & TND_TASK_WAIT))
        return TND_TYPE_OPENMP_TASK_CREATED;
    gboolean runs = (record->aux == TND_TASK_BEGIN || record->aux == TND_TASK_RESUME) && record->n_words >= 1;
    return runs ? TND_TYPE_OPENMP_TASK : 0;
}

static inline guint32 tnd_merge_walk_task_closes(const struct tnd_record *record)
{
    return record->aux == TND_TASK_END || record->aux == TND_TASK_SUSPEND ? TND_TYPE_OPENMP_TASK : 0;
}

/* A tournament of walkers: who has the smallest time, and of equals the smallest number. */
typedef struct {
    guint n, n_bits; /* n_bits: of a walker's number within a key */
    guint64 *losers; /* [0] is the winner */
} TndMergeTree;

/* FALSE with error if times of up to end_ns and so many walkers do not fit into a key. */
gboolean tnd_merge_walk_plant(TndMergeTree *tree, const guint64 *times, guint n, guint64 end_ns, GError **error);
void tnd_merge_walk_fell(TndMergeTree *tree);

/* When it is the winner's turn. */
static inline guint64 tnd_merge_walk_winner_time(const TndMergeTree *tree)
{
    return tree->losers[0] >> tree->n_bits;
}

/* The walker whose turn it is; G_MAXUINT: none. */
static inline guint tnd_merge_walk_winner(const TndMergeTree *tree)
{
    return tree->losers[0] == G_MAXUINT64 ? G_MAXUINT : (guint)(tree->losers[0] & ((1u << tree->n_bits) - 1));
}

/* The winner's next time is `time`; G_MAXUINT64: it has ended. */
static inline void tnd_merge_walk_replay(TndMergeTree *tree, guint64 time)
{
    guint walker = tnd_merge_walk_winner(tree);
    guint64 key = time == G_MAXUINT64 ? G_MAXUINT64 : time << tree->n_bits | walker;
    for (guint node = (tree->n + walker) / 2; node; node /= 2) {
        guint64 other = tree->losers[node];
        tree->losers[node] = key > other ? key : other;
        key = key > other ? other : key;
    }
    tree->losers[0] = key;
}

#endif
