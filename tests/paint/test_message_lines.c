/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages in sight against a walk over all of them: counted to the last one where they are few or all rows are shown,
 * nearly where they are many; drawn all or evenly.
 */
#include "tests/unit/make_trace.h"
#include "viewer/paint/message_lines.h"

#include <math.h>

enum { N = 400000, N_ROWS = 64, N_RARE = 40, APART_NS = 10, END_NS = N * APART_NS + 100000, MOST = 5000, FIT = 600 };

static guint sender[N], receiver[N];
static guint64 receive_ns[N];

static TndTrace *make_messages(void)
{
    GRand *chance = g_rand_new_with_seed(5);
    TndTraceBuild *build = make_trace(N_ROWS, END_NS, 1);
    for (guint task = 1; task <= N_ROWS; task++)
        add_state(build, task, 0, END_NS, 1);
    for (guint i = 0; i < N; i++) {
        gboolean is_rare = i % (N / N_RARE) == 5;
        sender[i] = is_rare ? N_ROWS - 2 : (guint)g_rand_int_range(chance, 0, N_ROWS - 2);
        receiver[i] = is_rare ? N_ROWS - 1 : (guint)g_rand_int_range(chance, 0, N_ROWS - 2);
        receive_ns[i] = i * APART_NS + (guint64)g_rand_int_range(chance, 0, i % 5000 == 7 ? 100000 : 500);
        add_message(build, sender[i] + 1, receiver[i] + 1, i * APART_NS, receive_ns[i], i);
    }
    g_rand_free(chance);
    return tnd_trace_build_finish(build, NULL, NULL);
}

static gboolean is_seen(guint i, guint64 begin_ns, guint64 end_ns, guint first_row, guint last_row)
{
    return i * APART_NS <= end_ns && receive_ns[i] >= begin_ns && MIN(sender[i], receiver[i]) <= last_row &&
           MAX(sender[i], receiver[i]) >= first_row;
}

typedef struct {
    guint64 begin_ns, end_ns;
    guint first_row, last_row;
    gboolean is_about;
    const char *choice; /* NULL: all messages */
    gboolean (*is_chosen)(guint i);
} Stretch;

static gboolean is_wanted(guint i, const Stretch *stretch)
{
    return is_seen(i, stretch->begin_ns, stretch->end_ns, stretch->first_row, stretch->last_row) &&
           (!stretch->is_chosen || stretch->is_chosen(i));
}

static void check(const TndTrace *trace, const Stretch *stretch, guint64 too_many)
{
    guint64 n = 0, quarters[4] = {0};
    for (guint i = 0; i < N; i++)
        n += is_wanted(i, stretch);
    GError *error = NULL;
    TndMessageChoice *choice = stretch->choice ? tnd_message_choice_new(trace, stretch->choice, &error) : NULL;
    g_assert_no_error(error);
    const TndMessageLinesSubject subject = {.trace = trace,
                                            .level = TND_LEVEL_THREAD,
                                            .choice = choice,
                                            .begin_ns = stretch->begin_ns,
                                            .end_ns = stretch->end_ns,
                                            .first_row = stretch->first_row,
                                            .last_row = stretch->last_row};
    TndMessageLines lines = tnd_message_lines_new(&subject, too_many, MOST);
    g_assert_cmpint(lines.is_about, ==, stretch->is_about);
    if (stretch->is_about)
        g_assert_cmpfloat(fabs((double)lines.n_visible - (double)n), <, 0.1 * (double)n);
    else
        g_assert_cmpuint(lines.n_visible, ==, n);
    g_assert_cmpuint(lines.n_tasks, ==, 0);
    g_assert_cmpuint(lines.drawn->len, <=, MOST);
    if (n > too_many)
        g_assert_cmpuint(lines.drawn->len + lines.stride, ==, 0);
    else if (n <= MOST)
        g_assert_cmpuint(lines.drawn->len, ==, n);
    else
        g_assert_cmpuint(lines.drawn->len, >, MOST / 3);
    for (guint j = 0; j < lines.drawn->len; j++) {
        const TndMessage *message = &g_array_index(lines.drawn, TndMessage, j);
        g_assert_true(is_wanted((guint)message->size_bytes, stretch));
        quarters[MIN(message->physical_send_ns * 4 / END_NS, 3)]++;
    }
    for (guint i = 0; i < 4 && lines.drawn->len > MOST / 3 && stretch->end_ns - stretch->begin_ns == END_NS; i++)
        g_assert_cmpfloat_with_epsilon((double)quarters[i] / lines.drawn->len, 0.25, 0.06);
    if (lines.drawn->len)
        g_assert_cmpfloat_with_epsilon((double)lines.stride, (double)n / lines.drawn->len,
                                       1 + 0.1 * (double)lines.stride);
    tnd_message_lines_clear(&lines);
    tnd_message_choice_free(choice);
}

static gboolean is_large(guint i)
{
    return i >= 390 * 1024;
}

static gboolean is_of_half(guint i)
{
    return sender[i] <= 30;
}

