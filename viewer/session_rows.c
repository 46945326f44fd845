/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which rows are shown, and in which order.  Each change makes a new order; those before are kept for undo.
 */
#include "viewer/session_parts.h"

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

TndSessionLines tnd_session_parts_begin_lines(const TndSession *session)
{
    TndSessionLines change = {.before = tnd_session_rows(session),
                              .lines = g_array_new(FALSE, FALSE, sizeof(TndRowGroup))};
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

void tnd_session_parts_end_lines(TndSession *session, TndSessionLines *change, gboolean is_made)
{
    if (is_made)
        set_order(session, tnd_row_order_new((const TndRowGroup *)(const void *)change->lines->data, change->lines->len,
                                             change->n_pinned, count_rows(session)));
    g_array_unref(change->lines);
    if (change->usual)
        tnd_row_order_free(change->usual);
}

void tnd_session_hide_row(TndSession *session, guint row)
{
    TndSessionLines change = tnd_session_parts_begin_lines(session);
    const guint at = change.before->position[row];
    const gboolean is_made = change.lines->len > 1 && at != G_MAXUINT;
    if (is_made) {
        g_array_remove_index(change.lines, at);
        change.n_pinned -= at < change.n_pinned;
    }
    tnd_session_parts_end_lines(session, &change, is_made);
}

/* A line that is let go goes in front of the first one below with a greater number. */
void tnd_session_pin_row(TndSession *session, guint row)
{
    TndSessionLines change = tnd_session_parts_begin_lines(session);
    const guint at = change.before->position[row];
    if (at != G_MAXUINT) {
        const gboolean is_pinned = at < change.n_pinned;
        const TndRowGroup line = *tnd_session_parts_line(&change, at);
        g_array_remove_index(change.lines, at);
        change.n_pinned -= is_pinned;
        guint to = change.n_pinned;
        while (is_pinned && to < change.lines->len && tnd_session_parts_line(&change, to)->rows[0] < row)
            to++;
        g_array_insert_val(change.lines, to, line);
        change.n_pinned += !is_pinned;
    }
    tnd_session_parts_end_lines(session, &change, at != G_MAXUINT);
}

void tnd_session_move_row(TndSession *session, guint row, guint to)
{
    TndSessionLines change = tnd_session_parts_begin_lines(session);
    const guint from = change.before->position[row], at = change.before->position[to];
    const gboolean is_made = from != at && from != G_MAXUINT && at != G_MAXUINT;
    if (is_made) {
        const TndRowGroup line = *tnd_session_parts_line(&change, from);
        g_array_remove_index(change.lines, from);
        g_array_insert_val(change.lines, at, line);
        change.n_pinned -= from < change.n_pinned && at >= change.n_pinned;
        change.n_pinned += from >= change.before->n_pinned && at < change.before->n_pinned;
    }
    tnd_session_parts_end_lines(session, &change, is_made);
}

void tnd_session_step_row(TndSession *session, guint row, int step)
{
    const TndRowOrder *order = tnd_session_rows(session);
    const guint n = order ? order->n : count_rows(session), at = order ? order->position[row] : row;
    if (at == G_MAXUINT || (step < 0 ? at == 0 : at + 1 >= n))
        return;
    const guint beside = step < 0 ? at - 1 : at + 1;
    tnd_session_move_row(session, row, order ? order->rows[order->first[beside]] : beside);
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

/* Folds all lines of one section (pinned or not) that belong to the parent into the first of them, whose rows get a
 * place of their own in `rows`.  TRUE: there were several. */
static gboolean fold_section(const TndSession *session, TndSessionLines *change, gboolean is_pinned, TndLevel above,
                             guint parent, guint *rows)
{
    const TndLevel level = tnd_session_level(session);
    guint n = 0, n_lines = 0, at = 0;
    for (guint i = is_pinned ? 0 : change->n_pinned; i < (is_pinned ? change->n_pinned : change->lines->len);) {
        const TndRowGroup line = *tnd_session_parts_line(change, i);
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
        *tnd_session_parts_line(change, at) = (TndRowGroup){rows, n};
    return n_lines > 1;
}

/* Gives each row of a line a line of its own. */
static void unfold(TndSessionLines *change, guint at)
{
    const TndRowGroup line = *tnd_session_parts_line(change, at);
    tnd_session_parts_line(change, at)->n = 1;
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
    TndSessionLines change = tnd_session_parts_begin_lines(session);
    guint *rows = g_new(guint, n);
    const guint at = change.before->position[row];
    gboolean is_made = at != G_MAXUINT;
    if (is_made)
        is_made = fold_section(session, &change, at < change.n_pinned, above, parent, rows);
    if (at != G_MAXUINT && !is_made && tnd_session_parts_line(&change, at)->n > 1) {
        unfold(&change, at);
        is_made = TRUE;
    }
    tnd_session_parts_end_lines(session, &change, is_made);
    g_free(rows);
}

/* Folds the scrolled lines of each parent.  TRUE: a parent had several. */
static gboolean fold_each(const TndSession *session, TndSessionLines *change, TndLevel above, guint *rows)
{
    const TndLevel level = tnd_session_level(session);
    const guint n_parents = tnd_levels_n_rows(session->trace, above);
    GArray **lines = g_new0(GArray *, n_parents); /* of guint: rows of the lines of each parent */
    GArray *folded = g_array_new(FALSE, FALSE, sizeof(TndRowGroup));
    GArray *parents = g_array_new(FALSE, FALSE, sizeof(guint)); /* of each folded line that is not pinned */
    const guint before = change->lines->len;
    g_array_append_vals(folded, change->lines->data, change->n_pinned);
    for (guint i = change->n_pinned; i < change->lines->len; i++) {
        const TndRowGroup line = *tnd_session_parts_line(change, i);
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
static void unfold_all(TndSessionLines *change)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(TndRowGroup));
    guint n_pinned = 0;
    for (guint i = 0; i < change->lines->len; i++) {
        const TndRowGroup line = *tnd_session_parts_line(change, i);
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
    TndSessionLines change = tnd_session_parts_begin_lines(session);
    guint *rows = g_new(guint, n);
    if (!fold_each(session, &change, above, rows))
        unfold_all(&change);
    tnd_session_parts_end_lines(session, &change, TRUE);
    g_free(rows);
}
