/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A frame of tview: a timeline of many rows laid out and painted onto pixels, anywhere in a trace, from all of it to a
 * microsecond.  What of a frame is what: the values of cells (which views give), the rest of cells, texts with all
 * that is laid out, painting.  Then the same for four timelines over one another, through which a user zooms and pans.
 *
 * bench_frame [LINES [ROWS]]; the trace is written to $TMPDIR.
 */
#include "tests/bench/bench_cost.h"
#include "viewer/paint/cells.h"
#include "viewer/paint/lane_stack.h"
#include "viewer/paint/message_lines.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_FRAMES = 200, N_SCRIPT = 900, WIDTH = 1920, HEIGHT = 1080, SLOT_NS = 1000 };

typedef enum { FRAME, CELLS, MESSAGES, LAYOUT, PAINTING, N_PARTS } Part;
static const char *const parts[N_PARTS] = {"frame", "  cells", "  messages", "  texts and legend", "  painting"};

static guint64 n_lines = 1000000;
static guint n_rows = 1024;
static guint32 state_of_chance = 2463534242u;

static guint32 chance(guint32 below)
{
    state_of_chance ^= state_of_chance << 13;
    state_of_chance ^= state_of_chance >> 17;
    state_of_chance ^= state_of_chance << 5;
    return state_of_chance % below;
}

static guint32 mixed(guint64 slot)
{
    slot = (slot ^ slot >> 31) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    slot = (slot ^ slot >> 29) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    return (guint32)(slot >> 32);
}

/* Rows take turns; in some of theirs they begin to compute or to call something, which lasts until the next such. */
static gboolean changes_in(guint64 slot)
{
    return mixed(slot) % 8 < 3 || slot < n_rows;
}

static guint64 time_of(guint64 slot)
{
    return slot * SLOT_NS + mixed(slot ^ 0x5555) % SLOT_NS;
}

static void write_trace(const char *path)
{
    FILE *file = fopen(path, "w");
    guint64 n_slots = n_lines * 10 / 9, end = n_slots * SLOT_NS, n_written = 0;
    if (!file)
        abort();
    fprintf(file, "#Paraver (01/01/2026 at 00:00):%" G_GUINT64_FORMAT "_ns:1(%u):1:%u(", end, n_rows, n_rows);
    for (guint row = 0; row < n_rows; row++)
        fprintf(file, "%s1:1", row ? "," : "");
    fprintf(file, ")\n");
    gboolean *is_calling = g_new0(gboolean, n_rows);
    for (guint64 slot = 0; slot < n_slots && n_written < n_lines; slot++) {
        guint row = (guint)(slot % n_rows), n = row + 1;
        guint64 next = slot + n_rows, time = time_of(slot);
        if (!changes_in(slot))
            continue;
        while (next < n_slots && !changes_in(next))
            next += n_rows;
        guint64 until = next < n_slots ? time_of(next) : end;
        gboolean is_call = !is_calling[row];
        fprintf(file, "1:%u:1:%u:1:%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ":%d\n", n, n, time, until,
                is_call ? 9 : 1);
        fprintf(file, "2:%u:1:%u:1:%" G_GUINT64_FORMAT ":50000001:%u\n", n, n, time,
                is_call ? 1 + chance(4) * chance(9) : 0);
        n_written += 2;
        if (is_call && mixed(slot) % 64 < 8) {
            guint to = chance(n_rows) + 1;
            fprintf(file,
                    "3:%u:1:%u:1:%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ":%u:1:%u:1:%" G_GUINT64_FORMAT
                    ":%" G_GUINT64_FORMAT ":%u:7\n",
                    n, n, time, time, to, to, until, until, chance(4096));
            n_written++;
        }
        is_calling[row] = is_call;
    }
    g_free(is_calling);
    if (fclose(file) != 0)
        abort();
}

