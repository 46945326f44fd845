/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing a record: the hot path, inline.  About 2 ns without the clock (measured, tests/bench).
 *
 *     struct tnd_thread *thread = tnd_thread_get();
 *     if (thread)
 *         tnd_emit_head(&thread->main, tnd_clock_ticks(), TND_RECORD_ENTER, type, value);
 *
 * One writer a context: a signal handler of ours writes to `thread->signal`, everything else to `thread->main`.  A
 * handler of the program's that calls us while its thread is inside one of these functions finds the writer taken: its
 * record is dropped and counted.  If it leaves by longjmp instead of returning, what it interrupted never gives the
 * writer back: so a writer is taken with the stack pointer, by which tnd_emit_retake knows such an owner.
 *
 * Context: any, on the writer of that context.  Never allocates, locks or changes errno.
 */
#ifndef TND_EMIT_H
#define TND_EMIT_H

#include "runtime/clock.h"
#include "runtime/machine.h"
#include "runtime/thread.h"

#include <string.h>

/* Makes room for n_bytes by writing the ring out.  What that cost is recorded before the first record whose time is
 * later: a FLUSH, its end and a CLOCK.  False if recording is over; the record is counted as lost. */
bool tnd_emit_turn(struct tnd_writer *writer, uint64_t time, size_t n_bytes);

/* Takes a new, empty ring into use. */
void tnd_emit_open(struct tnd_writer *writer, struct tnd_stream_header *header);

/* The first n_bytes of the ring, whole records, have been written out by somebody else: what follows moves to their
 * place.  While nobody writes. */
void tnd_emit_drop_front(struct tnd_writer *writer, size_t n_bytes);

/* Writes what tnd_emit_turn has not recorded yet.  Before a stream's last records. */
void tnd_emit_settle(struct tnd_writer *writer);

/* For a writer that is taken.  True, and it is free: its owner was left by a jump, or waits for a system call.  False:
 * the new record is lost, and counted. */
bool tnd_emit_retake(struct tnd_writer *writer);

/* Counts a record that could not be written. */
void tnd_emit_lose(struct tnd_writer *writer);

/* Writes a CLOCK of now and returns its time. */
uint64_t tnd_emit_clock(struct tnd_writer *writer);

