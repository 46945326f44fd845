/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a merge costs a record: of ranks that send to each other around a ring (1 of 5 records a message's), and of
 * processes with many short calls.  CPU time, the least of a few rounds; beside it the least that any merge does with
 * the same bytes: reading the records once through tnd_stream_next, and writing the same lines, in order, to nowhere.
 * A part of a name (bench_merge ring) measures those that have it.
 */
#include "tests/unit/make_run.h"

#include "analysis/merge/merge.h"
#include "formats/prv_read.h"
#include "formats/prv_write.h"
#include "run/rundir.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 3
#define N_LINES 4096 /* formatted between two readings of the clock */

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* 10 records. */
static guint64 make_ring_step(MadeStream *made, guint64 time, guint64 step, guint32 rank, guint32 n)
{
    make(made, time, TND_RECORD_ENTER, TND_TYPE_MPI_P2P, 1, 0);
    make(made, time, TND_RECORD_SEND, step % 8, 0, 3, (guint64)1, step, (guint64)(rank + 1) % n);
    make(made, time + 100, TND_RECORD_LEAVE, TND_TYPE_MPI_P2P, 0, 0);
    make(made, time + 200, TND_RECORD_ENTER, TND_TYPE_MPI_P2P, 2, 0);
    make(made, time + 400, TND_RECORD_RECV, step % 8, 0, 3, (guint64)1, step, (guint64)(rank + n - 1) % n);
    make(made, time + 400, TND_RECORD_LEAVE, TND_TYPE_MPI_P2P, 0, 0);
    make(made, time + 500, TND_RECORD_ENTER, TND_TYPE_MPI_COLLECTIVE, 10, 0);
    make(made, time + 700, TND_RECORD_LEAVE, TND_TYPE_MPI_COLLECTIVE, 0, 0);
    make(made, time + 800, TND_RECORD_EVENT, 1000, 0, 1, step);
    make(made, time + 900, TND_RECORD_EVENT, 1001, 0, 1, step);
    return time + 1000;
}

/* 5 records; two calls in each other and an event. */
static guint64 make_calls_step(MadeStream *made, guint64 time, guint64 step, guint32 rank, guint32 n)
{
    guint64 step_ns = 20 + (step * 7 + rank) * 2654435761u % 97;
    make(made, time += step_ns, TND_RECORD_ENTER, TND_TYPE_OPENMP_FUNCTION, 1 + step % 5, 0);
    make(made, time += step_ns, TND_RECORD_ENTER, TND_TYPE_OPENMP_FUNCTION, 1 + step % 3, 0);
    make(made, time += step_ns, TND_RECORD_EVENT, 1000 + step % 4, step % 5000, 0);
    make(made, time += step_ns, TND_RECORD_LEAVE, TND_TYPE_OPENMP_FUNCTION, 0, 0);
    make(made, time += step_ns, TND_RECORD_LEAVE, TND_TYPE_OPENMP_FUNCTION, 0, 0);
    return time;
}

static const struct shape {
    const char *name;
    guint32 n_processes, n_steps;
    gboolean is_ranked;
    guint64 (*make_step)(MadeStream *made, guint64 time, guint64 step, guint32 rank, guint32 n);
} shapes[] = {
    {"ring of 16 ranks", 16, 12500, TRUE, make_ring_step},
    {"ring of 128 ranks", 128, 1500, TRUE, make_ring_step},
    {"ring of 400 ranks", 400, 1200, TRUE, make_ring_step},
    {"calls in 1 process", 1, 400000, FALSE, make_calls_step},
    {"calls in 64 processes", 64, 6000, FALSE, make_calls_step},
    {"calls in 1024 processes", 1024, 400, FALSE, make_calls_step},
};

static void make_run(const char *run, const struct shape *shape)
{
    char *mark = g_build_filename(run, TND_RUNDIR_RUN_FILE, NULL); /* without it nothing is removed */
    g_mkdir(run, 0700);
    g_file_set_contents(mark, "", 0, NULL);
    g_free(mark);
    for (guint32 rank = 0; rank < shape->n_processes; rank++) {
        char image[32];
        g_snprintf(image, sizeof image, "node.%u.0", 100 + rank);
        MadeStream *made = make_stream(run, image, 0, FALSE);
        make_process(made, 1000, 100 + rank);
        if (shape->is_ranked)
            make_rank(made, 1000, rank, shape->n_processes);
        guint64 time = 2000 + rank;
        for (guint step = 0; step < shape->n_steps; step++)
            time = shape->make_step(made, time, step, rank, shape->n_processes);
        make_end(made, time);
        make_close(made);
    }
}

/* What reading takes. */
static double read_all(const char *run, guint32 n_processes, guint64 *n_records)
{
    double begin = now_ns();
    *n_records = 0;
    for (guint32 rank = 0; rank < n_processes; rank++) {
        char *directory = g_strdup_printf("%s/node.%u.0", run, 100 + rank);
        const char *fault;
        int fd = open(directory, O_RDONLY | O_DIRECTORY);
        struct tnd_stream_reader *reader = tnd_stream_open(fd, "0.main", &fault);
        while (tnd_stream_next(reader))
            ++*n_records;
        tnd_stream_close(reader);
        close(fd);
        g_free(directory);
    }
    return now_ns() - begin;
}

/* Lines of a trace on their way to be formatted again. */
struct lines {
    struct tnd_prv_writer *writer;
    struct tnd_prv_header header;
    struct {
        enum { STATE, EVENT, MESSAGE } kind;
        union {
            struct tnd_prv_state state;
            struct tnd_prv_event event;
            struct tnd_prv_message message;
        };
    } all[N_LINES];
    GArray *pairs;
    guint n;
    guint64 n_written;
    double took_ns;
};

static bool write_nowhere(void *sink, const char *bytes, size_t size)
{
    return true;
}

static void format_lines(struct lines *lines)
{
    const struct tnd_prv_pair *pairs = (const struct tnd_prv_pair *)(void *)lines->pairs->data;
    double begin = now_ns();
    for (guint i = 0; i < lines->n; i++) {
        if (lines->all[i].kind == STATE) {
            tnd_prv_write_state(lines->writer, &lines->all[i].state);
        } else if (lines->all[i].kind == MESSAGE) {
            tnd_prv_write_message(lines->writer, &lines->all[i].message);
        } else {
            lines->all[i].event.pairs = pairs;
            pairs += lines->all[i].event.n_pairs;
            tnd_prv_write_event(lines->writer, &lines->all[i].event);
        }
    }
    lines->took_ns += now_ns() - begin;
    lines->n_written += lines->n;
    lines->n = 0;
    g_array_set_size(lines->pairs, 0);
}

static bool on_header(void *self, const struct tnd_prv_header *header)
{
    struct lines *lines = self;
    static const char *const none[] = {""};
    struct tnd_prv_header without = *header;
    without.n_communicators = 0;
    lines->writer = tnd_prv_write_open(write_nowhere, NULL, &without, none);
    return true;
}

static bool keep_line(struct lines *lines)
{
    if (++lines->n == N_LINES)
        format_lines(lines);
    return true;
}

static bool on_state(void *self, const struct tnd_prv_state *state)
{
    struct lines *lines = self;
    lines->all[lines->n].kind = STATE;
    lines->all[lines->n].state = *state;
    return keep_line(lines);
}

static bool on_event(void *self, const struct tnd_prv_event *event)
{
    struct lines *lines = self;
    lines->all[lines->n].kind = EVENT;
    lines->all[lines->n].event = *event;
    g_array_append_vals(lines->pairs, event->pairs, (guint)event->n_pairs);
    return keep_line(lines);
}

static bool on_message(void *self, const struct tnd_prv_message *message)
{
    struct lines *lines = self;
    lines->all[lines->n].kind = MESSAGE;
    lines->all[lines->n].message = *message;
    return keep_line(lines);
}

/* What formatting a trace's lines takes. */
static double format_all(const char *path, guint64 *n_lines)
{
    static const struct tnd_prv_visitor visitor = {
        .header = on_header, .state = on_state, .event = on_event, .message = on_message};
    struct lines *lines = g_new0(struct lines, 1);
    lines->pairs = g_array_new(FALSE, FALSE, sizeof(struct tnd_prv_pair));
    int fd = open(path, O_RDONLY);
    if (!tnd_prv_read(tnd_prv_read_fd, &fd, &visitor, lines))
        g_error("%s cannot be read", path);
    format_lines(lines);
    close(fd);
    tnd_prv_write_close(lines->writer);
    g_array_unref(lines->pairs);
    double took_ns = lines->took_ns;
    *n_lines = lines->n_written;
    g_free(lines);
    return took_ns;
}

static double merge_run(const char *run, const char *output, guint64 *n_unmatched)
{
    const TndMergeOptions options = {.run_directory = run, .output = output, .force = TRUE};
    TndMergeResult result;
    GError *error = NULL;
    double begin = now_ns();
    if (!tnd_merge_run(&options, &result, &error))
        g_error("%s", error->message);
    double took_ns = now_ns() - begin;
    *n_unmatched = result.n_unmatched_sends + result.n_unmatched_receives;
    tnd_merge_result_clear(&result);
    return took_ns;
}

static void keep_least(double *least, double took_ns)
{
    *least = took_ns < *least ? took_ns : *least;
}

/* A merge writes into a new file, as a user's does. */
static void remove_trace(const char *directory)
{
    static const char *const endings[] = {".prv", ".pcf", ".row"};
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
        char *path = g_strconcat(directory, "/run", endings[i], NULL);
        g_unlink(path);
        g_free(path);
    }
}

