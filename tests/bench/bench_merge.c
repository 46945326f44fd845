/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a merge costs a record: 16 ranks that send to each other around a ring, 1 of 5 records a message's.  CPU time;
 * baseline: reading the same bytes once through tnd_stream_next.
 */
#include "tests/unit/make_run.h"

#include "analysis/merge.h"
#include "formats/rundir.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#define N_RANKS 16
#define N_STEPS 100000 /* of 10 records */

static guint64 make_ranks(const char *run)
{
    guint64 n_records = 0;
    for (guint32 rank = 0; rank < N_RANKS; rank++) {
        char image[32];
        g_snprintf(image, sizeof image, "node.%u.0", 100 + rank);
        MadeStream *made = make_stream(run, image, 0, FALSE);
        make_process(made, 1000, 100 + rank);
        make_rank(made, 1000, rank, N_RANKS);
        guint64 time = 2000 + rank;
        for (guint step = 0; step < N_STEPS; step++, time += 1000) {
            make(made, time, TND_RECORD_ENTER, TND_TYPE_MPI_P2P, 1, 0);
            make(made, time, TND_RECORD_SEND, step % 8, 0, 3, (guint64)1, (guint64)step, (guint64)(rank + 1) % N_RANKS);
            make(made, time + 100, TND_RECORD_LEAVE, TND_TYPE_MPI_P2P, 0, 0);
            make(made, time + 200, TND_RECORD_ENTER, TND_TYPE_MPI_P2P, 2, 0);
            make(made, time + 400, TND_RECORD_RECV, step % 8, 0, 3, (guint64)1, (guint64)step,
                 (guint64)(rank + N_RANKS - 1) % N_RANKS);
            make(made, time + 400, TND_RECORD_LEAVE, TND_TYPE_MPI_P2P, 0, 0);
            make(made, time + 500, TND_RECORD_ENTER, TND_TYPE_MPI_COLLECTIVE, 10, 0);
            make(made, time + 700, TND_RECORD_LEAVE, TND_TYPE_MPI_COLLECTIVE, 0, 0);
            make(made, time + 800, TND_RECORD_EVENT, 1000, 0, 1, (guint64)step);
            make(made, time + 900, TND_RECORD_EVENT, 1001, 0, 1, (guint64)step);
            n_records += 10;
        }
        make_end(made, time);
        make_close(made);
    }
    return n_records;
}

static double read_all(const char *run)
{
    clock_t begin = clock();
    for (guint32 rank = 0; rank < N_RANKS; rank++) {
        char *directory = g_strdup_printf("%s/node.%u.0", run, 100 + rank);
        const char *fault;
        int fd = open(directory, O_RDONLY | O_DIRECTORY);
        struct tnd_stream_reader *reader = tnd_stream_open(fd, "0.main", &fault);
        while (tnd_stream_next(reader))
            ;
        tnd_stream_close(reader);
        close(fd);
        g_free(directory);
    }
    return (double)(clock() - begin) * 1e9 / CLOCKS_PER_SEC;
}

int main(int argc, char **argv)
{
    char *directory = g_dir_make_tmp("bench-merge-XXXXXX", NULL);
    char *run = g_build_filename(directory, "ring.tandem", NULL),
         *output = g_build_filename(directory, "ring.prv", NULL);
    guint64 n = make_ranks(run);
    read_all(run);
    double base_ns = read_all(run) / (double)n;
    const TndMergeOptions options = {.run_directory = run, .output = output, .force = TRUE};
    TndMergeResult result;
    GError *error = NULL;
    clock_t begin = clock();
    if (!tnd_merge_run(&options, &result, &error))
        g_error("%s", error->message);
    double merge_ns = (double)(clock() - begin) * 1e9 / CLOCKS_PER_SEC / (double)n;
    printf("merge: %.1f ns a record (%.1f M records/s), %.1f x reading it once (%.1f ns); %" G_GUINT64_FORMAT
           " messages, %" G_GUINT64_FORMAT " unmatched\n",
           merge_ns, 1000 / merge_ns, merge_ns / base_ns, base_ns, result.n_messages,
           result.n_unmatched_sends + result.n_unmatched_receives);
    tnd_merge_result_clear(&result);
    static const char *const endings[] = {".prv", ".pcf", ".row"};
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
        char *path = g_strconcat(directory, "/ring", endings[i], NULL);
        g_unlink(path);
        g_free(path);
    }
    tnd_rundir_remove(run);
    g_rmdir(directory);
    return 0;
}
