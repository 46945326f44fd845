/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a .prv into a buffer that goes to the sink when it is full.  It is fast because text that recurs is copied:
 * the head of a thread's lines ("2:cpu:application:task:thread:") as long as its CPU stays, types, the times of the
 * state before, and the digits of a time above the last eight, which in a sorted trace nearly always are those of the
 * time before.  Digits are made eight at a time, side by side in one 64-bit word.
 *
 * Context: not for handlers; allocates.
 */
#include "formats/prv_write.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES ((size_t)1 << 18)
#define ROOM_BYTES 512 /* more than a state, a message, or the beginning of an event takes */
#define PAIR_BYTES 64  /* more than ":type:value" takes */
#define FEW_PAIRS 64   /* for which room is made at once */

#define TYPE_BITS 7

enum line { STATE, EVENT, MESSAGE, N_LINES };

/* How a thread's lines of one kind begin: "2:cpu:application:task:thread:". */
struct head {
    char text[48];        /* and what put_number writes too many */
    uint32_t cpu, length; /* length 0: not made yet */
};

struct place {
    struct head heads[N_LINES];
};

/* ":type:" */
struct type {
    uint32_t type, length;
    char text[24]; /* and what put_number writes too many; so below */
};

/* A time in the text; length 0: none. */
struct written {
    uint64_t time;
    const char *text;
    unsigned length;
};

struct tnd_prv_writer {
    struct tnd_prv_kept kept;
    char *limit;
    tnd_prv_write_bytes write_bytes;
    void *sink;
    int error;        /* the first errno; nothing is written from then on */
    uint64_t flushed; /* bytes that have gone to the sink */
    uint32_t n_applications;
    uint32_t *first_task; /* per application, and one past: index into first_thread */
    size_t *first_thread; /* per task, and one past: index into places */
    struct place *places; /* per thread */
    struct type types[1 << TYPE_BITS];
    struct tnd_prv_place last; /* that was written, and what is kept of it; thread 0: none */
    struct place *last_place;
    struct written begin, end; /* the last state's */
    uint64_t upper_begin;      /* the multiple of 10^8 whose digits above the last eight are in upper_text */
    char upper_text[24];
    unsigned upper_length;
};

/* The eight digits of a number below 10^8, a byte each, the first in the lowest byte: halves, then pairs, then digits
 * are divided side by side; the factors are 1 / 100 and 1 / 10, exact in these ranges. */
static inline uint64_t eight_digits(uint32_t number)
{
    uint64_t high = number / 10000, halves = high | (uint64_t)(number - high * 10000) << 32;
    uint64_t hundreds = (halves * 10486 >> 20) & 0x0000007f0000007f;
    uint64_t pairs = hundreds | (halves - 100 * hundreds) << 16;
    uint64_t tens = (pairs * 103 >> 10) & 0x000f000f000f000f;
    return tens | (pairs - 10 * tens) << 8;
}

/* Always writes eight bytes, of which the digits are the first. */
static inline void put_digits(char *at, uint64_t digits)
{
    digits |= 0x3030303030303030;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    digits = __builtin_bswap64(digits);
#endif
    memcpy(at, &digits, sizeof digits);
}

static char *put_long(char *at, uint64_t number); /* from 10^8 on */

/* Without a jump on the number of digits, which would be mispredicted.  Writes up to eight bytes too many. */
static inline char *put_number(char *at, uint64_t number)
{
    if (number < 10) {
        *at = (char)('0' + number);
        return at + 1;
    }
    if (number >= 100000000)
        return put_long(at, number);
    uint64_t digits = eight_digits((uint32_t)number);
    unsigned n_zeros = (unsigned)__builtin_ctzll(digits) / 8;
    put_digits(at, digits >> 8 * n_zeros);
    return at + 8 - n_zeros;
}

static char *put_long(char *at, uint64_t number)
{
    at = put_number(at, number / 100000000);
    put_digits(at, eight_digits((uint32_t)(number % 100000000)));
    return at + 8;
}

static inline char *put_signed(char *at, int64_t number)
{
    if (number >= 0)
        return put_number(at, (uint64_t)number);
    *at = '-';
    return put_number(at + 1, 0 - (uint64_t)number);
}

