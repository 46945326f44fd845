/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A large trace: opening it for the first time, compressed, and again, a histogram of it; beside
 * the least that any program would do with its text, which is to decode each number of it.  CPU time over all cores and
 * time on the clock, the least of some rounds.
 *
 * bench_trace [LINES [ROWS]]; the trace is written to $TMPDIR.
 */
#include "analysis/histogram/histogram.h"
#include "analysis/trace/prv_file.h"
#include "analysis/trace/trace_store.h"
#include "tests/bench/bench_cost.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROUNDS 3

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

static struct bench_cost least_of(guint rounds, void (*body)(void))
{
    struct bench_cost least = {1e300, 1e300};
    for (guint i = 0; i < rounds; i++) {
        struct bench_cost begin = bench_cost_now();
        body();
        struct bench_cost cost = bench_cost_between(begin, bench_cost_now());
        least.cpu_ms = MIN(least.cpu_ms, cost.cpu_ms);
        least.clock_ms = MIN(least.clock_ms, cost.clock_ms);
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

static void print_cost(const char *name, struct bench_cost cost, struct bench_cost base)
{
    printf("%-28s %8.3f s of CPU time %5.2fx  %7.0f MB/s; %8.3f s\n", name, 1e-3 * cost.cpu_ms,
           cost.cpu_ms / base.cpu_ms, 1e-3 * (double)text_bytes / cost.cpu_ms, 1e-3 * cost.clock_ms);
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
    struct bench_cost base = least_of(ROUNDS, scan);
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
