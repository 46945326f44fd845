/* SPDX-License-Identifier: Apache-2.0
 *
 * The parser's memory, and the faults that it reports.
 *
 * Context: not for handlers; allocates.
 */
#include "formats/prv_parse.h"

#include "formats/grow.h"

void tnd_prv_parse_fault(const struct tnd_prv_parser *parser, enum tnd_prv_severity severity, const char *what)
{
    if (parser->visitor->fault)
        parser->visitor->fault(parser->self, severity, parser->header.line_number, what);
}

const char *tnd_prv_parse_place_fault(const struct tnd_prv_parser *parser, const struct tnd_prv_place *place)
{
    if (place->application - 1 >= parser->header.n_applications)
        return "an application that the header does not have";
    uint32_t first = parser->first_task[place->application - 1], end = parser->first_task[place->application];
    if (place->task - 1 >= end - first)
        return "a task that the header does not have";
    if (place->thread - 1 >= parser->rooms[first + place->task - 1].n_threads)
        return "a thread that the header does not have";
    if (parser->header.n_nodes && place->cpu > parser->n_all_cpus)
        return "a CPU that the header does not have";
    return tnd_prv_parse_place_exists(parser, place) ? NULL : "a CPU that is not on the node of the task";
}

struct tnd_prv_pair *tnd_prv_parse_more_pairs(struct tnd_prv_parser *parser)
{
    parser->n_pairs_room = parser->n_pairs_room ? 2 * parser->n_pairs_room : 64;
    parser->pairs = tnd_grow_memory(parser->pairs, parser->n_pairs_room, sizeof *parser->pairs);
    return parser->pairs;
}

void tnd_prv_parse_free(struct tnd_prv_parser *parser)
{
    for (uint32_t i = 0; i < parser->header.n_applications; i++)
        free(parser->header.applications[i].tasks);
    free(parser->header.applications);
    free(parser->header.n_cpus);
    free(parser->first_task);
    free(parser->rooms);
    free(parser->pairs);
}
