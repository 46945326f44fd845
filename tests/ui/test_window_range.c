/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Typing a stretch of time and limits of colours; what is wrong is said in the window.
 */
#include "tests/ui/hands.h"

/* The field that has the focus is another one; Tab goes to the next. */
static gboolean has_focus(const char *name)
{
    GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(window));
    return focus && !strcmp(gtk_widget_get_name(focus), name);
}

static const char *fault(void)
{
    GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(window));
    GtkWidget *popover = focus ? gtk_widget_get_ancestor(focus, GTK_TYPE_POPOVER) : NULL;
    return popover ? gtk_label_get_text(GTK_LABEL(find_named(popover, "range-fault"))) : NULL;
}

static void open_popover(void)
{
    press("ctrl+t");
    WAIT_FOR(has_focus("range-begin"));
    live(300);
}

/* Types into all fields, from the first one on; an empty text empties its field.  Blanks are %. */
static void type_all(const char *begin, const char *end, const char *least, const char *most)
{
    const char *texts[] = {begin, end, least, most};
    static const char *const names[] = {"range-begin", "range-end", "range-least", "range-most"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        WAIT_FOR(has_focus(names[i]));
        press("ctrl+a");
        press("Delete");
        char **words = g_strsplit(texts[i], "%", -1);
        for (guint j = 0; words[j]; j++) {
            if (j)
                press("space");
            if (*words[j])
                input("type -- %s", words[j]);
        }
        g_strfreev(words);
        press(i + 1 < G_N_ELEMENTS(texts) ? "Tab" : "Return");
    }
    live(200);
}

static void assert_shown(guint64 begin_ns, guint64 end_ns)
{
    const TndZoom zoom = tnd_session_zoom(session);
    g_assert_cmpuint(zoom.begin_ns, ==, begin_ns);
    g_assert_cmpuint(zoom.end_ns, ==, end_ns);
}

static void test_times(void)
{
    tnd_session_open_view(session, "useful-duration", NULL);
    open_popover();
    type_all("100%us", "0.25ms", "", "");
    WAIT_FOR(!fault());
    assert_shown(100000, 250000);
    open_popover();
    keep_screen("range");
    type_all("0", "+30us", "", "");
    WAIT_FOR(!fault());
    assert_shown(0, 30000);
    open_popover();
    type_all("900us", "5s", "", ""); /* to the end of the trace */
    WAIT_FOR(!fault());
    assert_shown(900000, 1000000);
    press("ctrl+z");
    WAIT_FOR(tnd_session_zoom(session).end_ns == 30000);
    open_popover();
    type_all("", "", "", "");
    WAIT_FOR(!fault());
    assert_shown(0, 1000000);
}

static void test_limits(void)
{
    open_popover();
    type_all("", "", "10us", "31%us");
    WAIT_FOR(!fault());
    TndLook look = tnd_session_look(session);
    g_assert_true(look.has_limits && !look.are_percentiles && look.least == 10000 && look.most == 31000);
    open_popover();
    type_all("", "", "", "");
    WAIT_FOR(!fault());
    g_assert_false(tnd_session_look(session).has_limits);
    press("G"); /* percentiles */
    WAIT_FOR(tnd_session_look(session).are_percentiles);
    keep_screen("percentiles");
    press("G");
    WAIT_FOR(!tnd_session_look(session).are_percentiles);
}

/* All that is wrong is said, and nothing has changed; the popover waits for better. */
static void test_faults(void)
{
    static const struct {
        const char *typed[4], *says;
    } cases[] = {{{"5", "", "", ""}, "From: got '5', takes a time with its unit"},
                 {{"soon", "", "", ""}, "From: got 'soon'"},
                 {{"2ms", "", "", ""}, "From: the trace ends at 1"},
                 {{"30us", "20us", "", ""}, "To: got '20us', takes a time after the begin"},
                 {{"30us", "+", "", ""}, "To: got '+'"},
                 {{"", "", "lots", ""}, "Least: got 'lots', takes a number, a time"},
                 {{"", "", "5us", "5us"}, "Most: got '5us', takes more than the least"},
                 {{"", "", "5us", "1us"}, "Most: got '1us'"},
                 {{"", "", "-1", ""}, "Least: got '-1'"}};
    const TndZoom before = tnd_session_zoom(session);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        open_popover();
        type_all(cases[i].typed[0], cases[i].typed[1], cases[i].typed[2], cases[i].typed[3]);
        WAIT_FOR(fault() && *fault());
        if (!g_str_has_prefix(fault(), cases[i].says))
            g_error("'%s' is not '%s'", fault(), cases[i].says);
        if (i == 0)
            keep_screen("range-fault");
        g_assert_true(tnd_zoom_equals(tnd_session_zoom(session), before));
        g_assert_false(tnd_session_look(session).has_limits);
        press("Escape");
        WAIT_FOR(!fault());
        live(200);
    }
    press("h"); /* keys are commands again */
    WAIT_FOR(tnd_session_page(session) == TND_PAGE_HISTOGRAM);
    press("h");
}

int main(int argc, char **argv)
{
    begin_tests(&argc, &argv);
    open_window("hybrid-nodes", NULL);
    g_test_add_func("/window-range/times", test_times);
    g_test_add_func("/window-range/limits", test_limits);
    g_test_add_func("/window-range/faults", test_faults);
    return end_tests();
}
