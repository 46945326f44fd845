/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a .prv: the buffer, the lines, and the fast parser, for lines that are exactly as they should be; all others go
 * to prv_line.c.  Only complete lines are parsed, so that no loop must look for the end of the buffer: a loop over
 * digits stops at the line's end.
 *
 * Memory: BUFFER_BYTES, or the longest line.  Speed: about 2 ns a byte at most (measured, tests/bench).
 * Context: not for handlers; allocates.
 */
#include "formats/prv_read.h"
#include "formats/grow.h"
#include "formats/prv_parse.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define BUFFER_BYTES ((size_t)256 << 10)
#define MAX_LINE_BYTES ((size_t)256 << 20)
#define PROGRESS_BYTES ((uint64_t)4 << 20)
#define MAX_DIGITS 18 /* that cannot overflow */

struct input {
    tnd_prv_read_bytes read_bytes;
    void *source;
    char *buffer;
    size_t room, filled; /* of the buffer; one byte more is there for a '\n' */
    bool ended;
    uint64_t n_bytes, n_told;
};

enum outcome { GO_ON, SLOW, STOP };

/* Digits, up to 18; false: none, or more. */
static inline bool take_digits(const char **at, uint64_t *number)
{
    const char *p = *at;
    unsigned digit = (unsigned)(unsigned char)*p - '0';
    if (digit > 9)
        return false;
    uint64_t n = digit;
    for (p++; (digit = (unsigned)(unsigned char)*p - '0') <= 9; p++)
        n = n * 10 + digit;
    bool fits = p - *at <= MAX_DIGITS;
    *at = p;
    *number = n;
    return fits;
}

static inline bool take_field(const char **at, uint64_t *number)
{
    return take_digits(at, number) && *(*at)++ == ':';
}

