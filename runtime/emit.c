/* SPDX-License-Identifier: Apache-2.0
 *
 * The rare half of writing a record: a full ring is written out to the stream file, which is called a turn.  Of a new
 * ring only the begin has space on the disk; until it was full once, more is reserved as it is needed.
 *
 * A turn happens while a record is written whose time was read before, so that the turn's own records (FLUSH, its end,
 * a CLOCK) cannot be written at once: times in a stream never fall.  The turn is kept in the writer, and the limit is
 * lowered so that every following record calls tnd_emit_turn, until one is later than the turn; the turn's records are
 * written before that one.
 * Cost: a turn of 256 KiB some 60 us (measured, tests/bench), 4 ns a record.
 *
 * Context: any, on the writer of that context.
 */
#include "runtime/emit.h"

#include "formats/event_types.h"
#include "runtime/image.h"
#include "runtime/root.h"
#include "runtime/target.h"

#include <errno.h>

/* FLUSH, its end, CLOCK. */
#define TOLD_BYTES (3 * sizeof(struct tnd_record) + 3 * sizeof(uint64_t))

/* Bytes at a ring's end that are kept free: for those records and a PAD. */
#define KEPT_BYTES (TOLD_BYTES + sizeof(struct tnd_record))

static uint8_t *ring_data(const struct tnd_writer *writer)
{
    return (uint8_t *)writer->header + TND_STREAM_HEADER_BYTES;
}

void tnd_emit_open(struct tnd_writer *writer, struct tnd_stream_header *header)
{
    memset(writer, 0, sizeof *writer);
    writer->header = header;
    writer->next = ring_data(writer);
    writer->ring_end = writer->next + header->ring_bytes;
    writer->end = header->ring_bytes + TND_STREAM_HEADER_BYTES < TND_MACHINE_FIRST_BYTES
                      ? writer->ring_end
                      : (uint8_t *)header + TND_MACHINE_FIRST_BYTES;
    writer->limit = writer->end - KEPT_BYTES;
    writer->bias = header->published - (uintptr_t)writer->next;
}

void tnd_emit_lose(struct tnd_writer *writer)
{
    if (writer->header)
        tnd_machine_add(&writer->header->n_lost, 1);
}

/* Whether the function that took the writer no longer runs, because a handler that interrupted it was left by longjmp.
 * Such a handler's stack begins below that function's, by at least the registers that the kernel saves; whoever is
 * nearer than that, on the thread's own stack, was not called in such a handler. */
static bool is_gone(uintptr_t owner, uintptr_t here)
{
    enum { LEAST_SIGNAL_FRAME = 512 }; /* the floating-point registers alone: x86-64; arm64 has 4 KiB */
    const struct tnd_thread *self = tnd_thread_self;
    return self && owner >= (uintptr_t)self->stack_low && here < (uintptr_t)self->stack_high &&
           here + LEAST_SIGNAL_FRAME > owner && !tnd_target_is_on_signal_stack();
}

/* The space that was lent to a system call becomes a PAD; how many words it has stands where the record's id will
 * be. */
static void step_over(struct tnd_writer *writer)
{
    struct tnd_record *record = (struct tnd_record *)writer->next;
    uint64_t half;
    memcpy(&half, &record->id, sizeof half);
    writer->stepped_over = writer->owner;
    tnd_emit_end(writer, tnd_emit_fill(writer, record->time, TND_RECORD_PAD, 0, 0, (unsigned)half));
}

bool tnd_emit_retake(struct tnd_writer *writer)
{
    if (!is_gone(writer->owner, (uintptr_t)__builtin_frame_address(0))) {
        if (writer->owner & TND_EMIT_LENT) {
            step_over(writer);
            return true;
        }
        tnd_emit_lose(writer);
        return false;
    }
    if (writer->turn.begin)
        writer->limit = writer->next; /* the record that is lost may be the one that a turn made room for */
    writer->owner = 0;
    return true;
}

