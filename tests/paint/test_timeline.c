/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timelines on cairo surfaces: the right colours at the right pixels, nothing lost, nothing overlapping.
 */
#include "tests/paint/boxes.h"
#include "tests/paint/picture.h"
#include "tests/unit/all_bursts.h"
#include "tests/unit/make_trace.h"
#include "viewer/paint/curves.h"

#include <math.h>
#include <string.h>

static guint apart(guint32 a, guint32 b)
{
    guint most = 0;
    for (guint shift = 0; shift < 24; shift += 8)
        most = MAX(most, (guint)abs((int)(a >> shift & 255) - (int)(b >> shift & 255)));
    return most;
}

/* Thread 1.1.1 of the trace: 12841 to 18435 ns is state 2 (white), before and after it runs (blue); it ends early. */
static void test_states(void)
{
    TndTrace *trace = open_trace("synthetic-16");
    TndView *view = tnd_view_new(trace, "state", NULL);
    TndTimelineSubject subject = whole(view);
    Picture picture = paint_picture(&subject, 1200, 600);
    GArray *bursts = all_bursts(view, 0);
    guint n_checked = 0;
    for (guint i = 0; i < bursts->len; i++) {
        const TndBurst *burst = &BURST(bursts, i);
        if (burst->end_ns - burst->begin_ns < 2000 || burst->value == 0)
            continue;
        struct tnd_pcf_colour c = tnd_pcf_value_colour(tnd_trace_pcf(trace), (int64_t)burst->value);
        guint32 wanted = (guint32)c.r << 16 | (guint32)c.g << 8 | c.b;
        g_assert_cmphex(colour_at(&picture, 0, (burst->begin_ns + burst->end_ns) / 2), ==, wanted);
        n_checked++;
    }
    g_array_unref(bursts);
    g_assert_cmpuint(n_checked, >, 10);
    g_assert_cmphex(colour_at(&picture, 0, 15000), ==, 0xffffff);
    g_assert_cmphex(colour_at(&picture, 0, 5000), ==, 0x0000ff);
    g_assert_cmphex(colour_at(&picture, 0, 380000), ==, 0x000000);
    const GArray *texts = tnd_timeline_texts(picture.timeline);
    g_assert_true(has_text(texts, "State — synthetic-16"));
    g_assert_true(has_text(texts, "Time (us)"));
    g_assert_true(has_text(texts, "Running"));
    g_assert_true(has_text(texts, "No state"));
    g_assert_false(has_text(texts, "Test/Probe")); /* known to the .pcf, but not in the picture */
    free_picture(&picture);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static void test_gradient(void)
{
    TndTraceBuild *build = make_trace(2, 1000, 1);
    add_state(build, 1, 0, 100, 1);
    add_state(build, 1, 100, 500, 3);
    add_state(build, 1, 500, 900, 1);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "useful-duration", NULL);
    TndTimelineSubject subject = whole(view);
    Picture picture = paint_picture(&subject, 700, 300);
    g_assert_cmphex(colour_at(&picture, 0, 50), ==, 0x00ff00);  /* the shortest */
    g_assert_cmphex(colour_at(&picture, 0, 700), ==, 0x0000ff); /* the longest */
    g_assert_cmphex(colour_at(&picture, 0, 300), ==, 0x000000);
    g_assert_cmphex(colour_at(&picture, 1, 300), ==, 0x000000);
    free_picture(&picture);
    subject.end_ns = 400; /* the shortest alone: green on the scale of all, blue on its own */
    for (int fits = 0; fits < 2; fits++) {
        subject.fits_scale = fits;
        picture = paint_picture(&subject, 700, 300);
        g_assert_cmphex(colour_at(&picture, 0, 50), ==, fits ? 0x0000ff : 0x00ff00);
        g_assert_cmpint(has_text(tnd_timeline_texts(picture.timeline), "400 ns"), ==, !fits);
        free_picture(&picture);
    }
    tnd_view_free(view);
    tnd_trace_free(trace);
}

