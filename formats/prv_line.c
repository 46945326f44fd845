/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses a line of a .prv that is not exactly as it should be: as the real loader reads it where that gives something
 * sensible; it is refused where the loader refuses it or would read rubbish (letters or blanks among the numbers,
 * decimal points).  It need not be fast.
 *
 * Context: not for handlers.
 */
#include "formats/prv_parse.h"

#include <string.h>

#define MAX_FIELDS 14 /* of a message; events are read pair by pair */

struct cursor {
    struct tnd_prv_parser *parser;
    const char *at, *end;
    bool noted_separator;
};

/* One field, as it stands. */
struct field {
    bool negative, wrapped;
    uint64_t number; /* modulo 2^64 */
};

static bool refuse(const struct cursor *cursor, const char *what)
{
    tnd_prv_parse_fault(cursor->parser, TND_PRV_FAULT, what);
    return false;
}

static void note(const struct cursor *cursor, const char *what)
{
    tnd_prv_parse_fault(cursor->parser, TND_PRV_NOTE, what);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A field and the separator after it: any sign of punctuation that cannot be part of a number. */
static bool take_field(struct cursor *cursor, struct field *field)
{
    if (cursor->at == cursor->end)
        return refuse(cursor, "too few fields");
    *field = (struct field){.negative = *cursor->at == '-'};
    cursor->at += field->negative;
    if (cursor->at == cursor->end || !is_digit(*cursor->at))
        return refuse(cursor, "a field that is not a number");
    for (; cursor->at < cursor->end && is_digit(*cursor->at); cursor->at++) {
        uint64_t digit = (uint64_t)(*cursor->at - '0'), number;
        field->wrapped |= __builtin_mul_overflow(field->number, 10, &number);
        field->wrapped |= __builtin_add_overflow(number, digit, &field->number);
    }
    if (cursor->at == cursor->end)
        return true;
    if (*cursor->at != ':') {
        if (!strchr(";,|/", *cursor->at) || *cursor->at == '\0')
            return refuse(cursor, "a field that is not a number");
        if (!cursor->noted_separator)
            note(cursor, "fields that are not separated by ':'");
        cursor->noted_separator = true;
    }
    cursor->at++;
    return true;
}

static bool to_time(const struct cursor *cursor, const struct field *field, uint64_t *time)
{
    if (field->negative && field->number)
        return refuse(cursor, "a negative time");
    if (field->wrapped || field->number > INT64_MAX)
        return refuse(cursor, "a time beyond 63 bits");
    *time = field->number;
    return true;
}

static bool to_unsigned(const struct cursor *cursor, const struct field *field, uint32_t *number)
{
    if (field->negative)
        return refuse(cursor, "a negative number where there can be none");
    if (field->wrapped || field->number > UINT32_MAX)
        note(cursor, "a number beyond 32 bits: its lower 32 are taken");
    *number = (uint32_t)field->number;
    return true;
}

static int64_t to_signed(const struct cursor *cursor, const struct field *field)
{
    if (field->wrapped || (field->negative ? field->number > (uint64_t)1 << 63 : field->number > INT64_MAX))
        note(cursor, "a number beyond 64 bits: its lower 64 are taken");
    return (int64_t)(field->negative ? 0 - field->number : field->number);
}

static bool take_fields(struct cursor *cursor, struct field *fields, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!take_field(cursor, &fields[i]))
            return false;
    return true;
}

static void look_at_rest(const struct cursor *cursor)
{
    if (cursor->at < cursor->end)
        note(cursor, "text after the last field");
}

/* A number that is too large for an object's is that of an object that does not exist. */
static uint32_t to_object(const struct field *field)
{
    return field->wrapped || field->number > UINT32_MAX ? UINT32_MAX : (uint32_t)field->number;
}

static bool to_place(const struct cursor *cursor, const struct field fields[4], struct tnd_prv_place *place)
{
    for (int i = 0; i < 4; i++)
        if (fields[i].negative)
            return refuse(cursor, "a negative number where there can be none");
    *place = (struct tnd_prv_place){to_object(&fields[0]), to_object(&fields[1]), to_object(&fields[2]),
                                    to_object(&fields[3])};
    const char *what = tnd_prv_parse_place_fault(cursor->parser, place);
    return what ? refuse(cursor, what) : true;
}

