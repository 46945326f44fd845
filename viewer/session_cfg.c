/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The timelines that are shown, as a configuration of Paraver's.
 */
#include "viewer/session_parts.h"

#include "analysis/views/view_cfg.h"
#include "viewer/paint/palette.h"

#include <gio/gio.h>

/* [row]: whether it is shown; free with g_free. */
static gboolean *shown_rows(const TndTimelineSubject *timeline)
{
    gboolean *are_shown = g_new0(gboolean, tnd_view_n_rows(timeline->view) + 1);
    const TndRowOrder *order = timeline->order;
    const guint n_lines = tnd_row_order_n_lines(order, timeline->first_row, timeline->last_row);
    for (guint line = 0; line < n_lines; line++)
        for (guint i = 0; i < tnd_row_order_n_rows(order, timeline->first_row, line); i++)
            are_shown[tnd_row_order_row_at(order, timeline->first_row, line, i)] = TRUE;
    return are_shown;
}

gboolean tnd_session_parts_write_cfg(TndSession *session, const char *path, GError **error)
{
    TndLaneStackSubject stack;
    TndViewCfgShown shown[TND_LANE_STACK_MOST];
    if (session->page != TND_PAGE_TIMELINE || !tnd_session_stack(session, TRUE, &stack)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "%s: timelines can be saved as .cfg, and none is shown", path);
        return FALSE;
    }
    for (guint i = 0; i < stack.n_parts; i++) {
        const TndTimelineSubject *timeline = &stack.parts[i].timeline;
        const gboolean is_code = tnd_view_rule(timeline->view)->palette == TND_PALETTE_CODE;
        TndPaletteScale scale = {0};
        if (!is_code) {
            scale = tnd_session_parts_scale(session, timeline->view);
            tnd_palette_set_look(&scale, &timeline->look);
        }
        shown[i] = (TndViewCfgShown){.view = timeline->view,
                                     .begin_ns = timeline->begin_ns,
                                     .end_ns = timeline->end_ns,
                                     .are_shown = shown_rows(timeline),
                                     .draw = timeline->draw,
                                     .has_flags = timeline->shows_flags,
                                     .hides_messages = timeline->messages == TND_MESSAGES_NONE,
                                     .has_limits = !is_code && !timeline->fits_scale,
                                     .least = scale.minimum,
                                     .most = scale.maximum};
    }
    char *text = tnd_view_cfg_text(shown, stack.n_parts, error);
    for (guint i = 0; i < stack.n_parts; i++)
        g_free((gpointer)shown[i].are_shown);
    const gboolean is_written = text && g_file_set_contents(path, text, -1, error);
    g_free(text);
    return is_written;
}
