/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a stream: first what is in the .stream file, then what is still in the ring, through one buffer that is read
 * in large pieces.  Memory: at most BUFFER_BYTES a stream, twice that if two readers share it; descriptors: one, or two
 * if there is a .stream file, or with tnd_stream_open_path none but while a piece is read.
 * What was published while the program runs on after tnd_stream_open is not seen.
 *
 * Context: not for handlers; allocates.
 */
#include "formats/stream.h"
#include "formats/rings.h"
#include "formats/unpack.h"

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

/* Bytes that were read at once.  It is used by readers and by the block before it. */
struct block {
    unsigned n_users;
    struct block *next; /* the block that was read after it, for a reader that has not come there; NULL: none */
    uint64_t begin;     /* of the first byte, within the stretch */
    size_t n_bytes;
    char bytes[];
};

/* What readers of one stream share. */
struct files {
    unsigned n_readers;
    char *path;           /* NULL: descriptors stay open */
    uint64_t ring_at;     /* where the ring is in its file */
    int ring_fd, file_fd; /* -1: not open; file_fd also if no part of the stream is in a file */
    bool are_near;        /* there are two readers, and one takes the blocks that the other reads */
    bool are_apart;       /* one reader has read a block that the other has not taken yet */
};

struct tnd_stream_reader {
    struct tnd_stream_window window; /* `sure` is at its begin where bytes must be swapped */
    struct tnd_stream_header header;
    bool swapped;
    struct files *files;
    enum stretch stretch;
    uint64_t offset; /* of the next byte to read, within the stretch */
    uint64_t unread; /* bytes of the stretch from there on */
    char *filled;    /* the end of what is in the block */
    size_t buffer_bytes;
    uint64_t damaged;
    struct block *block;
    struct tnd_unpack *unpack; /* NULL: there was nothing packed so far */
    bool is_unpacking;         /* the record before the window's is a packed one, of which not all was handed out */
};

void tnd_stream_swap_header(struct tnd_stream_header *header)
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
    header->stride = __builtin_bswap64(header->stride);
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

