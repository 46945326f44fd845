/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding bursts, commands and views in the window by what is typed; the card at the pointer.
 */
#include "tests/ui/hands.h"
#include "viewer/hover_card.h"
#include "viewer/timeline_area.h"

#include <glib/gstdio.h>
#include <math.h>

static const char *about(void)
{
    return gtk_label_get_text(GTK_LABEL(find_named(window, "find-about")));
}

/* Types a query: blanks are %. */
static void search(const char *query)
{
    press("ctrl+f");
    WAIT_FOR(gtk_widget_has_focus(find_named(window, "find-entry")));
    char **words = g_strsplit(query, "%", -1);
    press("ctrl+a");
    for (guint i = 0; words[i]; i++) {
        if (i)
            press("space");
        input("type %s", words[i]);
    }
    press("Return");
    live(200);
    WAIT_FOR(strcmp(about(), "Searching…") != 0);
    g_strfreev(words);
}

/* The whole of a line of the list is on the screen. */
static gboolean is_listed_in_sight(int line)
{
    GtkTreeView *list = GTK_TREE_VIEW(find_named(window, "find-list"));
    GtkTreePath *path = gtk_tree_path_new_from_indices(line, -1);
    GdkRectangle cell;
    gtk_tree_view_get_background_area(list, path, NULL, &cell);
    gtk_tree_path_free(path);
    return cell.y >= 0 && cell.y + cell.height <= gdk_window_get_height(gtk_tree_view_get_bin_window(list)) &&
           cell.y + cell.height <= gtk_widget_get_allocated_height(GTK_WIDGET(list));
}

/* Of each of 4 ranks, 10 barriers. */
static void test_label(void)
{
    tnd_session_open_view(session, "mpi-calls", NULL);
    search("barr"); /* the letters are no commands */
    WAIT_FOR(!strcmp(about(), "1 of 40"));
    g_assert_cmpstr(current_view(), ==, "mpi-calls");
    TndSpot spot = tnd_session_selection(session);
    g_assert_true(spot.is_set && spot.row == 0 && spot.time_ns == 30000);
    press("Return");
    WAIT_FOR(!strcmp(about(), "2 of 40"));
    spot = tnd_session_selection(session);
    g_assert_true(spot.row == 4 && spot.time_ns == 34000);
    press("F3");
    WAIT_FOR(!strcmp(about(), "3 of 40"));
    press("shift+F3");
    press("shift+F3");
    press("shift+F3");
    WAIT_FOR(!strcmp(about(), "40 of 40"));
    spot = tnd_session_selection(session);
    g_assert_true(spot.row == 12 && spot.time_ns == 942000);
    WAIT_FOR(is_listed_in_sight(39));
    keep_screen("find");
}

/* The last hit is gone to at once, while the list is still to be laid out. */
static void test_last_at_once(void)
{
    press("Escape");
    WAIT_FOR(!gtk_widget_get_mapped(find_named(window, "find-about")));
    tnd_session_set_hits(session, NULL);
    tnd_session_set_selection(session, (TndSpot){TRUE, 12, 941000, 0});
    search("MPI_Barrier");
    WAIT_FOR(!strcmp(about(), "40 of 40"));
    WAIT_FOR(is_listed_in_sight(39));
    keep_screen("find-last");
}

static void test_words(void)
{
    search("barrier%rank:1-2%>65us"); /* rank 1: 66 us each; rank 2: 62 us */
    g_assert_cmpstr(about(), ==, "1 of 10");
    g_assert_cmpuint(tnd_session_selection(session).row, ==, 4);
    search("line:solve.c%rank:3"); /* every second barrier */
    g_assert_cmpstr(about(), ==, "1 of 5");
    g_assert_true(tnd_session_selection(session).row == 12 && tnd_session_selection(session).time_ns == 42000);
    search("in:state%synchron"); /* from the selection on */
    g_assert_cmpstr(about(), ==, "8 of 120");
    search("nobody");
    g_assert_cmpstr(about(), ==, "Nothing found");
    search(">soon");
    g_assert_nonnull(strstr(about(), "a duration, as >1ms"));
    search("in:moon");
    g_assert_nonnull(strstr(about(), "moon"));
    press("Escape");
    WAIT_FOR(!gtk_widget_get_mapped(find_named(window, "find-about")));
    press("h"); /* a command again */
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_HISTOGRAM);
    press("h");
}