static void measure(const char *directory, const struct shape *shape)
{
    char *run = g_build_filename(directory, "run.tandem", NULL), *output = g_build_filename(directory, "run.prv", NULL);
    double reading = 1e300, merging = 1e300, formatting = 1e300;
    guint64 n = 0, n_lines = 0, n_unmatched = 0;
    make_run(run, shape);
    for (int round = 0; round < ROUNDS; round++) {
        keep_least(&reading, read_all(run, shape->n_processes, &n));
        keep_least(&merging, merge_run(run, output, &n_unmatched));
        keep_least(&formatting, format_all(output, &n_lines));
        remove_trace(directory);
    }
    printf("%-24s %6.1f %10.1f %6.1f %10.1f %8.1f %12.1f%s\n", shape->name, reading / (double)n, formatting / (double)n,
           merging / (double)n, merging / (reading + formatting), 1e3 * (double)n / merging,
           1e3 * (double)n_lines / merging, n_unmatched ? ", messages are not matched" : "");
    tnd_rundir_remove(run);
    g_free(output);
    g_free(run);
}

int main(int argc, char **argv)
{
    char *directory = g_dir_make_tmp("bench-merge-XXXXXX", NULL);
    printf("ns a record%13s %6s %10s %6s %10s %8s %12s\n", "", "read", "format", "merge", "ratio", "M rec/s",
           "M lines/s");
    for (guint i = 0; i < G_N_ELEMENTS(shapes); i++)
        if (argc < 2 || strstr(shapes[i].name, argv[1]))
            measure(directory, &shapes[i]);
    g_rmdir(directory);
    g_free(directory);
    return 0;
}
