/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several timelines in a session without a window: what they share, what undo brings back, and where each is painted.
 */
#include "tests/paint/boxes.h"
#include "tests/unit/make_trace.h"
#include "viewer/commands.h"
#include "viewer/paint/lane_stack.h"
#include "viewer/session.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <math.h>

static TndSession *open_session(const char *trace)
{
    GError *error = NULL;
    char *file = g_strconcat(trace, ".prv", NULL);
    char *path = g_test_build_filename(G_TEST_DIST, "data", "traces", trace, file, NULL);
    TndSession *session = tnd_session_new();
    tnd_session_set_trace(session, tnd_trace_open(path, NULL, NULL, &error));
    g_assert_no_error(error);
    g_free(path);
    g_free(file);
    return session;
}

static void add(TndSession *session, const char *name)
{
    GError *error = NULL;
    tnd_session_add_view(session, name, &error);
    g_assert_no_error(error);
}

static char *cfg_path(const char *name)
{
    return g_test_build_filename(G_TEST_DIST, "data", "cfgs", name, NULL);
}

/* "state|mpi-calls*": the views, the selected one with a star; files without their folders. */
static void check_lanes(const TndSession *session, const char *wanted)
{
    GString *text = g_string_new(NULL);
    for (guint lane = 0; lane < tnd_session_n_lanes(session); lane++) {
        char *base = g_path_get_basename(tnd_view_rule(tnd_session_lane_view(session, lane))->name);
        g_string_append_printf(text, "%s%s%s", lane ? "|" : "", base, lane == tnd_session_lane(session) ? "*" : "");
        g_free(base);
    }
    g_assert_cmpstr(text->str, ==, wanted);
    g_assert_true(tnd_session_view(session) == tnd_session_lane_view(session, tnd_session_lane(session)));
    g_string_free(text, TRUE);
}

static void check_span(const TndSession *session, guint lane, guint64 begin_ns, guint64 end_ns)
{
    TndZoom zoom = tnd_session_lane_zoom(session, lane);
    g_assert_cmpuint(zoom.begin_ns, ==, begin_ns);
    g_assert_cmpuint(zoom.end_ns, ==, end_ns);
}

static void test_add_close_undo(void)
{
    TndSession *session = open_session("synthetic-16");
    add(session, "mpi-calls");
    tnd_session_select_lane(session, 0);
    add(session, "useful-duration");
    check_lanes(session, "state|useful-duration*|mpi-calls");
    tnd_session_set_zoom(session, (TndZoom){1000, 2000, 0, 15}, FALSE);
    tnd_session_move_lane(session, 1);
    check_lanes(session, "state|mpi-calls|useful-duration*");
    tnd_session_move_lane(session, 1); /* not beyond the last place */
    tnd_commands_run(session, "close-timeline");
    check_lanes(session, "state|mpi-calls*");
    check_span(session, 0, 1000, 2000);
    tnd_commands_run(session, "undo"); /* the closing, */
    check_lanes(session, "state|mpi-calls*|useful-duration");
    tnd_commands_run(session, "undo"); /* the move, */
    check_lanes(session, "state|useful-duration|mpi-calls*");
    check_span(session, 1, 1000, 2000);
    tnd_commands_run(session, "undo"); /* the zoom, */
    check_span(session, 1, 0, 387022);
    tnd_commands_run(session, "undo"); /* the second that was added, */
    check_lanes(session, "state|mpi-calls*");
    tnd_commands_run(session, "undo"); /* the first */
    check_lanes(session, "state*");
    g_assert_false(tnd_session_undo(session));
    g_assert_false(tnd_session_close_lane(session, 0));
    for (guint i = 0; i < 5; i++)
        g_assert_true(tnd_session_redo(session));
    g_assert_false(tnd_session_redo(session));
    check_lanes(session, "state*|mpi-calls");
    tnd_session_free(session);
}