static gboolean is_that_one(guint i)
{
    return i == 200003;
}

static gboolean is_from_seventh(guint i)
{
    return sender[i] == 7 && receiver[i] >= 2 && receiver[i] <= 4;
}

static gboolean is_slow(guint i)
{
    return receive_ns[i] - i * APART_NS >= 1000 && (sender[i] == 5 || receiver[i] == 5);
}

static gboolean is_none(guint i)
{
    return FALSE;
}

static void test_stretches(void)
{
    const Stretch stretches[] = {
        {0, END_NS, 0, N_ROWS - 1, FALSE},
        {END_NS / 3 + 7, END_NS / 3 * 2, 0, N_ROWS - 1, FALSE},
        {0, END_NS, 0, N_ROWS - 2, TRUE},
        {0, END_NS, 10, 13, TRUE},
        {0, END_NS, N_ROWS - 2, N_ROWS - 1, FALSE}, /* each is found, among all */
        {1000, 300000, 5, 20, FALSE},               /* few enough to read all */
        {END_NS / 2, END_NS / 2 + 900, 0, N_ROWS - 1, FALSE},
        {END_NS / 2, END_NS / 2 + 900, 3, 3, FALSE},
        {END_NS - 50, END_NS, 0, N_ROWS - 1, FALSE},
        {0, END_NS, 0, N_ROWS - 1, FALSE, "size>=390k", is_large},
        {0, END_NS, 0, N_ROWS - 1, TRUE, "from:rank:0-30", is_of_half},
        {0, END_NS, 0, N_ROWS - 1, FALSE, "size=200003", is_that_one}, /* it is found, among all */
        {0, END_NS, 0, N_ROWS - 1, FALSE, "from:rank:7 to:rank:2-4", is_from_seventh},
        {0, END_NS, 0, N_ROWS - 1, FALSE, " >=1us  with:1.6 ", is_slow},
        {0, END_NS, 0, N_ROWS - 1, FALSE, "tag<0", is_none},
    };
    TndTrace *trace = make_messages();
    for (guint i = 0; i < G_N_ELEMENTS(stretches); i++) {
        check(trace, &stretches[i], FIT);
        check(trace, &stretches[i], G_MAXUINT64);
        check(trace, &stretches[i], 0);
    }
    tnd_trace_free(trace);
}

static void add_between(TndTraceBuild *build, guint from_task, guint from_thread, guint to_task, guint to_thread)
{
    struct tnd_prv_message record = {.sender = {0, 1, from_task, from_thread},
                                     .receiver = {0, 1, to_task, to_thread},
                                     .logical_send = 100,
                                     .physical_send = 100,
                                     .logical_receive = 200,
                                     .physical_receive = 200};
    g_assert_true(tnd_trace_build_visitor.message(build, &record));
}

/* Threads 1 and 2 are of one task, 3 and 4 of another. */
static void test_levels(void)
{
    static const struct {
        TndLevel level;
        guint first_row, last_row, n;
    } wanted[] = {{TND_LEVEL_THREAD, 0, 3, 3}, {TND_LEVEL_THREAD, 0, 0, 1},   {TND_LEVEL_TASK, 0, 1, 2},
                  {TND_LEVEL_TASK, 1, 1, 2},   {TND_LEVEL_WORKLOAD, 0, 0, 0}, {TND_LEVEL_NODE, 0, 0, 0},
                  {TND_LEVEL_CPU, 0, 3, 0}};
    TndTraceBuild *build = make_trace_of(2, 2, 1000, 1);
    add_between(build, 1, 1, 1, 2);
    add_between(build, 1, 2, 2, 1);
    add_between(build, 2, 2, 1, 2);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(wanted); i++) {
        const TndMessageLinesSubject subject = {.trace = trace,
                                                .level = wanted[i].level,
                                                .end_ns = 1000,
                                                .first_row = wanted[i].first_row,
                                                .last_row = wanted[i].last_row};
        TndMessageLines lines = tnd_message_lines_new(&subject, G_MAXUINT64, MOST);
        g_assert_cmpuint(lines.n_visible, ==, wanted[i].n);
        g_assert_cmpuint(lines.drawn->len, ==, wanted[i].n);
        tnd_message_lines_clear(&lines);
    }
    tnd_trace_free(trace);
}

static void test_refused(void)
{
    static const char *const texts[] = {"",    "  ", "size",  "size>",      "size>x",      "tag=",   "tag=1ms",
                                        ">5x", "<",  "from:", "to:rank:64", "with:nobody", "comm=3", "size>1 what"};
    TndTrace *trace = make_messages();
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        GError *error = NULL;
        TndMessageChoice *choice = tnd_message_choice_new(trace, texts[i], &error);
        g_test_message("%s", texts[i]);
        g_assert_null(choice);
        g_assert_nonnull(error);
        g_clear_error(&error);
    }
    tnd_trace_free(trace);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/message-lines/stretches", test_stretches);
    g_test_add_func("/message-lines/levels", test_levels);
    g_test_add_func("/message-lines/refused", test_refused);
    return g_test_run();
}
