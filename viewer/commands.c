/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of commands, and the small functions that it names.
 */
#include "viewer/commands.h"

#include <string.h>

static guint64 zoom_centre(TndSession *session)
{
    TndSpot hover = tnd_session_hover(session);
    TndZoom zoom = tnd_session_zoom(session);
    return hover.is_set ? hover.time_ns : zoom.begin_ns + (zoom.end_ns - zoom.begin_ns) / 2;
}

static void zoom_in(TndSession *session)
{
    tnd_session_scale_time(session, 1 / 1.5, zoom_centre(session));
}

static void zoom_out(TndSession *session)
{
    tnd_session_scale_time(session, 1.5, zoom_centre(session));
}

static void zoom_whole(TndSession *session)
{
    tnd_session_set_zoom(session, tnd_session_whole(session), FALSE);
}

static void zoom_burst(TndSession *session)
{
    TndSpot spot = tnd_session_selection(session);
    TndView *view = tnd_session_view(session);
    TndBurst burst;
    if (!view || !spot.is_set || !tnd_view_burst_at(view, spot.row, spot.time_ns, &burst))
        return;
    TndZoom zoom = tnd_session_zoom(session);
    guint64 margin = (burst.end_ns - burst.begin_ns) / 4;
    zoom.begin_ns = burst.begin_ns > margin ? burst.begin_ns - margin : 0;
    zoom.end_ns = burst.end_ns + margin;
    tnd_session_set_zoom(session, zoom, FALSE);
}

static void mark_burst(TndSession *session)
{
    tnd_session_mark_burst(session, FALSE);
}

static void mark_to_burst(TndSession *session)
{
    tnd_session_mark_burst(session, TRUE);
}

static void unmark(TndSession *session)
{
    tnd_session_mark(session, 0, 0);
}

static void next_note(TndSession *session)
{
    tnd_session_step_note(session, 1);
}

static void previous_note(TndSession *session)
{
    tnd_session_step_note(session, -1);
}

static void undo(TndSession *session)
{
    tnd_session_undo(session);
}

static void redo(TndSession *session)
{
    tnd_session_redo(session);
}

static void pan_left(TndSession *session)
{
    tnd_session_pan(session, -0.25, 0);
}

static void pan_right(TndSession *session)
{
    tnd_session_pan(session, 0.25, 0);
}

static void pan_up(TndSession *session)
{
    tnd_session_pan(session, 0, -0.1);
}

static void pan_down(TndSession *session)
{
    tnd_session_pan(session, 0, 0.1);
}

static void next_burst(TndSession *session)
{
    tnd_session_step_burst(session, 1);
}

static void previous_burst(TndSession *session)
{
    tnd_session_step_burst(session, -1);
}

static void next_like(TndSession *session)
{
    tnd_session_step_like(session, 1);
}

static void previous_like(TndSession *session)
{
    tnd_session_step_like(session, -1);
}

/* The row under the pointer or, if that is elsewhere, the selected one.  Its timeline is selected. */
static gboolean find_row(TndSession *session, guint *row)
{
    const TndSpot hover = tnd_session_hover(session), spot = hover.is_set ? hover : tnd_session_selection(session);
    if (spot.is_set)
        tnd_session_select_lane(session, spot.lane);
    *row = spot.row;
    return spot.is_set;
}

static void hide_row(TndSession *session)
{
    guint row;
    if (find_row(session, &row))
        tnd_session_hide_row(session, row);
}

static void pin_row(TndSession *session)
{
    guint row;
    if (find_row(session, &row))
        tnd_session_pin_row(session, row);
}

static void fold_process(TndSession *session)
{
    guint row;
    if (find_row(session, &row))
        tnd_session_fold(session, TND_LEVEL_TASK, row);
}

static void fold_node(TndSession *session)
{
    guint row;
    if (find_row(session, &row))
        tnd_session_fold(session, TND_LEVEL_NODE, row);
}

static void fold_processes(TndSession *session)
{
    tnd_session_fold_all(session, TND_LEVEL_TASK);
}

static void fold_nodes(TndSession *session)
{
    tnd_session_fold_all(session, TND_LEVEL_NODE);
}

static void step_row(TndSession *session, int step)
{
    guint row;
    if (find_row(session, &row))
        tnd_session_step_row(session, row, step);
}

static void row_up(TndSession *session)
{
    step_row(session, -1);
}

static void row_down(TndSession *session)
{
    step_row(session, 1);
}

/* Fewer rows, which are higher, or more of them.  The row under the pointer stays where it is. */
static void scale_rows(TndSession *session, double factor)
{
    const TndSpot hover = tnd_session_hover(session);
    const TndZoom zoom = tnd_session_zoom(session);
    const guint place = hover.is_set ? tnd_row_order_place(tnd_session_rows(session), hover.row) : zoom.first_row;
    tnd_session_scale_rows(session, factor, place);
}

