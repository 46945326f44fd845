/* SPDX-License-Identifier: Apache-2.0
 *
 * Where records go on a board: rings in memory that was reserved at start, and from there, in pieces (formats/piece.h),
 * to one file, which is opened when there is something to write.  What happens to a ring that is full is the user's
 * choice: it is written out (flush); or recording stops (stop); or what is in it takes the place of what was in it the
 * time before (ring), and all is written at the end.
 *
 * Context: runtime/target.h.
 */
#include "formats/piece.h"
#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/target.h"
#include "targets/gr740/board.h"

#include <errno.h>
#include <string.h>

#define MAX_RINGS (2 * TND_THREAD_MAX_SLOTS)
#define KEPT_BYTES 4096 /* of records that a ring never loses: who, where, when */

struct ring {
    struct tnd_stream_header *header;
    uint8_t *spare; /* what the ring had before; NULL: rings are written out */
    size_t n_bytes, n_spare;
    uint64_t done; /* the stream up to here is written, or has been in the spare half */
};

static struct {
    char *pool_next, *pool_end;
    struct ring rings[MAX_RINGS];
    uint32_t n_rings;
    char *piece;  /* being written */
    int file;     /* -1: not open */
    int error;    /* of opening it */
    bool is_over; /* the end has begun: only the end writes.  Changed under the lock */
    struct {
        struct tnd_writer *writer; /* NULL: there is none */
        char *lock;
        char is_written_out; /* a lock: by one thread at a time */
    } shared;
} output = {.file = -1};

struct tnd_board_settings tnd_board_settings;

static void *take(size_t n_bytes)
{
    char *taken = NULL;
    n_bytes = (n_bytes + 7) & ~(size_t)7;
    tnd_board_lock();
    if (n_bytes <= (size_t)(output.pool_end - output.pool_next)) {
        taken = output.pool_next;
        output.pool_next += n_bytes;
    }
    tnd_board_unlock();
    if (taken)
        memset(taken, 0, n_bytes);
    return taken;
}

void *tnd_target_pages(size_t n_bytes)
{
    return take(n_bytes);
}

/* Only what was taken last comes back. */
void tnd_target_pages_free(void *pages, size_t n_bytes)
{
    tnd_board_lock();
    if ((char *)pages + ((n_bytes + 7) & ~(size_t)7) == output.pool_next)
        output.pool_next = pages;
    tnd_board_unlock();
}

bool tnd_board_output_start(void)
{
    output.pool_next = tandem_pool;
    output.pool_end = tandem_pool + tandem_pool_bytes;
    tnd_board_settings.piece_bytes &= ~(uint64_t)7;
    output.piece = take((size_t)tnd_board_settings.piece_bytes);
    return output.piece != NULL;
}

int tnd_target_ring(const char *directory, const struct tnd_target_ring *where, size_t n_reserved, void **ring)
{
    bool keeps = tnd_board_settings.full[0] == 'r';
    size_t n_bytes = where->n_bytes, n_data = n_bytes - TND_STREAM_HEADER_BYTES;
    /* Of the header's page only the header is there: the data must be where the page ends. */
    char *taken = take(n_bytes + (keeps ? n_data + KEPT_BYTES : 0));
    uint32_t number = taken ? __atomic_fetch_add(&output.n_rings, 1, __ATOMIC_RELAXED) : MAX_RINGS;
    if (number >= MAX_RINGS)
        return ENOMEM;
    output.rings[number] = (struct ring){(struct tnd_stream_header *)(void *)taken,
                                         keeps ? (uint8_t *)taken + n_bytes : NULL, n_data, 0, 0};
    *ring = taken;
    return 0;
}

int tnd_target_ring_reserve(const char *directory, const struct tnd_target_ring *where, size_t n_reserved, void *ring)
{
    return 0;
}

static const uint8_t *data_of(const struct tnd_stream_header *header)
{
    return (const uint8_t *)header + TND_STREAM_HEADER_BYTES;
}

static struct ring *ring_of(const void *data)
{
    for (uint32_t i = 0; i < output.n_rings && i < MAX_RINGS; i++)
        if (data_of(output.rings[i].header) == data)
            return &output.rings[i];
    return NULL;
}

static int open_file(void)
{
    const char *path = tnd_config.output && tnd_config.output[0] ? tnd_config.output : "tandem.pieces";
    if (output.file < 0 && !output.error) {
        int file = tnd_board_open(path);
        output.file = file;
        output.error = file < 0 ? -file : 0;
    }
    return output.error;
}

