/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace that has an index is the same as one that has none; an index that is not right is made again.
 */
#include "analysis/trace/trace_index.h"
#include "analysis/trace/walk.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define N_ROWS 5

typedef struct {
    char *directory, *path, *index;
} Place;

/* Lines of all kinds, some faulty, some not in order, and an open state at the end of each row. */
static void write_trace(const char *path, guint n_lines)
{
    GString *text = g_string_new("#Paraver (01/01/2026 at 00:00):90000000_ns:1(5):1:1(5:1)\n# first comment\n");
    guint64 time = 0;
    for (guint i = 0; i < n_lines; i++) {
        guint row = (guint)g_test_rand_int_range(1, N_ROWS + 1), kind = (guint)g_test_rand_int_range(0, 100);
        time += (guint64)g_test_rand_int_range(0, 2000);
        guint64 at = kind % 10 == 7 && time > 5000 ? time - 5000 : time;
        if (kind < 30)
            g_string_append_printf(text, "1:%u:1:1:%u:%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ":%u\n", row, row, at,
                                   at + kind * 10, kind % 5);
        else if (kind < 90)
            g_string_append_printf(text, "2:%u:1:1:%u:%" G_GUINT64_FORMAT ":%u:%d:42000050:%" G_GUINT64_FORMAT "\n",
                                   row, row, at, 50000000 + kind, g_test_rand_int_range(-9, 9), time * 77);
        else if (kind < 98)
            g_string_append_printf(text,
                                   "3:0:1:1:%u:%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ":0:1:1:1:%" G_GUINT64_FORMAT
                                   ":%" G_GUINT64_FORMAT ":%u:-3\n",
                                   row, at, at + 5, at + 400, at + 300, kind);
        else
            g_string_append(text, kind == 98 ? "# a comment\n" : "2:1:1:1:99:5:1:1\n");
    }
    for (guint row = 1; row <= N_ROWS; row++)
        g_string_append_printf(text, "1:%u:1:1:%u:%" G_GUINT64_FORMAT ":-1:3\n", row, row, time);
    g_assert_true(g_file_set_contents(path, text->str, (gssize)text->len, NULL));
    g_string_free(text, TRUE);
}

static Place make_place(guint n_lines)
{
    char *directory = g_dir_make_tmp("tandem-index-XXXXXX", NULL);
    Place place = {directory, g_build_filename(directory, "a.prv", NULL),
                   g_build_filename(directory, "a.prv.tvx", NULL)};
    write_trace(place.path, n_lines);
    return place;
}

static void clear_place(Place *place)
{
    GDir *files = g_dir_open(place->directory, 0, NULL);
    for (const char *name; (name = g_dir_read_name(files));) {
        char *path = g_build_filename(place->directory, name, NULL);
        g_remove(path);
        g_free(path);
    }
    g_dir_close(files);
    g_rmdir(place->directory);
    g_free(place->directory);
    g_free(place->path);
    g_free(place->index);
}

static TndTrace *open_trace(const Place *place, gsize memory)
{
    GError *error = NULL;
    tnd_trace_store_memory = memory;
    TndTrace *trace = tnd_trace_open(place->path, NULL, NULL, &error);
    g_assert_no_error(error);
    return trace;
}

