/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bursts that are kept, and grids over them, of rows of several blocks that are far from even in time: against the
 * bursts that went in.  Also with memory that is a file from the first byte on.
 */
#include "analysis/bursts/burst_walk.h"
#include "analysis/bursts/row_grids.h"

#include <math.h>
#include <string.h>

/* A row of stretches that are dense or sparse, long or short, from 2^least ns on. */
static GArray *random_bursts(guint n, int least)
{
    GArray *bursts = g_array_new(FALSE, FALSE, sizeof(TndBurst));
    guint64 time_ns = 0;
    int exponent = 0;
    for (guint i = 0; i < n; i++) {
        exponent = i % 500 == 0 ? least + g_test_rand_int_range(0, 30) : exponent;
        guint64 length = g_test_rand_int_range(0, 20) ? (guint64)g_test_rand_int_range(0, 1 << 10) << exponent : 0;
        double value = g_test_rand_int_range(0, 3) ? g_test_rand_int_range(-100, 100) : 0;
        if (i / 300 % 3 == 2)
            value *= 1.1;
        else if (i / 300 % 5 == 4)
            value *= 1e12;
        TndBurst burst = {time_ns, time_ns + length + (i == 0), value};
        time_ns = burst.end_ns;
        g_array_append_val(bursts, burst);
    }
    return bursts;
}

static void put(TndBurstStream *stream, gpointer data)
{
    const GArray *bursts = data;
    for (guint i = 0; i < bursts->len; i++)
        tnd_burst_stream_append(stream, g_array_index(bursts, TndBurst, i));
}

static guint64 end_of(const GArray *bursts)
{
    return g_array_index(bursts, TndBurst, bursts->len - 1).end_ns;
}

static guint64 random_time(guint64 end_ns)
{
    return (guint64)(g_test_rand_double() * (double)end_ns) >> g_test_rand_int_range(0, 3);
}

static TndBurstSummary sum_by_hand(const GArray *bursts, guint64 begin_ns, guint64 end_ns)
{
    TndBurstSummary summary = tnd_row_bursts_nothing;
    for (guint i = 0; i < bursts->len; i++) {
        const TndBurst *burst = &g_array_index(bursts, TndBurst, i);
        if (burst->begin_ns == burst->end_ns || burst->end_ns <= begin_ns || burst->begin_ns >= end_ns)
            continue;
        summary.has_zero |= burst->value == 0;
        summary.minimum = burst->value != 0 ? MIN(summary.minimum, burst->value) : summary.minimum;
        summary.maximum = burst->value != 0 ? MAX(summary.maximum, burst->value) : summary.maximum;
    }
    return summary;
}

static void check_walk(const TndRowBursts *row, const GArray *bursts)
{
    guint64 from_ns = random_time(row->end_ns);
    guint i = 0;
    while (i < bursts->len && g_array_index(bursts, TndBurst, i).end_ns <= from_ns)
        i++;
    TndBurstWalk walk = tnd_burst_walk_start(row, from_ns);
    for (; walk.at; tnd_burst_walk_next(&walk), i++) {
        const TndBurst *burst = &g_array_index(bursts, TndBurst, i);
        g_assert_cmpuint(walk.at->begin_ns, ==, burst->begin_ns);
        g_assert_cmpuint(walk.at->end_ns, ==, burst->end_ns);
        g_assert_cmpfloat(walk.at->value, ==, burst->value);
    }
    g_assert_cmpuint(i, ==, bursts->len);
    tnd_burst_walk_end(&walk);
}

static void check_sums(const TndRowBursts *row, const GArray *bursts)
{
    TndBurstPage page;
    tnd_row_bursts_start_page(&page);
    for (guint query = 0; query < 50; query++) {
        guint64 begin_ns = random_time(row->end_ns), end_ns = begin_ns + 1 + random_time(row->end_ns);
        TndBurstSummary found = tnd_row_bursts_sum(row, begin_ns, end_ns, &page);
        TndBurstSummary wanted = sum_by_hand(bursts, begin_ns, end_ns);
        g_assert_cmpfloat(found.minimum, ==, wanted.minimum);
        g_assert_cmpfloat(found.maximum, ==, wanted.maximum);
        g_assert_cmpint(found.has_zero, ==, wanted.has_zero);
        const TndBurst *at = tnd_row_bursts_at(row, begin_ns, &page);
        g_assert_true(!at == (begin_ns >= row->end_ns));
        g_assert_true(!at || (at->begin_ns <= begin_ns && at->end_ns > begin_ns));
    }
}

