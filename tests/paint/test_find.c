/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Queries, against a search by hand through all bursts; and many hits, of which the earliest are kept.
 */
#include "tests/paint/picture.h"
#include "viewer/find.h"

#include <glib/gstdio.h>

static TndFindHits *find(TndView *view, const TndRowOrder *order, const char *query)
{
    GError *error = NULL;
    TndFind *find = tnd_find_new(view, order, query, &error);
    g_assert_no_error(error);
    TndFindHits *hits = tnd_find_run(find, NULL, NULL);
    tnd_find_free(find);
    return hits;
}

static guint64 count(TndView *view, const TndRowOrder *order, const char *query)
{
    TndFindHits *hits = find(view, order, query);
    const guint64 n = hits->n_all;
    tnd_find_free_hits(hits);
    return n;
}

static void test_queries(void)
{
    TndTrace *trace = open_trace("synthetic-16");
    TndView *view = tnd_view_new(trace, "useful-duration", NULL), *calls = tnd_view_new(trace, "mpi-calls", NULL);
    guint64 longer = 0, larger = 0, barriers = 0, of_three = 0;
    for (guint row = 0; row < 16; row++) {
        TndBurst burst;
        for (guint64 at = 0; tnd_view_burst_at(view, row, at, &burst); at = burst.end_ns) {
            longer += burst.value != 0 && burst.end_ns - burst.begin_ns > 5000;
            larger += burst.value > 5000 && burst.value < 7000;
        }
        for (guint64 at = 0; tnd_view_burst_at(calls, row, at, &burst); at = burst.end_ns) {
            char *text = tnd_view_value_text(calls, burst.value);
            barriers += strstr(text, "Barrier") != NULL;
            of_three += strstr(text, "Barrier") != NULL && (row == 3 || row == 7);
            g_free(text);
        }
    }
    const guint two[] = {3, 7};
    const TndRowGroup lines[] = {{two, 1}, {two + 1, 1}};
    TndRowOrder *order = tnd_row_order_new(lines, 2, 0, 16);
    g_assert_cmpuint(longer, >, 0);
    g_assert_cmpuint(larger, >, 0);
    g_assert_cmpuint(of_three, >, 0);
    g_assert_cmpuint(count(view, NULL, ">5us"), ==, longer);
    g_assert_cmpuint(count(view, NULL, " value>5us   value<7000"), ==, larger);
    g_assert_cmpuint(count(calls, NULL, "mpi_barrier"), ==, barriers);
    g_assert_cmpuint(count(view, NULL, "in:mpi-calls BARRIER"), ==, barriers);
    g_assert_cmpuint(count(calls, order, "barrier"), ==, of_three);
    g_assert_cmpuint(count(calls, NULL, "barrier row:1.4.1,1.8.1"), ==, of_three);
    g_assert_cmpuint(count(calls, order, "barrier rank:0"), ==, 0);
    static const char *const wrong[] = {"", ">", "value>", "value=x", "rank:99", "in:nothing", "line:x.c"};
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        GError *error = NULL;
        TndFind *find = tnd_find_new(view, NULL, wrong[i], &error);
        if (find) /* "value>" is a text like any other */
            tnd_find_free(find);
        else
            g_assert_nonnull(error);
        g_assert_true(!find || !strcmp(wrong[i], "value>"));
        g_clear_error(&error);
    }
    tnd_row_order_free(order);
    tnd_view_free(view);
    tnd_view_free(calls);
    tnd_trace_free(trace);
}

static gboolean stop(double fraction, gpointer data)
{
    return FALSE;
}

/* Row r of 8 runs at all odd multiples of 100 ns, r ns later. */
static void test_many(void)
{
    enum { ROWS = 8, EACH = 9000 };
    char *path = g_build_filename(g_get_tmp_dir(), "test-find-XXXXXX.prv", NULL);
    int file = g_mkstemp(path);
    FILE *out = fdopen(file, "w");
    fprintf(out, "#Paraver (24/11/2026 at 09:00):2000000_ns:1(8):1:8(1:1,1:1,1:1,1:1,1:1,1:1,1:1,1:1)\n");
    for (guint i = 0; i < EACH; i++)
        for (guint row = 0; row < ROWS; row++)
            fprintf(out, "1:%u:1:%u:1:%u:%u:1\n", row + 1, row + 1, 200 * i + 100 + row, 200 * i + 150 + row);
    fclose(out);
    GError *error = NULL;
    TndTrace *trace = tnd_trace_open(path, NULL, NULL, &error);
    g_assert_no_error(error);
    TndView *view = tnd_view_new(trace, "state", NULL);
    TndFindHits *hits = find(view, NULL, "running");
    g_assert_cmpuint(hits->n_all, ==, ROWS * EACH);
    g_assert_cmpuint(hits->hits->len, ==, TND_FIND_MOST);
    for (guint i = 0; i < TND_FIND_MOST; i++) {
        const TndFindHit *hit = &g_array_index(hits->hits, TndFindHit, i);
        g_assert_cmpuint(hit->row, ==, i % ROWS);
        g_assert_cmpuint(hit->begin_ns, ==, 200 * (i / ROWS) + 100 + i % ROWS);
    }
    tnd_find_free_hits(hits);
    TndFind *find = tnd_find_new(view, NULL, "running", NULL);
    g_assert_null(tnd_find_run(find, stop, NULL));
    tnd_find_free(find);
    tnd_view_free(view);
    tnd_trace_free(trace);
    g_unlink(path);
    g_free(path);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/find/queries", test_queries);
    g_test_add_func("/find/many", test_many);
    return g_test_run();
}
