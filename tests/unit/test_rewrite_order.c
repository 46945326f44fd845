/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records put into the order of time: all come out, once, sorted, those of one time as they came, however little memory
 * there is.
 */
#include "analysis/rewrite/rewrite_order.h"

#define N 5000

typedef struct {
    guint64 last_time, n_states, n_events, n_messages;
    gint64 last_number; /* of those of one time */
    gboolean seen[N];
} Seen;

/* A record's number is in it. */
static void see(Seen *seen, guint64 time, gint64 number)
{
    g_assert_cmpuint(time, >=, seen->last_time);
    if (time == seen->last_time)
        g_assert_cmpint(number, >, seen->last_number);
    g_assert_false(seen->seen[number]);
    seen->seen[number] = TRUE;
    seen->last_time = time;
    seen->last_number = number;
}

static void on_state(gpointer self, guint row, const struct tnd_prv_state *state)
{
    Seen *seen = self;
    g_assert_cmpuint(row, ==, 3);
    g_assert_cmpuint(state->end, ==, state->begin + 5);
    see(seen, state->begin, state->state);
    seen->n_states++;
}

static void on_event(gpointer self, guint row, const struct tnd_prv_event *event)
{
    Seen *seen = self;
    g_assert_cmpuint(event->n_pairs, ==, 1 + (gsize)event->pairs[0].value % 7);
    for (gsize i = 1; i < event->n_pairs; i++)
        g_assert_cmpint(event->pairs[i].value, ==, (gint64)i);
    see(seen, event->time, event->pairs[0].value);
    seen->n_events++;
}

static void on_message(gpointer self, guint sender, guint receiver, const struct tnd_prv_message *message)
{
    Seen *seen = self;
    g_assert_cmpuint(sender, ==, 1);
    g_assert_cmpuint(receiver, ==, 2);
    see(seen, message->logical_send, message->tag);
    seen->n_messages++;
}

static void add(TndRewriteOrder *order, guint64 time, gint64 number)
{
    struct tnd_prv_pair pairs[8] = {{7, number}};
    for (guint i = 1; i < G_N_ELEMENTS(pairs); i++)
        pairs[i] = (struct tnd_prv_pair){8, i};
    if (number % 3 == 0)
        tnd_rewrite_order_state(order, 3,
                                &(struct tnd_prv_state){.begin = time, .end = time + 5, .state = (guint32)number});
    else if (number % 3 == 1)
        tnd_rewrite_order_event(
            order, 4, &(struct tnd_prv_event){.time = time, .n_pairs = 1 + (gsize)number % 7, .pairs = pairs});
    else
        tnd_rewrite_order_message(order, 1, 2, &(struct tnd_prv_message){.logical_send = time, .tag = number});
}

/* Times rise, but for an offset that rows have. */
static void test_order(gconstpointer data)
{
    gsize limit = tnd_rewrite_order_limit_bytes;
    guint64 apart = GPOINTER_TO_UINT(data);
    Seen *seen = g_new0(Seen, 1);
    seen->last_number = -1;
    TndRewriteOrderOut out = {on_state, on_event, on_message, seen, g_get_tmp_dir()};
    tnd_rewrite_order_limit_bytes = 4096;
    TndRewriteOrder *order = tnd_rewrite_order_new(&out);
    for (gint64 i = 0; i < N; i++) {
        guint64 time = (guint64)i / 3;
        tnd_rewrite_order_pass(order, time);
        add(order, time + (g_random_boolean() ? apart : 0), i);
    }
    GError *error = NULL;
    g_assert_true(tnd_rewrite_order_finish(order, &error));
    g_assert_no_error(error);
    g_assert_cmpuint(seen->n_states + seen->n_events + seen->n_messages, ==, N);
    tnd_rewrite_order_free(order);
    tnd_rewrite_order_limit_bytes = limit;
    g_free(seen);
}

/* Nowhere to put a run: that is an error. */
static void test_no_file(void)
{
    gsize limit = tnd_rewrite_order_limit_bytes;
    Seen *seen = g_new0(Seen, 1);
    seen->last_number = -1;
    TndRewriteOrderOut out = {on_state, on_event, on_message, seen, "/nowhere"};
    tnd_rewrite_order_limit_bytes = 4096;
    TndRewriteOrder *order = tnd_rewrite_order_new(&out);
    for (gint64 i = 0; i < 100; i++)
        add(order, 5, i);
    GError *error = NULL;
    g_assert_false(tnd_rewrite_order_finish(order, &error));
    g_assert_nonnull(error);
    g_clear_error(&error);
    tnd_rewrite_order_free(order);
    tnd_rewrite_order_limit_bytes = limit;
    g_free(seen);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_data_func("/rewrite_order/near", GUINT_TO_POINTER(3), test_order);
    g_test_add_data_func("/rewrite_order/apart", GUINT_TO_POINTER(600), test_order);
    g_test_add_data_func("/rewrite_order/all", GUINT_TO_POINTER(100000), test_order);
    g_test_add_func("/rewrite_order/no_file", test_no_file);
    return g_test_run();
}