/* Of what is drawn: as large as a float tells from another. */
static double least(double value)
{
    return fabs(value) * (1 - 1e-6);
}

static double peak_by_hand(const GArray *bursts, guint64 begin_ns, guint64 end_ns)
{
    TndBurstSummary summary = sum_by_hand(bursts, begin_ns, end_ns);
    return summary.minimum > summary.maximum ? 0 : MAX(fabs(summary.minimum), fabs(summary.maximum));
}

/* A column has what is in it or in one of its neighbours, and nothing that is not there. */
static void check_columns(const TndRowGrids *grids, const TndRowBursts *row, const GArray *bursts)
{
    double values[300];
    for (guint query = 0; query < 20; query++) {
        guint n = (guint)g_test_rand_int_range(1, G_N_ELEMENTS(values));
        guint64 begin_ns = random_time(row->end_ns), span_ns = n + (random_time(row->end_ns) >> query);
        tnd_row_grids_columns(grids, begin_ns, begin_ns + span_ns, n, TND_PLACE_FAIR, values);
        guint64 width = span_ns / n + 2;
        for (guint c = 0; c < n; c += 1 + n / 30) {
            guint64 left = begin_ns + (guint64)((double)span_ns / n * c), right = left + span_ns / n;
            double most = MAX(fabs(values[c]), c > 0 ? fabs(values[c - 1]) : 0);
            most = MAX(most, c + 1 < n ? fabs(values[c + 1]) : 0);
            g_assert_cmpfloat(most, >=, least(peak_by_hand(bursts, left, right)));
            double around = peak_by_hand(bursts, left > width ? left - width : 0, right + width);
            g_assert_cmpfloat(least(values[c]), <=, around);
        }
    }
}

/* Whether a value, or the float next to it, is that of a burst. */
static gboolean occurs(const GArray *bursts, guint64 begin_ns, guint64 end_ns, double value)
{
    if (end_ns > end_of(bursts) && value == 0)
        return TRUE;
    for (guint i = 0; i < bursts->len; i++) {
        const TndBurst *burst = &g_array_index(bursts, TndBurst, i);
        if (burst->begin_ns < end_ns && burst->end_ns > begin_ns && burst->end_ns > burst->begin_ns &&
            fabs(burst->value - value) <= 1e-6 * fabs(value))
            return TRUE;
    }
    return FALSE;
}

/* A column has a value that is in it or near it, wherever it is taken, and the same whenever it is read. */
static void check_samples(TndLargeMemory *memory, const TndRowBursts *row, const GArray *bursts)
{
    double values[300], again[300];
    const TndRowGrids *samples = tnd_row_grids_new(memory, row, NULL, TND_GRIDS_SAMPLES, 7);
    const TndRowGrids *smallest = tnd_row_grids_new(memory, row, NULL, TND_GRIDS_SMALLEST, 7);
    for (guint query = 0; query < 20; query++) {
        const TndGridsPlace place = query % 4;
        const guint n = (guint)g_test_rand_int_range(1, G_N_ELEMENTS(values));
        const guint64 begin_ns = random_time(row->end_ns), span_ns = n + (random_time(row->end_ns) >> query);
        const guint64 width = span_ns / n + 2;
        const TndRowGrids *grids = query % 5 ? samples : smallest;
        tnd_row_grids_columns(grids, begin_ns, begin_ns + span_ns, n, place, values);
        tnd_row_grids_columns(grids, begin_ns, begin_ns + span_ns, n, place, again);
        g_assert_cmpmem(values, n * sizeof *values, again, n * sizeof *again);
        for (guint c = 0; c < n; c += 1 + n / 30) {
            const guint64 left = begin_ns + (guint64)((double)span_ns / n * c);
            g_assert_true(occurs(bursts, left > width ? left - width : 0, left + 2 * width, values[c]));
        }
    }
}