static inline char *put_time(struct tnd_prv_writer *writer, char *at, uint64_t time)
{
    if (time < 100000000)
        return put_number(at, time);
    if (time - writer->upper_begin >= 100000000) {
        uint64_t upper = time / 100000000;
        writer->upper_begin = upper * 100000000;
        writer->upper_length = (unsigned)(put_number(writer->upper_text, upper) - writer->upper_text);
    }
    memcpy(at, writer->upper_text, 16);
    at += writer->upper_length;
    put_digits(at, eight_digits((uint32_t)(time - writer->upper_begin)));
    return at + 8;
}

/* A time that was written before. */
static inline char *put_again(char *at, const struct written *written)
{
    memcpy(at, written->text, 16);
    if (written->length > 16)
        memcpy(at + 16, written->text + 16, 8);
    return at + written->length;
}

static inline char *put_type(struct tnd_prv_writer *writer, char *at, uint32_t type)
{
    struct type *known = &writer->types[type * UINT32_C(0x9e3779b9) >> (32 - TYPE_BITS)];
    if (known->type != type) {
        char *end = put_number(known->text + 1, type);
        *end++ = ':';
        known->type = type;
        known->length = (uint32_t)(end - known->text);
    }
    memcpy(at, known->text, 16);
    return at + known->length;
}

/* NULL: the header does not have it. */
static struct place *find_place(const struct tnd_prv_writer *writer, const struct tnd_prv_place *place)
{
    if (place->application - 1 >= writer->n_applications)
        return NULL;
    const uint32_t *tasks = &writer->first_task[place->application - 1];
    if (place->task - 1 >= tasks[1] - tasks[0])
        return NULL;
    const size_t *threads = &writer->first_thread[tasks[0] + place->task - 1];
    return place->thread - 1 < threads[1] - threads[0] ? &writer->places[threads[0] + place->thread - 1] : NULL;
}

static void make_head(struct head *head, enum line line, const struct tnd_prv_place *place)
{
    const uint32_t numbers[] = {line + 1, place->cpu, place->application, place->task, place->thread};
    char *at = head->text;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        at = put_number(at, numbers[i]);
        *at++ = ':';
    }
    head->cpu = place->cpu;
    head->length = (uint32_t)(at - head->text);
}

static char *put_unknown_head(char *at, enum line line, const struct tnd_prv_place *place)
{
    struct head head;
    make_head(&head, line, place);
    memcpy(at, head.text, sizeof head.text);
    return at + head.length;
}

/* "2:cpu:application:task:thread:" */
static inline char *put_head(struct tnd_prv_writer *writer, char *at, enum line line, const struct tnd_prv_place *place)
{
    struct tnd_prv_place *last = &writer->last;
    if (last->thread != place->thread || last->task != place->task || last->application != place->application) {
        writer->last_place = find_place(writer, place);
        *last = *place;
    }
    struct place *known = writer->last_place;
    if (!known)
        return put_unknown_head(at, line, place);
    struct head *head = &known->heads[line];
    if (head->cpu != place->cpu || !head->length)
        make_head(head, line, place);
    memcpy(at, head->text, 16);
    if (head->length > 16)
        memcpy(at + 16, head->text + 16, sizeof head->text - 16);
    return at + head->length;
}

/* Where they are will be overwritten. */
static void forget_times(struct tnd_prv_writer *writer)
{
    writer->begin.length = writer->end.length = 0;
}

void tnd_prv_write_flush(struct tnd_prv_writer *writer)
{
    size_t size = (size_t)(writer->kept.next - writer->kept.text);
    if (size && !writer->error && writer->write_bytes && !writer->write_bytes(writer->sink, writer->kept.text, size))
        writer->error = errno ? errno : EIO;
    writer->flushed += size;
    writer->kept.next = writer->kept.text;
    forget_times(writer);
}

void tnd_prv_write_into(struct tnd_prv_writer *writer, tnd_prv_write_bytes write_bytes, void *sink)
{
    tnd_prv_write_flush(writer);
    writer->write_bytes = write_bytes;
    writer->sink = sink;
}

uint64_t tnd_prv_write_position(const struct tnd_prv_writer *writer)
{
    return writer->flushed + (uint64_t)(writer->kept.next - writer->kept.text);
}