/* To choose another view, to select and to change a height are no steps. */
static void test_what_is_no_step(void)
{
    TndSession *session = open_session("synthetic-16");
    add(session, "mpi-calls");
    tnd_session_set_zoom(session, (TndZoom){1000, 2000, 0, 15}, FALSE);
    tnd_session_open_view(session, "useful-duration", NULL);
    tnd_session_set_lane_height(session, 1, 3);
    tnd_session_select_lane(session, 0);
    g_assert_true(tnd_session_undo(session));
    check_lanes(session, "state*|useful-duration");
    check_span(session, 0, 0, 387022);
    TndLaneStackSubject subject;
    g_assert_true(tnd_session_stack(session, TRUE, &subject));
    g_assert_cmpfloat(subject.parts[1].height, ==, 3);
    g_assert_true(tnd_session_undo(session));
    g_assert_true(tnd_session_redo(session));
    check_lanes(session, "state*|useful-duration"); /* as it was when it was closed */
    tnd_session_free(session);
}

static void test_limit(void)
{
    GError *error = NULL;
    TndSession *session = open_session("synthetic-16");
    g_assert_false(tnd_session_add_view(session, "mood", &error));
    g_assert_nonnull(error);
    g_clear_error(&error);
    check_lanes(session, "state*"); /* no empty one was left */
    g_assert_false(tnd_session_undo(session));
    for (guint i = 1; i < TND_LANE_STACK_MOST; i++)
        g_assert_true(tnd_session_add_next(session, NULL));
    g_assert_false(tnd_session_add_next(session, &error));
    g_assert_error(error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
    g_error_free(error);
    g_assert_cmpuint(tnd_session_n_lanes(session), ==, TND_LANE_STACK_MOST);
    tnd_session_free(session);
    session = tnd_session_new(); /* no trace */
    g_assert_false(tnd_session_add_next(session, NULL) || tnd_session_add_view(session, "state", NULL));
    tnd_commands_run(session, "close-timeline");
    tnd_commands_run(session, "move-up");
    tnd_commands_run(session, "select-below");
    tnd_commands_run(session, "apart");
    tnd_commands_run(session, "undo");
    tnd_session_free(session);
}

static void test_apart(void)
{
    TndSession *session = open_session("synthetic-16");
    tnd_commands_run(session, "apart"); /* there are no others */
    g_assert_false(tnd_session_lane_is_apart(session, 0));
    add(session, "mpi-calls");
    tnd_session_set_zoom(session, (TndZoom){1000, 5000, 0, 15}, FALSE);
    tnd_commands_run(session, "apart");
    tnd_session_set_zoom(session, (TndZoom){2000, 3000, 2, 3}, FALSE);
    check_span(session, 0, 1000, 5000);
    check_span(session, 1, 2000, 3000);
    g_assert_cmpuint(tnd_session_lane_zoom(session, 0).last_row, ==, 15);
    tnd_session_select_lane(session, 0);
    tnd_session_set_zoom(session, (TndZoom){0, 387022, 0, 15}, FALSE);
    check_span(session, 1, 2000, 3000);
    TndLaneStackSubject subject;
    g_assert_true(tnd_session_stack(session, TRUE, &subject));
    g_assert_false(subject.parts[0].timeline.without_ruler || subject.parts[1].timeline.without_ruler);
    tnd_session_select_lane(session, 1);
    tnd_commands_run(session, "apart"); /* it joins the others */
    check_span(session, 1, 0, 387022);
    tnd_commands_run(session, "undo");
    check_span(session, 1, 2000, 3000);
    tnd_commands_run(session, "undo");
    check_span(session, 0, 1000, 5000);
    tnd_session_free(session);
}

/* Levels have rows of their own in one stretch of time; the selection follows its timeline. */
static void test_levels(void)
{
    TndSession *session = open_session("hybrid");
    char *tasks = cfg_path("useful_task.cfg"), *cpus = cfg_path("state_cpu.cfg");
    add(session, tasks);
    add(session, cpus);
    check_lanes(session, "state|useful_task.cfg:1|state_cpu.cfg:1*");
    tnd_session_set_zoom(session, (TndZoom){1000, 2000, 1, 2}, FALSE);
    check_span(session, 1, 1000, 2000);
    g_assert_cmpuint(tnd_session_lane_zoom(session, 2).first_row, ==, 1);
    g_assert_cmpuint(tnd_session_lane_zoom(session, 0).first_row, ==, 0);
    g_assert_cmpuint(tnd_session_lane_zoom(session, 1).last_row, ==, 1);
    tnd_session_set_selection(session, (TndSpot){TRUE, 3, 1500, 0});
    g_assert_cmpuint(tnd_session_lane(session), ==, 0);
    tnd_session_select_lane(session, 1);
    g_assert_cmpuint(tnd_session_selection(session).row, ==, 1); /* the thread's task */
    g_assert_cmpuint(tnd_session_selection(session).lane, ==, 1);
    tnd_session_select_lane(session, 2);
    g_assert_false(tnd_session_selection(session).is_set);
    g_assert_true(tnd_session_open_cfg(session, cpus, NULL)); /* read anew: its timeline goes on */
    check_lanes(session, "state|useful_task.cfg:1|state_cpu.cfg:1*");
    tnd_session_select_lane(session, 0);
    g_assert_true(tnd_session_open_cfg(session, tasks, NULL)); /* which another timeline shows */
    check_lanes(session, "useful_task.cfg:1*|useful_task.cfg:1|state_cpu.cfg:1");
    g_free(cpus);
    g_free(tasks);
    tnd_session_free(session);
}

/* A configuration with two windows is read anew while timelines show both; then it has only one. */
static void test_configuration_again(void)
{
    TndSession *session = open_session("hybrid");
    char *source = cfg_path("histo_3d.cfg"), *smaller = cfg_path("useful_task.cfg"), *text;
    char *copy = g_build_filename(g_get_tmp_dir(), "tview-again.cfg", NULL);
    char *first = g_strconcat(copy, ":1", NULL), *second = g_strconcat(copy, ":2", NULL);
    TndLaneStackSubject subject;
    g_assert_true(g_file_get_contents(source, &text, NULL, NULL) && g_file_set_contents(copy, text, -1, NULL));
    g_free(text);
    add(session, first);
    add(session, second);
    tnd_session_select_lane(session, 0);
    check_lanes(session, "state*|tview-again.cfg:1|tview-again.cfg:2");
    g_assert_true(tnd_session_open_cfg(session, copy, NULL));
    check_lanes(session, "tview-again.cfg:1*|tview-again.cfg:1|tview-again.cfg:2");
    tnd_session_open_view(session, "state", NULL);
    g_assert_true(tnd_session_stack(session, TRUE, &subject));
    g_assert_cmpuint(subject.n_parts, ==, 3);
    g_assert_true(g_file_get_contents(smaller, &text, NULL, NULL) && g_file_set_contents(copy, text, -1, NULL));
    g_free(text);
    g_assert_true(tnd_session_open_cfg(session, copy, NULL));
    check_lanes(session, "tview-again.cfg:1*|tview-again.cfg:1");
    g_assert_true(tnd_session_stack(session, TRUE, &subject));
    while (tnd_session_undo(session))
        g_assert_true(tnd_session_stack(session, TRUE, &subject));
    while (tnd_session_redo(session))
        g_assert_true(tnd_session_stack(session, TRUE, &subject));
    g_unlink(copy);
    g_free(second);
    g_free(first);
    g_free(copy);
    g_free(smaller);
    g_free(source);
    tnd_session_free(session);
}

static guint32 pixel_at(cairo_surface_t *surface, double x, double y)
{
    const guint32 *pixels = (const guint32 *)(const void *)cairo_image_surface_get_data(surface);
    return pixels[(gsize)y * (gsize)(cairo_image_surface_get_stride(surface) / 4) + (gsize)x] & 0xffffff;
}

/* Checks how bright the bursts are, where they are wide enough: those of row 3 and `value` in the view that is lit, all
 * others there not.  value 0: all are bright.  Returns how many were lit, and how many not. */
static void check_light(const TndSession *session, double value, guint *n_lit, guint *n_dim)
{
    TndLaneStackSubject subject;
    g_assert_true(tnd_session_stack(session, TRUE, &subject));
    TndLaneStack *stack = tnd_lane_stack_new(&subject, 1200, 700, 1);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1200, 700);
    cairo_t *cr = cairo_create(surface);
    tnd_lane_stack_paint(stack, cr);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    *n_lit = *n_dim = 0;
    for (guint lane = 0; lane < subject.n_parts; lane++)
        for (guint row = 0; row < 16; row++) {
            const TndTimeline *timeline = tnd_lane_stack_timeline(stack, lane);
            TndView *view = subject.parts[lane].timeline.view;
            gboolean is_of_view = view == tnd_session_view(session);
            double top, bottom;
            TndBurst burst;
            tnd_timeline_row_span(timeline, row, &top, &bottom);
            for (guint64 at = 0; tnd_view_burst_at(view, row, at, &burst); at = burst.end_ns) {
                double left = tnd_timeline_x(timeline, burst.begin_ns), right = tnd_timeline_x(timeline, burst.end_ns);
                guint32 colour = tnd_palette_colour(subject.parts[lane].timeline.scale, burst.value);
                if (right - left < 6 || burst.value == 0 || !colour)
                    continue;
                gboolean is_lit = !is_of_view || value == 0 || (row == 3 && burst.value == value);
                gboolean is_bright = pixel_at(surface, (left + right) / 2, (top + bottom) / 2) == colour;
                g_assert_cmpint(is_bright, ==, is_lit);
                *n_lit += is_of_view && is_lit;
                *n_dim += !is_lit;
            }
        }
    cairo_surface_destroy(surface);
    tnd_lane_stack_free(stack);
}

