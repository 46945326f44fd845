/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Run directories made by hand, for tests and benchmarks of the merge: streams of one image, record by record.
 */
#ifndef MAKE_RUN_H
#define MAKE_RUN_H

#include "formats/event_types.h"
#include "formats/stream.h"

#include <glib/gstdio.h>
#include <stdarg.h>
#include <string.h>

/* A stream that is being written; all of it lies in the .stream file. */
typedef struct {
    char *path; /* without ending */
    FILE *file;
    struct tnd_stream_header header;
} MadeStream;

static inline MadeStream *make_stream(const char *run, const char *image, guint slot, gboolean is_signal)
{
    MadeStream *made = g_new0(MadeStream, 1);
    char *directory = g_build_filename(run, image, NULL);
    g_assert_cmpint(g_mkdir_with_parents(directory, 0700), ==, 0);
    made->path = g_strdup_printf("%s/%u.%s", directory, slot, is_signal ? "signal" : "main");
    char *path = g_strconcat(made->path, ".stream", NULL);
    made->file = fopen(path, "wb");
    g_assert_nonnull(made->file);
    memcpy(made->header.magic, TND_STREAM_MAGIC, sizeof made->header.magic);
    made->header.byte_order = TND_STREAM_BYTE_ORDER;
    made->header.version = TND_RECORD_VERSION;
    made->header.context = is_signal ? TND_CONTEXT_SIGNAL : TND_CONTEXT_MAIN;
    made->header.slot = slot;
    made->header.ring_bytes = 4096;
    g_free(path);
    g_free(directory);
    return made;
}

static inline void make_record(MadeStream *made, guint64 time, guint8 kind, guint32 id, guint16 aux, guint n_words,
                               const guint64 *words)
{
    const struct tnd_record head = {time, id, aux, kind, (guint8)n_words};
    fwrite(&head, sizeof head, 1, made->file);
    if (n_words)
        fwrite(words, 8, n_words, made->file);
    made->header.published += sizeof head + 8 * (guint64)n_words;
}

/* make(stream, time, KIND, id, aux, n_words, word...): words are guint64. */
static inline void make(MadeStream *made, guint64 time, guint8 kind, guint32 id, guint16 aux, guint n_words, ...)
{
    guint64 words[TND_RECORD_MAX_WORDS];
    va_list arguments;
    va_start(arguments, n_words);
    for (guint i = 0; i < n_words; i++)
        words[i] = va_arg(arguments, guint64);
    va_end(arguments);
    make_record(made, time, kind, id, aux, n_words, words);
}

static inline void make_text(MadeStream *made, guint64 time, guint32 role, const char *text)
{
    guint64 words[32] = {0};
    memcpy(words, text, MIN(strlen(text), sizeof words));
    make_record(made, time, TND_RECORD_TEXT, role, (guint16)strlen(text), (guint)(strlen(text) + 7) / 8, words);
}

/* What begins an image: times are in ns, from CLOCK_MONOTONIC 0 = CLOCK_REALTIME 1700000000 s. */
static inline void make_process(MadeStream *made, guint64 time, guint32 pid)
{
    make(made, time, TND_RECORD_PROCESS, pid, TND_BIRTH_START, 3, (guint64)2 << 32 | 1, (guint64)0, (guint64)pid);
    make(made, time, TND_RECORD_CLOCK, TND_CLOCK_MONOTONIC, 0, 2, time, G_GUINT64_CONSTANT(1700000000000000000) + time);
    make_text(made, time, TND_TEXT_EXECUTABLE, "/bin/app");
    make_text(made, time, TND_TEXT_HOST, "node");
    make_text(made, time, TND_TEXT_BOOT, "boot");
    make(made, time, TND_RECORD_THREAD, 0, 0, 1, (guint64)pid);
}

/* What begins a rank: its place in a world of n, and COMM_WORLD as handle 1. */
static inline void make_rank(MadeStream *made, guint64 time, guint32 rank, guint32 n)
{
    guint64 words[TND_RECORD_MAX_WORDS] = {1, (guint64)rank << 32 | n, 0};
    for (guint32 i = 0; i < n; i++)
        words[3 + i / 2] |= (guint64)i << (i % 2 ? 32 : 0);
    if (n % 2)
        words[3 + n / 2] |= G_GUINT64_CONSTANT(0xffffffff) << 32;
    make(made, time, TND_RECORD_RANK, rank, 0, 1, (guint64)n);
    make_record(made, time, TND_RECORD_COMM, 0, 0, 3 + (n + 1) / 2, words);
}

static inline void make_end(MadeStream *made, guint64 time)
{
    make(made, time, TND_RECORD_THREAD_END, 0, 0, 1, (guint64)0);
    make(made, time, TND_RECORD_PROCESS_END, TND_END_EXIT, 0, 0);
}

static inline void make_close(MadeStream *made)
{
    static const char zeros[TND_STREAM_HEADER_BYTES];
    char *path = g_strconcat(made->path, ".ring", NULL);
    made->header.base = made->header.published;
    g_assert_cmpint(fclose(made->file), ==, 0);
    FILE *ring = fopen(path, "wb");
    g_assert_nonnull(ring);
    fwrite(&made->header, sizeof made->header, 1, ring);
    fwrite(zeros, sizeof zeros - sizeof made->header, 1, ring);
    g_assert_cmpint(fclose(ring), ==, 0);
    g_free(path);
    g_free(made->path);
    g_free(made);
}

#endif