/* A hit that is not on the screen is brought there, in time and rows; a click in the list goes to it. */
static void test_into_sight(void)
{
    tnd_session_set_zoom(session, (TndZoom){0, 20000, 0, 3}, FALSE);
    tnd_session_set_selection(session, (TndSpot){0});
    search("barrier%rank:3");
    TndZoom zoom = tnd_session_zoom(session);
    g_assert_true(zoom.begin_ns <= 42000 && zoom.end_ns > 42000 && zoom.first_row <= 12 && zoom.last_row >= 12);
    GtkWidget *list = find_named(window, "find-list");
    int x, y;
    gdk_window_get_origin(gtk_tree_view_get_bin_window(GTK_TREE_VIEW(list)), &x, &y);
    GdkRectangle cell;
    GtkTreePath *path = gtk_tree_path_new_from_indices(2, -1);
    gtk_tree_view_get_cell_area(GTK_TREE_VIEW(list), path, NULL, &cell);
    gtk_tree_path_free(path);
    input("mousemove %d %d click 1", x + 20, y + cell.y + cell.height / 2);
    WAIT_FOR(tnd_session_selection(session).time_ns == 242000);
    press("Escape");
    tnd_session_set_zoom(session, tnd_session_whole(session), FALSE);
}

static void test_commands(void)
{
    press("ctrl+shift+p");
    live(500);
    input("type useful");
    live(100);
    keep_screen("command-finder");
    press("Return");
    WAIT_FOR(!strcmp(current_view(), "useful-duration"));
    live(300);
    press("ctrl+shift+p");
    live(500);
    input("type timeline");
    press("space");
    input("type below");
    press("Down"); /* "Add a timeline below" is above "Timeline below" */
    press("Up");
    press("Return");
    WAIT_FOR(tnd_session_n_lanes(session) == 2);
    live(300);
    press("ctrl+z");
    WAIT_FOR(tnd_session_n_lanes(session) == 1);
    press("ctrl+shift+p");
    live(500);
    press("Escape");
    live(300);
    press("h"); /* keys are commands again */
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_HISTOGRAM);
    press("h");
}

/* The card is a window of its own. */
static GtkWidget *find_card(void)
{
    GtkWidget *found = NULL;
    GList *windows = gtk_window_list_toplevels();
    for (GList *each = windows; each; each = each->next)
        if (gtk_window_get_type_hint(each->data) == GDK_WINDOW_TYPE_HINT_TOOLTIP && gtk_widget_get_visible(each->data))
            found = each->data;
    g_list_free(windows);
    return found;
}

static void test_card(void)
{
    int x, y;
    double top, bottom;
    tnd_session_open_view(session, "mpi-calls", NULL);
    live(200);
    const TndTimeline *timeline = tnd_timeline_area_picture(tnd_window_timeline(window));
    g_assert_true(tnd_timeline_row_span(timeline, 4, &top, &bottom));
    gdk_window_get_origin(gtk_widget_get_window(tnd_window_timeline(window)), &x, &y);
    x += (int)floor(tnd_timeline_x(timeline, 270000));
    y += (int)floor((top + bottom) / 2);
    input("mousemove %d %d mousemove %d %d", x + 1, y + 1, x, y);
    WAIT_FOR(tnd_session_hover(session).is_set);
    char *text = tnd_hover_card_text(session);
    g_assert_true(g_str_has_prefix(text, "MPI_Barrier\nRank 1 thread 0 (1.2.1), at 2"));
    g_assert_nonnull(strstr(text, "lasts 66 us, 6.6 % of what is shown\nlast call: 42 (solve.c, solve)"));
    g_free(text);
    WAIT_FOR(find_card());
    keep_screen("hover-card");
}

/* A dialog's widget of this name. */
static GtkWidget *find_in_dialog(const char *name)
{
    GtkWidget *dialog = find_dialog(GTK_TYPE_DIALOG);
    return dialog ? find_named(dialog, name) : NULL;
}