static void higher_rows(TndSession *session)
{
    scale_rows(session, 1 / 1.5);
}

static void lower_rows(TndSession *session)
{
    scale_rows(session, 1.5);
}

static void next_view(TndSession *session)
{
    tnd_session_step_view(session, 1);
}

static void previous_view(TndSession *session)
{
    tnd_session_step_view(session, -1);
}

static void next_plane(TndSession *session)
{
    tnd_session_step_plane(session, 1);
}

static void previous_plane(TndSession *session)
{
    tnd_session_step_plane(session, -1);
}

static void close_timeline(TndSession *session)
{
    tnd_session_close_lane(session, tnd_session_lane(session));
}

static void take_over_away(TndSession *session)
{
    tnd_session_lay_over(session, NULL, NULL);
}

static void move_up(TndSession *session)
{
    tnd_session_move_lane(session, -1);
}

static void move_down(TndSession *session)
{
    tnd_session_move_lane(session, 1);
}

static void select_above(TndSession *session)
{
    if (tnd_session_lane(session) > 0)
        tnd_session_select_lane(session, tnd_session_lane(session) - 1);
}

static void select_below(TndSession *session)
{
    tnd_session_select_lane(session, tnd_session_lane(session) + 1);
}

static void toggle_apart(TndSession *session)
{
    tnd_session_set_lane_apart(session, !tnd_session_lane_is_apart(session, tnd_session_lane(session)));
}

static void toggle_messages(TndSession *session)
{
    tnd_session_toggle_messages(session);
}

static void toggle_fit_scale(TndSession *session)
{
    tnd_session_set_fits_scale(session, !tnd_session_fits_scale(session));
}

static void toggle_flags(TndSession *session)
{
    tnd_session_set_shows_flags(session, !tnd_session_shows_flags(session));
}

static void next_mode(TndSession *session)
{
    TndLook look = tnd_session_look(session);
    look.mode = (look.mode + 1) % TND_MODE_N;
    tnd_session_set_look(session, look);
}

static void next_scale(TndSession *session)
{
    TndLook look = tnd_session_look(session);
    look.scale = (look.scale + 1) % TND_SCALE_N;
    tnd_session_set_look(session, look);
}

/* Between all values and the middle 98 % of them. */
static void toggle_percentiles(TndSession *session)
{
    TndLook look = tnd_session_look(session);
    const gboolean has = look.has_limits && look.are_percentiles;
    look.has_limits = look.are_percentiles = !has;
    look.least = has ? 0 : 1;
    look.most = has ? 0 : 99;
    tnd_session_set_look(session, look);
}

static void next_colours(TndSession *session)
{
    TndLook look = tnd_session_look(session);
    look.colours = (look.colours + 1) % TND_COLOURS_N;
    tnd_session_set_look(session, look);
}

static void toggle_lines(TndSession *session)
{
    tnd_session_set_draw(session, tnd_session_draw(session) == TND_DRAW_LINE ? TND_DRAW_COLOUR : TND_DRAW_LINE);
}

static void toggle_points(TndSession *session)
{
    tnd_session_set_draw(session, tnd_session_draw(session) == TND_DRAW_POINTS ? TND_DRAW_COLOUR : TND_DRAW_POINTS);
}

static void toggle_stack(TndSession *session)
{
    tnd_session_set_draw(session, tnd_session_draw(session) == TND_DRAW_STACK ? TND_DRAW_COLOUR : TND_DRAW_STACK);
}

static void toggle_histogram(TndSession *session)
{
    tnd_session_set_page(session,
                         tnd_session_page(session) == TND_PAGE_HISTOGRAM ? TND_PAGE_TIMELINE : TND_PAGE_HISTOGRAM);
}

static void toggle_profile(TndSession *session)
{
    tnd_session_set_page(session, tnd_session_page(session) == TND_PAGE_PROFILE ? TND_PAGE_TIMELINE : TND_PAGE_PROFILE);
}

static void whole_profile(TndSession *session)
{
    tnd_session_set_profile_top(session, 0);
    tnd_session_mark_function(session, 0);
}

static void next_cells(TndSession *session)
{
    tnd_session_set_cells(session, (tnd_session_cells(session) + 1) % TND_CELLS_N);
}

/* By the column of the cell that is marked, else by the first one. */
static void sort_table(TndSession *session)
{
    TndHistogramTableSubject table;
    if (tnd_session_page(session) == TND_PAGE_HISTOGRAM && tnd_session_table(session, &table, NULL))
        tnd_session_sort_table(session, table.is_marked ? table.marked_column : 0);
}

static void toggle_empty_rows(TndSession *session)
{
    TndTableOrder order = tnd_session_table_order(session);
    order.hides_empty = !order.hides_empty;
    tnd_session_set_table_order(session, order);
}