/* Whether a burst has this code, or the time is partly after the row, where the code is that of 0. */
static gboolean has_code(const GArray *bursts, const TndValueCodes *of, guint64 begin_ns, guint64 end_ns, guint16 code)
{
    guint16 is = of->zero;
    gboolean has = end_ns > end_of(bursts) && code == is;
    for (guint i = 0; i < bursts->len && !has; i++) {
        const TndBurst *burst = &g_array_index(bursts, TndBurst, i);
        tnd_value_codes_encode(of, &burst->value, 1, &is);
        has = burst->begin_ns < end_ns && burst->end_ns > begin_ns && burst->end_ns > burst->begin_ns && is == code;
    }
    return has;
}

/* Columns that are read for a turn have what is in them or at most two from them.  If there is no grid to read, they
 * are as they are among all, but for some that begin where a burst does.  Their number is the turn's share. */
static void check_turns(const TndRowGrids *coded, const TndRowBursts *row, const TndValueCodes *of,
                        const GArray *bursts)
{
    enum { MOST = 300, UNREAD = 0xffff };
    guint n_wanted = 0, n_different = 0;
    for (guint query = 0; query < 40; query++) {
        const TndGridsPlace place = TND_PLACE_RANDOM + query % 3;
        const guint n = (guint)g_test_rand_int_range(1, MOST);
        const guint64 begin_ns = random_time(row->end_ns), span_ns = n + (random_time(row->end_ns) >> query % 9),
                      width = span_ns / n + 2;
        const TndTurn turn = {(guint16)g_test_rand_int(), 1u << g_test_rand_int_range(0, 17)};
        guint16 all[MOST + TND_ROW_GRIDS_SLACK], codes[MOST + TND_ROW_GRIDS_SLACK];
        memset(codes, 0xff, sizeof codes);
        g_assert_true(tnd_row_grids_codes(coded, begin_ns, begin_ns + span_ns, n, place, NULL, all));
        g_assert_true(tnd_row_grids_codes(coded, begin_ns, begin_ns + span_ns, n, place, &turn, codes));
        guint n_of_turn = 0;
        for (guint c = 0; c < n; c++) {
            if ((guint16)(turn.number + c * TND_TURN_STEP) >= turn.n)
                continue;
            const guint64 left = begin_ns + (guint64)((double)span_ns / n * c);
            g_assert_cmpuint(codes[c], !=, UNREAD);
            n_different += codes[c] != all[c];
            g_assert_true(codes[c] == all[c] ||
                          has_code(bursts, of, left > 2 * width ? left - 2 * width : 0, left + 3 * width, codes[c]));
            n_of_turn++;
        }
        g_assert_cmpfloat(fabs(n_of_turn - n * (turn.n / 65536.0)), <, 5);
        n_wanted += n_of_turn;
    }
    g_assert_true(row->n_blocks > 1 || n_different <= 2 + n_wanted / 500);
}