/* Chooses the folder when the dialog asks for it. */
static gboolean choose_folder(gpointer folder)
{
    GtkWidget *dialog = find_dialog(GTK_TYPE_FILE_CHOOSER_DIALOG);
    if (!dialog || !gtk_widget_get_mapped(dialog))
        return G_SOURCE_CONTINUE;
    gtk_file_chooser_set_filename(GTK_FILE_CHOOSER(dialog), folder);
    live(500);
    gtk_dialog_response(GTK_DIALOG(dialog), GTK_RESPONSE_ACCEPT);
    return G_SOURCE_REMOVE;
}

/* The source at the call of the selected burst, in a folder that the user is asked for. */
static void test_source(void)
{
    char *folder = g_dir_make_tmp("find-XXXXXX", NULL), *path = g_build_filename(folder, "solve.c", NULL);
    GString *lines = g_string_new(NULL);
    for (guint i = 1; i <= 300; i++)
        g_string_append_printf(lines, "this is %u\n", i);
    g_assert_true(g_file_set_contents(path, lines->str, -1, NULL));
    g_string_free(lines, TRUE);
    tnd_session_set_selection(session, (TndSpot){TRUE, 12, 42000, 0});
    g_timeout_add(100, choose_folder, folder);
    press("ctrl+j");
    WAIT_FOR(find_in_dialog("source-text"));
    live(300);
    GtkWidget *text = find_in_dialog("source-text");
    GtkTextBuffer *buffer = gtk_text_view_get_buffer(GTK_TEXT_VIEW(text));
    GtkTextIter begin, end;
    gtk_text_buffer_get_iter_at_mark(buffer, &begin, gtk_text_buffer_get_insert(buffer));
    end = begin;
    gtk_text_iter_forward_to_line_end(&end);
    char *line = gtk_text_buffer_get_text(buffer, &begin, &end, FALSE);
    g_assert_true(g_str_has_suffix(line, "   42  this is 42"));
    GdkRectangle shown, place;
    gtk_text_view_get_visible_rect(GTK_TEXT_VIEW(text), &shown);
    gtk_text_view_get_iter_location(GTK_TEXT_VIEW(text), &begin, &place);
    g_assert_true(place.y > shown.y && place.y + place.height < shown.y + shown.height);
    gtk_window_close(GTK_WINDOW(find_dialog(GTK_TYPE_DIALOG)));
    WAIT_FOR(!find_dialog(GTK_TYPE_DIALOG));
    g_assert_true(g_file_set_contents(path, "", -1, NULL)); /* line 42 of none */
    press("ctrl+j");
    WAIT_FOR(find_in_dialog("source-text"));
    gtk_window_close(GTK_WINDOW(find_dialog(GTK_TYPE_DIALOG)));
    WAIT_FOR(!find_dialog(GTK_TYPE_DIALOG));
    tnd_session_set_selection(session, (TndSpot){0});
    press("ctrl+j");
    WAIT_FOR(find_dialog(GTK_TYPE_MESSAGE_DIALOG));
    gtk_widget_destroy(find_dialog(GTK_TYPE_MESSAGE_DIALOG));
    g_remove(path);
    g_rmdir(folder);
    g_free(line);
    g_free(path);
    g_free(folder);
}

int main(int argc, char **argv)
{
    char *data = g_dir_make_tmp("test-find-XXXXXX", NULL); /* the dialog for files keeps those it saw */
    g_setenv("XDG_DATA_HOME", data, TRUE);
    begin_tests(&argc, &argv);
    open_window("hybrid-nodes", NULL);
    g_test_add_func("/window-find/label", test_label);
    g_test_add_func("/window-find/last-at-once", test_last_at_once);
    g_test_add_func("/window-find/words", test_words);
    g_test_add_func("/window-find/into-sight", test_into_sight);
    g_test_add_func("/window-find/commands", test_commands);
    g_test_add_func("/window-find/card", test_card);
    g_test_add_func("/window-find/source", test_source);
    const int status = end_tests();
    char *recent = g_build_filename(data, "recently-used.xbel", NULL);
    g_remove(recent);
    g_rmdir(data);
    g_free(recent);
    g_free(data);
    return status;
}