/* One long burst does not give all others the same colour, unless the scale is linear; typed limits say what is beyond.
 */
static void test_outlier(void)
{
    TndTraceBuild *build = make_trace(1, 100000000, 1);
    add_state(build, 1, 0, 10000, 1);
    add_state(build, 1, 10000, 20000, 3);
    add_state(build, 1, 20000, 120000, 1);
    add_state(build, 1, 120000, 200000, 3);
    add_state(build, 1, 200000, 73200000, 1);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "useful-duration", NULL);
    TndTimelineSubject subject = whole(view);
    subject.end_ns = 300000;
    const struct {
        TndLook look;
        gboolean is_log, are_apart;
        const char *says;
    } cases[] = {
        {{.scale = TND_SCALE_AUTO}, TRUE, TRUE, "logarithmic"},
        {{.scale = TND_SCALE_LOG}, TRUE, TRUE, "logarithmic"},
        {{.scale = TND_SCALE_LINEAR}, FALSE, FALSE, "linear"},
        {{.has_limits = TRUE, .least = 10000, .most = 150000}, FALSE, TRUE, "linear; values are 10 us to 73 ms"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        subject.look = cases[i].look;
        Picture picture = paint_picture(&subject, 900, 300);
        const guint difference = apart(colour_at(&picture, 0, 5000), colour_at(&picture, 0, 70000));
        g_assert_cmpuint(cases[i].are_apart ? difference : 3 - MIN(difference, 3), >, cases[i].are_apart ? 40 : 0);
        g_assert_true(has_text(tnd_timeline_texts(picture.timeline), cases[i].says));
        g_assert_cmpint(has_text(tnd_timeline_texts(picture.timeline), "≥ 150 us"), ==, cases[i].look.has_limits);
        free_picture(&picture);
    }
    tnd_view_free(view);
    tnd_trace_free(trace);
}

/* Idle inside a thread's life has its colour, what is outside has none. */
static void test_idle(void)
{
    TndTraceBuild *build = make_trace(1, 1000, 1);
    add_state(build, 1, 200, 400, 1);
    add_state(build, 1, 400, 600, 0);
    add_state(build, 1, 600, 800, 1);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "state", NULL);
    TndTimelineSubject subject = whole(view);
    Picture picture = paint_picture(&subject, 700, 300);
    g_assert_cmphex(colour_at(&picture, 0, 500), ==, 0x75c3ff);
    g_assert_cmphex(colour_at(&picture, 0, 100), ==, 0x000000);
    g_assert_cmphex(colour_at(&picture, 0, 900), ==, 0x000000);
    free_picture(&picture);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

/* A nanosecond in a second: by its maximum one pixel, in every size. */
static void test_short_burst(void)
{
    TndTraceBuild *build = make_trace(3, 1000000000, 1);
    for (guint task = 1; task <= 3; task++) {
        add_state(build, task, 0, 333333333, 1);
        add_state(build, task, 333333333, 333333334, 3);
        add_state(build, task, 333333334, 1000000000, 1);
    }
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "state", NULL);
    TndTimelineSubject subject = whole(view);
    subject.look.mode = TND_MODE_MAXIMUM;
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        Picture picture = paint_picture(&subject, sizes[i][0], sizes[i][1]);
        TndRectangle canvas = tnd_timeline_canvas(picture.timeline);
        double x = tnd_timeline_x(picture.timeline, 333333333), top, bottom;
        tnd_timeline_row_span(picture.timeline, 1, &top, &bottom);
        guint n_red = 0;
        for (double at = canvas.x; at < canvas.x + canvas.width; at++)
            if (pixel_at(&picture, at, floor((top + bottom) / 2)) == 0xff0000) {
                g_assert_cmpfloat(fabs(at - x), <=, 1.5);
                n_red++;
            }
        g_assert_cmpuint(n_red, ==, 1);
        g_assert_true(has_text(tnd_timeline_texts(picture.timeline), "Waiting a message"));
        free_picture(&picture);
    }
    tnd_view_free(view);
    tnd_trace_free(trace);
}