/* Reads the header.  What is wrong with it, or NULL. */
static const char *read_header(struct tnd_stream_reader *reader)
{
    struct tnd_stream_header *header = &reader->header;
    ssize_t n = read_at(reader->files->ring_fd, (char *)header, sizeof *header, reader->files->ring_at);
    if (n < 0)
        return "cannot be read";
    if (n < (ssize_t)sizeof *header)
        return "too short for a stream's header";
    if (memcmp(header->magic, TND_STREAM_MAGIC, sizeof header->magic) != 0)
        return "not a stream of tandem's";
    reader->swapped = header->byte_order != TND_STREAM_BYTE_ORDER;
    if (reader->swapped)
        tnd_stream_swap_header(header);
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

/* The ring of that name among those of all slots.  -1 and an errno. */
static int open_among_rings(int dir_fd, const char *name, uint64_t *ring_at)
{
    char path[PATH_MAX], *rest;
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    unsigned long slot = strtoul(base, &rest, 10);
    bool is_signal = strcmp(rest, ".signal") == 0;
    struct tnd_rings rings;
    if (rest == base || slot > UINT32_MAX || (!is_signal && strcmp(rest, ".main") != 0)) {
        errno = ENOENT;
        return -1;
    }
    snprintf(path, sizeof path, "%.*s", (int)(base - name), name);
    int fd = open_part(dir_fd, path, TND_RINGS_FILE);
    if (fd < 0 ||
        (tnd_rings_read(fd, &rings) &&
         tnd_rings_find(fd, &rings, (uint32_t)slot, is_signal ? TND_CONTEXT_SIGNAL : TND_CONTEXT_MAIN, ring_at)))
        return fd;
    close(fd);
    errno = ENOENT;
    return -1;
}

/* A file of its own comes first: it is there because the file of all could not have it. */
static int open_ring(int dir_fd, const char *name, uint64_t *ring_at)
{
    *ring_at = 0;
    int fd = open_part(dir_fd, name, ".ring");
    return fd < 0 && errno == ENOENT ? open_among_rings(dir_fd, name, ring_at) : fd;
}

static struct block *new_block(size_t n_bytes)
{
    struct block *block = malloc(sizeof *block + n_bytes);
    if (block)
        *block = (struct block){.n_users = 1};
    return block;
}

static void leave_block(struct block *block)
{
    while (block && !--block->n_users) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
}

static struct tnd_stream_reader *open_reader(int dir_fd, const char *name, size_t most_bytes, const char **error)
{
    struct tnd_stream_reader *reader = calloc(1, sizeof *reader);
    if (reader)
        reader->files = calloc(1, sizeof *reader->files);
    if (!reader || !reader->files) {
        free(reader);
        *error = "out of memory";
        return NULL;
    }
    reader->files->n_readers = 1;
    reader->files->file_fd = -1;
    reader->files->ring_fd = open_ring(dir_fd, name, &reader->files->ring_at);
    *error = reader->files->ring_fd < 0 ? "cannot be opened" : read_header(reader);
    if (!*error) {
        uint64_t bytes = reader->header.published;
        reader->buffer_bytes = bytes < most_bytes ? (size_t)bytes : most_bytes;
        if (reader->buffer_bytes < TND_RECORD_MAX_BYTES)
            reader->buffer_bytes = TND_RECORD_MAX_BYTES;
        reader->block = new_block(reader->buffer_bytes);
        if (!reader->block)
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
    reader->files->file_fd = open_part(dir_fd, name, ".stream");
    if (reader->files->file_fd >= 0 || (errno != EMFILE && errno != ENFILE))
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
    close(reader->files->ring_fd);
    reader->files->ring_fd = -1;
    reader->files->path = strdup(path);
    if (reader->files->path)
        return reader;
    tnd_stream_close(reader);
    *error = "out of memory";
    return NULL;
}

struct tnd_stream_reader *tnd_stream_share(struct tnd_stream_reader *reader)
{
    struct tnd_stream_reader *other = reader->swapped ? NULL : malloc(sizeof *other);
    if (!other)
        return NULL;
    *other = *reader;
    other->unpack = reader->unpack ? tnd_unpack_copy(reader->unpack) : NULL;
    reader->files->n_readers++;
    reader->files->are_near = true;
    reader->block->n_users++;
    return other;
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
    reader->window.at = reader->window.sure = reader->filled = reader->block->bytes;
}

void tnd_stream_rewind(struct tnd_stream_reader *reader)
{
    reader->damaged = 0;
    reader->is_unpacking = false;
    tnd_unpack_free(reader->unpack);
    reader->unpack = NULL;
    begin(reader, IN_FILE, 0, reader->header.base);
}

/* Bytes that are read and not handed out. */
static size_t held_bytes(const struct tnd_stream_reader *reader)
{
    return (size_t)(reader->filled - reader->window.at);
}

/* Ends the stream: from here on it cannot be known where records begin. */
static const struct tnd_record *end_damaged(struct tnd_stream_reader *reader)
{
    reader->damaged = reader->unread + held_bytes(reader);
    if (reader->stretch == IN_FILE)
        reader->damaged += reader->header.published - reader->header.base;
    begin(reader, AT_END, 0, 0);
    return NULL;
}

static ssize_t read_stretch(struct tnd_stream_reader *reader, char *to, size_t n_bytes)
{
    struct files *files = reader->files;
    bool in_file = reader->stretch == IN_FILE;
    int fd = in_file ? files->file_fd : files->ring_fd;
    if (files->path)
        fd = in_file ? open_part(AT_FDCWD, files->path, ".stream") : open_ring(AT_FDCWD, files->path, &files->ring_at);
    ssize_t n = read_at(fd, to, n_bytes, reader->offset);
    if (files->path && fd >= 0)
        close(fd);
    return n;
}

/* What begins before it is there completely. */
static char *sure_of(const struct tnd_stream_reader *reader)
{
    struct block *block = reader->block;
    bool is_long = block->n_bytes > TND_RECORD_MAX_BYTES && !reader->swapped && !reader->is_unpacking;
    return is_long ? reader->filled - TND_RECORD_MAX_BYTES : block->bytes;
}

/* Stands at the begin of the block, which ends where the reader goes on to read. */
static void begin_block(struct tnd_stream_reader *reader, struct block *block)
{
    reader->block = block;
    reader->window.at = block->bytes;
    reader->filled = block->bytes + block->n_bytes;
    reader->window.sure = sure_of(reader);
}

/* Goes on in the block that the other reader has read. */
static void take_block(struct tnd_stream_reader *reader, struct block *next)
{
    uint64_t n_new = next->begin + next->n_bytes - reader->offset;
    next->n_users++;
    leave_block(reader->block);
    reader->files->are_apart = false;
    reader->offset += n_new;
    reader->unread -= n_new;
    begin_block(reader, next);
}

/* The block to read into: the reader's own, unless the other reader still needs it.  NULL: no memory. */
static struct block *block_to_fill(struct tnd_stream_reader *reader)
{
    struct block *block = reader->block;
    struct files *files = reader->files;
    if (block->n_users == 1 && !files->are_near)
        return block;
    struct block *next = new_block(reader->buffer_bytes);
    files->are_near &= next && !files->are_apart; /* from here on each reads by itself */
    if (files->are_near) {
        files->are_apart = true;
        next->n_users++;
        block->next = next;
    }
    return next;
}

/* Reads on where it must, so that n_bytes of the stretch are in the block; false: they are not there. */
static bool fill(struct tnd_stream_reader *reader, size_t n_bytes)
{
    size_t held = held_bytes(reader);
    if (held >= n_bytes)
        return true;
    if (n_bytes - held > reader->unread)
        return false;
    if (reader->block->next) {
        take_block(reader, reader->block->next);
        return held_bytes(reader) >= n_bytes;
    }
    struct block *block = block_to_fill(reader);
    if (!block)
        return false;
    memmove(block->bytes, reader->window.at, held);
    size_t room = reader->buffer_bytes - held;
    ssize_t n = read_stretch(reader, block->bytes + held, reader->unread < room ? (size_t)reader->unread : room);
    size_t n_new = n > 0 ? (size_t)n : 0;
    block->begin = reader->offset - held;
    block->n_bytes = held + n_new;
    reader->offset += n_new;
    reader->unread -= n_new;
    if (block != reader->block)
        leave_block(reader->block);
    begin_block(reader, block);
    return held_bytes(reader) >= n_bytes;
}

static const struct tnd_record *next_or_pad(struct tnd_stream_reader *reader)
{
    if (!reader->unread && !held_bytes(reader) && reader->stretch == IN_FILE)
        begin(reader, IN_RING, reader->files->ring_at + TND_STREAM_HEADER_BYTES,
              reader->header.published - reader->header.base);
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

/* While something is unpacked, nothing is sure: tnd_stream_next calls tnd_stream_read each time. */
static bool begin_unpacking(struct tnd_stream_reader *reader, const struct tnd_record *packed)
{
    if (!reader->unpack)
        reader->unpack = tnd_unpack_new();
    if (!reader->unpack)
        return false;
    tnd_unpack_begin(reader->unpack, packed);
    reader->is_unpacking = true;
    reader->window.sure = sure_of(reader);
    return true;
}

/* NULL: all has been handed out, or the stream has ended. */
static const struct tnd_record *next_unpacked(struct tnd_stream_reader *reader)
{
    uint64_t rest_bytes;
    const struct tnd_record *record = tnd_unpack_next(reader->unpack, &rest_bytes);
    if (record)
        return record;
    reader->is_unpacking = false;
    reader->window.sure = sure_of(reader);
    if (rest_bytes) {
        end_damaged(reader);
        reader->damaged += rest_bytes;
    }
    return NULL;
}

const struct tnd_record *tnd_stream_read(struct tnd_stream_reader *reader)
{
    for (;;) {
        const struct tnd_record *record = reader->is_unpacking ? next_unpacked(reader) : NULL;
        if (record)
            return record;
        record = next_or_pad(reader);
        if (!record || (record->kind & ~TND_STREAM_INNER_KINDS))
            return record;
        if (record->kind == TND_RECORD_PACKED && !begin_unpacking(reader, record))
            return end_damaged(reader);
    }
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
    struct files *files = reader->files;
    leave_block(reader->block);
    tnd_unpack_free(reader->unpack);
    free(reader);
    files->are_near = false;
    if (--files->n_readers)
        return;
    if (files->ring_fd >= 0)
        close(files->ring_fd);
    if (files->file_fd >= 0)
        close(files->file_fd);
    free(files->path);
    free(files);
}