static inline bool take_signed(const char **at, int64_t *number)
{
    uint64_t magnitude;
    bool negative = **at == '-';
    *at += negative;
    if (!take_digits(at, &magnitude))
        return false;
    *number = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

static inline bool take_place(const struct tnd_prv_parser *parser, const char **at, struct tnd_prv_place *place)
{
    uint64_t cpu, application, task, thread;
    if (!take_field(at, &cpu) || !take_field(at, &application) || !take_field(at, &task) || !take_field(at, &thread) ||
        (cpu | application | task | thread) > UINT32_MAX)
        return false;
    *place = (struct tnd_prv_place){(uint32_t)cpu, (uint32_t)application, (uint32_t)task, (uint32_t)thread};
    return tnd_prv_parse_place_exists(parser, place);
}

static inline enum outcome read_state(struct tnd_prv_parser *parser, const char **at)
{
    struct tnd_prv_state state;
    uint64_t value;
    if (!take_place(parser, at, &state.at) || !take_field(at, &state.begin) || !take_field(at, &state.end) ||
        !take_digits(at, &value) || **at != '\n' || value > UINT32_MAX || state.end < state.begin)
        return SLOW;
    state.state = (uint32_t)value;
    return tnd_prv_parse_state(parser, &state) ? GO_ON : STOP;
}

static inline enum outcome read_event(struct tnd_prv_parser *parser, const char **at)
{
    struct tnd_prv_event event;
    if (!take_place(parser, at, &event.at) || !take_field(at, &event.time))
        return SLOW;
    event.n_pairs = 0;
    for (;;) {
        uint64_t type;
        int64_t value;
        if (!take_field(at, &type) || !take_signed(at, &value) || type > UINT32_MAX)
            return SLOW;
        if (event.n_pairs == parser->n_pairs_room)
            tnd_prv_parse_more_pairs(parser);
        parser->pairs[event.n_pairs++] = (struct tnd_prv_pair){(uint32_t)type, value};
        if (**at == '\n')
            break;
        if (*(*at)++ != ':')
            return SLOW;
    }
    event.pairs = parser->pairs;
    return tnd_prv_parse_event(parser, &event) ? GO_ON : STOP;
}

static inline enum outcome read_message(struct tnd_prv_parser *parser, const char **at)
{
    struct tnd_prv_message message;
    if (!take_place(parser, at, &message.sender) || !take_field(at, &message.logical_send) ||
        !take_field(at, &message.physical_send) || !take_place(parser, at, &message.receiver) ||
        !take_field(at, &message.logical_receive) || !take_field(at, &message.physical_receive) ||
        !take_signed(at, &message.size_bytes) || *(*at)++ != ':' || !take_signed(at, &message.tag) || **at != '\n')
        return SLOW;
    return tnd_prv_parse_message(parser, &message) ? GO_ON : STOP;
}

/* The lines that begin before `end`; each ends in a '\n'. */
static bool read_lines(struct tnd_prv_parser *parser, const char *line, const char *end)
{
    while (line < end) {
        const char *at = line + 2;
        enum outcome outcome = SLOW;
        parser->header.line_number++;
        if (line[0] == '\n') {
            line++;
            continue;
        }
        if (line[1] == ':') {
            if (line[0] == '1')
                outcome = read_state(parser, &at);
            else if (line[0] == '2')
                outcome = read_event(parser, &at);
            else if (line[0] == '3')
                outcome = read_message(parser, &at);
        }
        if (outcome == STOP)
            return false;
        if (outcome == SLOW) {
            at = memchr(line, '\n', (size_t)(end - line));
            if (!tnd_prv_parse_line(parser, line, (size_t)(at - line)))
                return false;
        }
        line = at + 1;
    }
    return true;
}

/* Fills the buffer; false: the source failed, or the visitor ended the reading. */
static bool fill(struct tnd_prv_parser *parser, struct input *input)
{
    while (input->filled < input->room && !input->ended) {
        ssize_t n = input->read_bytes(input->source, input->buffer + input->filled, input->room - input->filled);
        if (n < 0)
            return false;
        input->ended = n == 0;
        input->filled += (size_t)n;
        input->n_bytes += (uint64_t)n;
    }
    if (input->n_bytes - input->n_told >= PROGRESS_BYTES) {
        input->n_told = input->n_bytes;
        if (parser->visitor->progress && !parser->visitor->progress(parser->self, input->n_bytes))
            return false;
    }
    if (input->ended && input->filled && input->buffer[input->filled - 1] != '\n')
        input->buffer[input->filled++] = '\n'; /* a last line without a newline counts, too */
    return true;
}

/* Reads until there are complete lines in the buffer.  How many bytes these have; 0 at the end or on failure. */
static size_t get_lines(struct tnd_prv_parser *parser, struct input *input, bool *ok)
{
    for (;;) {
        if (!(*ok = fill(parser, input)))
            return 0;
        const char *last = input->filled ? memrchr(input->buffer, '\n', input->filled) : NULL;
        if (last)
            return (size_t)(last + 1 - input->buffer);
        if (input->ended)
            return 0;
        if (input->room >= MAX_LINE_BYTES) {
            parser->header.line_number++;
            tnd_prv_parse_fault(parser, TND_PRV_FATAL, "a line without end");
            *ok = false;
            return 0;
        }
        input->room *= 2;
        input->buffer = tnd_grow_memory(input->buffer, input->room + 1, 1);
    }
}

/* A line of the top of the file: the header, then its communicators.  n_left: communicators still to come, -1 before
 * the header. */
static bool read_top(struct tnd_prv_parser *parser, const char *line, size_t length, int64_t *n_left)
{
    parser->header.line_number++;
    if (length && line[length - 1] == '\r') {
        length--;
        if (!parser->crlf_told)
            tnd_prv_parse_fault(parser, TND_PRV_NOTE, "lines end in CR LF");
        parser->crlf_told = true;
    }
    if (*n_left < 0) {
        if (!tnd_prv_parse_header(parser, line, length))
            return false;
        *n_left = parser->header.n_communicators;
        return !parser->visitor->header || parser->visitor->header(parser->self, &parser->header);
    }
    if (!length || !memchr("cCiI", line[0], 4)) {
        tnd_prv_parse_fault(parser, TND_PRV_FATAL, "not one of the communicators that the header announces");
        return false;
    }
    --*n_left;
    return !parser->visitor->communicator || parser->visitor->communicator(parser->self, line, length);
}

static bool read_all(struct tnd_prv_parser *parser, struct input *input)
{
    int64_t n_left = -1;
    size_t n_bytes;
    bool ok;
    while ((n_bytes = get_lines(parser, input, &ok))) {
        const char *at = input->buffer, *end = input->buffer + n_bytes;
        while (n_left != 0 && at < end) {
            const char *line_end = memchr(at, '\n', (size_t)(end - at));
            if (!read_top(parser, at, (size_t)(line_end - at), &n_left))
                return false;
            at = line_end + 1;
        }
        if (at < end && !(parser->visitor->lines ? parser->visitor->lines(parser->self, parser, at, (size_t)(end - at))
                                                 : read_lines(parser, at, end)))
            return false;
        memmove(input->buffer, end, input->filled - n_bytes);
        input->filled -= n_bytes;
    }
    if (!ok)
        return false;
    if (n_left < 0)
        tnd_prv_parse_fault(parser, TND_PRV_FATAL, "an empty file");
    else if (n_left > 0)
        tnd_prv_parse_fault(parser, TND_PRV_FATAL, "fewer communicators than the header announces");
    else if (!parser->n_records && !parser->visitor->lines)
        tnd_prv_parse_fault(parser, TND_PRV_FATAL, "a trace without records");
    return n_left == 0 && (parser->n_records || parser->visitor->lines);
}

bool tnd_prv_read(tnd_prv_read_bytes read_bytes, void *source, const struct tnd_prv_visitor *visitor, void *self)
{
    struct tnd_prv_parser parser = {.visitor = visitor, .self = self};
    struct input input = {.read_bytes = read_bytes, .source = source, .room = BUFFER_BYTES};
    input.buffer = tnd_grow_memory(NULL, input.room + 1, 1);
    tnd_prv_parse_more_pairs(&parser);
    bool ok = read_all(&parser, &input);
    int keep = errno;
    if (visitor->lines)
        (void)visitor->lines(self, &parser, NULL, 0);
    free(input.buffer);
    tnd_prv_parse_free(&parser);
    errno = keep;
    return ok;
}

uint64_t tnd_prv_read_lines(const struct tnd_prv_parser *parser, const char *text, size_t size,
                            const struct tnd_prv_visitor *visitor, void *self)
{
    struct tnd_prv_parser own = *parser;
    own.visitor = visitor;
    own.self = self;
    own.header.line_number = own.n_records = own.time = 0;
    own.pairs = NULL;
    own.n_pairs_room = 0;
    tnd_prv_parse_more_pairs(&own);
    (void)read_lines(&own, text, text + size);
    free(own.pairs);
    return own.header.line_number;
}

uint64_t tnd_prv_read_n_lines(const struct tnd_prv_parser *parser)
{
    return parser->header.line_number;
}

ssize_t tnd_prv_read_fd(void *source, char *buffer, size_t size)
{
    ssize_t n;
    do
        n = read(*(const int *)source, buffer, size);
    while (n < 0 && errno == EINTR);
    return n;
}
