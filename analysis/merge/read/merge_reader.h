/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A walk over the streams of a row in time: one after another, each opened when its time has come.
 *
 * Cost: a record about 5 ns (measured, tests/bench).
 */
#ifndef TND_MERGE_READER_H
#define TND_MERGE_READER_H

#include "analysis/merge/base/merge_progress.h"
#include "formats/stream.h"

/* Reads a row's streams of one sort. */
typedef struct TndMergeReader {
    const TndMergeRow *row;
    guint which; /* the sort: TND_MERGE_MAIN ... */
    guint part;
    const TndMergePart *at; /* NULL: no part is open */
    const TndMergeClock *clock;
    struct tnd_stream_reader *stream;
    struct TndMergeReader *other;   /* of the same streams: they share what they read; NULL: none */
    struct tnd_stream_reader *kept; /* the stream for the other reader, when it opens the part kept_part */
    guint kept_part;
    guint64 last_ns;    /* time never falls */
    guint64 told_bytes; /* bytes of the part that merge_progress.h knows of */
    guint n_steps;      /* steps since then */
} TndMergeReader;

/* Decides before the first walk whether the readers of all streams may hold their files open. */
void tnd_merge_reader_prepare(TndMerge *merge);

/* When the next part begins; G_MAXUINT64 if there is none.  Opens nothing. */
guint64 tnd_merge_reader_part_time(TndMergeReader *reader);

/* Opens the next part.  FALSE with error if its files are gone. */
gboolean tnd_merge_reader_open_part(TndMergeReader *reader, GError **error);

/* The next record of the part; NULL: the part is at its end. */
static inline const struct tnd_record *tnd_merge_reader_record(TndMergeReader *reader)
{
    return tnd_stream_next(reader->stream);
}

/* The trace time of a record that was just read. */
static inline guint64 tnd_merge_reader_time(TndMergeReader *reader, const struct tnd_record *record)
{
    guint64 time = tnd_merge_ticks_time(reader->clock, record->time);
    return reader->last_ns = time > reader->last_ns ? time : reader->last_ns;
}

/* Tells merge_progress.h at once how far the part is read; tnd_merge_reader_advance, which is called for each record,
 * does so now and then.  FALSE: the merge was cancelled. */
#define TND_MERGE_TELL_STEPS 4096
gboolean tnd_merge_reader_tell(TndMergeReader *reader, TndMerge *merge, TndMergePass pass, GError **error);

static inline gboolean tnd_merge_reader_advance(TndMergeReader *reader, TndMerge *merge, TndMergePass pass,
                                                GError **error)
{
    return ++reader->n_steps < TND_MERGE_TELL_STEPS || tnd_merge_reader_tell(reader, merge, pass, error);
}

/* Says that both read the same streams of a row. */
void tnd_merge_reader_share(TndMergeReader *a, TndMergeReader *b);

/* Closes all files, at the end of the walk. */
void tnd_merge_reader_end(TndMergeReader *reader);

/* Closes the part; the next one is then opened by tnd_merge_reader_open_part. */
void tnd_merge_reader_close_part(TndMergeReader *reader);

#endif