static void compare(const TndTrace *a, const TndTrace *b)
{
    g_assert_cmpuint(tnd_trace_n_threads(a), ==, tnd_trace_n_threads(b));
    g_assert_cmpuint(tnd_trace_end_ns(a), ==, tnd_trace_end_ns(b));
    g_assert_cmpuint(tnd_trace_n_faults(a), ==, tnd_trace_n_faults(b));
    g_assert_cmpstr(tnd_trace_fault(a), ==, tnd_trace_fault(b));
    g_assert_cmpuint(tnd_trace_n_messages(a), ==, tnd_trace_n_messages(b));
    g_assert_true(g_strv_equal(tnd_trace_comments(a), tnd_trace_comments(b)));
    guint n_types_a, n_types_b;
    const TndTraceType *types_a = tnd_trace_types(a, &n_types_a), *types_b = tnd_trace_types(b, &n_types_b);
    g_assert_cmpmem(types_a, n_types_a * sizeof *types_a, types_b, n_types_b * sizeof *types_b);
    for (guint row = 0; row < tnd_trace_n_threads(a); row++) {
        const TndThread *thread_a = tnd_trace_thread(a, row), *thread_b = tnd_trace_thread(b, row);
        TndRowRecords records_a, records_b;
        tnd_walk_all_states(a, row, &records_a);
        tnd_walk_all_events(a, row, &records_a);
        tnd_walk_all_states(b, row, &records_b);
        tnd_walk_all_events(b, row, &records_b);
        g_assert_cmpmem(records_a.states, records_a.n_states * sizeof(TndState), records_b.states,
                        records_b.n_states * sizeof(TndState));
        g_assert_cmpmem(records_a.events, records_a.n_events * sizeof(TndEvent), records_b.events,
                        records_b.n_events * sizeof(TndEvent));
        g_assert_cmpuint(thread_a->n_states, ==, records_a.n_states);
        g_assert_cmpuint(thread_a->n_events, ==, records_a.n_events);
        g_assert_cmpuint(thread_a->begin_ns, ==, thread_b->begin_ns);
        g_assert_cmpuint(thread_a->end_ns, ==, thread_b->end_ns);
        g_free(records_a.states);
        g_free(records_a.events);
        g_free(records_b.states);
        g_free(records_b.events);
    }
    gsize n_a, n_b;
    TndMessage *messages_a = tnd_walk_all_messages(a, &n_a), *messages_b = tnd_walk_all_messages(b, &n_b);
    g_assert_cmpmem(messages_a, n_a * sizeof *messages_a, messages_b, n_b * sizeof *messages_b);
    g_free(messages_a);
    g_free(messages_b);
}

static gboolean has_index(const Place *place)
{
    return g_file_test(place->index, G_FILE_TEST_EXISTS);
}

/* Opens it in memory, through a new index, and by that. */
static void check(const Place *place, gboolean is_indexed)
{
    g_remove(place->index);
    TndTrace *plain = open_trace(place, G_MAXSIZE);
    g_assert_false(has_index(place));
    TndTrace *first = open_trace(place, 0);
    g_assert_true(has_index(place) == is_indexed);
    TndTrace *second = open_trace(place, G_MAXSIZE);
    compare(plain, first);
    compare(plain, second);
    tnd_trace_free(plain);
    tnd_trace_free(first);
    tnd_trace_free(second);
}

static void test_the_same(void)
{
    Place place = make_place(30000);
    check(&place, TRUE);
    clear_place(&place);
    place = make_place(1);
    check(&place, TRUE);
    clear_place(&place);
}

/* Lines of which none is where it belongs: open states and events, whose values are the lines' numbers. */
static void write_shuffled(const char *path, guint n_lines)
{
    GString *text = g_string_new("#Paraver (01/01/2026 at 00:00):90000000_ns:1(5):1:1(5:1)\n");
    for (guint line = 0; line < n_lines; line++) {
        gint row = g_test_rand_int_range(1, N_ROWS + 1), time = g_test_rand_int_range(0, (gint32)n_lines / 8);
        if (line % 3 == 0)
            g_string_append_printf(text, "1:1:1:1:%d:%d:-1:%u\n", row, time, line);
        else
            g_string_append_printf(text, "2:1:1:1:%d:%d:7:%u\n", row, time, line);
    }
    g_assert_true(g_file_set_contents(path, text->str, (gssize)text->len, NULL));
    g_string_free(text, TRUE);
}

/* By time, those of one time as they stand in the file; a state lasts until the next one. */
static void check_row(const TndTrace *trace, guint row, guint *n_lines)
{
    TndRowRecords records;
    tnd_walk_all_states(trace, row, &records);
    tnd_walk_all_events(trace, row, &records);
    for (gsize i = 1; i < records.n_events; i++) {
        const TndEvent *event = &records.events[i];
        g_assert_true(event[-1].time_ns < event->time_ns ||
                      (event[-1].time_ns == event->time_ns && event[-1].value < event->value));
    }
    for (gsize i = 0; i < records.n_states; i++) {
        const TndState *state = &records.states[i];
        g_assert_cmpuint(state->end_ns, ==, i + 1 < records.n_states ? state[1].begin_ns : tnd_trace_end_ns(trace));
        g_assert_true(i == 0 || state[-1].begin_ns < state->begin_ns || state[-1].state < state->state);
    }
    *n_lines += (guint)(records.n_states + records.n_events);
    g_free(records.states);
    g_free(records.events);
}