/* More rows than pixels: by the maximum, one thread that waits among many is seen, whichever it is and however many
 * they are. */
static void check_one_of(guint n_rows, guint waiting)
{
    TndTraceBuild *build = make_trace(n_rows, 1000, 1);
    for (guint task = 1; task <= n_rows; task++)
        add_state(build, task, 0, 1000, task == waiting ? 3 : 1);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "state", NULL);
    TndTimelineSubject subject = whole(view);
    subject.look.mode = TND_MODE_MAXIMUM;
    Picture picture = paint_picture(&subject, 800, 400);
    TndRectangle canvas = tnd_timeline_canvas(picture.timeline);
    guint n_red = 0, n_other = 0;
    for (double y = canvas.y; y < canvas.y + canvas.height; y++) {
        guint32 colour = pixel_at(&picture, canvas.x + 100, y);
        n_red += colour == 0xff0000;
        n_other += colour != 0xff0000 && colour != 0x0000ff;
    }
    g_assert_cmpuint(n_red, >=, 1);
    g_assert_cmpuint(n_red, <=, 2);
    g_assert_cmpuint(n_other, ==, 0);
    check_boxes(tnd_timeline_texts(picture.timeline), tnd_timeline_boxes(picture.timeline), 800, 400);
    free_picture(&picture);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static void test_many_rows(void)
{
    check_one_of(5000, 2500);
    for (guint waiting = 1; waiting <= 320; waiting += 7)
        check_one_of(320, waiting);
}

static void test_messages(void)
{
    TndTraceBuild *build = make_trace(2, 1000, 1);
    add_state(build, 1, 0, 1000, 1);
    add_state(build, 2, 0, 1000, 1);
    add_message(build, 1, 2, 500, 500, 64);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "state", NULL);
    TndTimelineSubject subject = whole(view);
    for (int shows = 0; shows < 2; shows++) {
        subject.messages = shows ? TND_MESSAGES_FITTING : TND_MESSAGES_NONE;
        Picture picture = paint_picture(&subject, 700, 300);
        TndRectangle canvas = tnd_timeline_canvas(picture.timeline);
        double x = tnd_timeline_x(picture.timeline, 500);
        guint n_yellow = 0;
        for (int dx = -1; dx <= 1; dx++) {
            guint32 colour = pixel_at(&picture, x + dx, canvas.y + floor(canvas.height / 2));
            n_yellow += (colour >> 16 & 255) > 80 && (colour >> 8 & 255) > 80;
        }
        g_assert_cmpuint(n_yellow > 0, ==, shows);
        free_picture(&picture);
    }
    tnd_view_free(view);
    tnd_trace_free(trace);
}

/* A legend names what covers most, counts the rest, and cuts no label for which there is room. */
static void test_legend(void)
{
    enum { N = 60, SPAN = 1000 };
    const char *const longest = "a region with quite a long name that has all the room it needs";
    for (int is_full = 0; is_full < 2; is_full++) {
        TndTraceBuild *build = make_trace(1, N * SPAN, 1);
        add_state(build, 1, 0, N * SPAN, 1);
        struct tnd_pcf *pcf = tnd_pcf_new();
        tnd_pcf_set_type(pcf, 90000001, "Region");
        if (!is_full)
            tnd_pcf_set_value(pcf, 90000001, 1, longest);
        for (guint i = 0; i < (is_full ? N : 1); i++)
            add_event(build, 1, i * SPAN, 90000001, i + 1);
        TndTrace *trace = tnd_trace_build_finish(build, pcf, NULL);
        TndView *view = tnd_view_new(trace, "user-events:90000001", NULL);
        TndTimelineSubject subject = whole(view);
        TndTimeline *timeline = tnd_timeline_new(&subject, 900, 300, 1);
        const GArray *texts = tnd_timeline_texts(timeline);
        guint n_more = 0;
        for (guint i = 0; i < texts->len; i++)
            sscanf(g_array_index(texts, TndText, i).text, "… and %u more", &n_more);
        const GArray *boxes = tnd_timeline_boxes(timeline); /* the canvas, then swatches */
        g_assert_cmpuint(boxes->len - 1 + n_more, ==, is_full ? N : 1);
        g_assert_true(is_full ? n_more > 0 : has_text(texts, longest));
        tnd_timeline_free(timeline);
        tnd_view_free(view);
        tnd_trace_free(trace);
    }
}

