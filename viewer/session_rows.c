/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which rows are shown, and in which order.  Each change makes a new order; those before are kept for undo.
 */
#include "viewer/session_parts.h"

#include "analysis/base/cores.h"
#include "analysis/bursts/burst_walk.h"
#include "analysis/trace/row_choice.h"

#include "viewer/paint/row_tree.h"

#include <gio/gio.h>
#include <string.h>

const TndRowOrder *tnd_session_rows(const TndSession *session)
{
    const TndScene *scene = tnd_session_parts_scene(session);
    return scene ? tnd_scene_order(scene, scene->selected, tnd_session_level(session)) : NULL;
}

static guint count_rows(const TndSession *session)
{
    return session->trace ? tnd_levels_n_rows(session->trace, tnd_session_level(session)) : 0;
}

static gboolean is_usual(const TndRowOrder *order)
{
    guint i = 0;
    while (i < order->n && order->first[i] == i && order->rows[i] == i)
        i++;
    return i == order->n_all && order->n_pinned == 0;
}

/* Takes the order.  All rows stay in sight if they were. */
static void set_order(TndSession *session, TndRowOrder *order)
{
    const TndLevel level = tnd_session_level(session);
    TndScene scene = *tnd_session_parts_scene(session);
    TndZoom zoom = tnd_session_zoom(session), whole = tnd_session_whole(session);
    const gboolean were_all = zoom.first_row == 0 && zoom.last_row == whole.last_row;
    if (order && is_usual(order))
        g_clear_pointer(&order, tnd_row_order_free);
    if (order)
        g_ptr_array_add(session->orders, order);
    whole.last_row = tnd_row_order_last_place(order, count_rows(session));
    zoom.last_row = were_all ? whole.last_row : zoom.last_row;
    tnd_scene_set_order(&scene, scene.selected, level, order);
    tnd_scene_set_zoom(&scene, scene.selected, level, tnd_zoom_inside(zoom, whole));
    tnd_history_add(session->history, &scene, FALSE);
    tnd_session_notify(session, TND_CHANGED_ZOOM);
}

/* The lines that are shown, to be changed. */
typedef struct {
    TndRowOrder *usual; /* which they are of, if no order was chosen; else NULL */
    const TndRowOrder *before;
    GArray *lines; /* of TndRowGroup: rows of the order before */
    guint n_pinned;
} Change;

static Change begin_change(const TndSession *session)
{
    Change change = {.before = tnd_session_rows(session), .lines = g_array_new(FALSE, FALSE, sizeof(TndRowGroup))};
    if (!change.before)
        change.before = change.usual = tnd_row_order_usual(count_rows(session));
    const TndRowOrder *before = change.before;
    change.n_pinned = before->n_pinned;
    for (guint i = 0; i < before->n; i++) {
        const TndRowGroup line = {before->rows + before->first[i], before->first[i + 1] - before->first[i]};
        g_array_append_val(change.lines, line);
    }
    return change;
}

static void end_change(TndSession *session, Change *change, gboolean is_made)
{
    if (is_made)
        set_order(session, tnd_row_order_new((const TndRowGroup *)(const void *)change->lines->data, change->lines->len,
                                             change->n_pinned, count_rows(session)));
    g_array_unref(change->lines);
    if (change->usual)
        tnd_row_order_free(change->usual);
}

static TndRowGroup *line_at(const Change *change, guint i)
{
    return &g_array_index(change->lines, TndRowGroup, i);
}

void tnd_session_hide_row(TndSession *session, guint row)
{
    Change change = begin_change(session);
    const guint at = change.before->position[row];
    const gboolean is_made = change.lines->len > 1 && at != G_MAXUINT;
    if (is_made) {
        g_array_remove_index(change.lines, at);
        change.n_pinned -= at < change.n_pinned;
    }
    end_change(session, &change, is_made);
}

/* A line that is let go goes in front of the first one below with a greater number. */
void tnd_session_pin_row(TndSession *session, guint row)
{
    Change change = begin_change(session);
    const guint at = change.before->position[row];
    if (at != G_MAXUINT) {
        const gboolean is_pinned = at < change.n_pinned;
        const TndRowGroup line = *line_at(&change, at);
        g_array_remove_index(change.lines, at);
        change.n_pinned -= is_pinned;
        guint to = change.n_pinned;
        while (is_pinned && to < change.lines->len && line_at(&change, to)->rows[0] < row)
            to++;
        g_array_insert_val(change.lines, to, line);
        change.n_pinned += !is_pinned;
    }
    end_change(session, &change, at != G_MAXUINT);
}