/* A cell of the histogram lights its bursts, in the timelines of its view; again, and all are as before. */
static void test_light(void)
{
    guint n_lit, n_dim, column = 0;
    double value;
    TndSession *session = open_session("synthetic-16");
    tnd_session_set_messages(session, TND_MESSAGES_NONE);
    add(session, "mpi-calls");
    g_assert_true(tnd_view_find_text(tnd_session_view(session), "MPI_Send", &value));
    const TndHistogram *histogram = tnd_session_histogram(session, NULL);
    while (strcmp(histogram->column_names[column], "MPI_Send"))
        column++;
    check_light(session, 0, &n_lit, &n_dim);
    g_assert_true(n_lit > 50 && n_dim == 0);
    g_assert_true(tnd_session_light_cell(session, 3, column));
    check_light(session, value, &n_lit, &n_dim);
    g_assert_true(n_lit >= 1 && n_dim > 50);
    TndHistogramTableSubject table;
    g_assert_true(tnd_session_table(session, &table, NULL));
    g_assert_true(table.is_marked && table.marked_row == 3 && table.marked_column == column);
    g_assert_true(tnd_session_light_cell(session, 3, column));
    check_light(session, 0, &n_lit, &n_dim);
    g_assert_cmpuint(n_dim, ==, 0);
    g_assert_false(tnd_session_light_cell(session, 16, column) || tnd_session_light_cell(session, 0, 1000));
    tnd_session_set_selection(session, (TndSpot){TRUE, 0, 15000, 1}); /* the selected burst marks its cell */
    TndBurst burst;
    g_assert_true(tnd_view_burst_at(tnd_session_view(session), 0, 15000, &burst));
    char *label = tnd_view_value_text(tnd_session_view(session), burst.value);
    g_assert_true(tnd_session_table(session, &table, NULL));
    g_assert_true(table.is_marked && table.marked_row == 0);
    g_assert_cmpstr(table.histogram->column_names[table.marked_column], ==, label);
    g_free(label);
    tnd_session_set_statistic(session, TND_STATISTIC_SENDS); /* columns are partners */
    g_assert_false(tnd_session_light_cell(session, 0, 0));
    tnd_session_free(session);
}