static guint count_yellow(const Picture *picture)
{
    TndRectangle canvas = tnd_timeline_canvas(picture->timeline);
    guint n = 0;
    for (double y = canvas.y; y < canvas.y + canvas.height; y++)
        for (double x = canvas.x; x < canvas.x + canvas.width; x++)
            n += (pixel_at(picture, x, y) >> 16 & 255) > 20; /* the cells have no red */
    return n;
}

/* More than one in three pixels would hide what is under them: counted, not drawn, unless it is asked for. */
static void test_many_messages(void)
{
    enum { N = 400, WIDTH = 900 };
    TndTraceBuild *build = make_trace(2, 100000, 1);
    add_state(build, 1, 0, 100000, 1);
    add_state(build, 2, 0, 100000, 1);
    for (guint i = 0; i < N; i++)
        add_message(build, 1, 2, i * 200, i * 200 + 100, 64);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "state", NULL);
    const struct {
        TndMessagesShown messages;
        guint64 end_ns;
        gboolean is_drawn;
        const char *caption;
    } cases[] = {
        {TND_MESSAGES_FITTING, 100000, FALSE, "400 messages: zoom in to see them"},
        {TND_MESSAGES_FITTING, 10000, TRUE, "51 messages"},
        {TND_MESSAGES_ALL, 100000, TRUE, "400 messages"},
        {TND_MESSAGES_NONE, 100000, FALSE, "draw mode: by share of time"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        TndTimelineSubject subject = whole(view);
        subject.end_ns = cases[i].end_ns;
        subject.messages = cases[i].messages;
        Picture picture = paint_picture(&subject, WIDTH, 300);
        g_assert_cmpuint(count_yellow(&picture) > 0, ==, cases[i].is_drawn);
        g_assert_cmpuint(tnd_timeline_messages_fit(picture.timeline), ==, cases[i].end_ns == 10000);
        const char *caption = g_array_index(tnd_timeline_texts(picture.timeline), TndText, 1).text;
        g_assert_true(g_str_has_suffix(caption, cases[i].caption));
        free_picture(&picture);
    }
    tnd_view_free(view);
    tnd_trace_free(trace);
}

/* A value's y is where the axis has it, a column of several values covers all of them, and where there is none is a
 * gap. */
static void test_lines(void)
{
    TndTraceBuild *build = make_trace(2, 100000, 1);
    const gint64 values[] = {40000, 50000, 45000};
    for (guint i = 0; i < 3; i++)
        add_event(build, 1, 20000 + i * 20000, 92010000, values[i]);
    for (guint i = 0; i < 1000; i++) /* all of them in one column or two */
        add_event(build, 1, 80000 + i / 10, 92010000, i / 10 % 2 ? 42000 : 48000);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "temperature", NULL);
    TndTimelineSubject subject = whole(view);
    subject.draw = TND_DRAW_LINE;
    Picture picture = paint_picture(&subject, 700, 400);
    TndRectangle canvas = tnd_timeline_canvas(picture.timeline);
    for (guint row = 0; row < 2; row++) { /* both are on the node */
        double top, bottom;
        tnd_timeline_row_span(picture.timeline, row, &top, &bottom);
        double span = bottom - top, inside = 8 + 4; /* between rows, and within */
        for (guint i = 0; i < 3; i++) {
            double part = ((double)values[i] / 1000 - 40) / 10, y = bottom - inside / 2 - part * (span - inside);
            double x = floor(tnd_timeline_x(picture.timeline, 30000 + i * 20000));
            guint n_found = 0;
            for (double at = top; at < bottom; at++)
                if ((pixel_at(&picture, x, at) & 0xff) > 0x80) {
                    g_assert_cmpfloat(fabs(at - y), <=, 2);
                    n_found++;
                }
            g_assert_cmpuint(n_found, >=, 1);
            g_assert_cmpuint(n_found, <=, 3);
        }
        guint n_high = 0, n_before = 0;
        for (double at = top; at < bottom; at++) {
            n_high += (pixel_at(&picture, floor(tnd_timeline_x(picture.timeline, 80050)), at) & 0xff) > 0x80;
            n_before += (pixel_at(&picture, floor(tnd_timeline_x(picture.timeline, 10000)), at) & 0xff) > 0x80;
        }
        g_assert_cmpfloat_with_epsilon(n_high, 0.6 * (span - inside), 3);
        g_assert_cmpuint(n_before, ==, 0);
    }
    const GArray *texts = tnd_timeline_texts(picture.timeline);
    g_assert_true(has_text(texts, "Temperature (°C)"));
    g_assert_true(has_text(texts, "each row is 40 to 50 °C high"));
    g_assert_true(has_text(texts, "44"));
    g_assert_true(pixel_at(&picture, canvas.x + 2, canvas.y + 2) == 0);
    free_picture(&picture);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

