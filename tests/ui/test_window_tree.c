/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processes and nodes in the window: their rows are folded by a click on their label and by keys.
 */
#include "tests/ui/hands.h"
#include "viewer/timeline_area.h"

#include <math.h>

static const TndTimeline *timeline(void)
{
    const TndLaneStack *shown;
    WAIT_FOR((shown = tnd_timeline_area_stack(tnd_window_timeline(window))) != NULL);
    return tnd_lane_stack_timeline(shown, 0);
}

static gboolean are_rows(const char *wanted)
{
    char *text = tnd_session_rows_text(session);
    gboolean are = !strcmp(text, wanted);
    g_free(text);
    return are;
}

/* Moves into the picture, to where it has this text, or beside it. */
static void move_to_text(const char *wanted, double right)
{
    const GArray *texts = tnd_timeline_texts(timeline());
    int x, y;
    gdk_window_get_origin(gtk_widget_get_window(tnd_window_timeline(window)), &x, &y);
    for (guint i = 0; i < texts->len; i++) {
        const TndText *text = &g_array_index(texts, TndText, i);
        if (strcmp(text->text, wanted))
            continue;
        x += (int)floor(text->box.x + text->box.width / 2 + right);
        y += (int)floor(text->box.y + text->box.height / 2);
        input("mousemove %d %d mousemove %d %d", x + 1, y + 1, x, y);
        return;
    }
    g_error("the picture has no text '%s'", wanted);
}

static void test_click(void)
{
    tnd_session_open_view(session, "state", NULL);
    live(150);
    move_to_text("Rank 1", 0);
    input("click 1");
    WAIT_FOR(are_rows("1-4, [5-8], 9-16"));
    live(150);
    move_to_text("4 threads", 0);
    live(100);
    move_to_text("node02", 0);
    input("click 1");
    WAIT_FOR(are_rows("1-4, [5-8], [9-16]"));
    keep_screen("tree-folded");
    move_to_text("Rank 1", 0);
    input("click 1");
    WAIT_FOR(are_rows("1-8, [9-16]"));
    press("ctrl+z");
    press("ctrl+z");
    press("ctrl+z");
    WAIT_FOR(are_rows("1-16"));
}

static void test_keys(void)
{
    live(150);
    move_to_text("Rank 2", 300); /* in the canvas, beside the label */
    WAIT_FOR(tnd_session_hover(session).is_set);
    press("e");
    WAIT_FOR(are_rows("1-8, [9-12], 13-16"));
    live(150);
    move_to_text("Rank 2", 300); /* it is elsewhere now */
    live(50);
    press("e");
    WAIT_FOR(are_rows("1-16"));
    press("shift+e");
    WAIT_FOR(are_rows("[1-4], [5-8], [9-12], [13-16]"));
    keep_screen("tree-processes");
    press("shift+n");
    WAIT_FOR(are_rows("[1-8], [9-16]"));
    press("shift+n");
    WAIT_FOR(are_rows("1-16"));
    press("n");
    WAIT_FOR(are_rows("1-8, [9-16]"));
    press("shift+x");
    WAIT_FOR(are_rows("1-16"));
    press("h"); /* rows of the table have the same labels */
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_HISTOGRAM);
    keep_screen("tree-histogram");
    press("h");
}

int main(int argc, char **argv)
{
    begin_tests(&argc, &argv);
    open_window("hybrid-nodes", NULL);
    g_test_add_func("/window-tree/click", test_click);
    g_test_add_func("/window-tree/keys", test_keys);
    return end_tests();
}
