/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two passes over the messages: count those in sight, then take every n-th.
 */
#include "viewer/paint/message_lines.h"

#include "analysis/task_graph.h"

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
    TndMessageLines lines = {.stride = 1, .drawn = g_array_new(FALSE, FALSE, sizeof(TndMessage *))};
    const TndMessage *messages = tnd_trace_messages(trace);
    gsize n_messages = tnd_trace_n_messages(trace);
    for (gsize i = 0; i < n_messages; i++) {
        gboolean is_visible = touches(&messages[i], begin_ns, end_ns, first_row, last_row);
        lines.n_visible += is_visible;
        lines.n_tasks += is_visible && tnd_task_graph_is_line(trace, &messages[i]);
    }
    lines.stride = lines.n_visible > too_many ? 0 : MAX((lines.n_visible + most - 1) / most, 1);
    guint64 nth = 0;
    for (gsize i = 0; i < n_messages && lines.stride; i++) {
        const TndMessage *message = &messages[i];
        if (touches(message, begin_ns, end_ns, first_row, last_row) && nth++ % lines.stride == 0)
            g_array_append_val(lines.drawn, message);
    }
    return lines;
}

void tnd_message_lines_clear(TndMessageLines *lines)
{
    if (lines->drawn)
        g_array_unref(lines->drawn);
    lines->drawn = NULL;
}
