/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading and writing .prv: what the reader hands out and says of each kind of line, written down as text.
 */
#include "formats/prv_read.h"
#include "formats/prv_write.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

static const char *const severities[] = {"note", "fault", "fatal"};

/* Everything that the reader says, one line each. */
static bool log_header(void *self, const struct tnd_prv_header *header)
{
    g_string_append_printf(self, "header (%s) %" G_GUINT64_FORMAT " x %u ns, nodes", header->date, header->end_time,
                           header->unit_ns);
    for (uint32_t i = 0; i < header->n_nodes; i++)
        g_string_append_printf(self, " %u", header->n_cpus[i]);
    for (uint32_t i = 0; i < header->n_applications; i++) {
        g_string_append(self, ", tasks");
        for (uint32_t k = 0; k < header->applications[i].n_tasks; k++)
            g_string_append_printf(self, " %u@%u", header->applications[i].tasks[k].n_threads,
                                   header->applications[i].tasks[k].node);
    }
    g_string_append_printf(self, ", communicators %u\n", header->n_communicators);
    return true;
}

static bool log_communicator(void *self, const char *line, size_t length)
{
    g_string_append_printf(self, "communicator %.*s\n", (int)length, line);
    return true;
}

static bool log_comment(void *self, const char *line, size_t length)
{
    g_string_append_printf(self, "comment %.*s\n", (int)length, line);
    return true;
}

static void log_place(GString *log, const struct tnd_prv_place *at)
{
    g_string_append_printf(log, " %u.%u.%u on %u", at->application, at->task, at->thread, at->cpu);
}

static bool log_state(void *self, const struct tnd_prv_state *state)
{
    g_string_append(self, "state");
    log_place(self, &state->at);
    g_string_append_printf(self, " %" G_GUINT64_FORMAT, state->begin);
    if (state->end == UINT64_MAX)
        g_string_append(self, " to ever");
    else
        g_string_append_printf(self, " to %" G_GUINT64_FORMAT, state->end);
    g_string_append_printf(self, " = %u\n", state->state);
    return true;
}

static bool log_event(void *self, const struct tnd_prv_event *event)
{
    g_string_append(self, "event");
    log_place(self, &event->at);
    g_string_append_printf(self, " %" G_GUINT64_FORMAT, event->time);
    for (size_t i = 0; i < event->n_pairs; i++)
        g_string_append_printf(self, " %u=%" G_GINT64_FORMAT, event->pairs[i].type, event->pairs[i].value);
    g_string_append(self, "\n");
    return true;
}

static bool log_message(void *self, const struct tnd_prv_message *message)
{
    g_string_append(self, "message");
    log_place(self, &message->sender);
    g_string_append_printf(self, " %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT " to", message->logical_send,
                           message->physical_send);
    log_place(self, &message->receiver);
    g_string_append_printf(
        self, " %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT " size %" G_GINT64_FORMAT " tag %" G_GINT64_FORMAT "\n",
        message->logical_receive, message->physical_receive, message->size_bytes, message->tag);
    return true;
}

static void log_fault(void *self, enum tnd_prv_severity severity, uint64_t line_number, const char *what)
{
    g_string_append_printf(self, "%s %" G_GUINT64_FORMAT " %s\n", severities[severity], line_number, what);
}

static const struct tnd_prv_visitor log_visitor = {log_header,  log_communicator, log_state, log_event,
                                                   log_message, log_comment,      log_fault, NULL};

/* Bytes in memory, handed out `step` at a time. */
struct memory {
    const char *text;
    size_t left, step;
};

static ssize_t read_memory(void *source, char *buffer, size_t size)
{
    struct memory *memory = source;
    size_t n = MIN(MIN(size, memory->left), memory->step);
    memcpy(buffer, memory->text, n);
    memory->text += n;
    memory->left -= n;
    return (ssize_t)n;
}

static char *read_to_log(const char *text, size_t length, size_t step, bool *ok)
{
    struct memory memory = {text, length, step};
    GString *log = g_string_new(NULL);
    *ok = tnd_prv_read(read_memory, &memory, &log_visitor, log);
    return g_string_free(log, FALSE);
}

/* Two nodes of 2 and 1 CPUs, an application of two tasks (2 threads on node 1, 1 on node 2). */
#define HEADER "#Paraver (d):100_ns:2(2,1):1:2(2:1,1:2)\n"
#define HEADER_LOG "header (d) 100 x 1 ns, nodes 2 1, tasks 2@1 1@2, communicators 0\n"
#define GOOD "1:1:1:1:1:0:10:1\n"
#define GOOD_LOG "state 1.1.1 on 1 0 to 10 = 1\n"

