/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A large trace: opening it for the first time, compressed, and again, a histogram of it, a frame of a timeline; beside
 * the least that any program would do with its text, which is to decode each number of it.  CPU time over all cores and
 * time on the clock, the least of some rounds.
 *
 * bench_trace [LINES [ROWS]]; the trace is written to $TMPDIR.
 */
#include "analysis/histogram.h"
#include "analysis/prv_file.h"
#include "analysis/trace_store.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 3
#define N_FRAMES 200
#define FRAME_COLUMNS 1920

static guint64 n_lines = 2000000, text_bytes;
static guint n_rows = 64;
static char *path, *gzip_path, *index_path;
static guint32 state_of_chance = 2463534242u;

static guint32 chance(guint32 below)
{
    state_of_chance ^= state_of_chance << 13;
    state_of_chance ^= state_of_chance >> 17;
    state_of_chance ^= state_of_chance << 5;
    return state_of_chance % below;
}

/* Rows of one thread each in turn between states and MPI calls, some with counters, and messages. */
static void write_trace(void)
{
    FILE *file = fopen(path, "w");
    guint64 time = 0, end = n_lines * 600;
    if (!file)
        abort();
    fprintf(file, "#Paraver (01/01/2026 at 00:00):%" G_GUINT64_FORMAT "_ns:1(%u):1:%u(", end, n_rows, n_rows);
    for (guint row = 0; row < n_rows; row++)
        fprintf(file, "%s1:1", row ? "," : "");
    fprintf(file, ")\n");
    for (guint64 i = 0; i < n_lines; i++) {
        guint row = chance(n_rows), n = row + 1, what = chance(20);
        time += chance(1000);
        if (what < 6) {
            fprintf(file, "1:%u:1:%u:1:%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ":%u\n", n, n, time, time + 300,
                    what < 3 ? 1 : 9);
        } else if (what < 15) {
            fprintf(file, "2:%u:1:%u:1:%" G_GUINT64_FORMAT ":50000001:%u\n", n, n, time, chance(2) * chance(20));
        } else if (what < 19) {
            fprintf(file, "2:%u:1:%u:1:%" G_GUINT64_FORMAT ":50000001:%u:42000050:%u:42000059:%u\n", n, n, time,
                    chance(20), chance(100000), chance(1000000));
        } else {
            guint to = chance(n_rows) + 1;
            fprintf(file,
                    "3:%u:1:%u:1:%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ":%u:1:%u:1:%" G_GUINT64_FORMAT
                    ":%" G_GUINT64_FORMAT ":%u:7\n",
                    n, n, time, time, to, to, time + 500, time + 700, chance(4096));
        }
    }
    if (fclose(file) != 0)
        abort();
    struct stat status;
    if (g_stat(path, &status) == 0)
        text_bytes = (guint64)status.st_size;
}

/* The trace, as `gzip` makes it. */
static void compress(void)
{
    char *quoted = g_shell_quote(path), *quoted_gzip = g_shell_quote(gzip_path);
    char *command = g_strdup_printf("gzip -c %s >%s", quoted, quoted_gzip);
    if (system(command) != 0)
        abort();
    g_free(command);
    g_free(quoted_gzip);
    g_free(quoted);
}

typedef struct {
    double cpu_s, clock_s;
} Cost;

static Cost now(void)
{
    struct timespec cpu, monotonic;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    return (Cost){(double)cpu.tv_sec + 1e-9 * (double)cpu.tv_nsec,
                  (double)monotonic.tv_sec + 1e-9 * (double)monotonic.tv_nsec};
}

static Cost least_of(guint rounds, void (*body)(void))
{
    Cost least = {1e300, 1e300};
    for (guint i = 0; i < rounds; i++) {
        Cost begin = now();
        body();
        Cost end = now();
        least.cpu_s = MIN(least.cpu_s, end.cpu_s - begin.cpu_s);
        least.clock_s = MIN(least.clock_s, end.clock_s - begin.clock_s);
    }
    return least;
}

/* Every number of the text, added up. */
static guint64 checksum;

static void scan(void)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *text = mmap(NULL, text_bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (text == MAP_FAILED)
        abort();
    guint64 sum = 0;
    for (const char *at = text, *end = text + text_bytes; at < end;) {
        guint64 number = 0;
        guint digit;
        for (; at < end && (digit = (guint)(guchar)*at - '0') <= 9; at++)
            number = number * 10 + digit;
        sum += number;
        at++;
    }
    checksum += sum;
    munmap(text, text_bytes);
    close(fd);
}

