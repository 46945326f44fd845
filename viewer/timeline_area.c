/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mouse: dragging zooms in time, with Ctrl also in rows; with Shift or the middle button it moves.  The wheel zooms at
 * the pointer in time, with Ctrl also in rows; with Shift it moves.  A click selects; a right click selects and opens a
 * menu.
 */
#include "viewer/timeline_area.h"

#include "viewer/command_menu.h"

#include <math.h>
#include <stdlib.h>

enum { CLICK = 4 }; /* pixels; a shorter drag is a click */

typedef enum { DRAG_NONE, DRAG_TIME, DRAG_BOTH, DRAG_PAN } Drag;

typedef struct {
    TndSession *session;
    GtkWidget *widget, *menu;
    TndTimeline *picture;
    cairo_surface_t *painted;
    int width, height;
    Drag drag;
    double from_x, from_y, to_x, to_y;
    TndZoom from_zoom;
} Area;

static const char *const menu_commands[] = {"undo", "redo",     "zoom-whole", "zoom-burst", "copy-time",
                                            "",     "messages", "fit-scale",  "lines",      "histogram",
                                            "",     "export",   "csv",        NULL};
static const char key[] = "tnd-timeline-area";

static void forget_picture(Area *area)
{
    tnd_timeline_free(area->picture);
    area->picture = NULL;
}

/* Reuses the surface of the picture before if the size is the same, because its memory is in the cache. */
static void prepare_surface(Area *area, int scale)
{
    cairo_surface_t *old = area->painted;
    double old_scale = 0, ignored;
    if (old)
        cairo_surface_get_device_scale(old, &old_scale, &ignored);
    if (old && old_scale == scale && cairo_image_surface_get_width(old) == area->width * scale &&
        cairo_image_surface_get_height(old) == area->height * scale)
        return;
    g_clear_pointer(&area->painted, cairo_surface_destroy);
    area->painted = gdk_window_create_similar_image_surface(gtk_widget_get_window(area->widget), CAIRO_FORMAT_RGB24,
                                                            area->width * scale, area->height * scale, scale);
}

static void repaint(Area *area)
{
    TndTimelineSubject subject;
    forget_picture(area);
    if (!tnd_session_timeline(area->session, &subject))
        return;
    int scale = gtk_widget_get_scale_factor(area->widget);
    area->picture = tnd_timeline_new(&subject, area->width, area->height, scale);
    prepare_surface(area, scale);
    cairo_t *cr = cairo_create(area->painted);
    tnd_timeline_paint(area->picture, cr);
    cairo_destroy(cr);
    tnd_session_note_messages_fit(area->session, tnd_timeline_messages_fit(area->picture));
}

static void draw_line(cairo_t *cr, double x, double top, double bottom)
{
    cairo_move_to(cr, floor(x) + 0.5, top);
    cairo_line_to(cr, floor(x) + 0.5, bottom);
    cairo_stroke(cr);
}

static void draw_selection(const Area *area, cairo_t *cr)
{
    TndSpot spot = tnd_session_selection(area->session);
    TndZoom zoom = tnd_session_zoom(area->session);
    if (!spot.is_set || spot.row < zoom.first_row || spot.row > zoom.last_row)
        return;
    TndBurst burst;
    if (!tnd_view_burst_at(tnd_session_view(area->session), spot.row, spot.time_ns, &burst) ||
        burst.begin_ns > zoom.end_ns || burst.end_ns < zoom.begin_ns)
        return;
    double top, bottom, left = tnd_timeline_x(area->picture, MAX(burst.begin_ns, zoom.begin_ns));
    double right = tnd_timeline_x(area->picture, MIN(burst.end_ns, zoom.end_ns));
    tnd_timeline_row_span(area->picture, spot.row, &top, &bottom);
    cairo_rectangle(cr, floor(left) - 0.5, floor(top) + 0.5, MAX(ceil(right - left), 1) + 1, bottom - top - 1);
    cairo_set_source_rgb(cr, 0, 0, 0);
    cairo_set_line_width(cr, 3);
    cairo_stroke_preserve(cr);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_set_line_width(cr, 1);
    cairo_stroke(cr);
}

static void draw_overlay(const Area *area, cairo_t *cr)
{
    TndRectangle canvas = tnd_timeline_canvas(area->picture);
    double bottom = canvas.y + canvas.height;
    TndSpot hover = tnd_session_hover(area->session);
    cairo_rectangle(cr, canvas.x, canvas.y, canvas.width, canvas.height);
    cairo_clip(cr);
    draw_selection(area, cr);
    cairo_set_line_width(cr, 1);
    cairo_set_source_rgba(cr, 1, 1, 1, 0.7);
    if (area->drag == DRAG_TIME || area->drag == DRAG_BOTH) {
        gboolean is_both = area->drag == DRAG_BOTH;
        double y = is_both ? MIN(area->from_y, area->to_y) : canvas.y;
        double height = is_both ? fabs(area->to_y - area->from_y) : canvas.height;
        cairo_rectangle(cr, MIN(area->from_x, area->to_x), y, fabs(area->to_x - area->from_x), height);
        cairo_set_source_rgba(cr, 1, 1, 1, 0.25);
        cairo_fill_preserve(cr);
        cairo_set_source_rgba(cr, 1, 1, 1, 0.9);
        cairo_stroke(cr);
    } else if (hover.is_set) {
        draw_line(cr, tnd_timeline_x(area->picture, hover.time_ns), canvas.y, bottom);
    }
}