static char *piece_room(void)
{
    return output.piece + sizeof(struct tnd_piece);
}

static size_t piece_size(uint64_t n_left)
{
    size_t most = (size_t)tnd_board_settings.piece_bytes - sizeof(struct tnd_piece);
    return n_left < most ? (size_t)n_left : most;
}

/* Writes the piece whose bytes are in its room.  Its caller holds the lock, or is the end. */
static int write_piece(const struct tnd_stream_header *header, uint64_t offset, size_t n_bytes)
{
    struct tnd_piece piece = {.byte_order = TND_STREAM_BYTE_ORDER,
                              .version = TND_RECORD_VERSION,
                              .context = header->context,
                              .slot = header->slot,
                              .n_bytes = (uint32_t)n_bytes,
                              .n_lost = (uint32_t)header->n_lost,
                              .stop_errno = header->stop_errno,
                              .offset = offset};
    memcpy(piece.magic, TND_PIECE_MAGIC, sizeof piece.magic);
    memcpy(output.piece, &piece, sizeof piece);
    int error = open_file();
    return error ? error : tnd_board_write(output.file, output.piece, sizeof piece + n_bytes);
}

/* EAGAIN: the end has begun, and writes what is left. */
static int write_pieces(struct ring *ring, uint64_t offset, const uint8_t *bytes, size_t n_bytes)
{
    int error = 0;
    for (size_t n; n_bytes > 0 && !error; bytes += n, n_bytes -= n) {
        n = piece_size(n_bytes);
        tnd_board_lock();
        error = output.is_over ? EAGAIN : 0;
        if (!error) {
            memcpy(piece_room(), bytes, n);
            error = write_piece(ring->header, offset, n);
        }
        if (!error)
            ring->done = offset += n;
        tnd_board_unlock();
    }
    return error;
}

/* Whether the record is one that nothing can be read without. */
static bool is_frame(const struct tnd_record *record)
{
    return (record->kind < 16 && record->kind != TND_RECORD_PAD && record->kind != TND_RECORD_CLOCK) ||
           record->kind == TND_RECORD_DEFINE || record->kind == TND_RECORD_SAMPLING;
}

/* Drops what is in the spare half, but for the records of its frame, and puts `bytes` there. */
static void keep(struct ring *ring, uint64_t offset, const void *bytes, size_t n_bytes)
{
    size_t n_kept = 0, n_records = 0;
    bool has_clock = false;
    for (size_t at = 0, n; at < ring->n_spare; at += n) {
        const struct tnd_record *record = (const struct tnd_record *)(void *)(ring->spare + at);
        n = tnd_record_size_bytes(record);
        bool is_kept = is_frame(record) || (record->kind == TND_RECORD_CLOCK && !has_clock);
        has_clock |= record->kind == TND_RECORD_CLOCK;
        if (is_kept && n_kept + n <= KEPT_BYTES) {
            memmove(ring->spare + n_kept, record, n);
            n_kept += n;
        } else if (record->kind != TND_RECORD_PAD) {
            n_records++;
        }
    }
    tnd_machine_add(&ring->header->n_lost, n_records);
    memcpy(ring->spare + n_kept, bytes, n_bytes);
    ring->n_spare = n_kept + n_bytes;
    ring->done = offset + n_bytes;
}

/* The same in a thread; as write_pieces. */
static int keep_in_thread(struct ring *ring, uint64_t offset, const uint8_t *bytes, size_t n_bytes)
{
    tnd_board_lock();
    int error = output.is_over ? EAGAIN : 0;
    if (!error)
        keep(ring, offset, bytes, n_bytes);
    tnd_board_unlock();
    return error;
}

int tnd_target_write(const char *directory, const char *name, uint64_t offset, const void *bytes, size_t n_bytes)
{
    struct ring *ring = ring_of(bytes);
    if (!ring)
        return EBADF;
    if (tnd_board_settings.full[0] == 's')
        return ENOSPC;
    if (!tnd_board_is_interrupt())
        return (ring->spare ? keep_in_thread : write_pieces)(ring, offset, bytes, n_bytes);
    if (!ring->spare)
        return EAGAIN;
    keep(ring, offset, bytes, n_bytes);
    return 0;
}

void tnd_board_output_share(struct tnd_writer *writer, char *lock)
{
    output.shared.lock = lock;
    __atomic_store_n(&output.shared.writer, writer, __ATOMIC_RELEASE);
}

