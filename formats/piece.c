/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the two files of each stream of the pieces that a board wrote: all bytes go to the .stream file, and the ring
 * has none.
 *
 * Context: piece.h.
 */
#include "formats/piece.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_STREAMS 4096
#define LOOKED_BYTES ((size_t)64 << 10)

struct stream {
    struct tnd_stream_header header; /* in this machine's order */
    bool is_swapped;
};

struct unpacking {
    const char *bytes;
    size_t n_bytes;
    int dir_fd;
    struct stream *streams;
    size_t n_streams;
    struct tnd_piece_found *found;
};

/* The piece at these bytes, in this machine's order.  False: there is none. */
static bool read_head(const char *bytes, size_t n_bytes, struct tnd_piece *piece, bool *is_swapped)
{
    if (n_bytes < sizeof *piece)
        return false;
    memcpy(piece, bytes, sizeof *piece);
    if (memcmp(piece->magic, TND_PIECE_MAGIC, sizeof piece->magic) != 0)
        return false;
    *is_swapped = piece->byte_order != TND_STREAM_BYTE_ORDER;
    if (*is_swapped) {
        piece->byte_order = __builtin_bswap32(piece->byte_order);
        piece->version = __builtin_bswap16(piece->version);
        piece->context = __builtin_bswap16(piece->context);
        piece->slot = __builtin_bswap32(piece->slot);
        piece->n_bytes = __builtin_bswap32(piece->n_bytes);
        piece->n_lost = __builtin_bswap32(piece->n_lost);
        piece->stop_errno = __builtin_bswap32(piece->stop_errno);
        piece->offset = __builtin_bswap64(piece->offset);
    }
    return piece->byte_order == TND_STREAM_BYTE_ORDER && piece->context <= TND_CONTEXT_SIGNAL &&
           piece->offset < (uint64_t)1 << 48;
}

static size_t find_head(const char *bytes, size_t n_bytes, struct tnd_piece *piece, bool *is_swapped)
{
    size_t at = 0;
    while (at < n_bytes && !read_head(bytes + at, n_bytes - at, piece, is_swapped)) {
        const char *next = memchr(bytes + at + 1, TND_PIECE_MAGIC[0], n_bytes - at - 1);
        at = next ? (size_t)(next - bytes) : n_bytes;
    }
    return at;
}

bool tnd_piece_is(int fd)
{
    struct tnd_piece piece;
    bool is_swapped;
    char *bytes = malloc(LOOKED_BYTES);
    ssize_t n = bytes ? pread(fd, bytes, LOOKED_BYTES, 0) : 0;
    bool is = n > 0 && find_head(bytes, (size_t)n, &piece, &is_swapped) < (size_t)n;
    free(bytes);
    return is;
}

static void name_file(const struct tnd_stream_header *header, const char *ending, char name[static 64])
{
    char digits[12], *first = digits + sizeof digits - 1;
    uint32_t slot = header->slot;
    *first = 0;
    do
        *--first = (char)('0' + slot % 10);
    while ((slot /= 10) > 0);
    strcpy(name, first);
    strcat(name, header->context == TND_CONTEXT_SIGNAL ? ".signal" : ".main");
    strcat(name, ending);
}