static void check_rows(TndSession *session, const char *wanted)
{
    char *text = tnd_session_rows_text(session);
    g_assert_cmpstr(text, ==, wanted);
    g_free(text);
}

/* Six processes of two kinds, at the most different moments. */
static void test_alike(void)
{
    TndTraceBuild *build = make_trace(6, 1000, 1);
    for (guint task = 1; task <= 6; task++) {
        const guint64 middle = task % 2 ? 200 : 700;
        const guint32 first = task % 3 ? 1 : 3, second = 4 - first; /* the second half is the first of others */
        add_state(build, task, 0, first == 1 ? middle : 1000 - middle, first);
        add_state(build, task, first == 1 ? middle : 1000 - middle, 1000, second);
    }
    TndSession *session = tnd_session_new();
    tnd_session_set_trace(session, tnd_trace_build_finish(build, NULL, NULL));
    tnd_session_open_view(session, "state", NULL);
    tnd_session_sort_alike(session);
    check_rows(session, "1, 3, 5, 2, 4, 6");
    g_assert_true(tnd_session_choose_rows(session, "4-1, 6", NULL));
    tnd_session_pin_row(session, 2);
    tnd_session_sort_alike(session);
    check_rows(session, "3-4, 2, 6, 1"); /* the pinned row stays, and the hidden one hidden */
    while (tnd_session_undo(session))
        ;
    tnd_session_set_zoom(session, (TndZoom){0, 100, 0, 5}, FALSE);
    tnd_session_sort_alike(session); /* there, only the states tell them apart */
    check_rows(session, "1-2, 4-5, 3, 6");
    tnd_session_free(session);
}