struct body_case {
    const char *lines, *log;
};

/* Lines of the body after the header and a good line; what is said of them. */
static const struct body_case body_cases[] = {
    {"1:0:1:1:2:10:20:5\n", "state 1.1.2 on 0 10 to 20 = 5\n"},
    {"1:1:1:1:1:10:-1:3\n", "state 1.1.1 on 1 10 to ever = 3\n"},
    {"1:1:1:1:1:10:10:3\n", "note 3 a state of no length\nstate 1.1.1 on 1 10 to 10 = 3\n"},
    {"1:1:1:1:1:10:9:3\n", "fault 3 a state that ends before it begins\n"},
    {"1:1:1:1:1:10:-2:3\n", "fault 3 a negative time\n"},
    {"1:1:1:1:1:-5:9:3\n", "fault 3 a negative time\n"},
    {"1:1:1:1:1:10:11\n", "fault 3 too few fields\n"},
    {"1:1:1:1:1:10:11:2:77\n", "note 3 text after the last field\nstate 1.1.1 on 1 10 to 11 = 2\n"},
    {"1:1:1:1:1:10:11:2  \n", "state 1.1.1 on 1 10 to 11 = 2\n"},
    {"1;1:1:1:1:10:11:2\n", "note 3 no ':' after the kind of record\nstate 1.1.1 on 1 10 to 11 = 2\n"},
    {"1:1:1;1;1:10:11:2\n", "note 3 fields that are not separated by ':'\nstate 1.1.1 on 1 10 to 11 = 2\n"},
    {"17:1:1:1:1:10:11:2\n", "note 3 no ':' after the kind of record\nfault 3 a field that is not a number\n"},
    {"1:1:1:1:1:1.5:11:2\n", "fault 3 a field that is not a number\n"},
    {"1:1:1:1:1: 1:11:2\n", "fault 3 a field that is not a number\n"},
    {"1:1:1:1:1:ab:11:2\n", "fault 3 a field that is not a number\n"},
    {"1:1:1:1:1:007:011:2\n", "state 1.1.1 on 1 7 to 11 = 2\n"},
    {"1:1:1:1:1:10:11:4294967297\n",
     "note 3 a number beyond 32 bits: its lower 32 are taken\nstate 1.1.1 on 1 10 to 11 = 1\n"},
    {"1:1:1:1:1:9223372036854775807:9223372036854775807:1\n",
     "note 3 a state of no length\nstate 1.1.1 on 1 9223372036854775807 to 9223372036854775807 = 1\n"},
    {"1:1:1:1:1:10:9223372036854775808:1\n", "fault 3 a time beyond 63 bits\n"},
    {"1:3:1:2:1:10:11:1\n", "state 1.2.1 on 3 10 to 11 = 1\n"},
    {"1:4:1:1:1:10:11:1\n", "fault 3 a CPU that the header does not have\n"},
    {"1:3:1:1:1:10:11:1\n", "fault 3 a CPU that is not on the node of the task\n"},
    {"1:1:2:1:1:10:11:1\n", "fault 3 an application that the header does not have\n"},
    {"1:1:1:3:1:10:11:1\n", "fault 3 a task that the header does not have\n"},
    {"1:1:1:2:2:10:11:1\n", "fault 3 a thread that the header does not have\n"},
    {"1:1:1:1:0:10:11:1\n", "fault 3 a thread that the header does not have\n"},
    {"1:1:4294967297:1:1:10:11:1\n", "fault 3 an application that the header does not have\n"},
    {"1:1:-1:1:1:10:11:1\n", "fault 3 a negative number where there can be none\n"},
    {"2:1:1:1:1:10:7:1\n", "event 1.1.1 on 1 10 7=1\n"},
    {"2:1:1:1:1:10:7:-1:8:9223372036854775807\n", "event 1.1.1 on 1 10 7=-1 8=9223372036854775807\n"},
    {"2:1:1:1:1:10:7:-9223372036854775808\n", "event 1.1.1 on 1 10 7=-9223372036854775808\n"},
    {"2:1:1:1:1:10:7:18446744073709551615\n",
     "note 3 a number beyond 64 bits: its lower 64 are taken\nevent 1.1.1 on 1 10 7=-1\n"},
    {"2:1:1:1:1:10:4294967303:1\n",
     "note 3 a number beyond 32 bits: its lower 32 are taken\nevent 1.1.1 on 1 10 7=1\n"},
    {"2:1:1:1:1:10:7:1:8\n", "fault 3 too few fields\nevent 1.1.1 on 1 10 7=1\n"},
    {"2:1:1:1:1:10:7:1:8:x\n", "fault 3 a field that is not a number\nevent 1.1.1 on 1 10 7=1\n"},
    {"2:1:1:1:1:10:7\n", "fault 3 too few fields\n"},
    {"2:1:1:1:1:10\n", "fault 3 an event without type and value\n"},
    {"2:1:1:1:1:10:7:1:\n", "note 3 a ':' at the end\nevent 1.1.1 on 1 10 7=1\n"},
    {"2:1:1:1:1:5:7:1\n2:1:1:1:1:4:7:0\n",
     "event 1.1.1 on 1 5 7=1\nnote 4 earlier than the record before it\nevent 1.1.1 on 1 4 7=0\n"},
    {"3:1:1:1:1:10:11:3:1:2:1:12:13:1024:5\n", "message 1.1.1 on 1 10/11 to 1.2.1 on 3 12/13 size 1024 tag 5\n"},
    {"3:1:1:1:1:10:11:3:1:2:1:9:8:-1024:-5\n", "message 1.1.1 on 1 10/11 to 1.2.1 on 3 9/8 size -1024 tag -5\n"},
    {"3:1:1:1:1:10:11:1:1:2:1:12:13:1024:5\n", "fault 3 a CPU that is not on the node of the task\n"},
    {"3:1:1:1:1:10:11:3:1:2:1:12:13:1024\n", "fault 3 too few fields\n"},
    {"4:anything\n", "note 3 a global operation, which nothing shows\n"},
    {"c:1:1:2:1:2\n", "fault 3 an unknown kind of record\n"},
    {"9\n", "fault 3 an unknown kind of record\n"},
    {"1\n1:\n:\n", "fault 3 too few fields\nnote 4 a ':' at the end\nfault 4 too few fields\n"
                   "note 5 a ':' at the end\nfault 5 an unknown kind of record\n"},
    {"\n\n1:1:1:1:1:10:11:2\n", "state 1.1.1 on 1 10 to 11 = 2\n"},
    {"1:1:1:1:1:10:11:2", "state 1.1.1 on 1 10 to 11 = 2\n"},
    {"1:1:1:1:1:10:11:2\r\n1:1:1:1:1:11:12:3\r\n",
     "note 3 lines end in CR LF\nstate 1.1.1 on 1 10 to 11 = 2\nstate 1.1.1 on 1 11 to 12 = 3\n"},
    {"#today:CUTTER:cut\n", "comment #today:CUTTER:cut\n"},
};

