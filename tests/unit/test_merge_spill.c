/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages that do not fit into memory: the same order, the same trace, nothing left on the disk.
 */
#include "tests/unit/make_run.h"

#include "analysis/merge/match/merge_spill.h"
#include "analysis/merge/merge.h"
#include "run/rundir.h"

#define LONG_NS G_GUINT64_CONSTANT(400000000000000) /* times of up to 10^18 */

static TndMergeMessage message_of(guint i, guint64 apart_ns)
{
    guint mixed = i * 7919 % 10007;
    return (TndMergeMessage){
        .logical_send = mixed / 4 * apart_ns, .sender = mixed % 4, .receiver = i % 3, .size_bytes = i};
}

static void check_order(gsize limit_bytes, guint n, guint64 apart_ns)
{
    tnd_merge_spill_limit_bytes = limit_bytes;
    TndMergeSpill *spill = tnd_merge_spill_new(g_get_tmp_dir());
    for (guint i = 0; i < n; i++) {
        TndMergeMessage message = message_of(i, apart_ns);
        g_assert_true(tnd_merge_spill_add(spill, &message, NULL));
    }
    g_assert_true(tnd_merge_spill_sort(spill, NULL));
    guint n_taken = 0;
    guint64 sum = 0, before = 0;
    const TndMergeMessage *message;
    while ((message = tnd_merge_spill_first(spill))) {
        guint64 key = message->logical_send / apart_ns * 4 + message->sender;
        g_assert_cmpuint(key, >=, before);
        before = key;
        sum += (guint64)message->size_bytes;
        n_taken++;
        g_assert_true(tnd_merge_spill_drop_first(spill, NULL));
    }
    g_assert_cmpuint(n_taken, ==, n);
    g_assert_cmpuint(sum, ==, (guint64)n * (n - (n > 0)) / 2);
    tnd_merge_spill_free(spill);
}

static void test_order(void)
{
    static const gsize limits[] = {1, 1000, 100000, (gsize)64 << 20};
    for (guint i = 0; i < G_N_ELEMENTS(limits); i++) {
        check_order(limits[i], 0, 1);
        check_order(limits[i], 1, 1);
        check_order(limits[i], 10000, 1);
        check_order(limits[i], 10000, LONG_NS);
    }
}

static void test_directory(void)
{
    tnd_merge_spill_limit_bytes = 1;
    TndMergeSpill *spill = tnd_merge_spill_new("/nonexistent");
    TndMergeMessage message = message_of(1, 1);
    GError *error = NULL;
    g_assert_false(tnd_merge_spill_add(spill, &message, &error));
    g_assert_nonnull(error);
    g_error_free(error);
    tnd_merge_spill_free(spill);
}

#define N_RANKS 5

/* Every rank sends to every other one, many messages at once; receives come in another order. */
static void make_exchange(const char *run, guint n_rounds)
{
    for (guint32 rank = 0; rank < N_RANKS; rank++) {
        char image[32];
        g_snprintf(image, sizeof image, "node.%u.0", 10 + rank);
        MadeStream *made = make_stream(run, image, 0, FALSE);
        make_process(made, 1000, 10 + rank);
        make_rank(made, 1000, rank, N_RANKS);
        guint64 time = 2000;
        for (guint round = 0; round < n_rounds; round++) {
            make(made, time, TND_RECORD_ENTER, TND_TYPE_MPI_P2P, 3, 0);
            for (guint32 to = 0; to < N_RANKS; to++)
                make(made, time, TND_RECORD_SEND, 1, 0, 3, (guint64)1, (guint64)(100 * round + rank), (guint64)to);
            make(made, time + 10, TND_RECORD_LEAVE, TND_TYPE_MPI_P2P, 0, 0);
            make(made, time + 20, TND_RECORD_ENTER, TND_TYPE_MPI_P2P, 2, 0);
            for (guint32 from = N_RANKS; from-- > 0;)
                make(made, time + 50, TND_RECORD_RECV, 1, 0, 3, (guint64)1, (guint64)(100 * round + from),
                     (guint64)from);
            make(made, time + 50, TND_RECORD_LEAVE, TND_TYPE_MPI_P2P, 0, 0);
            time += 100;
        }
        make_end(made, time);
        make_close(made);
    }
}

static char *merge(const char *run, const char *directory, const char *name, gsize limit_bytes)
{
    char *output = g_strdup_printf("%s/%s.prv", directory, name), *text;
    const TndMergeOptions options = {.run_directory = run, .output = output};
    TndMergeResult result;
    GError *error = NULL;
    tnd_merge_spill_limit_bytes = limit_bytes;
    g_assert_true(tnd_merge_run(&options, &result, &error));
    g_assert_no_error(error);
    g_assert_cmpuint(result.n_messages, ==, 200 * N_RANKS * N_RANKS);
    g_assert_cmpuint(result.n_unmatched_sends + result.n_unmatched_receives, ==, 0);
    g_assert_cmpstr(result.output, ==, output);
    g_assert_true(g_file_get_contents(output, &text, NULL, NULL));
    tnd_merge_result_clear(&result);
    g_free(output);
    return text;
}

static guint empty_directory(const char *path)
{
    GDir *directory = g_dir_open(path, 0, NULL);
    const char *name;
    guint n = 0;
    while ((name = g_dir_read_name(directory))) {
        char *file = g_build_filename(path, name, NULL);
        n += g_unlink(file) == 0;
        g_free(file);
    }
    g_dir_close(directory);
    return n;
}

static void test_trace(void)
{
    char *directory = g_dir_make_tmp("test-spill-XXXXXX", NULL), *run = g_build_filename(directory, "x.tandem", NULL);
    make_exchange(run, 200);
    g_assert_true(g_file_set_contents(g_strconcat(run, "/run", NULL), "", 0, NULL));
    char *kept = merge(run, directory, "kept", (gsize)64 << 20), *spilt = merge(run, directory, "spilt", 5000);
    g_assert_cmpstr(kept, ==, spilt);
    for (const char *line = strstr(kept, "\n3:"); line; line = strstr(line + 1, "\n3:")) {
        guint64 send, receive, size;
        guint sender, receiver;
        g_assert_cmpint(
            sscanf(line, "\n3:0:1:%u:1:%lu:%*u:0:1:%u:1:%*u:%lu:%lu:1\n", &sender, &send, &receiver, &receive, &size),
            ==, 5);
        g_assert_cmpuint(size, ==, send / 100 * 100 - 1000 + sender - 1); /* the very message */
        g_assert_cmpuint(receive / 100, ==, send / 100);
    }
    g_free(kept);
    g_free(spilt);
    tnd_rundir_remove(run);
    g_assert_cmpuint(empty_directory(directory), ==, 6);
    g_assert_cmpint(g_rmdir(directory), ==, 0);
    g_free(run);
    g_free(directory);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/merge-spill/order", test_order);
    g_test_add_func("/merge-spill/directory", test_directory);
    g_test_add_func("/merge-spill/trace", test_trace);
    return g_test_run();
}