static bool is_half_full(const struct tnd_writer *writer)
{
    const struct tnd_stream_header *header = writer ? writer->header : NULL;
    return header && !header->stop_errno && header->published - header->base > header->ring_bytes / 2;
}

bool tnd_board_output_is_due(const struct tnd_thread *thread)
{
    return tnd_board_settings.full[0] == 'f' && tnd_board_is_interrupt() &&
           (is_half_full(&thread->signal) || is_half_full(output.shared.writer));
}

/* Keeps interrupts from writing to the stream; lock: of one that is of no thread, or NULL. */
static uint32_t hold(char *lock)
{
    uint32_t before = tnd_board_interrupts_off();
    while (lock && __atomic_test_and_set(lock, __ATOMIC_ACQUIRE))
        ;
    return before;
}

static void let_go(char *lock, uint32_t before)
{
    if (lock)
        __atomic_clear(lock, __ATOMIC_RELEASE);
    tnd_board_interrupts_on(before);
}

/* Whether the stream is still written by interrupts.  It is held. */
static bool is_open(const struct tnd_writer *writer, const char *lock)
{
    return !lock || output.shared.writer == writer;
}

/* Writes out what interrupts have recorded, if it is much.  They may go on meanwhile. */
static void write_front(struct tnd_writer *writer, char *lock)
{
    struct tnd_stream_header *header = writer->header;
    uint32_t before = hold(lock);
    bool is_due = is_open(writer, lock) && is_half_full(writer);
    uint64_t base = header->base, end = header->published;
    let_go(lock, before);
    if (!is_due)
        return;
    const uint8_t *data = data_of(header);
    int error = write_pieces(ring_of(data), base, data, (size_t)(end - base));
    before = hold(lock);
    if (error && error != EAGAIN)
        header->stop_errno = (uint32_t)error;
    else if (!error && is_open(writer, lock))
        tnd_emit_drop_front(writer, (size_t)(end - base));
    let_go(lock, before);
}

void tnd_target_turning(void)
{
    struct tnd_writer *shared = __atomic_load_n(&output.shared.writer, __ATOMIC_ACQUIRE);
    if (tnd_board_settings.full[0] != 'f' || tnd_board_is_interrupt())
        return;
    if (tnd_thread_self && tnd_thread_self->signal.header)
        write_front(&tnd_thread_self->signal, NULL);
    if (shared && !__atomic_test_and_set(&output.shared.is_written_out, __ATOMIC_ACQUIRE)) {
        write_front(shared, output.shared.lock);
        __atomic_clear(&output.shared.is_written_out, __ATOMIC_RELEASE);
    }
}

static int write_spare(const struct ring *ring)
{
    int error = 0;
    for (size_t at = 0, n; at < ring->n_spare && !error; at += n) {
        n = piece_size(ring->n_spare - at);
        memcpy(piece_room(), ring->spare + at, n);
        error = write_piece(ring->header, at, n);
    }
    return error;
}

/* Writes what the ring still has, as one piece at least: a piece has the counts, too.  A thread that has just written
 * its last piece may empty the ring meanwhile: it moves `base` before it changes any byte. */
static int write_rest(const struct ring *ring)
{
    const struct tnd_stream_header *header = ring->header;
    uint64_t at = ring->done, base, end;
    size_t n;
    int error;
    do {
        do {
            end = TND_MACHINE_READ(header->published);
            base = TND_MACHINE_READ(header->base);
            n = piece_size(end > at ? end - at : 0);
            memcpy(piece_room(), data_of(header) + (at - base), n);
            __atomic_thread_fence(__ATOMIC_ACQUIRE);
        } while (TND_MACHINE_READ(header->base) != base);
        error = write_piece(header, ring->spare ? ring->n_spare + (at - ring->done) : at, n);
        at += n;
    } while (!error && at < end);
    return error;
}

int tnd_board_output_end(void)
{
    int error = 0;
    tnd_board_lock();
    output.is_over = true;
    tnd_board_unlock();
    for (uint32_t i = 0; i < output.n_rings && i < MAX_RINGS && !error; i++) {
        error = write_spare(&output.rings[i]);
        if (!error)
            error = write_rest(&output.rings[i]);
    }
    if (output.file >= 0)
        tnd_board_close(output.file);
    output.file = -1;
    output.error = EBADF; /* it is not opened again */
    return error;
}