static void test_body(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(body_cases); i++) {
        bool ok;
        char *text = g_strconcat(HEADER GOOD, body_cases[i].lines, NULL);
        char *expected = g_strconcat(HEADER_LOG GOOD_LOG, body_cases[i].log, NULL);
        char *log = read_to_log(text, strlen(text), SIZE_MAX, &ok);
        g_assert_cmpstr(log, ==, expected);
        g_assert_true(ok);
        g_free(text);
        g_free(expected);
        g_free(log);
    }
}

struct header_case {
    const char *text, *log;
    bool ok;
};

static const struct header_case header_cases[] = {
    {"#Paraver (1/2/26 at 10:11):7:1(1):1:1(1:1)\n" GOOD,
     "header (1/2/26 at 10:11) 7 x 1000 ns, nodes 1, tasks 1@1, communicators 0\n" GOOD_LOG, true},
    {"#Paraver (d):7_ms:2:2:1(1:2),2(1:1,3:1)\n" GOOD,
     "header (d) 7 x 1000000 ns, nodes 1 1, tasks 1@2, tasks 1@1 3@1, communicators 0\n"
     "fault 2 a CPU that is not on the node of the task\nfatal 2 a trace without records\n",
     false},
    {"#Paraver (d):7_us:0:1:1(1:0)\n1:77:1:1:1:0:5:1\n",
     "header (d) 7 x 1000 ns, nodes, tasks 1@0, communicators 0\nstate 1.1.1 on 77 0 to 5 = 1\n", true},
    {"#Paraver (d):7_h:1(1):1:1(1:1)\n" GOOD,
     "note 1 an unknown unit of time: taken as microseconds\n"
     "header (d) 7 x 1000 ns, nodes 1, tasks 1@1, communicators 0\n" GOOD_LOG,
     true},
    {"#Paraver (d):7_ns:1(1):1:1(1:1),2\nc:1:1:1:1\ni:1:2:1:1\n" GOOD,
     "header (d) 7 x 1 ns, nodes 1, tasks 1@1, communicators 2\ncommunicator c:1:1:1:1\ncommunicator "
     "i:1:2:1:1\n" GOOD_LOG,
     true},
    {"#Paraver (d):7_ns:1(1):1:1(1:1),2\nc:1:1:1:1\n" GOOD,
     "header (d) 7 x 1 ns, nodes 1, tasks 1@1, communicators 2\ncommunicator c:1:1:1:1\n"
     "fatal 3 not one of the communicators that the header announces\n",
     false},
    {"#Paraver (d):7_ns:1(1):1:1(1:1)\n#only\n",
     "header (d) 7 x 1 ns, nodes 1, tasks 1@1, communicators 0\ncomment #only\nfatal 2 a trace without records\n",
     false},
    {"", "fatal 0 an empty file\n", false},
    {"#Paraver:(d):7_ns:1(1):1:1(1:1)\n" GOOD, "fatal 1 not a .prv: its first line does not begin with \"#Paraver \"\n",
     false},
    {"new format\n", "fatal 1 Paraver's internal second format, which is not for exchange\n", false},
    {"#Paraver d:7_ns:1:1\n", "fatal 1 the header has no date in parentheses\n", false},
    {"#Paraver (d):x:1(1):1:1(1:1)\n", "fatal 1 the header has no end time\n", false},
    {"#Paraver (d):7_ns:2(1,0):1:1(1:1)\n", "fatal 1 a node without CPUs in the header\n", false},
    {"#Paraver (d):7_ns:2(1):1:1(1:1)\n", "fatal 1 numbers of CPUs in the header that do not fit the number of nodes\n",
     false},
    {"#Paraver (d):7_ns:1(1):0:\n", "fatal 1 the header has no applications\n", false},
    {"#Paraver (d):7_ns:1(1):1:0()\n", "fatal 1 fewer applications in the header than it announces\n", false},
    {"#Paraver (d):7_ns:1(1):1:0(1:1)\n", "fatal 1 an application without tasks in the header\n", false},
    {"#Paraver (d):7_ns:1(1):1:1(0:1)\n", "fatal 1 a task without threads in the header\n", false},
    {"#Paraver (d):7_ns:1(1):1:1(1:0)\n", "fatal 1 a task on a node that the header does not have\n", false},
    {"#Paraver (d):7_ns:1(1):1:1(1:2)\n", "fatal 1 a task on a node that the header does not have\n", false},
    {"#Paraver (d):7_ns:1(1):1:9999999(1:1)\n", "fatal 1 fewer tasks in the header than it announces\n", false},
    {"#Paraver (d):7_ns:9999999(1):1:1(1:1)\n", "fatal 1 fewer numbers of CPUs in the header than nodes\n", false},
    {"#Paraver (d):7_ns:1(1):1:1(99999999:1)\n", "fatal 1 a task without threads in the header\n", false},
};