void tnd_session_show_all_rows(TndSession *session)
{
    if (tnd_session_rows(session))
        set_order(session, NULL);
}

/* Names are those of threads, also where rows are tasks or nodes that threads belong to. */
static gboolean *find_named(const char *name, gpointer data, GError **error)
{
    const TndSession *session = data;
    const TndLevel level = tnd_session_level(session);
    gboolean *threads = tnd_row_choice_of_trace(session->trace, name, error);
    gboolean *rows = threads ? tnd_levels_lift(session->trace, threads, level) : NULL;
    if (threads && !rows)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "'%s' chooses threads, but the rows are %s: choose them by number", name,
                    tnd_levels_word(level, TRUE));
    g_free(threads);
    return rows;
}

gboolean tnd_session_choose_rows(TndSession *session, const char *text, GError **error)
{
    TndRowOrder *order = tnd_row_order_parse(text, count_rows(session), find_named, session, error);
    if (order)
        set_order(session, order);
    return order != NULL;
}

char *tnd_session_rows_text(const TndSession *session)
{
    return tnd_row_order_text(tnd_session_rows(session), count_rows(session));
}

typedef struct {
    TndView *view;
    guint64 begin_ns, end_ns;
    gboolean has_code; /* the weight of a row is the time of this value: */
    double code;
    double *weights; /* of each row of the view */
} Weighing;

/* Quantities weigh what they are on average, codes how long they last. */
static void weigh(guint row, gpointer data)
{
    const Weighing *weighing = data;
    const gboolean are_codes = tnd_view_rule(weighing->view)->palette == TND_PALETTE_CODE;
    TndBurstWalk walk = tnd_burst_walk_start(tnd_view_row(weighing->view, row), weighing->begin_ns);
    double sum = 0;
    for (; walk.at && walk.at->begin_ns < weighing->end_ns; tnd_burst_walk_next(&walk)) {
        const TndBurst *burst = walk.at;
        double time = (double)(MIN(burst->end_ns, weighing->end_ns) - MAX(burst->begin_ns, weighing->begin_ns));
        if (!are_codes)
            sum += time * burst->value;
        else if (weighing->has_code ? burst->value == weighing->code : burst->value != 0)
            sum += time;
        if (burst->end_ns >= weighing->end_ns)
            break;
    }
    tnd_burst_walk_end(&walk);
    weighing->weights[row] = sum;
}

typedef struct {
    TndRowGroup line;
    double weight;
} Weighed;

static gint by_weight(gconstpointer a, gconstpointer b)
{
    const Weighed *line = a, *other = b;
    if (line->weight != other->weight)
        return line->weight > other->weight ? -1 : 1;
    return line->line.rows[0] < other->line.rows[0] ? -1 : line->line.rows[0] > other->line.rows[0];
}

/* A line of several rows weighs what they weigh on average. */
static void sort_lines(Change *change, const double *weights)
{
    GArray *sorted = g_array_new(FALSE, FALSE, sizeof(Weighed));
    for (guint i = change->n_pinned; i < change->lines->len; i++) {
        Weighed one = {*line_at(change, i), 0};
        for (guint j = 0; j < one.line.n; j++)
            one.weight += weights[one.line.rows[j]] / one.line.n;
        g_array_append_val(sorted, one);
    }
    g_array_sort(sorted, by_weight);
    for (guint i = 0; i < sorted->len; i++)
        *line_at(change, change->n_pinned + i) = g_array_index(sorted, Weighed, i).line;
    g_array_unref(sorted);
}

void tnd_session_sort_rows(TndSession *session)
{
    TndView *view = session->view;
    const TndZoom zoom = tnd_session_zoom(session);
    const TndSpot spot = session->selection;
    TndBurst burst;
    if (!view)
        return;
    Weighing weighing = {view, zoom.begin_ns, zoom.end_ns};
    weighing.has_code = spot.is_set && tnd_view_burst_at(view, spot.row, spot.time_ns, &burst);
    weighing.code = weighing.has_code ? burst.value : 0;
    weighing.weights = g_new0(double, tnd_view_n_rows(view));
    tnd_cores_run(tnd_view_n_rows(view), weigh, &weighing);
    Change change = begin_change(session);
    sort_lines(&change, weighing.weights);
    end_change(session, &change, TRUE);
    g_free(weighing.weights);
}

/* Folds all lines of one section (pinned or not) that belong to the parent into the first of them, whose rows get a
 * place of their own in `rows`.  TRUE: there were several. */