static bool write_at(const struct unpacking *all, const struct tnd_stream_header *header, const char *ending,
                     const void *bytes, size_t n_bytes, uint64_t offset)
{
    char name[64];
    name_file(header, ending, name);
    int fd = openat(all->dir_fd, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    const char *at = bytes;
    while (fd >= 0 && n_bytes > 0) {
        ssize_t n = pwrite(fd, at, n_bytes, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        at += n;
        offset += (uint64_t)n;
        n_bytes -= (size_t)n;
    }
    return fd >= 0 && close(fd) == 0 && n_bytes == 0;
}

static struct stream *stream_of(struct unpacking *all, const struct tnd_piece *piece, bool is_swapped)
{
    for (size_t i = 0; i < all->n_streams; i++)
        if (all->streams[i].header.slot == piece->slot && all->streams[i].header.context == piece->context)
            return &all->streams[i];
    if (all->n_streams == MAX_STREAMS)
        return NULL;
    struct stream *stream = &all->streams[all->n_streams++];
    stream->is_swapped = is_swapped;
    stream->header = (struct tnd_stream_header){.byte_order = TND_STREAM_BYTE_ORDER,
                                                .version = piece->version,
                                                .context = piece->context,
                                                .slot = piece->slot,
                                                .pid = 1,
                                                .ring_bytes = 8};
    memcpy(stream->header.magic, TND_STREAM_MAGIC, sizeof stream->header.magic);
    return stream;
}

static const char *take_piece(struct unpacking *all, const struct tnd_piece *piece, bool is_swapped, const char *bytes,
                              size_t n_bytes)
{
    struct stream *stream = stream_of(all, piece, is_swapped);
    if (!stream)
        return "too many streams";
    if (n_bytes && !write_at(all, &stream->header, ".stream", bytes, n_bytes, piece->offset))
        return "a stream cannot be written";
    if (piece->offset + n_bytes > stream->header.published)
        stream->header.published = stream->header.base = piece->offset + n_bytes;
    stream->header.n_lost = piece->n_lost;
    stream->header.stop_errno = piece->stop_errno;
    stream->header.n_turns++;
    return NULL;
}

static const char *take_all(struct unpacking *all)
{
    struct tnd_piece piece;
    bool is_swapped;
    const char *wrong = NULL;
    for (size_t at = 0; at < all->n_bytes && !wrong;) {
        size_t n_foreign = find_head(all->bytes + at, all->n_bytes - at, &piece, &is_swapped);
        all->found->n_foreign_bytes += n_foreign;
        at += n_foreign;
        if (at == all->n_bytes)
            break;
        at += sizeof piece;
        size_t n = all->n_bytes - at < piece.n_bytes ? all->n_bytes - at : piece.n_bytes;
        all->found->n_cut_bytes += piece.n_bytes - n;
        all->found->n_pieces++;
        wrong = take_piece(all, &piece, is_swapped, all->bytes + at, n);
        at += n;
    }
    for (size_t i = 0; i < all->n_streams && !wrong; i++) {
        struct tnd_stream_header header = all->streams[i].header;
        if (all->streams[i].is_swapped)
            tnd_stream_swap_header(&header);
        if (!write_at(all, &all->streams[i].header, ".ring", &header, sizeof header, 0) ||
            !write_at(all, &all->streams[i].header, ".ring", "", 1, TND_STREAM_HEADER_BYTES - 1))
            wrong = "a stream cannot be written";
    }
    return wrong ? wrong : all->found->n_pieces == 0 ? "no piece of a stream is in it" : NULL;
}

const char *tnd_piece_unpack(int fd, int dir_fd, struct tnd_piece_found *found)
{
    struct stat facts;
    struct unpacking all = {.dir_fd = dir_fd, .found = found};
    const char *wrong = "cannot be read";
    *found = (struct tnd_piece_found){0};
    if (fstat(fd, &facts) != 0)
        return wrong;
    char *bytes = malloc((size_t)facts.st_size + 1);
    all.streams = calloc(MAX_STREAMS, sizeof *all.streams);
    if (bytes && all.streams) {
        ssize_t n = 1;
        while (n > 0 && all.n_bytes < (size_t)facts.st_size)
            if ((n = pread(fd, bytes + all.n_bytes, (size_t)facts.st_size - all.n_bytes, (off_t)all.n_bytes)) > 0)
                all.n_bytes += (size_t)n;
        all.bytes = bytes;
        if (n >= 0)
            wrong = take_all(&all);
    }
    free(all.streams);
    free(bytes);
    return wrong;
}