static void test_header(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(header_cases); i++) {
        bool ok;
        char *log = read_to_log(header_cases[i].text, strlen(header_cases[i].text), SIZE_MAX, &ok);
        g_assert_cmpstr(log, ==, header_cases[i].log);
        g_assert_cmpint(ok, ==, header_cases[i].ok);
        g_free(log);
    }
}

/* However the bytes arrive, the same is read; also a line longer than the buffer. */
static void test_pieces(void)
{
    GString *text = g_string_new(HEADER);
    for (int i = 0; i < 2000; i++)
        g_string_append_printf(text, "2:1:1:1:1:%d:7:%d:8:-%d\r\n%s3:1:1:1:1:%d:11:3:1:2:1:12:13:1:5\n", i, i, i,
                               i % 7 ? "" : "\n#comment\nx\n", i);
    g_string_append(text, "2:1:1:1:1:5000");
    for (int i = 1; i < 60000; i++)
        g_string_append_printf(text, ":%d:1", i);
    bool ok;
    char *whole = read_to_log(text->str, text->len, SIZE_MAX, &ok);
    g_assert_true(ok);
    g_assert_cmpuint(strlen(whole), >, text->len / 2);
    static const size_t steps[] = {1, 2, 3, 1000, 65537};
    for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
        char *log = read_to_log(text->str, text->len, steps[i], &ok);
        g_assert_true(ok);
        g_assert_cmpstr(log, ==, whole);
        g_free(log);
    }
    g_free(whole);
    g_string_free(text, TRUE);
}

