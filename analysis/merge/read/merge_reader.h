/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walking over the streams of a row in time: one after another, each opened when its time has come.
 *
 * Cost: a record about 5 ns (measured, tests/bench).
 */
#ifndef TND_MERGE_READER_H
#define TND_MERGE_READER_H

#include "analysis/merge/base/merge_progress.h"
#include "formats/stream.h"

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
void tnd_merge_reader_prepare(TndMerge *merge);

/* When the next part begins; G_MAXUINT64 if there is none.  Opens nothing. */
guint64 tnd_merge_reader_part_time(TndMergeReader *reader);

/* Opens the next part.  FALSE with error if its files are gone. */
gboolean tnd_merge_reader_open_part(TndMergeReader *reader, GError **error);

/* The part's next record, NULL at its end. */
static inline const struct tnd_record *tnd_merge_reader_record(TndMergeReader *reader)
{
    return tnd_stream_next(reader->stream);
}

/* Its time. */
static inline guint64 tnd_merge_reader_time(TndMergeReader *reader, const struct tnd_record *record)
{
    guint64 time = tnd_merge_ticks_time(reader->clock, record->time);
    return reader->last_ns = time > reader->last_ns ? time : reader->last_ns;
}

/* Tells progress now and then; a pass calls it often.  FALSE: cancelled. */
#define TND_MERGE_TELL_STEPS 4096
gboolean tnd_merge_reader_tell(TndMergeReader *reader, TndMerge *merge, TndMergePass pass, GError **error);

static inline gboolean tnd_merge_reader_advance(TndMergeReader *reader, TndMerge *merge, TndMergePass pass,
                                                GError **error)
{
    return ++reader->n_steps < TND_MERGE_TELL_STEPS || tnd_merge_reader_tell(reader, merge, pass, error);
}

/* Both read the same streams of a row. */
void tnd_merge_reader_share(TndMergeReader *a, TndMergeReader *b);

/* Closes all that is open. */
void tnd_merge_reader_end(TndMergeReader *reader);

/* Closes the part; the next one follows. */
void tnd_merge_reader_close_part(TndMergeReader *reader);

#endif