static void test_any_order(void)
{
    enum { N_LINES = 400000 }; /* of several pieces */
    Place place = make_place(1);
    write_shuffled(place.path, N_LINES);
    check(&place, TRUE);
    TndTrace *trace = open_trace(&place, 0);
    guint n_lines = 0;
    for (guint row = 0; row < N_ROWS; row++)
        check_row(trace, row, &n_lines);
    g_assert_cmpuint(n_lines, ==, N_LINES);
    tnd_trace_free(trace);
    clear_place(&place);
}

static void test_another_trace(void)
{
    Place place = make_place(3000);
    tnd_trace_free(open_trace(&place, 0));
    write_trace(place.path, 2000);
    TndTrace *trace = open_trace(&place, 0), *plain;
    g_remove(place.index);
    plain = open_trace(&place, G_MAXSIZE);
    compare(plain, trace);
    tnd_trace_free(plain);
    tnd_trace_free(trace);
    clear_place(&place);
}

/* How a trace becomes another one while it is read. */
typedef enum { RENAMED_OVER, WRITTEN_OVER, APPENDED, N_REPLACEMENTS } Replacement;

typedef struct {
    const Place *place;
    Replacement how;
    gboolean is_done;
} Replacing;

/* The other trace has as many lines, and the same length. */
static void replace(const Place *place, Replacement how)
{
    char *text, *new_path = g_strconcat(place->path, "-new", NULL);
    gsize n;
    g_assert_true(g_file_get_contents(place->path, &text, &n, NULL));
    /* Not strstr(): AddressSanitizer's reads all of the text each time. */
    for (char *at = text; (at = g_strstr_len(at, (gssize)(n - (gsize)(at - text)), ":42000050:"));)
        memcpy(at, ":42000051:", 10);
    if (how == RENAMED_OVER) {
        g_assert_true(g_file_set_contents(new_path, text, (gssize)n, NULL));
        g_assert_cmpint(g_rename(new_path, place->path), ==, 0);
    } else {
        FILE *file = fopen(place->path, how == APPENDED ? "a" : "r+");
        g_assert_cmpuint(fwrite(text, 1, how == APPENDED ? 0 : n, file), ==, how == APPENDED ? 0 : n);
        if (how == APPENDED)
            fputs("2:1:1:1:1:89999999:7:7\n", file);
        g_assert_cmpint(fclose(file), ==, 0);
    }
    g_free(text);
    g_free(new_path);
}

static gboolean replace_once(double fraction, gpointer user_data)
{
    Replacing *replacing = user_data;
    if (!replacing->is_done && fraction < 1)
        replace(replacing->place, replacing->how);
    replacing->is_done |= fraction < 1;
    return TRUE;
}

/* No index says that records of one trace are those of another one. */
static void test_replaced(void)
{
    for (guint round = 0; round < 2 * N_REPLACEMENTS; round++) {
        Place place = make_place(120000); /* progress is told each 4 MB */
        Replacing replacing = {&place, round % N_REPLACEMENTS, FALSE};
        tnd_trace_store_memory = 0;
        tnd_trace_free(tnd_trace_open(place.path, replace_once, &replacing, NULL));
        g_assert_true(replacing.is_done);
        TndTrace *trace = open_trace(&place, G_MAXSIZE);
        g_remove(place.index);
        TndTrace *plain = open_trace(&place, G_MAXSIZE);
        compare(plain, trace);
        tnd_trace_free(plain);
        tnd_trace_free(trace);
        clear_place(&place);
    }
}

/* Whatever byte of it is wrong: what is read is right, and the next index is. */
static void test_damaged(void)
{
    enum { N_ROUNDS = 300 };
    guint n_mended = 0;
    Place place = make_place(3000);
    TndTrace *plain = open_trace(&place, G_MAXSIZE), *trace;
    tnd_trace_free(open_trace(&place, 0));
    char *index;
    gsize n_bytes;
    g_assert_true(g_file_get_contents(place.index, &index, &n_bytes, NULL));
    for (guint round = 0; round < N_ROUNDS; round++) {
        gsize at = (gsize)g_test_rand_int_range(0, (gint32)n_bytes);
        char byte = index[at];
        if (round % 3 == 0)
            at %= tnd_trace_index_head_bytes();
        byte = index[at];
        index[at] ^= (char)g_test_rand_int_range(1, 256);
        gsize n_left = round % 10 == 9 ? at : n_bytes;
        g_assert_true(g_file_set_contents(place.index, index, (gssize)n_left, NULL));
        trace = open_trace(&place, 0);
        compare(plain, trace);
        tnd_trace_free(trace);
        index[at] = byte;
        char *again;
        gsize n_again;
        g_assert_true(g_file_get_contents(place.index, &again, &n_again, NULL));
        n_mended += n_again == n_bytes && memcmp(again, index, n_bytes) == 0;
        g_free(again);
    }
    g_assert_cmpuint(n_mended, >=, N_ROUNDS / 2); /* there are bytes that nobody reads */
    g_free(index);
    tnd_trace_free(plain);
    clear_place(&place);
}

