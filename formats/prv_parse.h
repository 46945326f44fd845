/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the .prv reader share: prv_read.c (buffer, lines, the fast parser for lines as they should be),
 * prv_line.c (the slow parser for all others) and prv_header.c.
 *
 * Context: not for handlers.
 */
#ifndef TND_PRV_PARSE_H
#define TND_PRV_PARSE_H

#include "formats/prv.h"

/* What a record's place is checked against, per task. */
struct tnd_prv_room {
    uint32_t n_threads;
    uint32_t low_cpu, high_cpu; /* CPUs of its node */
};

struct tnd_prv_parser {
    const struct tnd_prv_visitor *visitor;
    void *self;
    struct tnd_prv_header header;
    uint32_t n_all_cpus;
    uint32_t *first_task;       /* per application, and one past: index into rooms */
    struct tnd_prv_room *rooms; /* per task */
    uint64_t n_records;
    uint64_t time; /* of the record before */
    bool crlf_told;
    size_t n_pairs_room; /* at least 1 */
    struct tnd_prv_pair *pairs;
};

void tnd_prv_parse_fault(const struct tnd_prv_parser *parser, enum tnd_prv_severity severity, const char *what);

/* Lines come without their end.  The header: false if the trace is refused (its fault has been told). */
bool tnd_prv_parse_header(struct tnd_prv_parser *parser, const char *line, size_t length);
void tnd_prv_parse_free(struct tnd_prv_parser *parser);

/* Any line of the body, with the loader's tolerance; false if the visitor ends the reading. */
bool tnd_prv_parse_line(struct tnd_prv_parser *parser, const char *line, size_t length);

/* Why the place does not exist; NULL if it does. */
const char *tnd_prv_parse_place_fault(const struct tnd_prv_parser *parser, const struct tnd_prv_place *place);

static inline bool tnd_prv_parse_place_exists(const struct tnd_prv_parser *parser, const struct tnd_prv_place *place)
{
    if (place->application - 1 >= parser->header.n_applications)
        return false;
    uint32_t first = parser->first_task[place->application - 1], end = parser->first_task[place->application];
    if (place->task - 1 >= end - first)
        return false;
    const struct tnd_prv_room *room = &parser->rooms[first + place->task - 1];
    return place->thread - 1 < room->n_threads &&
           (place->cpu == 0 || (place->cpu >= room->low_cpu && place->cpu <= room->high_cpu));
}

/* Room for another pair after n. */
struct tnd_prv_pair *tnd_prv_parse_more_pairs(struct tnd_prv_parser *parser);

/* A record whose place exists: checks its order, counts it; then the visitor gets it. */
static inline void tnd_prv_parse_count(struct tnd_prv_parser *parser, uint64_t time)
{
    if (time < parser->time)
        tnd_prv_parse_fault(parser, TND_PRV_NOTE, "earlier than the record before it");
    parser->time = time;
    parser->n_records++;
}

static inline bool tnd_prv_parse_state(struct tnd_prv_parser *parser, const struct tnd_prv_state *state)
{
    tnd_prv_parse_count(parser, state->begin);
    if (state->end == state->begin)
        tnd_prv_parse_fault(parser, TND_PRV_NOTE, "a state of no length");
    return !parser->visitor->state || parser->visitor->state(parser->self, state);
}

static inline bool tnd_prv_parse_event(struct tnd_prv_parser *parser, const struct tnd_prv_event *event)
{
    tnd_prv_parse_count(parser, event->time);
    return !parser->visitor->event || parser->visitor->event(parser->self, event);
}

static inline bool tnd_prv_parse_message(struct tnd_prv_parser *parser, const struct tnd_prv_message *message)
{
    /* Some writers put a message where it was begun, some where it left. */
    bool begun = message->logical_send >= parser->time || message->physical_send < parser->time;
    tnd_prv_parse_count(parser, begun ? message->logical_send : message->physical_send);
    return !parser->visitor->message || parser->visitor->message(parser->self, message);
}

#endif