/* A value has one point, where it begins; a column of many has many. */
static void test_points(void)
{
    TndTraceBuild *build = make_trace(2, 100000, 1);
    const gint64 values[] = {40000, 50000, 45000};
    for (guint i = 0; i < 3; i++)
        add_event(build, 1, 20000 + i * 20000, 92010000, values[i]);
    for (guint i = 0; i < 50; i++)
        add_event(build, 1, 80000 + i * 20, 92010000, 40000 + i * 200);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "temperature", NULL);
    TndTimelineSubject subject = whole(view);
    subject.draw = TND_DRAW_POINTS;
    Picture picture = paint_picture(&subject, 700, 400);
    TndRectangle canvas = tnd_timeline_canvas(picture.timeline);
    guint n_lit = 0, n_many = 0;
    for (double y = canvas.y; y < canvas.y + canvas.height; y++)
        for (double x = canvas.x; x < canvas.x + canvas.width; x++) {
            const gboolean is_lit = pixel_at(&picture, x, y) == TND_CURVES_INK;
            const gboolean is_of_many = x > tnd_timeline_x(picture.timeline, 79000);
            n_lit += is_lit && !is_of_many;
            n_many += is_lit && is_of_many;
        }
    g_assert_cmpuint(n_lit, ==, 2 * 3 * 9); /* both rows are on the node */
    g_assert_cmpuint(n_many, >, 100);
    for (guint i = 0; i < 6; i++) {
        const double part = ((double)values[i % 3] / 1000 - 40) / 10, inside = 8 + 4; /* between rows, and within */
        const double x = tnd_timeline_x(picture.timeline, 20000 + i % 3 * 20000);
        double top, bottom;
        tnd_timeline_row_span(picture.timeline, i / 3, &top, &bottom);
        const double y = bottom - inside / 2 - part * (bottom - top - inside);
        g_assert_cmphex(pixel_at(&picture, floor(x), floor(y)), ==, TND_CURVES_INK);
    }
    g_assert_true(has_text(tnd_timeline_texts(picture.timeline), "each row is 40 to 50 °C high"));
    free_picture(&picture);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

