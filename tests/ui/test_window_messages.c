/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages in the window: chosen by what is typed, told of at the pointer, followed by a double click.  What is counted
 * is what a walk over all messages counts.
 */
#include "analysis/trace/walk.h"
#include "tests/ui/hands.h"
#include "viewer/hover_card.h"
#include "viewer/timeline_area.h"

static const TndTimeline *picture(void)
{
    const TndLaneStack *shown;
    WAIT_FOR((shown = tnd_timeline_area_stack(tnd_window_timeline(window))) != NULL);
    return tnd_lane_stack_timeline(shown, 0);
}

static gboolean is_written(const char *words)
{
    const GArray *texts = tnd_timeline_texts(picture());
    for (guint i = 0; i < texts->len; i++)
        if (strstr(g_array_index(texts, TndText, i).text, words))
            return TRUE;
    return FALSE;
}

static gboolean is_any(const TndMessage *message)
{
    return TRUE;
}

static gboolean is_large(const TndMessage *message)
{
    return message->size_bytes > 4096;
}

static gboolean is_of_two(const TndMessage *message)
{
    return message->sender == 2 || message->receiver == 2;
}

static guint count(gboolean (*is_chosen)(const TndMessage *message))
{
    TndWalk walk = tnd_walk_messages(tnd_session_trace(session), 0, G_MAXUINT64);
    guint n = 0;
    for (const TndMessage *message; (message = tnd_walk_next_message(&walk));)
        n += is_chosen(message);
    tnd_walk_end(&walk);
    return n;
}

static gboolean shows(guint n, const char *with)
{
    char *words = g_strdup_printf("  %u messages%s%s%s", n, with ? " (" : "", with ? with : "", with ? ")" : "");
    const gboolean is = is_written(words);
    g_free(words);
    return is;
}

/* The dialog has a main loop of its own, so that one xdotool does all. */
static void test_choose(void)
{
    tnd_session_open_view(session, "mpi-calls", NULL);
    WAIT_FOR(shows(count(is_any), NULL));
    input("key shift+m sleep 0.7 type --args 1 size>4k key Return");
    WAIT_FOR(tnd_session_message_choice(session));
    WAIT_FOR(shows(count(is_large), "size>4k"));
    g_assert_cmpuint(count(is_large), <, count(is_any));
    keep_screen("messages-large");
    input("key shift+m sleep 0.7 key ctrl+a type --args 1 with:rank:99 key Return sleep 0.4 " /* there is none */
          "key BackSpace BackSpace type --args 1 2 key Return");
    WAIT_FOR(shows(count(is_of_two), "with:rank:2"));
    keep_screen("messages-of-rank");
    input("key m sleep 0.3 key shift+m sleep 0.7 key ctrl+a BackSpace Return"); /* hidden, then all */
    WAIT_FOR(!tnd_session_message_choice(session));
    WAIT_FOR(shows(count(is_any), NULL));
}

/* One that no other crosses nearby: the first one whose middle is found to be its own. */
static void find_lone(TndMessage *lone, double *x, double *y)
{
    TndWalk walk = tnd_walk_messages(tnd_session_trace(session), 0, G_MAXUINT64);
    gboolean is_found = FALSE;
    for (const TndMessage *message; !is_found && (message = tnd_walk_next_message(&walk));) {
        double top, bottom, other_top, other_bottom;
        TndMessage there;
        tnd_timeline_row_span(picture(), message->sender, &top, &bottom);
        tnd_timeline_row_span(picture(), message->receiver, &other_top, &other_bottom);
        *x = tnd_timeline_x(picture(), (message->physical_send_ns + message->physical_receive_ns) / 2);
        *y = (top + bottom + other_top + other_bottom) / 4;
        is_found = message->sender != message->receiver && tnd_timeline_find_message(picture(), *x, *y, &there) &&
                   !memcmp(&there, message, sizeof there);
        *lone = *message;
    }
    tnd_walk_end(&walk);
    g_assert_true(is_found);
}

static void on_screen(double x, double y, int *screen_x, int *screen_y)
{
    gdk_window_get_origin(gtk_widget_get_window(tnd_window_timeline(window)), screen_x, screen_y);
    *screen_x += (int)floor(x);
    *screen_y += (int)floor(y);
}

static void test_hover_and_follow(void)
{
    TndMessage message = {0};
    double x = 0, y = 0;
    int left, top;
    find_lone(&message, &x, &y);
    on_screen(x, y, &left, &top);
    const guint32 before = screen_at(x - 2, y);
    input("mousemove %d %d", left, top);
    WAIT_FOR(tnd_session_hover_message(session));
    g_assert_cmpint(tnd_session_hover_message(session)->tag, ==, message.tag);
    char *card = tnd_hover_card_text(session),
         *wanted = g_strdup_printf("Rank %u to Rank %u: %" G_GINT64_FORMAT " bytes, tag %" G_GINT64_FORMAT,
                                   message.sender, message.receiver, message.size_bytes, message.tag);
    g_assert_true(g_str_has_prefix(card, wanted));
    g_free(wanted);
    g_free(card);
    live(1200); /* the card comes up */
    keep_screen("message-hover");
    g_assert_cmphex(screen_at(x - 2, y), !=, before); /* the line is wider */

    input("click --repeat 2 --delay 60 1");
    WAIT_FOR(tnd_session_selection(session).is_set);
    WAIT_FOR(tnd_session_selection(session).time_ns == message.logical_receive_ns ||
             tnd_session_selection(session).time_ns == message.logical_send_ns);
    const gboolean is_receiver = tnd_session_selection(session).time_ns == message.logical_receive_ns;
    g_assert_cmpuint(tnd_session_selection(session).row, ==, is_receiver ? message.receiver : message.sender);
    input("mousemove %d %d", left + 20, top + 300);
    WAIT_FOR(!tnd_session_hover_message(session) ||
             tnd_session_hover_message(session)->physical_send_ns != message.physical_send_ns);
}

/* A click tells the records of the burst as text, with the numbers of the file. */
static void test_records(void)
{
    TndMessage message = {0};
    double x = 0, y = 0, top, bottom;
    int left, screen_top;
    tnd_session_open_view(session, "mpi-calls", NULL);
    tnd_session_set_zoom(session, tnd_session_whole(session), FALSE);
    live(200);
    find_lone(&message, &x, &y);
    tnd_timeline_row_span(picture(), message.sender, &top, &bottom);
    on_screen(tnd_timeline_x(picture(), message.logical_send_ns) + 1, (top + bottom) / 2, &left, &screen_top);
    input("mousemove %d %d click 1", left, screen_top);
    WAIT_FOR(tnd_session_selection(session).is_set && tnd_session_selection(session).row == message.sender);
    live(200);
    const char *text = gtk_label_get_text(GTK_LABEL(find_named(window, "records")));
    g_assert_nonnull(strstr(text, "Records of this burst:\n"));
    g_assert_nonnull(strstr(text, "\n▸ "));
    g_assert_nonnull(strstr(text, "(50000001): MPI_"));
    keep_screen("records");
}

int main(int argc, char **argv)
{
    begin_tests(&argc, &argv);
    open_window("synthetic-16", NULL);
    g_test_add_func("/window-messages/choose", test_choose);
    g_test_add_func("/window-messages/hover-and-follow", test_hover_and_follow);
    g_test_add_func("/window-messages/records", test_records);
    return end_tests();
}