static gboolean on_draw(GtkWidget *widget, cairo_t *cr, gpointer data)
{
    Area *area = data;
    int width = gtk_widget_get_allocated_width(widget), height = gtk_widget_get_allocated_height(widget);
    if (!area->picture || width != area->width || height != area->height) {
        area->width = width;
        area->height = height;
        repaint(area);
    }
    if (!area->picture)
        return TRUE;
    cairo_set_source_surface(cr, area->painted, 0, 0);
    cairo_paint(cr);
    draw_overlay(area, cr);
    return TRUE;
}

static TndSpot spot_at(const Area *area, double x, double y)
{
    if (!area->picture || !tnd_timeline_contains(area->picture, x, y))
        return (TndSpot){0};
    TndSpot spot = {.is_set = TRUE};
    tnd_timeline_find(area->picture, x, y, &spot.row, &spot.time_ns);
    return spot;
}

static gboolean on_press(GtkWidget *widget, GdkEventButton *event, gpointer data)
{
    Area *area = data;
    gtk_widget_grab_focus(widget);
    if (gdk_event_triggers_context_menu((GdkEvent *)event)) {
        tnd_session_set_selection(area->session, spot_at(area, event->x, event->y));
        gtk_menu_popup_at_pointer(GTK_MENU(area->menu), (GdkEvent *)event);
        return TRUE;
    }
    if (event->type != GDK_BUTTON_PRESS || event->button > 2 || !area->picture ||
        !tnd_timeline_contains(area->picture, event->x, event->y))
        return FALSE;
    area->drag = event->button == 2 || event->state & GDK_SHIFT_MASK ? DRAG_PAN
                 : event->state & GDK_CONTROL_MASK                   ? DRAG_BOTH
                                                                     : DRAG_TIME;
    area->from_x = area->to_x = event->x;
    area->from_y = area->to_y = event->y;
    area->from_zoom = tnd_session_zoom(area->session);
    return TRUE;
}

static void pan_to(Area *area)
{
    TndRectangle canvas = tnd_timeline_canvas(area->picture);
    TndZoom zoom = area->from_zoom, whole = tnd_session_whole(area->session);
    double span = (double)(zoom.end_ns - zoom.begin_ns), rows = zoom.last_row - zoom.first_row + 1.0;
    double begin = (double)zoom.begin_ns - (area->to_x - area->from_x) / canvas.width * span;
    double first = zoom.first_row - round((area->to_y - area->from_y) / canvas.height * rows);
    zoom.begin_ns = (guint64)CLAMP(begin, 0, (double)whole.end_ns - span);
    zoom.end_ns = zoom.begin_ns + (guint64)span;
    zoom.first_row = (guint)CLAMP(first, 0, whole.last_row + 1.0 - rows);
    zoom.last_row = zoom.first_row + (guint)rows - 1;
    tnd_session_set_zoom(area->session, zoom, TRUE);
}

static gboolean on_motion(GtkWidget *widget, GdkEventMotion *event, gpointer data)
{
    Area *area = data;
    area->to_x = event->x;
    area->to_y = event->y;
    if (area->drag == DRAG_PAN && area->picture)
        pan_to(area);
    tnd_session_set_hover(area->session, spot_at(area, event->x, event->y));
    if (area->drag != DRAG_NONE)
        gtk_widget_queue_draw(widget);
    return TRUE;
}

static void zoom_to_drag(Area *area, Drag drag)
{
    TndZoom zoom = area->from_zoom;
    zoom.begin_ns = tnd_timeline_time(area->picture, MIN(area->from_x, area->to_x));
    zoom.end_ns = tnd_timeline_time(area->picture, MAX(area->from_x, area->to_x));
    if (drag == DRAG_BOTH) {
        zoom.first_row = tnd_timeline_row(area->picture, MIN(area->from_y, area->to_y));
        zoom.last_row = tnd_timeline_row(area->picture, MAX(area->from_y, area->to_y));
    }
    tnd_session_set_hover(area->session, (TndSpot){0}); /* the pointer is over another time after the zoom */
    tnd_session_set_zoom(area->session, zoom, FALSE);
}

static gboolean on_release(GtkWidget *widget, GdkEventButton *event, gpointer data)
{
    Area *area = data;
    Drag drag = area->drag;
    area->drag = DRAG_NONE;
    if (drag == DRAG_NONE || !area->picture)
        return FALSE;
    area->to_x = event->x;
    area->to_y = event->y;
    if (fabs(area->to_x - area->from_x) < CLICK && fabs(area->to_y - area->from_y) < CLICK)
        tnd_session_set_selection(area->session, spot_at(area, event->x, event->y));
    else if (drag != DRAG_PAN && fabs(area->to_x - area->from_x) >= CLICK)
        zoom_to_drag(area, drag);
    gtk_widget_queue_draw(widget);
    return TRUE;
}