/* A damaged index of a trace that is not there any more: that is said, and nothing wrong is read. */
static void test_damaged_and_gone(void)
{
    Place place = make_place(3000);
    tnd_trace_free(open_trace(&place, 0));
    char *index;
    gsize n_bytes, n_whole, n;
    g_assert_true(g_file_get_contents(place.index, &index, &n_bytes, NULL));
    for (gsize at = tnd_trace_index_head_bytes(); at < n_bytes / 2; at++)
        index[at] ^= 1;
    TndTrace *trace = open_trace(&place, 0);
    g_free(tnd_walk_all_messages(trace, &n_whole));
    tnd_trace_free(trace);
    g_assert_true(g_file_set_contents(place.index, index, (gssize)n_bytes, NULL));
    trace = open_trace(&place, 0);
    g_remove(place.path);
    g_test_expect_message(G_LOG_DOMAIN, G_LOG_LEVEL_WARNING, "*a.prv: its index is damaged*");
    TndRowRecords records;
    tnd_walk_all_events(trace, 0, &records);
    g_test_assert_expected_messages();
    g_assert_cmpuint(records.n_events, ==, 0);
    g_free(tnd_walk_all_messages(trace, &n));
    g_assert_cmpuint(n, <=, n_whole);
    g_free(records.events);
    g_free(index);
    tnd_trace_free(trace);
    clear_place(&place);
}

/* Another writer is at it, or the place cannot be written: then elsewhere, or in memory. */
static void test_no_place(void)
{
    Place place = make_place(3000);
    TndTrace *plain = open_trace(&place, G_MAXSIZE);
    char *new_index = g_strconcat(place.index, ".new", NULL);
    int fd = open(new_index, O_RDWR | O_CREAT, 0600);
    g_assert_cmpint(flock(fd, LOCK_EX), ==, 0);
    char **paths = tnd_trace_index_paths(place.path);
    TndTrace *trace = open_trace(&place, 0);
    compare(plain, trace);
    g_assert_false(has_index(&place));
    g_assert_true(g_file_test(paths[1], G_FILE_TEST_EXISTS));
    tnd_trace_free(trace);
    trace = open_trace(&place, G_MAXSIZE); /* from the cache */
    compare(plain, trace);
    tnd_trace_free(trace);
    g_remove(paths[1]);
    close(fd);
    trace = open_trace(&place, 0); /* what a killed writer left is no obstacle */
    g_assert_true(has_index(&place));
    g_assert_false(g_file_test(new_index, G_FILE_TEST_EXISTS));
    compare(plain, trace);
    tnd_trace_free(trace);
    tnd_trace_free(plain);
    g_strfreev(paths);
    g_free(new_index);
    clear_place(&place);
}

int main(int argc, char **argv)
{
    char *cache = g_dir_make_tmp("tandem-cache-XXXXXX", NULL);
    g_setenv("XDG_CACHE_HOME", cache, TRUE);
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/trace-index/the-same", test_the_same);
    g_test_add_func("/trace-index/any-order", test_any_order);
    g_test_add_func("/trace-index/another-trace", test_another_trace);
    g_test_add_func("/trace-index/replaced", test_replaced);
    g_test_add_func("/trace-index/damaged", test_damaged);
    g_test_add_func("/trace-index/damaged-and-gone", test_damaged_and_gone);
    g_test_add_func("/trace-index/no-place", test_no_place);
    int status = g_test_run();
    char *own = g_build_filename(cache, "tandem", NULL);
    g_rmdir(own);
    g_rmdir(cache);
    g_free(own);
    g_free(cache);
    return status;
}