/* Lines that are written into pixels are those that cairo draws; in a group there are none to be written into. */
static void test_lines_in_pixels(void)
{
    static const char *const traces[] = {"hybrid", "synthetic-16"};
    for (guint i = 0; i < G_N_ELEMENTS(traces); i++) {
        TndTrace *trace = open_trace(traces[i]);
        TndView *view = tnd_view_new(trace, "useful-duration", NULL);
        TndTimelineSubject subject = whole(view);
        subject.draw = TND_DRAW_LINE;
        subject.last_row = MIN(subject.last_row, 5);
        Picture ours = paint_picture(&subject, 733, 417), theirs = paint_picture(&subject, 733, 417);
        cairo_t *cr = cairo_create(theirs.surface);
        cairo_push_group(cr);
        tnd_timeline_paint(theirs.timeline, cr);
        cairo_pop_group_to_source(cr);
        cairo_paint(cr);
        cairo_destroy(cr);
        cairo_surface_flush(theirs.surface);
        guint n_drawn = 0;
        for (guint y = 0; y < 417; y++)
            for (guint x = 0; x < 733; x++) {
                guint32 pixel = pixel_at(&ours, x, y);
                g_assert_cmpuint(apart(pixel, pixel_at(&theirs, x, y)), <=, 4);
                n_drawn += pixel == TND_CURVES_INK;
            }
        g_assert_cmpuint(n_drawn, >, 100);
        free_picture(&ours);
        free_picture(&theirs);
        tnd_view_free(view);
        tnd_trace_free(trace);
    }
}

/* Many rows have no room for lines: they are drawn by colours, and the caption says so. */
static void test_low_rows(void)
{
    TndTraceBuild *build = make_trace(50, 1000, 1);
    add_event(build, 1, 100, 92020100, 5000);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndView *view = tnd_view_new(trace, "stack", NULL);
    TndTimelineSubject subject = whole(view);
    subject.draw = TND_DRAW_LINE;
    for (guint last_row = 19; last_row < 50; last_row += 30) {
        subject.last_row = last_row;
        Picture picture = paint_picture(&subject, 700, 400);
        const char *caption = g_array_index(tnd_timeline_texts(picture.timeline), TndText, 1).text;
        g_assert_cmpint(strstr(caption, "too low for lines") != NULL, ==, last_row == 49);
        g_assert_cmpint(colour_at(&picture, 0, 500) == 0x0000ff, ==, last_row == 49);
        free_picture(&picture);
    }
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static void check_view(TndTrace *trace, const char *name, TndDraw draw)
{
    TndView *view = tnd_view_new(trace, name, NULL);
    guint last = tnd_trace_n_threads(trace) - 1;
    guint64 end = tnd_trace_end_ns(trace);
    const TndTimelineSubject subjects[] = {
        {view, end - 15, end, 0, 0, TND_MESSAGES_FITTING},
        {view, 0, end, 0, last, TND_MESSAGES_FITTING},
        {view, 0, end, 0, last, TND_MESSAGES_ALL},
        {view, end / 3, end / 2, last / 2, last, TND_MESSAGES_NONE, .fits_scale = TRUE},
        {view, end - 15, end, 0, 0, TND_MESSAGES_ALL}};
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++)
        for (guint j = 0; j < G_N_ELEMENTS(subjects); j++) {
            TndTimelineSubject subject = subjects[j];
            subject.draw = draw;
            TndTimeline *timeline = tnd_timeline_new(&subject, sizes[i][0], sizes[i][1], 1);
            const GArray *texts = tnd_timeline_texts(timeline);
            check_boxes(texts, tnd_timeline_boxes(timeline), sizes[i][0], sizes[i][1]);
            g_assert_cmpuint(texts->len, >=, 6);
            tnd_timeline_free(timeline);
        }
    tnd_view_free(view);
}

static void test_nothing_overlaps(void)
{
    const char *const traces[] = {"synthetic-16", "mpi-collectives", "hybrid", "sampling"};
    for (guint i = 0; i < G_N_ELEMENTS(traces); i++) {
        TndTrace *trace = open_trace(traces[i]);
        const TndViewRule *const *rules = tnd_view_rules();
        for (guint j = 0; rules[j]; j++)
            for (TndDraw draw = TND_DRAW_COLOUR; draw <= TND_DRAW_LINE; draw++)
                if (tnd_view_available(trace, rules[j]) &&
                    (draw == TND_DRAW_COLOUR || rules[j]->palette == TND_PALETTE_GRADIENT))
                    check_view(trace, rules[j]->name, draw);
        tnd_trace_free(trace);
    }
}