static void decompress(void)
{
    static char buffer[256 << 10];
    TndPrvFile *file = tnd_prv_file_open(gzip_path, NULL);
    guint64 n_bytes = 0;
    for (ssize_t n; (n = tnd_prv_file_read(file, buffer, sizeof buffer)) > 0;)
        n_bytes += (guint64)n;
    if (n_bytes != text_bytes)
        abort();
    tnd_prv_file_close(file);
}

static TndTrace *trace;

static void open_file(const char *file)
{
    tnd_trace_free(trace);
    GError *error = NULL;
    trace = tnd_trace_open(file, NULL, NULL, &error);
    if (!trace)
        g_error("%s", error->message);
}

static void open_trace(void)
{
    open_file(path);
}

static void open_compressed(void)
{
    open_file(gzip_path);
}

static void open_first(void)
{
    g_remove(index_path);
    open_trace();
}

static void make_histogram(void)
{
    TndView *view = tnd_view_new(trace, "mpi-calls", NULL);
    TndHistogram *histogram = tnd_histogram_new(view, TND_STATISTIC_TIME, 0, 0, NULL);
    if (!histogram)
        abort();
    tnd_histogram_free(histogram);
    tnd_view_free(view);
}

static void make_frames(void)
{
    TndView *view = tnd_view_new(trace, "mpi-calls", NULL);
    guint64 end_ns = tnd_trace_end_ns(trace);
    double *values = g_new(double, FRAME_COLUMNS), costs[N_FRAMES];
    for (guint row = 0; row < n_rows; row++)
        tnd_view_columns(view, row, 0, end_ns, FRAME_COLUMNS, values);
    for (guint frame = 0; frame < N_FRAMES; frame++) {
        guint64 span_ns = MAX(end_ns >> chance(24), 1000);
        guint64 begin_ns = (guint64)((double)(end_ns - span_ns) * chance(1000) / 1000);
        Cost begin = now();
        for (guint row = 0; row < n_rows; row++)
            tnd_view_columns(view, row, begin_ns, begin_ns + span_ns, FRAME_COLUMNS, values);
        costs[frame] = now().cpu_s - begin.cpu_s;
    }
    for (guint i = 0; i < N_FRAMES; i++)
        for (guint j = i + 1; j < N_FRAMES; j++)
            if (costs[j] < costs[i]) {
                double least = costs[j];
                costs[j] = costs[i];
                costs[i] = least;
            }
    printf("frame, %u rows x %u, any zoom    median %.2f ms, worst %.2f ms of CPU time\n", n_rows, FRAME_COLUMNS,
           1e3 * costs[N_FRAMES / 2], 1e3 * costs[N_FRAMES - 1]);
    g_free(values);
    tnd_view_free(view);
}

static void print_cost(const char *name, Cost cost, Cost base)
{
    printf("%-28s %8.3f s of CPU time %5.2fx  %7.0f MB/s; %8.3f s\n", name, cost.cpu_s, cost.cpu_s / base.cpu_s,
           1e-6 * (double)text_bytes / cost.cpu_s, cost.clock_s);
}

int main(int argc, char **argv)
{
    n_lines = argc > 1 ? strtoull(argv[1], NULL, 10) : n_lines;
    n_rows = argc > 2 ? (guint)strtoul(argv[2], NULL, 10) : n_rows;
    char *directory = g_dir_make_tmp("tandem-bench-XXXXXX", NULL);
    path = g_build_filename(directory, "large.prv", NULL);
    gzip_path = g_strconcat(path, ".gz", NULL);
    index_path = g_strconcat(path, ".tvx", NULL);
    write_trace();
    compress();
    printf("%" G_GUINT64_FORMAT " lines, %" G_GUINT64_FORMAT " MB, %u rows\n", n_lines, text_bytes / 1000000, n_rows);
    Cost base = least_of(ROUNDS, scan);
    print_cost("decode each number", base, base);
    tnd_trace_store_memory = G_MAXSIZE;
    print_cost("open, in memory", least_of(ROUNDS, open_first), base);
    print_cost("decompress", least_of(ROUNDS, decompress), base);
    print_cost("open compressed, in memory", least_of(ROUNDS, open_compressed), base);
    tnd_trace_store_memory = 0;
    print_cost("open, index written", least_of(ROUNDS, open_first), base);
    struct stat status;
    if (g_stat(index_path, &status) == 0)
        printf("%-28s %.1f %% of the text\n", "size of the index", 100.0 * (double)status.st_size / (double)text_bytes);
    print_cost("open again", least_of(ROUNDS, open_trace), base);
    print_cost("histogram of mpi-calls", least_of(ROUNDS, make_histogram), base);
    make_frames();
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-28s %ld MB\n", "most memory", usage.ru_maxrss / 1024);
    tnd_trace_free(trace);
    g_remove(index_path);
    g_remove(gzip_path);
    g_remove(path);
    g_rmdir(directory);
    return checksum == 0;
}