/* Appends a record.  The writer is taken and has room. */
static void put(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id, uint16_t aux, unsigned n_words,
                const uint64_t *words)
{
    struct tnd_record *record = tnd_emit_fill(writer, time, kind, id, aux, n_words);
    memcpy(record->words, words, n_words * sizeof *words);
    writer->next += tnd_record_size_bytes(record);
    tnd_machine_publish(&writer->header->published, (uintptr_t)writer->next + writer->bias);
}

static void tell_turn(struct tnd_writer *writer)
{
    const struct tnd_turn *turn = &writer->turn;
    uint64_t clocks[2] = {turn->end.monotonic_ns, turn->end.realtime_ns};
    put(writer, turn->begin, TND_RECORD_ENTER, TND_TYPE_FLUSH, 1, 0, clocks);
    put(writer, turn->end.ticks, TND_RECORD_LEAVE, TND_TYPE_FLUSH, 0, 1, &turn->cpu_ns);
    put(writer, turn->end.ticks, TND_RECORD_CLOCK, tnd_clock_kind, 0, 2, clocks);
    writer->limit = turn->limit;
    writer->turn.begin = writer->turn.cpu_ns = 0;
}

/* Fills the rest of the ring with PADs.  There is room for a head at least. */
static void pad(struct tnd_writer *writer)
{
    static const uint64_t nothing[TND_RECORD_MAX_WORDS];
    for (size_t n_left; (n_left = (size_t)(writer->ring_end - writer->next)) > 0;) {
        size_t n = n_left < TND_RECORD_MAX_BYTES ? n_left : TND_RECORD_MAX_BYTES;
        if (n_left - n == 8) /* too little for a head */
            n -= 8;
        put(writer, 0, TND_RECORD_PAD, 0, 0, (unsigned)((n - sizeof(struct tnd_record)) / 8), nothing);
    }
}

/* Stops recording to the stream. */
static bool stop(struct tnd_writer *writer, int error)
{
    writer->header->stop_errno = (uint32_t)error;
    writer->turn.begin = 0;
    writer->limit = writer->next;
    tnd_root_trouble("writing records", error);
    return false;
}

/* Writes the ring to the stream file, at `base`, so that a turn that was interrupted is simply repeated.  Only then is
 * `base` moved, which empties the ring. */
static bool write_out(struct tnd_writer *writer)
{
    struct tnd_stream_header *header = writer->header;
    char name[TND_THREAD_FILE_MAX];
    tnd_thread_file(header->slot, header->context, "stream", name);
    uint64_t cpu_ns = tnd_target_cpu_ns();
    writer->turn.begin = tnd_clock_ticks();
    pad(writer);
    size_t n_bytes = (size_t)(writer->next - ring_data(writer));
    int error = tnd_thread_has_rings()
                    ? tnd_target_write(tnd_image_directory(), name, header->base, ring_data(writer), n_bytes)
                    : EIO;
    if (error == EAGAIN) { /* not from here: what comes is lost until somebody writes the ring out */
        writer->turn.begin = 0;
        writer->limit = writer->next;
        return false;
    }
    if (error)
        return stop(writer, error);
    writer->bias = header->published - (uintptr_t)ring_data(writer);
    tnd_machine_publish(&header->base, header->published);
    header->n_turns++;
    writer->next = ring_data(writer);
    writer->turn.cpu_ns += tnd_target_cpu_ns() - cpu_ns;
    tnd_clock_sample(&writer->turn.end, 2);
    return true;
}

static bool has_room(const struct tnd_writer *writer, size_t n_bytes)
{
    return (size_t)(writer->end - writer->next) >= n_bytes + KEPT_BYTES;
}

/* Has space reserved for twice as much of the ring. */
static bool reserve_more(struct tnd_writer *writer)
{
    size_t n_reserved = (size_t)(writer->end - (uint8_t *)writer->header), n_bytes = 2 * n_reserved;
    if (n_bytes > (size_t)(writer->ring_end - (uint8_t *)writer->header))
        n_bytes = (size_t)(writer->ring_end - (uint8_t *)writer->header);
    int error = tnd_thread_reserve(writer->header, n_reserved, n_bytes);
    if (error)
        return stop(writer, error);
    writer->end = (uint8_t *)writer->header + n_bytes;
    return true;
}

