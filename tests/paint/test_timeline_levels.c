/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timelines whose rows are not threads: windows of configurations.
 */
#include "tests/paint/boxes.h"
#include "tests/paint/picture.h"

static TndView *open_window(const TndTrace *trace, const char *cfg)
{
    char *path = g_test_build_filename(G_TEST_DIST, "data", "cfgs", cfg, NULL);
    GError *error = NULL;
    TndView *view = tnd_view_new(trace, path, &error);
    g_assert_no_error(error);
    g_free(path);
    return view;
}

/* After the end of a thread its row has nothing; a CPU has no life, and is idle then. */
static void test_life(void)
{
    static const char *const cfgs[] = {"state_as_is.cfg", "state_cpu.cfg"};
    TndTrace *trace = open_trace("synthetic-16");
    for (guint i = 0; i < G_N_ELEMENTS(cfgs); i++) {
        TndView *view = open_window(trace, cfgs[i]);
        TndTimelineSubject subject = whole(view);
        Picture picture = paint_picture(&subject, 900, 400);
        g_assert_cmphex(colour_at(&picture, 0, 15000), ==, 0xffffff);
        g_assert_cmphex(colour_at(&picture, 0, 380000), ==, i ? 0x75c3ff : 0);
        g_assert_cmpint(has_text(tnd_timeline_texts(picture.timeline), "Idle"), ==, i);
        free_picture(&picture);
        tnd_view_free(view);
    }
    tnd_trace_free(trace);
}

/* Rows are those of the view's level, named as such. */
static void test_levels(void)
{
    static const struct {
        const char *cfg, *title, *caption, *first, *last;
    } wanted[] = {{"useful_task.cfg", "Task", "2 tasks", "Rank 0", "Rank 1"},
                  {"state_cpu.cfg", "CPU", "4 CPUs", "CPU 1.1", "CPU 1.4"},
                  {"state_node.cfg", "Node", "1 node", "vm", "vm"},
                  {"parallelism_workload.cfg", "Workload", "1 workload", "WORKLOAD", "WORKLOAD"}};
    TndTrace *trace = open_trace("hybrid");
    for (guint i = 0; i < G_N_ELEMENTS(wanted); i++) {
        TndView *view = open_window(trace, wanted[i].cfg);
        TndTimelineSubject subject = whole(view);
        subject.messages = TND_MESSAGES_ALL;
        Picture picture = paint_picture(&subject, 900, 400);
        const GArray *texts = tnd_timeline_texts(picture.timeline);
        g_assert_true(has_text(texts, wanted[i].title) && has_text(texts, wanted[i].first) &&
                      has_text(texts, wanted[i].last));
        g_assert_true(has_part(texts, wanted[i].caption));
        g_assert_cmpint(has_part(texts, "message"), ==, i == 0);
        check_boxes(texts, tnd_timeline_boxes(picture.timeline), 900, 400);
        free_picture(&picture);
        tnd_view_free(view);
    }
    tnd_trace_free(trace);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/timeline-levels/levels", test_levels);
    g_test_add_func("/timeline-levels/life", test_life);
    return g_test_run();
}