static double wheel_steps(const GdkEventScroll *event)
{
    switch (event->direction) {
    case GDK_SCROLL_UP:
    case GDK_SCROLL_LEFT:
        return -1;
    case GDK_SCROLL_DOWN:
    case GDK_SCROLL_RIGHT:
        return 1;
    default:
        return fabs(event->delta_x) > fabs(event->delta_y) ? event->delta_x : event->delta_y;
    }
}

static gboolean on_scroll(GtkWidget *widget, GdkEventScroll *event, gpointer data)
{
    Area *area = data;
    double steps = wheel_steps(event);
    if (!area->picture || steps == 0)
        return TRUE;
    gboolean is_sideways = event->direction == GDK_SCROLL_LEFT || event->direction == GDK_SCROLL_RIGHT ||
                           (event->direction == GDK_SCROLL_SMOOTH && fabs(event->delta_x) > fabs(event->delta_y));
    if (event->state & GDK_SHIFT_MASK || is_sideways) {
        tnd_session_pan(area->session, 0.1 * steps, 0);
        return TRUE;
    }
    guint row = tnd_timeline_row(area->picture, event->y);
    tnd_session_scale_time(area->session, pow(1.25, steps), tnd_timeline_time(area->picture, event->x));
    if (event->state & GDK_CONTROL_MASK)
        tnd_session_scale_rows(area->session, pow(1.25, steps), row);
    return TRUE;
}

static gboolean on_leave(GtkWidget *widget, GdkEventCrossing *event, gpointer data)
{
    Area *area = data;
    tnd_session_set_hover(area->session, (TndSpot){0});
    return FALSE;
}

/* Paper and ink are those of the window's theme, unless the user has chosen them. */
static void on_style(GtkWidget *widget, gpointer data)
{
    Area *area = data;
    TndLook look = tnd_session_look(area->session);
    GdkRGBA ink;
    gtk_style_context_get_color(gtk_widget_get_style_context(widget), GTK_STATE_FLAG_NORMAL, &ink);
    TndTheme theme = ink.red + ink.green + ink.blue > 1.5 ? TND_THEME_DARK : TND_THEME_LIGHT;
    if (look.has_theme || look.theme == theme)
        return;
    look.theme = theme;
    tnd_session_set_look(area->session, look);
}

static void on_change(TndSession *session, guint changes, gpointer data)
{
    Area *area = data;
    if (changes & (TND_CHANGED_TRACE | TND_CHANGED_VIEW | TND_CHANGED_ZOOM | TND_CHANGED_OPTIONS))
        forget_picture(area);
    gtk_widget_queue_draw(area->widget);
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    Area *area = data;
    tnd_session_unwatch(area->session, area);
    forget_picture(area);
    g_clear_pointer(&area->painted, cairo_surface_destroy);
}

GtkWidget *tnd_timeline_area_new(TndSession *session)
{
    Area *area = g_new0(Area, 1);
    area->session = session;
    area->widget = gtk_drawing_area_new();
    g_object_set_data_full(G_OBJECT(area->widget), key, area, g_free);
    gtk_widget_set_can_focus(area->widget, TRUE);
    gtk_widget_set_size_request(area->widget, 400, 200);
    gtk_widget_add_events(area->widget, GDK_BUTTON_PRESS_MASK | GDK_BUTTON_RELEASE_MASK | GDK_POINTER_MOTION_MASK |
                                            GDK_SCROLL_MASK | GDK_SMOOTH_SCROLL_MASK | GDK_LEAVE_NOTIFY_MASK);
    g_signal_connect(area->widget, "draw", G_CALLBACK(on_draw), area);
    g_signal_connect(area->widget, "button-press-event", G_CALLBACK(on_press), area);
    g_signal_connect(area->widget, "motion-notify-event", G_CALLBACK(on_motion), area);
    g_signal_connect(area->widget, "button-release-event", G_CALLBACK(on_release), area);
    g_signal_connect(area->widget, "scroll-event", G_CALLBACK(on_scroll), area);
    g_signal_connect(area->widget, "leave-notify-event", G_CALLBACK(on_leave), area);
    g_signal_connect(area->widget, "style-updated", G_CALLBACK(on_style), area);
    g_signal_connect(area->widget, "destroy", G_CALLBACK(on_destroy), area);
    area->menu = tnd_command_menu_new(session, menu_commands);
    gtk_menu_attach_to_widget(GTK_MENU(area->menu), area->widget, NULL);
    tnd_session_watch(session, on_change, area);
    return area->widget;
}

const TndTimeline *tnd_timeline_area_picture(GtkWidget *widget)
{
    const Area *area = g_object_get_data(G_OBJECT(widget), key);
    return area ? area->picture : NULL;
}