/* A row that takes the place of a pinned one is pinned, and the other way round. */
static void test_move_rows(void)
{
    TndSession *session = open_session("synthetic-16");
    tnd_session_pin_row(session, 4);
    tnd_session_pin_row(session, 9);
    check_rows(session, "5, 10, 1-4, 6-9, 11-16");
    tnd_session_move_row(session, 2, 9);
    check_rows(session, "5, 3, 10, 1-2, 4, 6-9, 11-16");
    g_assert_cmpuint(tnd_session_rows(session)->n_pinned, ==, 3);
    tnd_session_move_row(session, 4, 0);
    check_rows(session, "3, 10, 1, 5, 2, 4, 6-9, 11-16");
    g_assert_cmpuint(tnd_session_rows(session)->n_pinned, ==, 2);
    tnd_session_step_row(session, 2, -1); /* it is the first one already */
    tnd_session_step_row(session, 15, 1);
    check_rows(session, "3, 10, 1, 5, 2, 4, 6-9, 11-16");
    tnd_session_step_row(session, 0, 1);
    check_rows(session, "3, 10, 5, 1-2, 4, 6-9, 11-16");
    tnd_session_free(session);
}

/* Ranges of a quantity: each burst is in the column that its cell is about. */
static void test_ends_of_columns(void)
{
    TndSession *session = open_session("synthetic-16");
    tnd_session_open_view(session, "useful-duration", NULL);
    tnd_session_set_statistic(session, TND_STATISTIC_BURSTS);
    const TndHistogram *histogram = tnd_session_histogram(session, NULL);
    g_assert_nonnull(histogram->column_ends);
    for (guint row = 0; row < histogram->n_rows; row++)
        for (guint column = 0; column < histogram->n_columns; column++) {
            guint n = 0;
            TndBurst burst;
            for (guint64 at = 0; tnd_view_burst_at(tnd_session_view(session), histogram->row_numbers[row], at, &burst);
                 at = burst.end_ns)
                n += burst.value >= histogram->column_ends[2 * column] &&
                     burst.value <= histogram->column_ends[2 * column + 1];
            const TndHistogramCell *cell = tnd_histogram_cell(histogram, row, column);
            g_assert_cmpfloat(cell ? cell->value : 0, ==, n);
        }
    tnd_session_free(session);
}