/* One frame, then its parts by themselves. */
static void draw_frame(const TndTimelineSubject *subject, cairo_surface_t *surface, struct bench_cost *costs)
{
    struct bench_cost begin = bench_cost_now();
    TndTimeline *timeline = tnd_timeline_new(subject, WIDTH, HEIGHT, 1);
    struct bench_cost laid_out = bench_cost_now();
    cairo_t *cr = cairo_create(surface);
    tnd_timeline_paint(timeline, cr);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    struct bench_cost painted = bench_cost_now();
    TndRectangle canvas = tnd_timeline_canvas(timeline);
    tnd_timeline_free(timeline);
    costs[FRAME] = bench_cost_between(begin, painted);
    costs[PAINTING] = bench_cost_between(laid_out, painted);

    struct bench_cost marks[3] = {bench_cost_now()};
    TndCells *cells = tnd_cells_new(subject->view, subject->look.mode, NULL, FALSE, subject->begin_ns, subject->end_ns,
                                    subject->first_row, subject->last_row, (guint)canvas.width, HEIGHT);
    marks[1] = bench_cost_now();
    const TndMessageLinesSubject wanted = {.trace = tnd_view_trace(subject->view),
                                           .level = tnd_view_level(subject->view),
                                           .begin_ns = subject->begin_ns,
                                           .end_ns = subject->end_ns,
                                           .first_row = subject->first_row,
                                           .last_row = subject->last_row};
    TndMessageLines lines = tnd_message_lines_new(&wanted, (guint64)canvas.width / 3, TND_TIMELINE_MOST_MESSAGES);
    marks[2] = bench_cost_now();
    tnd_cells_free(cells);
    tnd_message_lines_clear(&lines);
    costs[CELLS] = bench_cost_between(marks[0], marks[1]);
    costs[MESSAGES] = bench_cost_between(marks[1], marks[2]);
    costs[LAYOUT] = bench_cost_between(bench_cost_between(marks[0], marks[2]), bench_cost_between(begin, laid_out));
}