/* False: there is no memory; what was kept stays. */
static bool make_buffer(struct tnd_prv_writer *writer, size_t n_bytes)
{
    size_t size = (size_t)(writer->kept.next - writer->kept.text);
    char *buffer = malloc(n_bytes + TND_PRV_WRITE_SPARE);
    if (!buffer)
        return false;
    if (size)
        memcpy(buffer, writer->kept.text, size);
    free(writer->kept.text);
    writer->kept.text = buffer;
    writer->kept.next = buffer + size;
    writer->limit = buffer + n_bytes;
    forget_times(writer);
    return true;
}

/* Where the buffer is full. */
static void make_more_room(struct tnd_prv_writer *writer)
{
    if (!writer->write_bytes && make_buffer(writer, 2 * (size_t)(writer->limit - writer->kept.text)))
        return;
    if (!writer->write_bytes && !writer->error)
        writer->error = ENOMEM;
    tnd_prv_write_flush(writer);
}

static inline char *make_room(struct tnd_prv_writer *writer, size_t n_bytes)
{
    if ((size_t)(writer->limit - writer->kept.next) < n_bytes)
        make_more_room(writer);
    return writer->kept.next;
}

static void put_text(struct tnd_prv_writer *writer, const char *text, size_t length)
{
    while (length) {
        size_t room = (size_t)(writer->limit - make_room(writer, 1));
        size_t n = length < room ? length : room;
        memcpy(writer->kept.next, text, n);
        writer->kept.next += n;
        text += n;
        length -= n;
    }
}