static bool read_state(struct cursor *cursor)
{
    struct field fields[7];
    struct tnd_prv_state state;
    if (!take_fields(cursor, fields, 7) || !to_place(cursor, fields, &state.at) ||
        !to_time(cursor, &fields[4], &state.begin))
        return true;
    if (fields[5].negative && fields[5].number == 1)
        state.end = UINT64_MAX;
    else if (!to_time(cursor, &fields[5], &state.end))
        return true;
    if (!to_unsigned(cursor, &fields[6], &state.state))
        return true;
    if (state.end < state.begin)
        return refuse(cursor, "a state that ends before it begins"), true;
    look_at_rest(cursor);
    return tnd_prv_parse_state(cursor->parser, &state);
}

static bool read_event(struct cursor *cursor)
{
    struct field fields[5], pair[2];
    struct tnd_prv_event event = {0};
    if (!take_fields(cursor, fields, 5) || !to_place(cursor, fields, &event.at) ||
        !to_time(cursor, &fields[4], &event.time))
        return true;
    if (cursor->at == cursor->end)
        return refuse(cursor, "an event without type and value"), true;
    while (cursor->at < cursor->end) { /* the pairs before one that is refused stay */
        if (event.n_pairs == cursor->parser->n_pairs_room)
            tnd_prv_parse_more_pairs(cursor->parser);
        struct tnd_prv_pair *to = &cursor->parser->pairs[event.n_pairs];
        if (!take_fields(cursor, pair, 2) || !to_unsigned(cursor, &pair[0], &to->type))
            break;
        to->value = to_signed(cursor, &pair[1]);
        event.n_pairs++;
    }
    event.pairs = cursor->parser->pairs;
    return event.n_pairs == 0 || tnd_prv_parse_event(cursor->parser, &event);
}

static bool read_message(struct cursor *cursor)
{
    struct field fields[MAX_FIELDS];
    struct tnd_prv_message message;
    if (!take_fields(cursor, fields, MAX_FIELDS) || !to_place(cursor, fields, &message.sender) ||
        !to_time(cursor, &fields[4], &message.logical_send) || !to_time(cursor, &fields[5], &message.physical_send) ||
        !to_place(cursor, fields + 6, &message.receiver) || !to_time(cursor, &fields[10], &message.logical_receive) ||
        !to_time(cursor, &fields[11], &message.physical_receive))
        return true;
    message.size_bytes = to_signed(cursor, &fields[12]);
    message.tag = to_signed(cursor, &fields[13]);
    look_at_rest(cursor);
    return tnd_prv_parse_message(cursor->parser, &message);
}

bool tnd_prv_parse_line(struct tnd_prv_parser *parser, const char *line, size_t length)
{
    struct cursor cursor = {parser, line, line + length, false};
    if (length && line[length - 1] == '\r') {
        cursor.end--;
        if (!parser->crlf_told)
            note(&cursor, "lines end in CR LF");
        parser->crlf_told = true;
    }
    if (cursor.at == cursor.end)
        return true;
    if (*line == '#')
        return !parser->visitor->comment || parser->visitor->comment(parser->self, line, (size_t)(cursor.end - line));
    while (cursor.end > cursor.at && (cursor.end[-1] == ' ' || cursor.end[-1] == '\t'))
        cursor.end--; /* harmless */
    if (cursor.end > cursor.at && cursor.end[-1] == ':')
        note(&cursor, "a ':' at the end");
    if (cursor.end - cursor.at > 1 && line[1] != ':')
        note(&cursor, "no ':' after the kind of record");
    cursor.at += cursor.end - cursor.at < 2 ? cursor.end - cursor.at : 2;
    switch (*line) {
    case '1':
        return read_state(&cursor);
    case '2':
        return read_event(&cursor);
    case '3':
        return read_message(&cursor);
    case '4':
        note(&cursor, "a global operation, which nothing shows");
        return true;
    default:
        return refuse(&cursor, "an unknown kind of record"), true;
    }
}
