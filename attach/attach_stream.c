/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records are collected, and appended to the file before its header says that they are there.  No descriptor stays open
 * between two writes: there are two streams for each thread.
 */
#include "attach/attach_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <string.h>
#include <unistd.h>

enum { FLUSH_BYTES = 32 << 10, TEXT_BYTES = 8 * TND_RECORD_MAX_WORDS };

struct TndAttachStream {
    int dir_fd, error;
    char *ring, *file; /* names */
    struct tnd_stream_header header;
    GByteArray *bytes;
};

static int write_all(int dir_fd, const char *name, int flags, const void *bytes, gsize n_bytes, guint64 offset)
{
    int fd = openat(dir_fd, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags, 0600), error = fd < 0 ? errno : 0;
    for (gsize done = 0; !error && done < n_bytes;) {
        gssize n = pwrite(fd, (const char *)bytes + done, n_bytes - done, (off_t)(offset + done));
        if (n < 0 && errno != EINTR)
            error = errno;
        done += n > 0 ? (gsize)n : 0;
    }
    if (fd >= 0 && close(fd) != 0 && !error)
        error = errno;
    return error;
}

static void set_error(GError **error, const char *name, int number)
{
    g_set_error(error, G_IO_ERROR, g_io_error_from_errno(number), "%s: cannot be written: %s", name,
                g_strerror(number));
}

TndAttachStream *tnd_attach_stream_new(int dir_fd, guint slot, enum tnd_context context, guint pid, GError **error)
{
    static const char page[TND_STREAM_HEADER_BYTES];
    const char *what = context == TND_CONTEXT_MAIN ? "main" : "signal";
    TndAttachStream *stream = g_new0(TndAttachStream, 1);
    stream->dir_fd = dir_fd;
    stream->ring = g_strdup_printf("%u.%s.ring", slot, what);
    stream->file = g_strdup_printf("%u.%s.stream", slot, what);
    stream->bytes = g_byte_array_new();
    stream->header = (struct tnd_stream_header){.magic = TND_STREAM_MAGIC,
                                                .byte_order = TND_STREAM_BYTE_ORDER,
                                                .version = TND_RECORD_VERSION,
                                                .context = context,
                                                .slot = slot,
                                                .pid = pid};
    stream->error = write_all(dir_fd, stream->ring, O_CREAT | O_EXCL, page, sizeof page, 0);
    tnd_attach_stream_flush(stream);
    if (!stream->error)
        return stream;
    tnd_attach_stream_close(stream, error);
    return NULL;
}

void tnd_attach_stream_flush(TndAttachStream *stream)
{
    if (stream->bytes->len && !stream->error)
        stream->error = write_all(stream->dir_fd, stream->file, O_CREAT, stream->bytes->data, stream->bytes->len,
                                  stream->header.base);
    if (stream->error) {
        stream->header.stop_errno = (guint32)stream->error;
    } else {
        stream->header.base += stream->bytes->len;
        stream->header.published = stream->header.base;
    }
    g_byte_array_set_size(stream->bytes, 0);
    int error = write_all(stream->dir_fd, stream->ring, 0, &stream->header, sizeof stream->header, 0);
    if (!stream->error)
        stream->error = error;
}

gboolean tnd_attach_stream_close(TndAttachStream *stream, GError **error)
{
    tnd_attach_stream_flush(stream);
    gboolean is_fine = stream->error == 0;
    if (!is_fine)
        set_error(error, stream->file, stream->error);
    g_byte_array_unref(stream->bytes);
    g_free(stream->ring);
    g_free(stream->file);
    g_free(stream);
    return is_fine;
}

void tnd_attach_stream_put(TndAttachStream *stream, const struct tnd_record *head, const guint64 *words)
{
    if (stream->error) {
        stream->header.n_lost++;
        return;
    }
    g_byte_array_append(stream->bytes, (const guint8 *)head, sizeof *head);
    if (head->n_words)
        g_byte_array_append(stream->bytes, (const guint8 *)words, 8u * head->n_words);
    if (stream->bytes->len >= FLUSH_BYTES)
        tnd_attach_stream_flush(stream);
}

void tnd_attach_stream_lose(TndAttachStream *stream, guint64 n)
{
    stream->header.n_lost += n;
}

void tnd_attach_stream_text(TndAttachStream *stream, guint64 time, guint role, const char *text, gsize n_bytes)
{
    for (gsize done = 0, n = TEXT_BYTES; n == TEXT_BYTES; done += n) { /* a full record says that another one follows */
        guint64 words[TND_RECORD_MAX_WORDS] = {0};
        n = MIN(n_bytes - done, TEXT_BYTES);
        memcpy(words, text + done, n);
        const struct tnd_record head = {time, role, (guint16)n, TND_RECORD_TEXT, (guint8)((n + 7) / 8)};
        tnd_attach_stream_put(stream, &head, words);
    }
}

void tnd_attach_stream_module(TndAttachStream *stream, guint64 time, const guint64 words[3], const char *path)
{
    guint64 all[TND_RECORD_MAX_WORDS] = {words[0], words[1], words[2]};
    gsize n = MIN(strlen(path), sizeof all - 3 * sizeof all[0]);
    memcpy(&all[3], path, n);
    const struct tnd_record head = {time, 0, (guint16)n, TND_RECORD_MODULE, (guint8)(3 + (n + 7) / 8)};
    tnd_attach_stream_put(stream, &head, all);
}
