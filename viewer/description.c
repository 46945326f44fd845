/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts are made when they are asked for.  The messages of a burst are found by a walk over all messages of its time,
 * which is therefore done only on a click.
 */
#include "viewer/description.h"

#include "analysis/reports/task_graph.h"
#include "analysis/trace/row_labels.h"
#include "analysis/trace/walk.h"
#include "formats/prv_tags.h"
#include "viewer/paint/legend.h"
#include "viewer/paint/ruler.h"

#include <math.h>
#include <string.h>

static const char *name_thread(const TndTrace *trace, guint thread)
{
    return tnd_row_labels_get(trace, TND_LEVEL_THREAD, thread);
}

static void describe_task_line(const TndTrace *trace, const TndMessage *line, gboolean is_send, GPtrArray *lines)
{
    static const char *const words[3][2][3] = {
        {{" was made by ", ", ", " before"}, {" was made here and began on ", " ", " later"}},
        {{" waited for one of ", ", which ended ", " before"}, {" of ", " waited for this one and began ", " later"}},
        {{" of ", " was fulfilled here, ", " after its end"}, {" was fulfilled by ", ", ", " later"}}};
    const char *const *word = words[line->tag - TND_PRV_TAG_CREATION][is_send];
    char *took =
        tnd_ruler_time_text(line->logical_receive_ns - MIN(line->logical_send_ns, line->logical_receive_ns), 0);
    const char *name = name_thread(trace, is_send ? line->receiver : line->sender);
    g_ptr_array_add(lines, g_strdup_printf("task %" G_GINT64_FORMAT "%s%s%s%s%s", line->size_bytes, word[0], name,
                                           word[1], took, word[2]));
    g_free(took);
}

static void describe_message(const TndTrace *trace, const TndMessage *message, gboolean is_send, GPtrArray *lines)
{
    guint64 from = message->logical_send_ns, to = message->physical_receive_ns;
    char *sent = tnd_ruler_time_text(from, 0);
    char *took = tnd_ruler_time_text(to > from ? to - from : from - to, 0);
    g_ptr_array_add(lines, g_strdup_printf("%s %s: %" G_GINT64_FORMAT " bytes, tag %" G_GINT64_FORMAT
                                           ", sent at %s, took %s%s",
                                           is_send ? "to" : "from",
                                           name_thread(trace, is_send ? message->receiver : message->sender),
                                           message->size_bytes, message->tag, sent, to < from ? "-" : "", took));
    g_free(sent);
    g_free(took);
}

char *tnd_description_message(const TndTrace *trace, const TndMessage *message)
{
    const gboolean is_line = tnd_task_graph_is_line(trace, message);
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    (is_line ? describe_task_line : describe_message)(trace, message, TRUE, lines);
    char *text = g_strdup_printf("%s%s %s", name_thread(trace, message->sender), is_line ? ":" : "",
                                 (const char *)lines->pdata[0]);
    g_ptr_array_unref(lines);
    return text;
}

/* Describes the messages of all threads that belong to a row of the view. */
static void describe_messages(const TndView *view, guint row, const TndBurst *burst, TndDescription *description)
{
    const TndTrace *trace = tnd_view_trace(view);
    const TndLevel level = tnd_view_level(view);
    TndWalk walk = tnd_walk_messages(trace, burst->begin_ns, burst->end_ns + 1);
    for (const TndMessage *message; (message = tnd_walk_next_message(&walk));) {
        for (int is_send = 1; is_send >= 0; is_send--) {
            guint64 at_ns = is_send ? message->logical_send_ns : message->logical_receive_ns;
            gboolean is_line = tnd_task_graph_is_line(trace, message);
            /* A line from the end of a task belongs to the task's burst, not to the one that begins there. */
            gboolean is_of_end = is_line && is_send && message->tag != TND_PRV_TAG_CREATION;
            guint thread = is_send ? message->sender : message->receiver;
            if (tnd_levels_row_above(trace, TND_LEVEL_THREAD, thread, level) != row ||
                at_ns < burst->begin_ns + is_of_end || at_ns >= burst->end_ns + is_of_end)
                continue;
            if (description->n_messages++ < TND_DESCRIPTION_MOST_MESSAGES)
                (is_line ? describe_task_line : describe_message)(trace, message, is_send, description->messages);
        }
    }
    tnd_walk_end(&walk);
}

/* The label on the screen and, if that has other numbers, Paraver's. */
static char *name_row(const TndView *view, guint row)
{
    const TndTrace *trace = tnd_view_trace(view);
    const TndLevel level = tnd_view_level(view);
    const char *label = tnd_row_labels_get(trace, level, row);
    if (!strcmp(label, tnd_view_row_name(view, row)))
        return g_strdup(label);
    char *number = tnd_levels_row_number(trace, level, row), *name = g_strdup_printf("%s (%s)", label, number);
    g_free(number);
    return name;
}

static double share_of(const TndBurst *burst, TndZoom zoom)
{
    const guint64 begin_ns = MAX(burst->begin_ns, zoom.begin_ns), end_ns = MIN(burst->end_ns, zoom.end_ns);
    return end_ns > begin_ns ? (double)(end_ns - begin_ns) / (double)(zoom.end_ns - zoom.begin_ns) : 0;
}

gboolean tnd_description_of(TndSession *session, TndSpot spot, gboolean with_records, TndDescription *description)
{
    *description = (TndDescription){0};
    TndView *view = tnd_session_lane_view(session, spot.lane);
    if (!view || !spot.is_set || spot.row >= tnd_view_n_rows(view))
        return FALSE;
    TndZoom zoom = tnd_session_lane_zoom(session, spot.lane);
    description->row = name_row(view, spot.row);
    description->time = tnd_ruler_time_text(spot.time_ns, (zoom.end_ns - zoom.begin_ns) / 10000);
    description->may_have_messages = tnd_levels_is_above(tnd_view_level(view), TND_LEVEL_THREAD);
    description->messages = g_ptr_array_new_with_free_func(g_free);
    TndBurst burst;
    if (!tnd_view_burst_at(view, spot.row, spot.time_ns, &burst))
        return TRUE;
    gboolean has_value = tnd_view_has_value(view, spot.row, spot.time_ns, &burst);
    char *begin = tnd_ruler_time_text(burst.begin_ns, 0), *end = tnd_ruler_time_text(burst.end_ns, 0);
    description->value = tnd_legend_text(view, has_value ? burst.value : NAN);
    description->duration = tnd_ruler_time_text(burst.end_ns - burst.begin_ns, 0);
    description->stretch = g_strdup_printf("%s – %s", begin, end);
    description->share = share_of(&burst, zoom);
    g_free(begin);
    g_free(end);
    if (with_records && description->may_have_messages) {
        describe_messages(view, spot.row, &burst, description);
        description->records = tnd_burst_records_new(view, spot.row, &burst, spot.time_ns);
    }
    return TRUE;
}

void tnd_description_clear(TndDescription *description)
{
    g_free(description->row);
    g_free(description->time);
    g_free(description->value);
    g_free(description->duration);
    g_free(description->stretch);
    if (description->messages)
        g_ptr_array_unref(description->messages);
    tnd_burst_records_clear(&description->records);
    *description = (TndDescription){0};
}

char *tnd_description_line(const TndDescription *description)
{
    if (!description->value)
        return g_strdup_printf("%s  ·  %s", description->row, description->time);
    return g_strdup_printf("%s  ·  %s  ·  %s  ·  lasts %s", description->row, description->time, description->value,
                           description->duration);
}