/* Takes the writer; one instruction, as it would be without remembering the stack pointer. */
static inline void tnd_emit_own(struct tnd_writer *writer)
{
#if defined(__x86_64__)
    __asm__ volatile("movq %%rsp, %0" : "=m"(writer->owner));
#elif defined(__aarch64__)
    uintptr_t sp;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    writer->owner = sp;
#elif defined(__sparc__)
    uintptr_t sp;
    __asm__ volatile("mov %%sp, %0" : "=r"(sp));
    writer->owner = sp;
#else
    writer->owner = (uintptr_t)__builtin_frame_address(0);
#endif
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Whether n_bytes fit below the limit.  Who interrupts a record may lower the limit to where that record begins (a
 * board's samples do, to have the ring written out), so that `next` passes it. */
static inline bool tnd_emit_fits(const struct tnd_writer *writer, size_t n_bytes)
{
    return writer->limit - writer->next >= (ptrdiff_t)n_bytes;
}

/* Takes the writer for a record of n_words if that needs nothing but the fast path: a function that hands all else to
 * one that is not inlined needs no stack frame.  The clock is read before: an interruption between its being read and
 * the writer's being taken leaves two records in the wrong order, one after it loses the other record.
 * Taken first, then where: a handler of the program's may write records at any point before. */
static inline bool tnd_emit_take(struct tnd_writer *writer, unsigned n_words)
{
    if (__builtin_expect(writer->owner != 0, 0))
        return false;
    tnd_emit_own(writer);
    if (__builtin_expect(tnd_emit_fits(writer, sizeof(struct tnd_record) + 8 * (size_t)n_words), 1))
        return true;
    writer->owner = 0;
    return false;
}

/* Begins a record: the writer is taken and has room. */
static inline struct tnd_record *tnd_emit_fill(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id,
                                               uint16_t aux, unsigned n_words)
{
    struct tnd_record *record = (struct tnd_record *)writer->next;
    record->time = time;
    record->id = id;
    record->aux = aux;
    record->kind = kind;
    record->n_words = (uint8_t)n_words;
    return record;
}

/* Begins a record of n_words payload words.  NULL: dropped and counted, nothing more to do.  Otherwise fill words[] and
 * call tnd_emit_end. */
static inline struct tnd_record *tnd_emit_begin(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id,
                                                uint16_t aux, unsigned n_words)
{
    size_t n_bytes = sizeof(struct tnd_record) + 8 * (size_t)n_words;
    if (__builtin_expect(writer->owner != 0, 0) && !tnd_emit_retake(writer))
        return NULL;
    tnd_emit_own(writer);
    if (__builtin_expect(!tnd_emit_fits(writer, n_bytes), 0) && !tnd_emit_turn(writer, time, n_bytes)) {
        writer->owner = 0;
        return NULL;
    }
    return tnd_emit_fill(writer, time, kind, id, aux, n_words);
}

/* Makes a begun record shorter than it was announced. */
static inline void tnd_emit_shrink(struct tnd_writer *writer, struct tnd_record *record, unsigned n_words)
{
    if (writer->turn.begin) /* the limit lies at the record's end, so that the next one calls tnd_emit_turn */
        writer->limit -= 8 * (size_t)(record->n_words - n_words);
    record->n_words = (uint8_t)n_words;
}

/* Publishes the record that tnd_emit_begin gave: from here on it survives a SIGKILL. */
static inline void tnd_emit_end(struct tnd_writer *writer, const struct tnd_record *record)
{
    size_t n_bytes = sizeof *record + 8 * (size_t)record->n_words;
    writer->next += n_bytes;
    tnd_machine_publish(&writer->header->published, (uintptr_t)writer->next + writer->bias);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    writer->owner = 0;
}

/*
 * A record whose words are filled by a system call of the owner's (a read of counters), in the ring itself: to copy
 * them right after the kernel has stored them would take 10 ns more (measured, tests/bench).  The call fills the second
 * half of the head, too: the word that a read puts before the values.  If a handler of the program's writes records
 * during the call, it steps over this one, which is then a PAD until it is given back.
 */
enum { TND_EMIT_LENT = 1 }; /* in `owner` */

/* Lends the space.  Returns the second half of the head; NULL: the writer is taken or has no room, as with
 * tnd_emit_take. */
static inline uint64_t *tnd_emit_lend(struct tnd_writer *writer, uint64_t time, unsigned n_words)
{
    if (__builtin_expect(!tnd_emit_take(writer, n_words), 0))
        return NULL;
    uint64_t *half = (uint64_t *)writer->next + 1;
    half[-1] = time;
    half[0] = n_words; /* for tnd_emit_retake: if the call fails, or has not begun */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    writer->owner |= TND_EMIT_LENT;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return half;
}

/* Ends the loan and publishes the record; with kind TND_RECORD_PAD no record is written. */
static inline void tnd_emit_give_back(struct tnd_writer *writer, uint64_t *half, uint8_t kind, uint32_t id,
                                      uint16_t aux, unsigned n_words)
{
    struct tnd_record *record = (struct tnd_record *)(half - 1);
    tnd_emit_own(writer); /* no longer lent; it can be stepped over only before this */
    record->id = id;
    record->aux = aux;
    record->kind = kind;
    record->n_words = (uint8_t)n_words;
    if (__builtin_expect(!writer->stepped_over && kind != TND_RECORD_PAD, 1)) {
        tnd_emit_end(writer, record);
        return;
    }
    writer->stepped_over = 0; /* it was published when it was stepped over */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    writer->owner = 0;
}

/* Removes the writer's last record, which must be the caller's own and have no payload; false: that cannot be done. */
static inline bool tnd_emit_take_back(struct tnd_writer *writer)
{
    size_t n_bytes = sizeof(struct tnd_record);
    if (writer->owner != 0 || writer->turn.begin || writer->header->published - writer->header->base < n_bytes)
        return false;
    tnd_emit_own(writer);
    writer->next -= n_bytes;
    tnd_machine_publish(&writer->header->published, (uintptr_t)writer->next + writer->bias);
    writer->owner = 0;
    return true;
}

/*
 * A record that takes bytes after it was published: it is full of zeros then.  It stays open until another record is
 * begun, which calls tnd_emit_turn because the limit lies at its end; what it has not used is given back then.
 */

/* Opens a record with all words that it can have.  False: dropped and counted.  True: its bytes go from
 * writer->open_end to writer->next, which the owner moves; the writer is taken. */
bool tnd_emit_open_record(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint16_t aux);

/* Ends it. */
void tnd_emit_close_record(struct tnd_writer *writer);

/* The slow halves of the three below. */
void tnd_emit_head_slowly(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id, uint16_t aux);
void tnd_emit_word_slowly(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id, uint16_t aux,
                          uint64_t word);
void tnd_emit_few_slowly(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id, uint16_t aux,
                         unsigned n_words, uint64_t first, uint64_t second, uint64_t third, uint64_t fourth);

/* A record without payload. */
static inline void tnd_emit_head(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id, uint16_t aux)
{
    if (__builtin_expect(tnd_emit_take(writer, 0), 1))
        tnd_emit_end(writer, tnd_emit_fill(writer, time, kind, id, aux, 0));
    else
        tnd_emit_head_slowly(writer, time, kind, id, aux);
}

/* A record with one payload word. */
static inline void tnd_emit_word(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id, uint16_t aux,
                                 uint64_t word)
{
    if (__builtin_expect(tnd_emit_take(writer, 1), 1)) {
        struct tnd_record *record = tnd_emit_fill(writer, time, kind, id, aux, 1);
        record->words[0] = word;
        tnd_emit_end(writer, record);
    } else {
        tnd_emit_word_slowly(writer, time, kind, id, aux, word);
    }
}

/* A record with two to four payload words; n_words is a constant, and the words beyond it are ignored. */
static inline void tnd_emit_few(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id, uint16_t aux,
                                unsigned n_words, uint64_t first, uint64_t second, uint64_t third, uint64_t fourth)
{
    if (__builtin_expect(tnd_emit_take(writer, n_words), 1)) {
        struct tnd_record *record = tnd_emit_fill(writer, time, kind, id, aux, n_words);
        record->words[0] = first;
        record->words[1] = second;
        if (n_words > 2)
            record->words[2] = third;
        if (n_words > 3)
            record->words[3] = fourth;
        tnd_emit_end(writer, record);
    } else {
        tnd_emit_few_slowly(writer, time, kind, id, aux, n_words, first, second, third, fourth);
    }
}

/* A record with n_words payload words. */
void tnd_emit_words(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id, uint16_t aux, unsigned n_words,
                    const uint64_t words[]);

/* A record that ends in a text: TEXT, or, with n_first words of `first` before it, DEFINE or MODULE.  The length is put
 * where the kind has it (aux; for DEFINE w[1]).  A TEXT that is too long for one record continues in further ones; the
 * text of another kind is cut. */
void tnd_emit_text(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id, uint16_t aux,
                   const uint64_t *first, unsigned n_first, const char *text);

#endif