/* Columns of codes are codes of columns of values; of colours of a gradient the next one, where a value is a float. */
static void check_codes(TndLargeMemory *memory, GArray *bursts, gboolean is_gradient)
{
    enum { MOST = 300, MOST_VALUE = 32767 };
    for (guint i = 0; i < bursts->len; i++) {
        double *value = &g_array_index(bursts, TndBurst, i).value;
        *value = is_gradient ? fabs(*value) : fmod(floor(fabs(*value)), MOST_VALUE + 1);
    }
    TndRowBursts *row = tnd_row_bursts_new(memory, end_of(bursts), put, bursts);
    TndBurstSummary summary = sum_by_hand(bursts, 0, row->end_ns);
    const TndValueCodes of =
        is_gradient ? tnd_value_codes_of_gradient(summary.minimum, summary.maximum) : tnd_value_codes_of_numbers();
    TndRowGrids *grids = tnd_row_grids_new(memory, row, NULL, TND_GRIDS_LARGEST, 1);
    TndRowGrids *coded = tnd_row_grids_new(memory, row, &of, TND_GRIDS_LARGEST, 1);
    for (guint query = 0; query < 20; query++) {
        guint n = (guint)g_test_rand_int_range(1, MOST);
        guint64 begin_ns = random_time(row->end_ns), end_ns = begin_ns + n + (random_time(row->end_ns) >> query);
        double values[MOST];
        guint16 wanted[MOST], codes[MOST + TND_ROW_GRIDS_SLACK];
        tnd_row_grids_columns(grids, begin_ns, end_ns, n, TND_PLACE_FAIR, values);
        tnd_value_codes_encode(&of, values, n, wanted);
        g_assert_true(tnd_row_grids_codes(coded, begin_ns, end_ns, n, TND_PLACE_FAIR, NULL, codes));
        for (guint c = 0; c < n; c++)
            g_assert_cmpint(ABS(codes[c] - wanted[c]), <=, is_gradient);
    }
    check_turns(tnd_row_grids_new(memory, row, &of, TND_GRIDS_SAMPLES, 7), row, &of, bursts);
    const TndValueCodes few = {.largest = summary.maximum - 1};
    coded = tnd_row_grids_new(memory, row, &few, TND_GRIDS_LARGEST, 1);
    g_assert_true(summary.maximum < 0 ||
                  !tnd_row_grids_codes(coded, 0, 9, 1, TND_PLACE_FAIR, NULL, (guint16[1 + TND_ROW_GRIDS_SLACK]){0}));
}

static void check_row(guint n, int least)
{
    GArray *bursts = random_bursts(n, least);
    TndLargeMemory *memory = tnd_large_memory_new("./any.prv");
    TndRowBursts *row = tnd_row_bursts_new(memory, end_of(bursts), put, bursts);
    g_assert_cmpuint(row->n_blocks, ==, (n + TND_ROW_BURSTS_BLOCK - 1) / TND_ROW_BURSTS_BLOCK);
    check_walk(row, bursts);
    check_sums(row, bursts);
    check_samples(memory, row, bursts);
    check_columns(tnd_row_grids_new(memory, row, NULL, TND_GRIDS_LARGEST, 1), row, bursts);
    check_codes(memory, bursts, TRUE);
    check_codes(memory, bursts, FALSE);
    tnd_large_memory_free(memory);
    g_array_unref(bursts);
}

static void check_rows(void)
{
    static const guint sizes[] = {1, 255, 256, 257, 2048, 2049, 9000};
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++)
        check_row(sizes[i], 0);
}

/* To some 2^60 ns: a double has not all of them. */
static void test_centuries(void)
{
    for (guint round = 0; round < 20; round++)
        check_row(500, 13);
}

static void test_in_memory(void)
{
    check_rows();
}

static void test_in_a_file(void)
{
    tnd_large_memory_limit = 0;
    check_rows();
    tnd_large_memory_limit = G_MAXSIZE;
}

static void test_no_bursts(void)
{
    GArray *bursts = g_array_new(FALSE, FALSE, sizeof(TndBurst));
    TndLargeMemory *memory = tnd_large_memory_new("./any.prv");
    TndRowBursts *row = tnd_row_bursts_new(memory, 0, put, bursts);
    double values[2] = {1, 1};
    tnd_row_grids_columns(tnd_row_grids_new(memory, row, NULL, TND_GRIDS_LARGEST, 1), 0, 100, 2, TND_PLACE_FAIR,
                          values);
    g_assert_cmpfloat(values[0], ==, 0);
    g_assert_cmpfloat(values[1], ==, 0);
    check_walk(row, bursts);
    tnd_large_memory_free(memory);
    g_array_unref(bursts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/row-bursts/in-memory", test_in_memory);
    g_test_add_func("/row-bursts/in-a-file", test_in_a_file);
    g_test_add_func("/row-bursts/centuries", test_centuries);
    g_test_add_func("/row-bursts/none", test_no_bursts);
    return g_test_run();
}
