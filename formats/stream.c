/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a stream: first what is in the .stream file, then what is still in the ring, through one buffer that is read
 * in large pieces.  Memory: at most BUFFER_BYTES a stream; descriptors: one, or two if there is a .stream file, or with
 * tnd_stream_open_path none but while a piece is read.
 * What was published while the program runs on after tnd_stream_open is not seen.
 *
 * Context: not for handlers; allocates.
 */
#include "formats/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES ((size_t)32 << 10)

/* The two stretches of a stream, one after the other. */
enum stretch { IN_FILE, IN_RING, AT_END };

struct tnd_stream_reader {
    struct tnd_stream_window window; /* where bytes must be swapped, nothing is sure */
    struct tnd_stream_header header;
    bool swapped;
    char *path;           /* NULL: descriptors stay open */
    int ring_fd, file_fd; /* -1: not open; file_fd also if nothing of the stream is in a file */
    enum stretch stretch;
    uint64_t offset; /* of the next byte to read, within the stretch */
    uint64_t unread; /* bytes of the stretch from there on */
    char *filled;    /* the end of what is in the buffer */
    size_t buffer_bytes;
    uint64_t damaged;
    char *buffer;
};

static void swap_header(struct tnd_stream_header *header)
{
    header->byte_order = __builtin_bswap32(header->byte_order);
    header->version = __builtin_bswap16(header->version);
    header->context = __builtin_bswap16(header->context);
    header->slot = __builtin_bswap32(header->slot);
    header->pid = __builtin_bswap32(header->pid);
    header->ring_bytes = __builtin_bswap64(header->ring_bytes);
    header->base = __builtin_bswap64(header->base);
    header->published = __builtin_bswap64(header->published);
    header->n_lost = __builtin_bswap64(header->n_lost);
    header->stop_errno = __builtin_bswap32(header->stop_errno);
    header->n_turns = __builtin_bswap32(header->n_turns);
}

static ssize_t read_at(int fd, char *buffer, size_t size, uint64_t offset)
{
    size_t n_read = 0;
    while (n_read < size) {
        ssize_t n = pread(fd, buffer + n_read, size - n_read, (off_t)(offset + n_read));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        n_read += (size_t)n;
    }
    return (ssize_t)n_read;
}

/* Reads the header and says what is wrong with it; NULL: nothing. */
static const char *read_header(struct tnd_stream_reader *reader)
{
    struct tnd_stream_header *header = &reader->header;
    ssize_t n = read_at(reader->ring_fd, (char *)header, sizeof *header, 0);
    if (n < 0)
        return "cannot be read";
    if (n < (ssize_t)sizeof *header)
        return "too short for a stream's header";
    if (memcmp(header->magic, TND_STREAM_MAGIC, sizeof header->magic) != 0)
        return "not a stream of tandem's";
    reader->swapped = header->byte_order != TND_STREAM_BYTE_ORDER;
    if (reader->swapped)
        swap_header(header);
    if (header->byte_order != TND_STREAM_BYTE_ORDER)
        return "a stream in an unknown byte order";
    if (header->version != TND_RECORD_VERSION)
        return "a stream of another version of tandem";
    if (header->base > header->published || header->published - header->base > header->ring_bytes)
        return "a stream whose header contradicts itself";
    return NULL;
}

