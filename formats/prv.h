/* SPDX-License-Identifier: Apache-2.0
 *
 * The records of a Paraver trace (.prv) and the objects that they belong to: what the reader (prv_read.h) hands out to
 * its visitor and the writer (prv_write.h) takes.  All object numbers are 1-based, as in the file.
 *
 * Context: data only, no functions.
 */
#ifndef TND_PRV_H
#define TND_PRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tnd_prv_task {
    uint32_t n_threads;
    uint32_t node; /* 0 only without a resource model */
};

struct tnd_prv_application {
    uint32_t n_tasks;
    struct tnd_prv_task *tasks;
};

struct tnd_prv_header {
    char date[64];     /* as in the file, without the parentheses */
    uint64_t end_time; /* in ns on writing; in the file's unit on reading */
    uint32_t unit_ns;  /* ns in a unit of the file's times: 1, 1000 or 1000000 */
    uint32_t n_nodes;  /* 0: no resource model */
    uint32_t *n_cpus;  /* per node */
    uint32_t n_applications;
    struct tnd_prv_application *applications;
    uint32_t n_communicators; /* communicator lines that follow the header */
    uint64_t line_number;     /* on reading: of the line that is being visited */
};

struct tnd_prv_place {
    uint32_t cpu; /* 0: unknown */
    uint32_t application, task, thread;
};

struct tnd_prv_state {
    struct tnd_prv_place at;
    uint64_t begin, end; /* end UINT64_MAX: open, until the thread's next state */
    uint32_t state;
};

struct tnd_prv_pair {
    uint32_t type;
    int64_t value;
};

struct tnd_prv_event {
    struct tnd_prv_place at;
    uint64_t time;
    size_t n_pairs;
    const struct tnd_prv_pair *pairs;
};

struct tnd_prv_message {
    struct tnd_prv_place sender, receiver;
    uint64_t logical_send, physical_send, logical_receive, physical_receive;
    int64_t size_bytes, tag;
};

enum tnd_prv_severity {
    TND_PRV_NOTE,  /* loads, but is not as it should be: unsorted, CRLF, a zero-length state */
    TND_PRV_FAULT, /* the line is refused */
    TND_PRV_FATAL, /* the trace is refused: reading ends */
};

struct tnd_prv_parser; /* the reader's own: prv_parse.h */

/* What to do with what is read; any may be NULL.  A false ends the reading, which then returns false too. */
struct tnd_prv_visitor {
    bool (*header)(void *self, const struct tnd_prv_header *header); /* valid during the whole reading */
    bool (*communicator)(void *self, const char *line, size_t length);
    bool (*state)(void *self, const struct tnd_prv_state *state);
    bool (*event)(void *self, const struct tnd_prv_event *event);
    bool (*message)(void *self, const struct tnd_prv_message *message);
    bool (*comment)(void *self, const char *line, size_t length);
    void (*fault)(void *self, enum tnd_prv_severity severity, uint64_t line_number, const char *what);
    bool (*progress)(void *self, uint64_t bytes_read); /* every few MB */
    /* If it is set, it gets the text after the header and the communicators, complete lines at a time, for
     * tnd_prv_read_lines, and the other functions get none of it.  At the end of the reading, however it ends, it is
     * called with NULL: when that returns the parser is freed.  A trace without records is then no fault. */
    bool (*lines)(void *self, const struct tnd_prv_parser *parser, const char *text, size_t size);
};

#endif