static ssize_t read_failing(void *source, char *buffer, size_t size)
{
    struct memory *memory = source;
    if (memory->left)
        return read_memory(source, buffer, MIN(size, 10));
    errno = EIO;
    return -1;
}

static bool stop_at_second(void *self, const struct tnd_prv_state *state)
{
    return ++*(int *)self < 2;
}

static bool refuse_header(void *self, const struct tnd_prv_header *header)
{
    return false;
}

static void test_ended_early(void)
{
    const char *text = HEADER GOOD GOOD GOOD;
    struct memory memory = {text, strlen(text), 10};
    errno = 0;
    g_assert_false(tnd_prv_read(read_failing, &memory, &(struct tnd_prv_visitor){0}, NULL));
    g_assert_cmpint(errno, ==, EIO);
    memory = (struct memory){text, strlen(text), SIZE_MAX};
    int n = 0;
    g_assert_false(tnd_prv_read(read_memory, &memory, &(struct tnd_prv_visitor){.state = stop_at_second}, &n));
    g_assert_cmpint(n, ==, 2);
    memory = (struct memory){text, strlen(text), SIZE_MAX};
    g_assert_false(tnd_prv_read(read_memory, &memory, &(struct tnd_prv_visitor){.header = refuse_header}, NULL));
    memory = (struct memory){text, strlen(text), SIZE_MAX};
    g_assert_true(tnd_prv_read(read_memory, &memory, &(struct tnd_prv_visitor){0}, NULL));
}

/* Writing: into a string. */
static bool write_memory(void *sink, const char *bytes, size_t size)
{
    g_string_append_len(sink, bytes, (gssize)size);
    return true;
}

struct copy {
    GString *text;
    struct tnd_prv_writer *writer;
    const struct tnd_prv_header *header;
    GPtrArray *communicators;
};

static void open_copy(struct copy *copy)
{
    if (!copy->writer && copy->communicators->len == copy->header->n_communicators)
        copy->writer =
            tnd_prv_write_open(write_memory, copy->text, copy->header, (const char *const *)copy->communicators->pdata);
}

static bool copy_header(void *self, const struct tnd_prv_header *header)
{
    struct copy *copy = self;
    copy->header = header;
    open_copy(copy);
    return true;
}

static bool copy_communicator(void *self, const char *line, size_t length)
{
    struct copy *copy = self;
    g_ptr_array_add(copy->communicators, g_strndup(line, length));
    open_copy(copy);
    return true;
}

static bool copy_state(void *self, const struct tnd_prv_state *state)
{
    tnd_prv_write_state(((struct copy *)self)->writer, state);
    return true;
}

static bool copy_event(void *self, const struct tnd_prv_event *event)
{
    tnd_prv_write_event(((struct copy *)self)->writer, event);
    return true;
}

static bool copy_message(void *self, const struct tnd_prv_message *message)
{
    tnd_prv_write_message(((struct copy *)self)->writer, message);
    return true;
}

static bool copy_comment(void *self, const char *line, size_t length)
{
    char *text = g_strndup(line + 1, length - 1);
    tnd_prv_write_comment(((struct copy *)self)->writer, text);
    g_free(text);
    return true;
}

static void no_fault(void *self, enum tnd_prv_severity severity, uint64_t line_number, const char *what)
{
    g_error("line %" G_GUINT64_FORMAT ": %s", line_number, what);
}

static const struct tnd_prv_visitor copy_visitor = {copy_header,  copy_communicator, copy_state, copy_event,
                                                    copy_message, copy_comment,      no_fault,   NULL};