static int open_part(int dir_fd, const char *name, const char *ending)
{
    char path[PATH_MAX];
    if (strlen(name) + strlen(ending) >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcat(strcpy(path, name), ending);
    return openat(dir_fd, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

static struct tnd_stream_reader *open_reader(int dir_fd, const char *name, size_t most_bytes, const char **error)
{
    struct tnd_stream_reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        *error = "out of memory";
        return NULL;
    }
    reader->file_fd = -1;
    reader->ring_fd = open_part(dir_fd, name, ".ring");
    *error = reader->ring_fd < 0 ? "cannot be opened" : read_header(reader);
    if (!*error) {
        uint64_t bytes = reader->header.published;
        reader->buffer_bytes = bytes < most_bytes ? (size_t)bytes : most_bytes;
        if (reader->buffer_bytes < TND_RECORD_MAX_BYTES)
            reader->buffer_bytes = TND_RECORD_MAX_BYTES;
        reader->buffer = malloc(reader->buffer_bytes);
        if (!reader->buffer)
            *error = "out of memory";
    }
    if (*error) {
        int keep = errno;
        tnd_stream_close(reader);
        errno = keep;
        return NULL;
    }
    tnd_stream_rewind(reader);
    return reader;
}

struct tnd_stream_reader *tnd_stream_open(int dir_fd, const char *name, const char **error)
{
    struct tnd_stream_reader *reader = open_reader(dir_fd, name, BUFFER_BYTES, error);
    if (!reader || !reader->header.base)
        return reader;
    reader->file_fd = open_part(dir_fd, name, ".stream");
    if (reader->file_fd >= 0 || (errno != EMFILE && errno != ENFILE))
        return reader; /* a file that is gone is damage */
    int keep = errno;
    tnd_stream_close(reader);
    errno = keep;
    *error = "cannot be opened";
    return NULL;
}

struct tnd_stream_reader *tnd_stream_open_path(const char *path, size_t buffer_bytes, const char **error)
{
    struct tnd_stream_reader *reader = open_reader(AT_FDCWD, path, buffer_bytes, error);
    if (!reader)
        return NULL;
    close(reader->ring_fd);
    reader->ring_fd = -1;
    reader->path = strdup(path);
    if (reader->path)
        return reader;
    tnd_stream_close(reader);
    *error = "out of memory";
    return NULL;
}

const struct tnd_stream_header *tnd_stream_header(const struct tnd_stream_reader *reader)
{
    return &reader->header;
}

static void begin(struct tnd_stream_reader *reader, enum stretch stretch, uint64_t offset, uint64_t bytes)
{
    reader->stretch = stretch;
    reader->offset = offset;
    reader->unread = bytes;
    reader->window.at = reader->window.sure = reader->filled = reader->buffer;
}

void tnd_stream_rewind(struct tnd_stream_reader *reader)
{
    reader->damaged = 0;
    begin(reader, IN_FILE, 0, reader->header.base);
}

/* Bytes that are read and not handed out. */
static size_t held_bytes(const struct tnd_stream_reader *reader)
{
    return (size_t)(reader->filled - reader->window.at);
}

/* Ends the stream: nothing from here on can be told apart. */
static const struct tnd_record *end_damaged(struct tnd_stream_reader *reader)
{
    reader->damaged = reader->unread + held_bytes(reader);
    if (reader->stretch == IN_FILE)
        reader->damaged += reader->header.published - reader->header.base;
    begin(reader, AT_END, 0, 0);
    return NULL;
}

static ssize_t read_stretch(struct tnd_stream_reader *reader, size_t n_bytes)
{
    bool in_file = reader->stretch == IN_FILE;
    int fd = in_file ? reader->file_fd : reader->ring_fd;
    if (reader->path)
        fd = open_part(AT_FDCWD, reader->path, in_file ? ".stream" : ".ring");
    ssize_t n = read_at(fd, reader->filled, n_bytes, reader->offset);
    if (reader->path && fd >= 0)
        close(fd);
    return n;
}

/* Reads on where it must, so that n_bytes of the stretch are in the buffer; false: they are not there. */
static bool fill(struct tnd_stream_reader *reader, size_t n_bytes)
{
    size_t held = held_bytes(reader);
    if (held >= n_bytes)
        return true;
    if (n_bytes - held > reader->unread)
        return false;
    memmove(reader->buffer, reader->window.at, held);
    reader->window.at = reader->buffer;
    reader->filled = reader->buffer + held;
    size_t room = reader->buffer_bytes - held;
    ssize_t n = read_stretch(reader, reader->unread < room ? (size_t)reader->unread : room);
    if (n > 0) {
        reader->offset += (uint64_t)n;
        reader->unread -= (uint64_t)n;
        reader->filled += n;
    }
    bool is_long = reader->filled - reader->buffer > TND_RECORD_MAX_BYTES;
    reader->window.sure = is_long && !reader->swapped ? reader->filled - TND_RECORD_MAX_BYTES : reader->buffer;
    return held_bytes(reader) >= n_bytes;
}

static const struct tnd_record *next_or_pad(struct tnd_stream_reader *reader)
{
    if (!reader->unread && !held_bytes(reader) && reader->stretch == IN_FILE)
        begin(reader, IN_RING, TND_STREAM_HEADER_BYTES, reader->header.published - reader->header.base);
    if (!reader->unread && !held_bytes(reader))
        return NULL;
    if (!fill(reader, sizeof(struct tnd_record)))
        return end_damaged(reader);
    size_t size = tnd_record_size_bytes((const struct tnd_record *)(void *)reader->window.at);
    if (!fill(reader, size))
        return end_damaged(reader);
    struct tnd_record *record = (struct tnd_record *)(void *)reader->window.at;
    if (record->kind == 0)
        return end_damaged(reader);
    reader->window.at += size;
    if (reader->swapped)
        tnd_record_swap(record);
    return record;
}

const struct tnd_record *tnd_stream_read(struct tnd_stream_reader *reader)
{
    const struct tnd_record *record;
    do
        record = next_or_pad(reader);
    while (record && record->kind == TND_RECORD_PAD);
    return record;
}

uint64_t tnd_stream_damaged(const struct tnd_stream_reader *reader)
{
    return reader->damaged;
}

uint64_t tnd_stream_position(const struct tnd_stream_reader *reader)
{
    if (reader->stretch == AT_END)
        return reader->header.published;
    return (reader->stretch == IN_FILE ? reader->header.base : reader->header.published) - reader->unread -
           held_bytes(reader);
}

void tnd_stream_close(struct tnd_stream_reader *reader)
{
    if (!reader)
        return;
    if (reader->ring_fd >= 0)
        close(reader->ring_fd);
    if (reader->file_fd >= 0)
        close(reader->file_fd);
    free(reader->path);
    free(reader->buffer);
    free(reader);
}