static void test_locates(void)
{
    TndTrace *trace = open_trace("synthetic-16");
    TndView *view = tnd_view_new(trace, "state", NULL);
    TndTimelineSubject subject = {view, 1000, 301000, 4, 11, TND_MESSAGES_NONE};
    TndTimeline *timeline = tnd_timeline_new(&subject, 900, 400, 1);
    TndRectangle canvas = tnd_timeline_canvas(timeline);
    g_assert_cmpuint(tnd_timeline_time(timeline, canvas.x), ==, 1000);
    g_assert_cmpuint(tnd_timeline_time(timeline, canvas.x + canvas.width), ==, 301000);
    g_assert_cmpuint(tnd_timeline_time(timeline, canvas.x + canvas.width / 2), ==, 151000);
    g_assert_cmpuint(tnd_timeline_row(timeline, canvas.y), ==, 4);
    g_assert_cmpuint(tnd_timeline_row(timeline, canvas.y + canvas.height), ==, 11);
    for (guint row = 4; row <= 11; row++) {
        double top, bottom;
        tnd_timeline_row_span(timeline, row, &top, &bottom);
        g_assert_cmpuint(tnd_timeline_row(timeline, (top + bottom) / 2), ==, row);
    }
    g_assert_false(tnd_timeline_contains(timeline, canvas.x - 1, canvas.y + 1));
    tnd_timeline_free(timeline);
    tnd_view_free(view);
    tnd_trace_free(trace);
}

static guint32 sum_of_pixels(cairo_surface_t *surface)
{
    const guint8 *data = cairo_image_surface_get_data(surface);
    guint32 sum = 0;
    for (int i = 0; i < cairo_image_surface_get_stride(surface) * cairo_image_surface_get_height(surface); i++)
        sum = sum * 31 + data[i];
    return sum;
}

/* The ink of a text, drawn alone. */
static guint32 draw_text(const char *text)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 60, 20);
    cairo_t *cr = cairo_create(surface);
    GArray *texts = tnd_text_list_new();
    tnd_text_add(texts, TND_TEXT_SMALL, TND_TEXT_LEFT, TND_INK_LIGHT, (TndRectangle){0, 0, 60, 20}, text);
    tnd_text_draw(texts, cr);
    g_array_unref(texts);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    guint32 sum = sum_of_pixels(surface);
    cairo_surface_destroy(surface);
    return sum;
}

/* More texts than are kept. */
static void test_many_texts(void)
{
    enum { N = 5000 };
    guint32 *first = g_new(guint32, N);
    double *widths = g_new(double, N);
    for (guint i = 0; i < 2 * N; i++) {
        char text[16];
        g_snprintf(text, sizeof text, "%u", i % N);
        guint32 sum = draw_text(text);
        double width = tnd_text_width(TND_TEXT_SMALL, text);
        g_assert_true(i < N || (first[i % N] == sum && widths[i % N] == width));
        first[i % N] = sum;
        widths[i % N] = width;
    }
    g_assert_cmpuint(first[1234], !=, first[4321]);
    g_free(first);
    g_free(widths);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/timeline/states", test_states);
    g_test_add_func("/timeline/gradient", test_gradient);
    g_test_add_func("/timeline/outlier", test_outlier);
    g_test_add_func("/timeline/idle", test_idle);
    g_test_add_func("/timeline/short-burst", test_short_burst);
    g_test_add_func("/timeline/many-rows", test_many_rows);
    g_test_add_func("/timeline/messages", test_messages);
    g_test_add_func("/timeline/legend", test_legend);
    g_test_add_func("/timeline/many-messages", test_many_messages);
    g_test_add_func("/timeline/lines", test_lines);
    g_test_add_func("/timeline/points", test_points);
    g_test_add_func("/timeline/lines-in-pixels", test_lines_in_pixels);
    g_test_add_func("/timeline/low-rows", test_low_rows);
    g_test_add_func("/timeline/nothing-overlaps", test_nothing_overlaps);
    g_test_add_func("/timeline/locates", test_locates);
    g_test_add_func("/timeline/many-texts", test_many_texts);
    return g_test_run();
}