/* The texts and boxes of all timelines: nothing is over anything else, at any size; canvases are aligned. */
static void check_layout(const TndSession *session, int width, int height, gboolean has_map)
{
    TndLaneStackSubject subject;
    g_assert_true(tnd_session_stack(session, TRUE, &subject));
    subject.has_map = has_map;
    TndLaneStack *stack = tnd_lane_stack_new(&subject, width, height, 1);
    GArray *texts = g_array_new(FALSE, FALSE, sizeof(TndText)),
           *boxes = g_array_new(FALSE, FALSE, sizeof(TndRectangle));
    double left = tnd_timeline_canvas(tnd_lane_stack_timeline(stack, 0)).x, y = 0;
    for (guint i = 0; i < tnd_lane_stack_n(stack); i++) {
        const TndTimeline *timeline = tnd_lane_stack_timeline(stack, i);
        const GArray *own = tnd_timeline_texts(timeline), *areas = tnd_timeline_boxes(timeline);
        const TndRectangle canvas = tnd_timeline_canvas(timeline);
        g_array_append_vals(texts, own->data, own->len);
        g_array_append_vals(boxes, areas->data, areas->len);
        g_assert_cmpfloat(canvas.x, ==, left);
        g_assert_cmpfloat(canvas.y, ==, floor(canvas.y));
        g_assert_cmpfloat(canvas.y, >, y);
        y = canvas.y + canvas.height;
        guint found;
        g_assert_true(tnd_lane_stack_find_canvas(stack, canvas.x + 1, canvas.y + 1, &found) && found == i);
        g_assert_cmpuint(tnd_timeline_row(timeline, canvas.y + canvas.height - 1), ==,
                         subject.parts[i].timeline.last_row);
    }
    check_boxes(texts, boxes, width, height);
    g_array_unref(texts);
    g_array_unref(boxes);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    cairo_t *cr = cairo_create(surface);
    tnd_lane_stack_paint(stack, cr);
    g_assert_cmpint(cairo_status(cr), ==, CAIRO_STATUS_SUCCESS);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    const guint32 *pixels = (const guint32 *)(const void *)cairo_image_surface_get_data(surface);
    g_assert_cmphex(pixels[(gsize)(height - 1) * (gsize)width] & 0xffffff, ==,
                    tnd_session_n_lanes(session) > 1 && tnd_session_lane(session) + 1 == tnd_session_n_lanes(session)
                        ? 0x1a73e8
                        : 0xffffff);
    cairo_surface_destroy(surface);
    tnd_lane_stack_free(stack);
}

static void test_layout(void)
{
    TndSession *session = open_session("synthetic-16");
    for (guint n = 1; n <= 4; n++) {
        for (guint i = 0; i < G_N_ELEMENTS(sizes); i++)
            if (sizes[i][1] / n >= 120) {
                check_layout(session, sizes[i][0], sizes[i][1], TRUE);
                check_layout(session, sizes[i][0], sizes[i][1], FALSE);
            }
        add(session, n == 1 ? "counter" : n == 2 ? "mpi-calls" : "useful-duration");
        if (n == 1)
            tnd_session_set_draw(session, TND_DRAW_LINE); /* with an axis, which the others have not */
    }
    tnd_session_free(session);
}

