/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of the profile: what its lists and its flame graph show is the call tree of the threads and of the time that
 * are shown; clicks and keys zoom into it.
 */
#include "tests/ui/hands.h"
#include "viewer/profile_area.h"
#include "viewer/profile_lists.h"

#include <math.h>

static GtkWidget *page(void)
{
    return tnd_window_profile(window);
}

static const TndFlame *flame(void)
{
    const TndFlame *shown;
    WAIT_FOR((shown = tnd_profile_area_flame(page())) != NULL &&
             gtk_widget_get_mapped(tnd_profile_area_canvas(page())));
    return shown;
}

static void begin(void)
{
    tnd_session_set_zoom(session, tnd_session_whole(session), FALSE);
    tnd_session_set_profile_of(session, TND_SAMPLES_CPU);
    tnd_session_set_page(session, TND_PAGE_TIMELINE);
    live(100);
    press("k");
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_PROFILE && tnd_session_profile(session));
    press("BackSpace");
    WAIT_FOR(tnd_session_profile_top(session) == 0 && tnd_session_marked_function(session) == 0);
    live(200);
}

/* Moves the mouse to a box, and clicks. */
static void click_on(const TndFlameBox *box)
{
    int x, y;
    GtkWidget *canvas = tnd_profile_area_canvas(page());
    TndRectangle place = tnd_flame_place(flame(), box);
    gdk_window_get_origin(gtk_widget_get_window(canvas), &x, &y);
    live(500); /* else it would be a double click */
    input("mousemove %d %d click 1", x + (int)(place.x + place.width / 2), y + (int)(place.y + place.height / 2));
}

/* The widest box of functions below those that call everything. */
static TndFlameBox widest_part(void)
{
    const GArray *boxes = tnd_flame_boxes(flame());
    TndFlameBox widest = {0};
    for (guint i = 0; i < boxes->len; i++) {
        const TndFlameBox *box = &g_array_index(boxes, TndFlameBox, i);
        if (box->end - box->begin < 0.9 && box->end - box->begin > widest.end - widest.begin)
            widest = *box;
    }
    g_assert_cmpuint(widest.node, >, 0);
    return widest;
}

static void test_lists(void)
{
    begin();
    const TndTrace *trace = tnd_session_trace(session);
    TndCallTree *tree = tnd_call_tree_new(trace, &(TndCallTreeOptions){0});
    GArray *functions = tnd_call_tree_functions(tree);
    GtkWidget *lists =
        gtk_widget_get_parent(gtk_widget_get_parent(gtk_widget_get_parent(find_named(page(), "profile-functions"))));
    char **names = tnd_profile_lists_functions(lists);
    g_assert_cmpuint(g_strv_length(names), ==, functions->len);
    for (guint i = 0; i < functions->len; i++) {
        char *name = tnd_call_tree_name(tree, g_array_index(functions, TndCallFunction, i).function);
        g_assert_cmpstr(names[i], ==, name);
        g_free(name);
    }
    g_strfreev(names);
    g_array_unref(functions);
    tnd_call_tree_free(tree);
    keep_screen("profile");
}

static void test_boxes_are_the_tree(void)
{
    begin();
    const GArray *boxes = tnd_flame_boxes(flame());
    const TndCallTree *tree = tnd_session_profile(session)->tree;
    double all = (double)tnd_call_tree_node(tree, 0)->total;
    g_assert_cmpfloat(all, >, 0);
    for (guint i = 0; i < boxes->len; i++) {
        const TndFlameBox *box = &g_array_index(boxes, TndFlameBox, i);
        double share = (double)tnd_call_tree_node(tree, box->node)->total / all;
        g_assert_cmpfloat(fabs(box->end - box->begin - share), <, 1e-9);
    }
}

static void test_click_and_back(void)
{
    begin();
    TndFlameBox box = widest_part();
    click_on(&box);
    WAIT_FOR(tnd_session_profile_top(session) == box.node);
    live(200);
    const TndFlameBox *top = NULL;
    const GArray *boxes = tnd_flame_boxes(flame());
    for (guint i = 0; i < boxes->len && !top; i++)
        if (g_array_index(boxes, TndFlameBox, i).node == box.node)
            top = &g_array_index(boxes, TndFlameBox, i);
    g_assert_nonnull(top);
    g_assert_cmpfloat(top->end - top->begin, >, 0.999);
    keep_screen("profile-zoomed");
    guint caller = tnd_call_tree_node(tnd_session_profile(session)->tree, box.node)->parent;
    TndFlameBox again = *top;
    click_on(&again);
    WAIT_FOR(tnd_session_profile_top(session) == caller);
    press("BackSpace");
    WAIT_FOR(tnd_session_profile_top(session) == 0);
}

static void test_a_click_in_the_list_marks(void)
{
    begin();
    int x, y;
    GtkWidget *list = find_named(page(), "profile-functions");
    gdk_window_get_origin(gtk_tree_view_get_bin_window(GTK_TREE_VIEW(list)), &x, &y);
    input("mousemove %d %d click 1", x + 200, y + 8);
    gint64 first = g_array_index(tnd_session_profile(session)->functions, TndCallFunction, 0).function;
    WAIT_FOR(tnd_session_marked_function(session) == first);
    keep_screen("profile-marked");
    press("Down"); /* stays in the list */
    gint64 second = g_array_index(tnd_session_profile(session)->functions, TndCallFunction, 1).function;
    WAIT_FOR(tnd_session_marked_function(session) == second);
}

static void test_it_is_of_what_is_shown(void)
{
    begin();
    guint64 all = tnd_call_tree_n_samples(tnd_session_profile(session)->tree);
    TndZoom zoom = tnd_session_whole(session);
    zoom.end_ns /= 2;
    tnd_session_set_zoom(session, zoom, FALSE);
    WAIT_FOR(tnd_session_profile(session) != NULL);
    TndCallTree *half = tnd_call_tree_new(tnd_session_trace(session), &(TndCallTreeOptions){.until_ns = zoom.end_ns});
    guint64 n = tnd_call_tree_n_samples(tnd_session_profile(session)->tree);
    g_assert_cmpuint(n, ==, tnd_call_tree_n_samples(half));
    g_assert_cmpuint(n, <, all);
    tnd_call_tree_free(half);
    press("ctrl+z"); /* as everywhere */
    WAIT_FOR(tnd_session_profile(session) && tnd_call_tree_n_samples(tnd_session_profile(session)->tree) == all);
}

static void test_nothing_waited(void)
{
    begin();
    tnd_session_set_profile_of(session, TND_SAMPLES_WAITS);
    WAIT_FOR(tnd_session_profile(session) != NULL);
    live(100);
    g_assert_false(gtk_widget_get_mapped(tnd_profile_area_canvas(page())));
    keep_screen("profile-empty");
}

int main(int argc, char **argv)
{
    begin_tests(&argc, &argv);
    open_window("sampling", NULL);
    g_test_add_func("/window-profile/lists", test_lists);
    g_test_add_func("/window-profile/boxes", test_boxes_are_the_tree);
    g_test_add_func("/window-profile/click", test_click_and_back);
    g_test_add_func("/window-profile/mark", test_a_click_in_the_list_marks);
    g_test_add_func("/window-profile/shown", test_it_is_of_what_is_shown);
    g_test_add_func("/window-profile/nothing", test_nothing_waited);
    return end_tests();
}