static void transpose(TndSession *session)
{
    tnd_session_set_transposed(session, !tnd_session_is_transposed(session));
}

static void next_hit(TndSession *session)
{
    tnd_session_step_hit(session, 1);
}

static void previous_hit(TndSession *session)
{
    tnd_session_step_hit(session, -1);
}

const TndCommand tnd_commands[] = {
    {"zoom-in", "Time", "Zoom in at the pointer", "w plus KP_Add", zoom_in},
    {"zoom-out", "Time", "Zoom out", "s minus KP_Subtract", zoom_out},
    {"pan-left", "Time", "Earlier", "a Left", pan_left},
    {"pan-right", "Time", "Later", "d Right", pan_right},
    {"zoom-whole", "Time", "Whole trace", "Home 0", zoom_whole},
    {"zoom-burst", "Time", "Zoom to the selected burst", "f", zoom_burst},
    {"range", "Time", "Type a stretch of time, and limits of colours…", "<Control>t", NULL, TND_WANTS_RANGE},
    {"ruler", "Time", "Ruler: dragging marks and measures, or zooms", "u", tnd_session_toggle_ruler},
    {"mark-burst", "Time", "Mark and measure the selected burst", "i", mark_burst},
    {"mark-to-burst", "Time", "Mark all from the mark to the selected burst", "<Shift>i", mark_to_burst},
    {"zoom-mark", "Time", "Zoom to what is marked", "<Shift>u", tnd_session_zoom_to_mark},
    {"unmark", "Time", "Take the mark away", "<Control>i", unmark},
    {"undo", "Time", "Undo", "<Control>z <Control>u", undo},
    {"redo", "Time", "Redo", "<Control>y <Control>r <Control><Shift>z", redo},
    {"copy-time", "Time", "Copy the stretch of time or, there, the histogram", "<Control>c", NULL, TND_WANTS_COPY},
    {"pan-up", "Rows and bursts", "Rows above", "Up", pan_up},
    {"pan-down", "Rows and bursts", "Rows below", "Down", pan_down},
    {"next-burst", "Rows and bursts", "Next burst in the row", "period", next_burst},
    {"previous-burst", "Rows and bursts", "Previous burst in the row", "comma", previous_burst},
    {"next-like", "Rows and bursts", "Next burst of the bright or the selected value, in any row", "j", next_like},
    {"previous-like", "Rows and bursts", "Previous burst of that value, in any row", "<Shift>j", previous_like},
    {"find", "Rows and bursts", "Find bursts…", "<Control>f slash", NULL, TND_WANTS_FIND},
    {"next-hit", "Rows and bursts", "Next of what was found", "F3 <Control>g", next_hit},
    {"previous-hit", "Rows and bursts", "Previous of what was found", "<Shift>F3 <Control><Shift>g", previous_hit},
    {"note", "Rows and bursts", "Write a note, or change it…", "b", NULL, TND_WANTS_NOTE},
    {"next-note", "Rows and bursts", "Next note", "bracketright", next_note},
    {"previous-note", "Rows and bursts", "Previous note", "bracketleft", previous_note},
    {"source", "Rows and bursts", "The source at the line of the selected burst", "<Control>j", NULL, TND_WANTS_SOURCE},
    {"choose-rows", "Rows and bursts", "Choose rows…", "r", NULL, TND_WANTS_ROWS},
    {"hide-row", "Rows and bursts", "Hide the row", "x Delete", hide_row},
    {"show-rows", "Rows and bursts", "All rows in their order", "<Shift>x", tnd_session_show_all_rows},
    {"pin-row", "Rows and bursts", "Pin the row to the top, or let it go", "o", pin_row},
    {"fold-process", "Rows and bursts", "A process as one row, or its threads", "e", fold_process},
    {"fold-processes", "Rows and bursts", "All processes as one row each, or their threads", "<Shift>e",
     fold_processes},
    {"fold-node", "Rows and bursts", "A node as one row, or its rows", "n", fold_node},
    {"fold-nodes", "Rows and bursts", "All nodes as one row each, or their rows", "<Shift>n", fold_nodes},
    {"sort-rows", "Rows and bursts", "Sort rows by their value in the window", "z", tnd_session_sort_rows},
    {"sort-alike", "Rows and bursts", "Rows that are alike side by side", "y", tnd_session_sort_alike},
    {"row-up", "Rows and bursts", "Move the row up", "<Alt>Up", row_up},
    {"row-down", "Rows and bursts", "Move the row down", "<Alt>Down", row_down},
    {"higher-rows", "Rows and bursts", "Higher rows, fewer of them", "<Shift>Down", higher_rows},
    {"lower-rows", "Rows and bursts", "Lower rows, more of them", "<Shift>Up", lower_rows},
    {"next-view", "Views", "Next view", "Page_Down", next_view},
    {"previous-view", "Views", "Previous view", "Page_Up", previous_view},
    {"messages", "Views", "Messages on or off", "m", toggle_messages},
    {"choose-messages", "Views", "Choose messages by size, tag, time, partner…", "<Shift>m", NULL, TND_WANTS_MESSAGES},
    {"flags", "Views", "Flags where events are, or none", "<Control><Shift>f", toggle_flags},
    {"fit-scale", "Views", "Scale to what is shown or to the whole trace", "<Shift>f", toggle_fit_scale},
    {"draw-mode", "Views", "Next draw mode: which value of several a pixel shows", "v", next_mode},
    {"scale", "Views", "Scale of colours: automatic, linear, logarithmic", "g", next_scale},
    {"percentiles", "Views", "Colours from the 1st to the 99th percentile, or for all values", "<Shift>g",
     toggle_percentiles},
    {"palette", "Views", "Muted colours or those of the .pcf", "<Shift>c", next_colours},
    {"lines", "Views", "Values as lines or as colours", "l", toggle_lines},
    {"points", "Views", "Values as points or as colours", "q", toggle_points},
    {"stack", "Views", "Rows stacked by their values, or each by itself", "<Shift>l", toggle_stack},
    {"histogram", "Views", "Timeline or histogram", "h", toggle_histogram},
    {"profile", "Views", "Timeline or profile", "k", toggle_profile},
    {"whole-profile", "Views", "All functions of the profile", "BackSpace", whole_profile},
    {"cells", "Views", "Cells of the histogram: colours, bars, numbers only", "c", next_cells},
    {"sort-table", "Views", "Sort the histogram by the column of the marked cell: falling, rising, not", "<Shift>z",
     sort_table},
    {"empty-rows", "Views", "Rows of the histogram without values, or without them", "<Control>h", toggle_empty_rows},
    {"transpose", "Views", "Rows and columns of the histogram exchanged", "<Shift>t", transpose},
    {"all-columns", "Views", "All columns of the histogram, all bursts bright", "<Shift>h", tnd_session_all_columns},
    {"next-plane", "Views", "Next plane of the histogram", "p", next_plane},
    {"previous-plane", "Views", "Previous plane of the histogram", "<Shift>p", previous_plane},
    {"add-timeline", "Timelines", "Add a timeline below", "t", NULL, TND_WANTS_ADD},
    {"not-over", "Timelines", "Take away the lines that lie over the timeline", "<Shift>q", take_over_away},
    {"close-timeline", "Timelines", "Close the timeline", "<Control>w", close_timeline},
    {"move-up", "Timelines", "Move the timeline up", "<Control><Shift>Up", move_up},
    {"move-down", "Timelines", "Move the timeline down", "<Control><Shift>Down", move_down},
    {"select-above", "Timelines", "Timeline above", "<Control>Up", select_above},
    {"select-below", "Timelines", "Timeline below", "<Control>Down", select_below},
    {"apart", "Timelines", "Time and rows of its own, or those of the others", "<Control>l", toggle_apart},
    {"open", "Files", "Open a trace, a configuration or a session…", "<Control>o", NULL, TND_WANTS_OPEN},
    {"beside", "Files", "Open a second trace beside this one…", "<Control><Shift>o", NULL, TND_WANTS_BESIDE},
    {"session", "Files", "Save the session…", "<Control><Shift>s", NULL, TND_WANTS_SESSION},
    {"export", "Files", "Save the picture (png, svg, pdf)…", "<Control>e", NULL, TND_WANTS_EXPORT},
    {"copy-picture", "Files", "Copy the picture", "<Control><Shift>c", NULL, TND_WANTS_PICTURE},
    {"csv", "Files", "Save the histogram as CSV…", "<Control>s", NULL, TND_WANTS_CSV},
    {"cfg", "Files", "Save the timelines as a configuration of Paraver (.cfg)…", "<Control><Shift>e", NULL,
     TND_WANTS_CFG},
    {"commands", "Help", "Find a command or a view by its name…", "<Control><Shift>p", NULL, TND_WANTS_PALETTE},
    {"keys", "Help", "Keys and mouse", "question F1", NULL, TND_WANTS_KEYS},
    {"quit", "Help", "Quit", "<Control>q", NULL, TND_WANTS_QUIT},
};

const guint tnd_commands_n = G_N_ELEMENTS(tnd_commands);

void tnd_commands_do(const TndCommand *command, TndSession *session)
{
    if (command->run)
        command->run(session);
    else
        tnd_session_want(session, command->wish);
}

gboolean tnd_commands_run(TndSession *session, const char *id)
{
    for (guint i = 0; i < tnd_commands_n; i++) {
        if (strcmp(tnd_commands[i].id, id))
            continue;
        tnd_commands_do(&tnd_commands[i], session);
        return TRUE;
    }
    return FALSE;
}