/* Writes the records of the turn that is kept, if `time` is later than it; then writes the ring out if there is no room
 * for n_bytes more. */
static bool make_room(struct tnd_writer *writer, uint64_t time, size_t n_bytes)
{
    tnd_target_turning();
    if (writer->turn.begin && time >= writer->turn.end.ticks)
        tell_turn(writer);
    while (!has_room(writer, n_bytes) && writer->end < writer->ring_end)
        if (!reserve_more(writer))
            return false;
    if (!has_room(writer, n_bytes)) {
        uint64_t begin = writer->turn.begin; /* two turns without a later record in between count as one */
        if (!write_out(writer))
            return false;
        if (begin)
            writer->turn.begin = begin;
    }
    if (writer->turn.begin) {
        writer->turn.limit = writer->end - KEPT_BYTES;
        writer->limit = writer->next;
    } else {
        writer->limit = writer->end - KEPT_BYTES;
    }
    return true;
}

/* Whether a record of n_bytes fits.  While a turn is kept, the limit leaves room for this record only, so that the next
 * one calls tnd_emit_turn again. */
static bool fits(struct tnd_writer *writer, size_t n_bytes)
{
    if (!writer->turn.begin)
        return tnd_emit_fits(writer, n_bytes);
    if (writer->turn.limit - writer->next < (ptrdiff_t)n_bytes)
        return false;
    writer->limit = writer->next + n_bytes;
    return true;
}

bool tnd_emit_turn(struct tnd_writer *writer, uint64_t time, size_t n_bytes)
{
    if (!writer->header)
        return false;
    if (writer->open) {
        tnd_emit_close_record(writer);
        if (fits(writer, n_bytes))
            return true;
    }
    uintptr_t owner = writer->owner;
    if (writer->stepped_over && !is_gone(writer->stepped_over, (uintptr_t)__builtin_frame_address(0))) {
        tnd_emit_lose(writer); /* the space that was lent must not move */
        return false;
    }
    writer->stepped_over = 0;
    /* Signals that arrive meanwhile are delivered once the ring has room and the writer is free, so that a handler of
     * the program's can write records, too.  They may fill the ring again. */
    while (!writer->header->stop_errno && tnd_thread_has_rings()) {
        struct tnd_target_signals before;
        tnd_target_block_signals(&before);
        bool done = make_room(writer, time, n_bytes);
        writer->owner = 0;
        tnd_target_restore_signals(&before);
        writer->owner = owner;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (!done)
            break;
        if (fits(writer, n_bytes))
            return true;
    }
    tnd_emit_lose(writer);
    return false;
}

void tnd_emit_drop_front(struct tnd_writer *writer, size_t n_bytes)
{
    struct tnd_stream_header *header = writer->header;
    size_t n_left = (size_t)(header->published - header->base) - n_bytes;
    tnd_machine_publish(&header->base, header->base + n_bytes); /* first, so that who reads meanwhile sees it */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    memmove(ring_data(writer), ring_data(writer) + n_bytes, n_left);
    header->n_turns++;
    writer->next = ring_data(writer) + n_left;
    writer->bias = header->published - (uintptr_t)writer->next;
    writer->limit = writer->end - KEPT_BYTES;
}

bool tnd_emit_open_record(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint16_t aux)
{
    struct tnd_record *record = tnd_emit_begin(writer, time, kind, 0, aux, TND_RECORD_MAX_WORDS);
    if (!record)
        return false;
    memset(record->words, 0, 8 * TND_RECORD_MAX_WORDS);
    writer->next += TND_RECORD_MAX_BYTES;
    tnd_machine_publish(&writer->header->published, (uintptr_t)writer->next + writer->bias);
    writer->open = record;
    writer->open_end = (uint8_t *)record->words;
    writer->open_limit = writer->limit;
    writer->limit = writer->next;
    return true;
}