static int compare(gconstpointer a, gconstpointer b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void print_frames(const char *name, const struct bench_cost *costs, guint n)
{
    static double clock_ms[N_SCRIPT], cpu_ms[N_SCRIPT];
    for (guint i = 0; i < n; i++) {
        clock_ms[i] = costs[i].clock_ms;
        cpu_ms[i] = costs[i].cpu_ms;
    }
    qsort(clock_ms, n, sizeof *clock_ms, compare);
    qsort(cpu_ms, n, sizeof *cpu_ms, compare);
    const guint late = n * 99 / 100; /* 99 of 100 take less */
    printf("  %-24s median %7.2f ms, 99 %% within %7.2f ms, worst %7.2f ms; of CPU time %7.2f ms, %7.2f ms, %7.2f ms\n",
           name, clock_ms[n / 2], clock_ms[late], clock_ms[n - 1], cpu_ms[n / 2], cpu_ms[late], cpu_ms[n - 1]);
}

static void print_part(const char *name, const struct bench_cost *costs)
{
    print_frames(name, costs, N_FRAMES);
}

/* A stretch of time that is as likely to be long as short: from all of the trace to a microsecond. */
static void choose_time(guint64 trace_ns, guint64 *begin_ns, guint64 *end_ns)
{
    double part = exp(log(1000.0 / (double)trace_ns) * chance(1001) / 1000);
    guint64 span_ns = MAX((guint64)(part * (double)trace_ns), 1000);
    *begin_ns = (guint64)((double)(trace_ns - span_ns) * chance(1001) / 1000);
    *end_ns = *begin_ns + span_ns;
}

/* A user's way: into the trace, along it, out again, to somewhere else; 30 frames a second for 30 s. */
static void go_on(guint frame, guint64 trace_ns, guint64 *begin_ns, guint64 *end_ns)
{
    enum { IN = 100, ALONG = 100, OUT = 100 };
    const guint step = frame % (IN + ALONG + OUT);
    const double whole = (double)trace_ns;
    static double at = 0.3, span = 1; /* parts of the trace */
    if (step == 0) {
        at = (100 + chance(801)) / 1000.0;
        span = 1;
    } else if (step < IN) {
        span *= 0.9;
    } else if (step < IN + ALONG) {
        at += span * 0.05;
    } else {
        span = MIN(span / 0.9, 1);
    }
    const double begin = CLAMP(at - span / 2, 0, 1 - span);
    *begin_ns = (guint64)(begin * whole);
    *end_ns = MIN(MAX((guint64)((begin + span) * whole), *begin_ns + 1000), trace_ns);
}

static void draw_view(const TndTrace *trace, const char *name, TndDraw draw)
{
    TndView *view = tnd_view_new(trace, name, NULL);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
    static struct bench_cost costs[N_PARTS][N_FRAMES];
    struct bench_cost of_frame[N_PARTS];
    guint64 end_ns = tnd_trace_end_ns(trace);
    struct bench_cost begin = bench_cost_now();
    TndPaletteScale scale = tnd_palette_scale(view); /* as a session keeps it */
    TndTimelineSubject subject = {view, 0, end_ns, 0, n_rows - 1, TND_MESSAGES_FITTING, .draw = draw, .scale = &scale};
    draw_frame(&subject, surface, of_frame);
    printf("%s%s: the first frame %.0f ms, then\n", name, draw == TND_DRAW_LINE ? " as lines" : "",
           bench_cost_between(begin, bench_cost_now()).clock_ms);
    for (guint frame = 0; frame < N_FRAMES; frame++) {
        choose_time(end_ns, &subject.begin_ns, &subject.end_ns);
        draw_frame(&subject, surface, of_frame);
        for (guint i = 0; i < N_PARTS; i++)
            costs[i][frame] = of_frame[i];
    }
    for (guint i = 0; i < N_PARTS; i++)
        print_part(parts[i], costs[i]);
    cairo_surface_destroy(surface);
    tnd_view_free(view);
}

/* Several views as the window shows them. */
static void draw_stack(const TndTrace *trace, const char *const *names, guint n)
{
    TndView *views[TND_LANE_STACK_MOST];
    TndPaletteScale scales[TND_LANE_STACK_MOST];
    TndLaneStackSubject subject = {.n_parts = n, .selected = 0, .has_map = TRUE, .whole_ns = tnd_trace_end_ns(trace)};
    static struct bench_cost frames[N_SCRIPT], painting[N_SCRIPT];
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
    for (guint i = 0; i < n; i++) {
        views[i] = tnd_view_new(trace, names[i], NULL);
        tnd_view_prepare(views[i], NULL, NULL);
        scales[i] = tnd_palette_scale(views[i]);
        subject.parts[i].height = 1;
        subject.parts[i].timeline = (TndTimelineSubject){
            .view = views[i], .last_row = n_rows - 1, .scale = &scales[i], .without_ruler = i + 1 < n};
    }
    for (guint frame = 0; frame < N_SCRIPT; frame++) {
        guint64 begin_ns, end_ns;
        go_on(frame, tnd_trace_end_ns(trace), &begin_ns, &end_ns);
        for (guint i = 0; i < n; i++) {
            subject.parts[i].timeline.begin_ns = begin_ns;
            subject.parts[i].timeline.end_ns = end_ns;
        }
        struct bench_cost begin = bench_cost_now();
        TndLaneStack *stack = tnd_lane_stack_new(&subject, WIDTH, HEIGHT, 1);
        struct bench_cost laid_out = bench_cost_now();
        cairo_t *cr = cairo_create(surface);
        tnd_lane_stack_paint(stack, cr);
        cairo_destroy(cr);
        cairo_surface_flush(surface);
        frames[frame] = bench_cost_between(begin, bench_cost_now());
        painting[frame] = bench_cost_between(laid_out, bench_cost_now());
        tnd_lane_stack_free(stack);
    }
    printf("%u timelines over one another, zooming and panning for 30 s:\n", n);
    print_frames(parts[FRAME], frames, N_SCRIPT);
    print_frames(parts[PAINTING], painting, N_SCRIPT);
    cairo_surface_destroy(surface);
    for (guint i = 0; i < n; i++)
        tnd_view_free(views[i]);
}

int main(int argc, char **argv)
{
    n_lines = argc > 1 ? strtoull(argv[1], NULL, 10) : n_lines;
    n_rows = argc > 2 ? (guint)strtoul(argv[2], NULL, 10) : n_rows;
    char *directory = g_dir_make_tmp("tandem-bench-XXXXXX", NULL),
         *path = g_build_filename(directory, "frame.prv", NULL);
    char *index_path = g_strconcat(path, ".tvx", NULL);
    write_trace(path);
    GError *error = NULL;
    TndTrace *trace = tnd_trace_open(path, NULL, NULL, &error);
    if (!trace)
        g_error("%s", error->message);
    printf("%" G_GUINT64_FORMAT " lines, %u rows, %d x %d pixels\n", n_lines, n_rows, WIDTH, HEIGHT);
    static const char *const names[] = {"state", "mpi-calls", "useful-duration"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        draw_view(trace, names[i], TND_DRAW_COLOUR);
    draw_view(trace, "useful-duration", TND_DRAW_LINE);
    static const char *const four[] = {"state", "mpi-calls", "useful-duration", "mpi-p2p"};
    draw_stack(trace, four, G_N_ELEMENTS(four));
    tnd_trace_free(trace);
    g_remove(index_path);
    g_remove(path);
    g_rmdir(directory);
    g_free(index_path);
    g_free(path);
    g_free(directory);
    return 0;
}