__attribute__((format(printf, 2, 3))) static void put_format(struct tnd_prv_writer *writer, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put_text(writer, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

static void put_header(struct tnd_prv_writer *writer, const struct tnd_prv_header *header)
{
    put_format(writer, "#Paraver (%s):%llu_ns:%u", header->date, (unsigned long long)header->end_time,
               (unsigned)header->n_nodes);
    for (uint32_t i = 0; i < header->n_nodes; i++)
        put_format(writer, "%c%u", i ? ',' : '(', (unsigned)header->n_cpus[i]);
    put_format(writer, "%s:%u", header->n_nodes ? ")" : "", (unsigned)header->n_applications);
    for (uint32_t i = 0; i < header->n_applications; i++) {
        const struct tnd_prv_application *application = &header->applications[i];
        put_format(writer, "%c%u", i ? ',' : ':', (unsigned)application->n_tasks);
        for (uint32_t k = 0; k < application->n_tasks; k++)
            put_format(writer, "%c%u:%u", k ? ',' : '(', (unsigned)application->tasks[k].n_threads,
                       (unsigned)application->tasks[k].node);
        put_text(writer, ")", 1);
    }
    if (header->n_communicators)
        put_format(writer, ",%u", (unsigned)header->n_communicators);
    put_text(writer, "\n", 1);
}

/* Makes room for what is kept of every thread.  False: no memory. */
static bool make_places(struct tnd_prv_writer *writer, const struct tnd_prv_header *header)
{
    size_t n_tasks = 0, n_threads = 0;
    for (uint32_t i = 0; i < header->n_applications; i++)
        for (uint32_t k = 0; k < header->applications[i].n_tasks; k++, n_tasks++)
            n_threads += header->applications[i].tasks[k].n_threads;
    writer->n_applications = header->n_applications;
    writer->first_task = calloc((size_t)header->n_applications + 1, sizeof *writer->first_task);
    writer->first_thread = calloc(n_tasks + 1, sizeof *writer->first_thread);
    writer->places = calloc(n_threads + 1, sizeof *writer->places);
    if (!writer->first_task || !writer->first_thread || !writer->places)
        return false;
    size_t task = 0, thread = 0;
    for (uint32_t i = 0; i < header->n_applications; i++) {
        for (uint32_t k = 0; k < header->applications[i].n_tasks; k++) {
            thread += header->applications[i].tasks[k].n_threads;
            writer->first_thread[++task] = thread;
        }
        writer->first_task[i + 1] = (uint32_t)task;
    }
    return true;
}

static void free_writer(struct tnd_prv_writer *writer)
{
    free(writer->first_task);
    free(writer->first_thread);
    free(writer->places);
    free(writer->kept.text);
    free(writer);
}

struct tnd_prv_writer *tnd_prv_write_open(tnd_prv_write_bytes write_bytes, void *sink,
                                          const struct tnd_prv_header *header, const char *const *communicators)
{
    struct tnd_prv_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return NULL;
    writer->write_bytes = write_bytes;
    writer->sink = sink;
    if (!make_buffer(writer, BUFFER_BYTES) || !make_places(writer, header)) {
        free_writer(writer);
        errno = ENOMEM;
        return NULL;
    }
    for (size_t i = 0; i < sizeof writer->types / sizeof *writer->types; i++)
        writer->types[i] = (struct type){.type = 0, .length = 3, .text = ":0:"};
    put_header(writer, header);
    for (uint32_t i = 0; i < header->n_communicators; i++) {
        put_text(writer, communicators[i], strlen(communicators[i]));
        put_text(writer, "\n", 1);
    }
    return writer;
}

/* A state mostly begins where the last one of its thread ends, */
static inline char *put_begin(struct tnd_prv_writer *writer, char *at, uint64_t time)
{
    struct written *begin = &writer->begin, *end = &writer->end;
    char *next = end->length && end->time == time ? put_again(at, end) : put_time(writer, at, time);
    *begin = (struct written){time, at, (unsigned)(next - at)};
    return next;
}

static inline char *put_end(struct tnd_prv_writer *writer, char *at, uint64_t time)
{
    char *next = put_time(writer, at, time);
    writer->end = (struct written){time, at, (unsigned)(next - at)};
    return next;
}

void tnd_prv_write_state(struct tnd_prv_writer *writer, const struct tnd_prv_state *state)
{
    char *at = make_room(writer, ROOM_BYTES);
    at = put_head(writer, at, STATE, &state->at);
    at = put_begin(writer, at, state->begin);
    *at++ = ':';
    at = state->end == UINT64_MAX ? put_signed(at, -1) : put_end(writer, at, state->end);
    *at++ = ':';
    at = put_number(at, state->state);
    *at++ = '\n';
    writer->kept.next = at;
}

/* and an event says why it began. */
void tnd_prv_write_event(struct tnd_prv_writer *writer, const struct tnd_prv_event *event)
{
    bool are_few = event->n_pairs <= FEW_PAIRS;
    char *at = make_room(writer, ROOM_BYTES + (are_few ? event->n_pairs * PAIR_BYTES : 0));
    const struct written *begin = &writer->begin;
    at = put_head(writer, at, EVENT, &event->at);
    at = begin->length && begin->time == event->time ? put_again(at, begin) : put_time(writer, at, event->time);
    for (size_t i = 0; i < event->n_pairs; i++) {
        if (!are_few) {
            writer->kept.next = at;
            at = make_room(writer, PAIR_BYTES);
        }
        at = put_type(writer, at, event->pairs[i].type);
        at = put_signed(at, event->pairs[i].value);
    }
    *at++ = '\n';
    writer->kept.next = at;
}

void tnd_prv_write_message(struct tnd_prv_writer *writer, const struct tnd_prv_message *message)
{
    char *at = make_room(writer, ROOM_BYTES);
    at = put_head(writer, at, MESSAGE, &message->sender);
    at = put_time(writer, at, message->logical_send);
    *at++ = ':';
    at = put_time(writer, at, message->physical_send);
    char last = at[-1]; /* the receiver's head begins with "3:", of which the ':' is wanted */
    char *head = at - 1;
    at = put_head(writer, head, MESSAGE, &message->receiver);
    *head = last;
    at = put_time(writer, at, message->logical_receive);
    *at++ = ':';
    at = put_time(writer, at, message->physical_receive);
    *at++ = ':';
    at = put_signed(at, message->size_bytes);
    *at++ = ':';
    at = put_signed(at, message->tag);
    *at++ = '\n';
    writer->kept.next = at;
}

void tnd_prv_write_comment(struct tnd_prv_writer *writer, const char *text)
{
    put_text(writer, "#", 1);
    for (size_t length; *text; text += length + (text[length] != '\0')) {
        length = strcspn(text, "\n\r");
        put_text(writer, text, length);
        if (text[length])
            put_text(writer, " ", 1);
    }
    put_text(writer, "\n", 1);
}

bool tnd_prv_write_close(struct tnd_prv_writer *writer)
{
    tnd_prv_write_flush(writer);
    int error = writer->error;
    free_writer(writer);
    if (error)
        errno = error;
    return !error;
}

bool tnd_prv_write_fd(void *sink, const char *bytes, size_t size)
{
    int fd = *(const int *)sink;
    while (size) {
        ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}