/* What is not used becomes a PAD, which the record then leaves out, and which then is not published: a kill at any
 * moment leaves whole records. */
void tnd_emit_close_record(struct tnd_writer *writer)
{
    struct tnd_record *record = writer->open;
    unsigned n_used = (unsigned)(writer->open_end - (uint8_t *)record->words + 7) / 8,
             n_left = record->n_words - n_used;
    writer->open = NULL;
    if (n_left * 8 >= sizeof *record) {
        uint64_t *rest = record->words + n_used;
        struct tnd_record *pad = (struct tnd_record *)rest;
        pad->n_words = (uint8_t)(n_left - 2);
        pad->kind = TND_RECORD_PAD;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        *(volatile uint8_t *)&record->n_words = (uint8_t)n_used;
        writer->next = (uint8_t *)rest;
        tnd_machine_publish(&writer->header->published, (uintptr_t)writer->next + writer->bias);
    }
    writer->limit = writer->turn.begin ? writer->next : writer->open_limit;
}

void tnd_emit_settle(struct tnd_writer *writer)
{
    if (!writer->header || writer->owner || !writer->turn.begin)
        return;
    tnd_emit_own(writer);
    if (writer->open)
        tnd_emit_close_record(writer);
    tell_turn(writer);
    writer->owner = 0;
}

void tnd_emit_head_slowly(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id, uint16_t aux)
{
    struct tnd_record *record = tnd_emit_begin(writer, time, kind, id, aux, 0);
    if (record)
        tnd_emit_end(writer, record);
}

void tnd_emit_word_slowly(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id, uint16_t aux,
                          uint64_t word)
{
    struct tnd_record *record = tnd_emit_begin(writer, time, kind, id, aux, 1);
    if (record) {
        record->words[0] = word;
        tnd_emit_end(writer, record);
    }
}

void tnd_emit_words(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id, uint16_t aux, unsigned n_words,
                    const uint64_t words[])
{
    struct tnd_record *record = tnd_emit_begin(writer, time, kind, id, aux, n_words);
    if (!record)
        return;
    for (unsigned i = 0; i < n_words; i++)
        record->words[i] = words[i];
    tnd_emit_end(writer, record);
}

void tnd_emit_few_slowly(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id, uint16_t aux,
                         unsigned n_words, uint64_t first, uint64_t second, uint64_t third, uint64_t fourth)
{
    tnd_emit_words(writer, time, kind, id, aux, n_words, (uint64_t[]){first, second, third, fourth});
}

uint64_t tnd_emit_clock(struct tnd_writer *writer)
{
    struct tnd_clock_at now;
    tnd_clock_sample(&now, 5);
    tnd_emit_words(writer, now.ticks, TND_RECORD_CLOCK, tnd_clock_kind, 0, 2,
                   (uint64_t[]){now.monotonic_ns, now.realtime_ns});
    return now.ticks;
}

void tnd_emit_text(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id, uint16_t aux,
                   const uint64_t *first, unsigned n_first, const char *text)
{
    size_t n_left = strlen(text), most = 8 * (size_t)(TND_RECORD_MAX_WORDS - n_first);
    do {
        size_t n = n_left < most ? n_left : most;
        unsigned n_words = n_first + (unsigned)((n + 7) / 8);
        bool is_define = kind == TND_RECORD_DEFINE;
        struct tnd_record *record = tnd_emit_begin(writer, time, kind, id, is_define ? aux : (uint16_t)n, n_words);
        if (!record)
            return;
        if (n_words > n_first)
            record->words[n_words - 1] = 0;
        for (unsigned i = 0; i < n_first; i++)
            record->words[i] = first[i];
        if (is_define)
            record->words[1] = n;
        memcpy(&record->words[n_first], text, n);
        tnd_emit_end(writer, record);
        text += n;
        n_left -= n;
    } while (n_left > 0 && kind == TND_RECORD_TEXT);
}
