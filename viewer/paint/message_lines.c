/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two passes over the messages: count those in sight, then take every n-th.
 */
#include "viewer/paint/message_lines.h"

#include "analysis/task_graph.h"
#include "analysis/walk.h"

static gboolean touches(const TndMessage *message, guint64 begin_ns, guint64 end_ns, guint first_row, guint last_row)
{
    guint64 from = message->physical_send_ns, to = message->physical_receive_ns;
    if (MIN(from, to) > end_ns || MAX(from, to) < begin_ns)
        return FALSE;
    guint top = MIN(message->sender, message->receiver), bottom = MAX(message->sender, message->receiver);
    return top <= last_row && bottom >= first_row;
}

TndMessageLines tnd_message_lines_new(const TndTrace *trace, guint64 begin_ns, guint64 end_ns, guint first_row,
                                      guint last_row, guint64 too_many, guint most)
{
    TndMessageLines lines = {.stride = 1, .drawn = g_array_new(FALSE, FALSE, sizeof(TndMessage))};
    TndWalk walk = tnd_walk_messages(trace, begin_ns, end_ns + 1);
    for (const TndMessage *message; (message = tnd_walk_next_message(&walk));) {
        gboolean is_visible = touches(message, begin_ns, end_ns, first_row, last_row);
        lines.n_visible += is_visible;
        lines.n_tasks += is_visible && tnd_task_graph_is_line(trace, message);
    }
    tnd_walk_end(&walk);
    lines.stride = lines.n_visible > too_many ? 0 : MAX((lines.n_visible + most - 1) / most, 1);
    guint64 nth = 0;
    walk = tnd_walk_messages(trace, begin_ns, end_ns + 1);
    for (const TndMessage *message; lines.stride && (message = tnd_walk_next_message(&walk));)
        if (touches(message, begin_ns, end_ns, first_row, last_row) && nth++ % lines.stride == 0)
            g_array_append_vals(lines.drawn, message, 1);
    tnd_walk_end(&walk);
    return lines;
}

void tnd_message_lines_clear(TndMessageLines *lines)
{
    if (lines->drawn)
        g_array_unref(lines->drawn);
    lines->drawn = NULL;
}