/* Reading a trace and writing it again gives the same bytes, for traces of other tools. */
static void test_copy(void)
{
    static const char *const names[] = {"hybrid",    "malloc",    "mpi-collectives", "mpi-pingpong", "omp-for",
                                        "omp-tasks", "py-mpi4py", "sampling",        "synthetic-16"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        char *file = g_strconcat(names[i], ".prv", NULL);
        char *path = g_test_build_filename(G_TEST_DIST, "data", "traces", names[i], file, NULL);
        char *text;
        gsize length;
        g_assert_true(g_file_get_contents(path, &text, &length, NULL));
        char *none = strstr(text, ",0\n"); /* a header's "no communicators", which the writer leaves out */
        if (none && none < strchr(text, '\n')) {
            memmove(none, none + 2, strlen(none + 2) + 1);
            length -= 2;
        }
        struct copy copy = {g_string_new(NULL), NULL, NULL, g_ptr_array_new_with_free_func(g_free)};
        int fd = open(path, O_RDONLY);
        g_assert_true(tnd_prv_read(tnd_prv_read_fd, &fd, &copy_visitor, &copy));
        g_assert_true(tnd_prv_write_close(copy.writer));
        g_assert_cmpmem(copy.text->str, copy.text->len, text, length);
        close(fd);
        g_string_free(copy.text, TRUE);
        g_ptr_array_free(copy.communicators, TRUE);
        g_free(text);
        g_free(path);
        g_free(file);
    }
}

static uint64_t random_number(void)
{
    uint64_t number = (uint64_t)g_test_rand_int() << 32 | (uint32_t)g_test_rand_int();
    return number >> g_test_rand_int_range(0, 64);
}

/* Every length of number, against the C library; the times rise and fall. */
static void test_numbers(void)
{
    struct tnd_prv_task task = {.n_threads = 3, .node = 1};
    struct tnd_prv_application application = {.n_tasks = 1, .tasks = &task};
    struct tnd_prv_header header = {.date = "d",
                                    .end_time = UINT64_MAX,
                                    .unit_ns = 1,
                                    .n_nodes = 1,
                                    .n_cpus = &(uint32_t){4},
                                    .n_applications = 1,
                                    .applications = &application};
    GString *text = g_string_new(NULL), *expected = g_string_new(NULL);
    struct tnd_prv_writer *writer = tnd_prv_write_open(write_memory, text, &header, NULL);
    g_string_append(expected, "#Paraver (d):18446744073709551615_ns:1(4):1:1(3:1)\n");
    for (int i = 0; i < 20000; i++) {
        uint64_t power = 1;
        for (int k = 0; k < i % 20; k++)
            power *= 10;
        uint64_t time = i < 60 ? power - 1 + (uint64_t)i / 20 : random_number();
        struct tnd_prv_pair pairs[2] = {{(uint32_t)random_number(), (int64_t)random_number()},
                                        {7, -(int64_t)(random_number() >> 1)}};
        if (i == 70)
            pairs[1].value = INT64_MIN;
        struct tnd_prv_event event = {{(uint32_t)i, 1, 1, (uint32_t)i % 5}, time, 2, pairs}; /* also of no thread */
        tnd_prv_write_event(writer, &event);
        g_string_append_printf(expected,
                               "2:%d:1:1:%d:%" G_GUINT64_FORMAT ":%u:%" G_GINT64_FORMAT ":7:%" G_GINT64_FORMAT "\n", i,
                               i % 5, time, pairs[0].type, pairs[0].value, pairs[1].value);
    }
    tnd_prv_write_state(writer, &(struct tnd_prv_state){{0, 1, 1, 1}, 5, UINT64_MAX, 2});
    tnd_prv_write_comment(writer, "two\nlines");
    g_string_append(expected, "1:0:1:1:1:5:-1:2\n#two lines\n");
    g_assert_true(tnd_prv_write_close(writer));
    g_assert_cmpstr(text->str, ==, expected->str);
    g_string_free(text, TRUE);
    g_string_free(expected, TRUE);
}

static void test_full(void)
{
    struct tnd_prv_header header = {.date = "d"};
    int fd = open("/dev/full", O_WRONLY);
    g_assert_cmpint(fd, >=, 0);
    struct tnd_prv_writer *writer = tnd_prv_write_open(tnd_prv_write_fd, &fd, &header, NULL);
    struct tnd_prv_state state = {{1, 1, 1, 1}, 0, 1, 1};
    for (int i = 0; i < 100000; i++)
        tnd_prv_write_state(writer, &state);
    errno = 0;
    g_assert_false(tnd_prv_write_close(writer));
    g_assert_cmpint(errno, ==, ENOSPC);
    close(fd);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/prv/read/body", test_body);
    g_test_add_func("/prv/read/header", test_header);
    g_test_add_func("/prv/read/pieces", test_pieces);
    g_test_add_func("/prv/read/ended-early", test_ended_early);
    g_test_add_func("/prv/copy", test_copy);
    g_test_add_func("/prv/write/numbers", test_numbers);
    g_test_add_func("/prv/write/full", test_full);
    return g_test_run();
}
