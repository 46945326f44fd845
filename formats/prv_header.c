/* SPDX-License-Identifier: Apache-2.0
 *
 * The first line of a .prv: what the trace's times mean and which objects it has.
 *
 * Context: not for handlers; allocates.
 */
#include "formats/grow.h"
#include "formats/plain_text.h"
#include "formats/prv_parse.h"

/* More than any machine has; what a damaged header says beyond is not allocated. */
#define MAX_OBJECTS (1u << 24)
#define STOCK_OBJECTS 65535 /* what Paraver counts to, unless built with extended objects */

struct cursor {
    struct tnd_prv_parser *parser;
    const char *at, *end;
};

static bool refuse(struct cursor *cursor, const char *what)
{
    tnd_prv_parse_fault(cursor->parser, TND_PRV_FATAL, what);
    return false;
}

static bool take(struct cursor *cursor, char c)
{
    if (cursor->at == cursor->end || *cursor->at != c)
        return false;
    cursor->at++;
    return true;
}

static bool take_number(struct cursor *cursor, uint64_t *number)
{
    const char *begin = cursor->at;
    *number = 0;
    for (; cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9'; cursor->at++)
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(*cursor->at - '0'), number))
            return false;
    return cursor->at > begin;
}

static bool take_count(struct cursor *cursor, uint32_t *count)
{
    uint64_t number;
    if (!take_number(cursor, &number) || number > MAX_OBJECTS)
        return false;
    *count = (uint32_t)number;
    return true;
}

static bool take_date(struct cursor *cursor)
{
    char *date = cursor->parser->header.date;
    const char *open = memchr(cursor->at, '(', (size_t)(cursor->end - cursor->at));
    const char *close = open ? memchr(open, ')', (size_t)(cursor->end - open)) : NULL;
    if (!close)
        return refuse(cursor, "the header has no date in parentheses");
    size_t length = (size_t)(close - open - 1);
    if (length >= sizeof cursor->parser->header.date)
        length = sizeof cursor->parser->header.date - 1;
    memcpy(date, open + 1, length);
    date[length] = '\0';
    tnd_plain_text_make(date, "");
    cursor->at = close + 1;
    if (cursor->at < cursor->end)
        cursor->at++; /* one character, normally ':' */
    return true;
}

static bool take_end_time(struct cursor *cursor)
{
    struct tnd_prv_header *header = &cursor->parser->header;
    if (!take_number(cursor, &header->end_time))
        return refuse(cursor, "the header has no end time");
    const char *colon = memchr(cursor->at, ':', (size_t)(cursor->end - cursor->at));
    if (!colon)
        return refuse(cursor, "the header ends after its end time");
    const char *unit = memchr(cursor->at, '_', (size_t)(colon - cursor->at));
    size_t length = unit ? (size_t)(colon - unit) : 0;
    header->unit_ns = 1000;
    if (length == 3 && memcmp(unit, "_ns", 3) == 0)
        header->unit_ns = 1;
    else if (length == 3 && memcmp(unit, "_ms", 3) == 0)
        header->unit_ns = 1000000;
    else if (length && (length != 3 || memcmp(unit, "_us", 3) != 0))
        tnd_prv_parse_fault(cursor->parser, TND_PRV_NOTE, "an unknown unit of time: taken as microseconds");
    cursor->at = colon + 1;
    return true;
}

/* "0", "nodes" or "nodes(cpus,cpus,...)", and the colon after it. */
static bool take_resources(struct cursor *cursor)
{
    struct tnd_prv_parser *parser = cursor->parser;
    uint64_t n_all_cpus = 0;
    if (cursor->at < cursor->end && *cursor->at == '0') {
        const char *colon = memchr(cursor->at, ':', (size_t)(cursor->end - cursor->at));
        cursor->at = colon ? colon + 1 : cursor->end;
        return true;
    }
    if (!take_count(cursor, &parser->header.n_nodes))
        return refuse(cursor, "the header has no number of nodes");
    bool list = take(cursor, '(');
    if (list && (size_t)(cursor->end - cursor->at) < 2 * (size_t)parser->header.n_nodes)
        return refuse(cursor, "fewer numbers of CPUs in the header than nodes");
    parser->header.n_cpus = tnd_grow_memory(NULL, parser->header.n_nodes, sizeof *parser->header.n_cpus);
    for (uint32_t i = 0; i < parser->header.n_nodes; i++) {
        parser->header.n_cpus[i] = 1;
        if (list && !take_count(cursor, &parser->header.n_cpus[i]))
            return refuse(cursor, "fewer numbers of CPUs in the header than nodes");
        if (parser->header.n_cpus[i] == 0)
            return refuse(cursor, "a node without CPUs in the header");
        if (list && !take(cursor, i + 1 < parser->header.n_nodes ? ',' : ')'))
            return refuse(cursor, "numbers of CPUs in the header that do not fit the number of nodes");
        n_all_cpus += parser->header.n_cpus[i];
    }
    if (n_all_cpus > MAX_OBJECTS)
        return refuse(cursor, "more CPUs in the header than there can be");
    if (!take(cursor, ':'))
        return refuse(cursor, "the header ends after its nodes");
    parser->n_all_cpus = (uint32_t)n_all_cpus;
    return true;
}