static gboolean fold_section(const TndSession *session, Change *change, gboolean is_pinned, TndLevel above,
                             guint parent, guint *rows)
{
    const TndLevel level = tnd_session_level(session);
    guint n = 0, n_lines = 0, at = 0;
    for (guint i = is_pinned ? 0 : change->n_pinned; i < (is_pinned ? change->n_pinned : change->lines->len);) {
        const TndRowGroup line = *line_at(change, i);
        if (tnd_row_tree_parent(session->trace, level, line.rows[0], above) != parent) {
            i++;
            continue;
        }
        memcpy(rows + n, line.rows, line.n * sizeof *rows);
        n += line.n;
        if (n_lines++) {
            g_array_remove_index(change->lines, i);
            change->n_pinned -= is_pinned;
        } else {
            at = i++;
        }
    }
    if (n_lines)
        *line_at(change, at) = (TndRowGroup){rows, n};
    return n_lines > 1;
}

/* Gives each row of a line a line of its own. */
static void unfold(Change *change, guint at)
{
    const TndRowGroup line = *line_at(change, at);
    line_at(change, at)->n = 1;
    for (guint i = 1; i < line.n; i++) {
        const TndRowGroup one = {line.rows + i, 1};
        g_array_insert_val(change->lines, at + i, one);
    }
    change->n_pinned += at < change->n_pinned ? line.n - 1 : 0;
}

void tnd_session_fold(TndSession *session, TndLevel above, guint row)
{
    const guint n = count_rows(session);
    guint parent = row < n ? tnd_row_tree_parent(session->trace, tnd_session_level(session), row, above) : G_MAXUINT;
    if (parent == G_MAXUINT)
        return;
    Change change = begin_change(session);
    guint *rows = g_new(guint, n);
    const guint at = change.before->position[row];
    gboolean is_made = at != G_MAXUINT;
    if (is_made)
        is_made = fold_section(session, &change, at < change.n_pinned, above, parent, rows);
    if (at != G_MAXUINT && !is_made && line_at(&change, at)->n > 1) {
        unfold(&change, at);
        is_made = TRUE;
    }
    end_change(session, &change, is_made);
    g_free(rows);
}

/* Folds the scrolled lines of each parent.  TRUE: a parent had several. */
static gboolean fold_each(const TndSession *session, Change *change, TndLevel above, guint *rows)
{
    const TndLevel level = tnd_session_level(session);
    const guint n_parents = tnd_levels_n_rows(session->trace, above);
    GArray **lines = g_new0(GArray *, n_parents); /* of guint: rows of the lines of each parent */
    GArray *folded = g_array_new(FALSE, FALSE, sizeof(TndRowGroup));
    GArray *parents = g_array_new(FALSE, FALSE, sizeof(guint)); /* of each folded line that is not pinned */
    const guint before = change->lines->len;
    g_array_append_vals(folded, change->lines->data, change->n_pinned);
    for (guint i = change->n_pinned; i < change->lines->len; i++) {
        const TndRowGroup line = *line_at(change, i);
        const guint parent = tnd_row_tree_parent(session->trace, level, line.rows[0], above);
        if (!lines[parent]) {
            lines[parent] = g_array_new(FALSE, FALSE, sizeof(guint));
            g_array_append_val(parents, parent);
        }
        g_array_append_vals(lines[parent], line.rows, line.n);
    }
    for (guint i = 0; i < parents->len; i++) {
        GArray *own = lines[g_array_index(parents, guint, i)];
        const TndRowGroup line = {memcpy(rows, own->data, own->len * sizeof *rows), own->len};
        g_array_append_val(folded, line);
        rows += own->len;
        g_array_unref(own);
    }
    g_array_unref(change->lines);
    change->lines = folded;
    g_array_unref(parents);
    g_free(lines);
    return folded->len < before;
}

/* Gives each row a line of its own. */
static void unfold_all(Change *change)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(TndRowGroup));
    guint n_pinned = 0;
    for (guint i = 0; i < change->lines->len; i++) {
        const TndRowGroup line = *line_at(change, i);
        for (guint j = 0; j < line.n; j++) {
            const TndRowGroup one = {line.rows + j, 1};
            g_array_append_val(lines, one);
        }
        n_pinned += i < change->n_pinned ? line.n : 0;
    }
    g_array_unref(change->lines);
    change->lines = lines;
    change->n_pinned = n_pinned;
}

void tnd_session_fold_all(TndSession *session, TndLevel above)
{
    const guint n = count_rows(session);
    if (!n || tnd_row_tree_parent(session->trace, tnd_session_level(session), 0, above) == G_MAXUINT)
        return;
    Change change = begin_change(session);
    guint *rows = g_new(guint, n);
    if (!fold_each(session, &change, above, rows))
        unfold_all(&change);
    end_change(session, &change, TRUE);
    g_free(rows);
}