/* A height of three is three times a height of one, apart from the ruler. */
static void test_heights(void)
{
    TndSession *session = open_session("synthetic-16");
    add(session, "mpi-calls");
    tnd_session_set_lane_height(session, 1, 3);
    TndLaneStackSubject subject;
    guint found;
    g_assert_true(tnd_session_stack(session, TRUE, &subject));
    TndLaneStack *stack = tnd_lane_stack_new(&subject, 1000, 800, 1);
    double first = tnd_lane_stack_height(stack, 0),
           second = tnd_lane_stack_height(stack, 1) - tnd_timeline_ruler_height();
    g_assert_cmpfloat(fabs(second / first - 3), <, 0.02);
    g_assert_true(tnd_lane_stack_find_border(stack, first + 2, &found) && found == 0);
    g_assert_false(tnd_lane_stack_find_border(stack, first - 20, &found));
    g_assert_false(tnd_lane_stack_find_button(stack, 985, 10, &found)); /* a file has none */
    tnd_lane_stack_free(stack);
    subject.has_map = TRUE;
    stack = tnd_lane_stack_new(&subject, 1000, 800, 1);
    TndRectangle button = tnd_lane_stack_button(stack, 1), map = tnd_lane_stack_map(stack);
    g_assert_true(tnd_lane_stack_find_button(stack, button.x + 4, button.y + 4, &found) && found == 1);
    g_assert_true(tnd_lane_stack_is_map(stack, map.x + 4, map.y + 1));
    g_assert_cmpuint(tnd_lane_stack_map_time(stack, map.x + map.width), ==, 387022);
    g_assert_cmpuint(tnd_lane_stack_map_time(stack, 0), ==, 0);
    tnd_lane_stack_free(stack);
    tnd_session_free(session);
}

static double canvas_of(const TndSession *session, guint lane, double *bottom)
{
    TndLaneStackSubject subject;
    g_assert_true(tnd_session_stack(session, TRUE, &subject));
    TndLaneStack *stack = tnd_lane_stack_new(&subject, 1000, 900, 1);
    const TndRectangle canvas = tnd_timeline_canvas(tnd_lane_stack_timeline(stack, lane));
    *bottom = canvas.y + canvas.height;
    tnd_lane_stack_free(stack);
    return canvas.height;
}

/* Rows of cells are at most 60 pixels high; what they leave is for lines, if there are any. */
static void test_high_rows(void)
{
    TndSession *session = open_session("synthetic-16");
    double bottom;
    g_assert_cmpfloat(canvas_of(session, 0, &bottom), >, 700);
    g_assert_true(tnd_session_choose_rows(session, "2-3", NULL));
    g_assert_cmpfloat(canvas_of(session, 0, &bottom), ==, 120);
    add(session, "counter");
    g_assert_cmpfloat(canvas_of(session, 0, &bottom), ==, 120);
    g_assert_cmpfloat(canvas_of(session, 1, &bottom), ==, 120);
    g_assert_cmpfloat(bottom, <, 500);
    tnd_session_set_draw(session, TND_DRAW_LINE);
    g_assert_cmpfloat(canvas_of(session, 0, &bottom), ==, 120);
    g_assert_cmpfloat(canvas_of(session, 1, &bottom), >, 400);
    g_assert_cmpfloat(bottom, >, 800);
    tnd_session_set_lane_height(session, 0, 0.1); /* less than they may have */
    g_assert_cmpfloat(canvas_of(session, 0, &bottom), <, 60);
    tnd_session_free(session);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/session-lanes/add-close-undo", test_add_close_undo);
    g_test_add_func("/session-lanes/what-is-no-step", test_what_is_no_step);
    g_test_add_func("/session-lanes/limit", test_limit);
    g_test_add_func("/session-lanes/apart", test_apart);
    g_test_add_func("/session-lanes/levels", test_levels);
    g_test_add_func("/session-lanes/configuration-again", test_configuration_again);
    g_test_add_func("/session-lanes/light", test_light);
    g_test_add_func("/session-lanes/ends-of-columns", test_ends_of_columns);
    g_test_add_func("/session-lanes/layout", test_layout);
    g_test_add_func("/session-lanes/heights", test_heights);
    g_test_add_func("/session-lanes/high-rows", test_high_rows);
    g_test_add_func("/session-lanes/alike", test_alike);
    g_test_add_func("/session-lanes/move-rows", test_move_rows);
    return g_test_run();
}