static bool take_tasks(struct cursor *cursor, struct tnd_prv_application *application)
{
    struct tnd_prv_header *header = &cursor->parser->header;
    uint32_t n_tasks;
    if (!take_count(cursor, &n_tasks) || n_tasks == 0)
        return refuse(cursor, "an application without tasks in the header");
    if (!take(cursor, '(') || (size_t)(cursor->end - cursor->at) < 4 * (size_t)n_tasks)
        return refuse(cursor, "fewer tasks in the header than it announces");
    application->tasks = tnd_grow_memory(NULL, n_tasks, sizeof *application->tasks);
    application->n_tasks = n_tasks;
    for (uint32_t i = 0; i < n_tasks; i++) {
        struct tnd_prv_task *task = &application->tasks[i];
        if (!take_count(cursor, &task->n_threads) || task->n_threads == 0)
            return refuse(cursor, "a task without threads in the header");
        if (!take(cursor, ':') || !take_count(cursor, &task->node))
            return refuse(cursor, "a task without a node in the header");
        if (header->n_nodes && (task->node == 0 || task->node > header->n_nodes))
            return refuse(cursor, "a task on a node that the header does not have");
        if (!take(cursor, i + 1 < n_tasks ? ',' : ')'))
            return refuse(cursor, "tasks in the header that do not fit their number");
    }
    return true;
}

static bool take_applications(struct cursor *cursor)
{
    struct tnd_prv_header *header = &cursor->parser->header;
    uint32_t n_applications;
    if (!take_count(cursor, &n_applications) || n_applications == 0)
        return refuse(cursor, "the header has no applications");
    if ((size_t)(cursor->end - cursor->at) < 6 * (size_t)n_applications)
        return refuse(cursor, "fewer applications in the header than it announces");
    header->applications = tnd_grow_memory(NULL, n_applications, sizeof *header->applications);
    memset(header->applications, 0, n_applications * sizeof *header->applications);
    header->n_applications = n_applications;
    for (uint32_t i = 0; i < n_applications; i++) {
        if (cursor->at < cursor->end)
            cursor->at++; /* ':' before the first, ',' before the others */
        if (!take_tasks(cursor, &header->applications[i]))
            return false;
    }
    return true;
}

/* Makes what places are checked against. */
static bool make_rooms(struct cursor *cursor)
{
    struct tnd_prv_parser *parser = cursor->parser;
    struct tnd_prv_header *header = &parser->header;
    uint32_t *first_cpu = tnd_grow_memory(NULL, (size_t)header->n_nodes + 1, sizeof *first_cpu);
    uint64_t n_threads = 0, n_tasks = 0;
    first_cpu[0] = 1;
    for (uint32_t i = 0; i < header->n_nodes; i++)
        first_cpu[i + 1] = first_cpu[i] + header->n_cpus[i];
    parser->first_task = tnd_grow_memory(NULL, (size_t)header->n_applications + 1, sizeof *parser->first_task);
    parser->first_task[0] = 0;
    for (uint32_t i = 0; i < header->n_applications; i++)
        parser->first_task[i + 1] = (uint32_t)(n_tasks += header->applications[i].n_tasks);
    parser->rooms = tnd_grow_memory(NULL, n_tasks, sizeof *parser->rooms);
    struct tnd_prv_room *room = parser->rooms;
    for (uint32_t i = 0; i < header->n_applications; i++)
        for (uint32_t k = 0; k < header->applications[i].n_tasks; k++) {
            const struct tnd_prv_task *task = &header->applications[i].tasks[k];
            *room++ = header->n_nodes
                          ? (struct tnd_prv_room){task->n_threads, first_cpu[task->node - 1], first_cpu[task->node] - 1}
                          : (struct tnd_prv_room){task->n_threads, 0, UINT32_MAX};
            n_threads += task->n_threads;
        }
    free(first_cpu);
    if (n_threads > MAX_OBJECTS)
        return refuse(cursor, "more threads in the header than there can be");
    if (n_threads > STOCK_OBJECTS || parser->n_all_cpus > STOCK_OBJECTS)
        tnd_prv_parse_fault(parser, TND_PRV_NOTE, "Paraver as distributed shows no more than 65535 threads or CPUs");
    return true;
}

bool tnd_prv_parse_header(struct tnd_prv_parser *parser, const char *line, size_t length)
{
    struct cursor cursor = {parser, line, line + length};
    if (length >= 10 && memcmp(line, "new format", 10) == 0)
        return refuse(&cursor, "Paraver's internal second format, which is not for exchange");
    if (length < 9 || memcmp(line, "#Paraver ", 9) != 0)
        return refuse(&cursor, "not a .prv: its first line does not begin with \"#Paraver \"");
    cursor.at += 9;
    if (!take_date(&cursor) || !take_end_time(&cursor) || !take_resources(&cursor) || !take_applications(&cursor))
        return false;
    if (cursor.at < cursor.end)
        cursor.at++;
    uint64_t n_communicators = 0;
    if (cursor.at < cursor.end && (!take_number(&cursor, &n_communicators) || n_communicators > UINT32_MAX))
        tnd_prv_parse_fault(parser, TND_PRV_NOTE, "text after the header's applications that is no number");
    parser->header.n_communicators = (uint32_t)n_communicators;
    return make_rooms(&cursor);
}
