/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture is painted once, onto a surface, and shown until the session changes; what moves with the pointer is
 * drawn over it.
 */
#include "viewer/timeline_area.h"

#include "viewer/command_menu.h"
#include "viewer/hover_card.h"
#include "viewer/timeline_parts.h"

static const char *const menu_commands[] = {"undo",
                                            "redo",
                                            "zoom-whole",
                                            "zoom-burst",
                                            "copy-time",
                                            "",
                                            "note",
                                            "mark-burst",
                                            "",
                                            "hide-row",
                                            "pin-row",
                                            "choose-rows",
                                            "sort-rows",
                                            "fold-process",
                                            "fold-node",
                                            "show-rows",
                                            "",
                                            "add-timeline",
                                            "close-timeline",
                                            "move-up",
                                            "move-down",
                                            "apart",
                                            "",
                                            "messages",
                                            "fit-scale",
                                            "lines",
                                            "stack",
                                            "histogram",
                                            "",
                                            "export",
                                            "csv",
                                            "cfg",
                                            NULL};
static const char key[] = "tnd-timeline-area";

static void forget_picture(TndTimelineArea *area)
{
    tnd_lane_stack_free(area->picture);
    area->picture = NULL;
}

/* Reuses the surface of the picture before if the size is the same, because its memory is in the cache. */
static void prepare_surface(TndTimelineArea *area, int scale)
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

static void repaint(TndTimelineArea *area)
{
    TndLaneStackSubject subject;
    forget_picture(area);
    if (!tnd_session_stack(area->session, FALSE, &subject))
        return;
    subject.has_map = TRUE;
    int scale = gtk_widget_get_scale_factor(area->widget);
    area->picture = tnd_lane_stack_new(&subject, area->width, area->height, scale);
    prepare_surface(area, scale);
    cairo_t *cr = cairo_create(area->painted);
    tnd_lane_stack_paint(area->picture, cr);
    cairo_destroy(cr);
    tnd_session_note_messages_fit(area->session,
                                  tnd_timeline_messages_fit(tnd_lane_stack_timeline(area->picture, subject.selected)));
    tnd_timeline_parts_follow_mouse(area);
}

gboolean tnd_timeline_parts_paint(TndTimelineArea *area)
{
    if (!area->picture && area->width > 0)
        repaint(area);
    return area->picture != NULL;
}

static gboolean on_draw(GtkWidget *widget, cairo_t *cr, gpointer data)
{
    TndTimelineArea *area = data;
    int width = gtk_widget_get_allocated_width(widget), height = gtk_widget_get_allocated_height(widget);
    if (width != area->width || height != area->height)
        forget_picture(area);
    area->width = width;
    area->height = height;
    if (!tnd_timeline_parts_paint(area))
        return TRUE;
    cairo_set_source_surface(cr, area->painted, 0, 0);
    cairo_paint(cr);
    tnd_timeline_parts_draw_over(area, cr);
    return TRUE;
}

/* Paper and ink are those of the window's theme, unless the user has chosen them. */
static void on_style(GtkWidget *widget, gpointer data)
{
    TndTimelineArea *area = data;
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
    TndTimelineArea *area = data;
    if (changes & (TND_CHANGED_TRACE | TND_CHANGED_VIEW | TND_CHANGED_ZOOM | TND_CHANGED_OPTIONS | TND_CHANGED_LANES |
                   TND_CHANGED_LIGHT))
        forget_picture(area);
    if (changes & TND_CHANGED_TRACE)
        area->drag = TND_DRAG_NONE;
    gtk_widget_queue_draw(area->widget);
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    TndTimelineArea *area = data;
    tnd_session_unwatch(area->session, area);
    forget_picture(area);
    g_clear_pointer(&area->painted, cairo_surface_destroy);
}

GtkWidget *tnd_timeline_area_new(TndSession *session)
{
    TndTimelineArea *area = g_new0(TndTimelineArea, 1);
    area->session = session;
    area->widget = gtk_drawing_area_new();
    g_object_set_data_full(G_OBJECT(area->widget), key, area, g_free);
    gtk_widget_set_can_focus(area->widget, TRUE);
    gtk_widget_set_size_request(area->widget, 400, 200);
    g_signal_connect(area->widget, "draw", G_CALLBACK(on_draw), area);
    g_signal_connect(area->widget, "style-updated", G_CALLBACK(on_style), area);
    g_signal_connect(area->widget, "destroy", G_CALLBACK(on_destroy), area);
    tnd_hover_card_connect(area->widget, session);
    tnd_timeline_parts_connect_mouse(area);
    tnd_timeline_parts_connect_wheel(area);
    area->menu = tnd_command_menu_new(session, menu_commands);
    gtk_menu_attach_to_widget(GTK_MENU(area->menu), area->widget, NULL);
    tnd_session_watch(session, on_change, area);
    return area->widget;
}

void tnd_timeline_area_refresh(GtkWidget *widget)
{
    forget_picture(g_object_get_data(G_OBJECT(widget), key));
    gtk_widget_queue_draw(widget);
}

const TndLaneStack *tnd_timeline_area_stack(GtkWidget *widget)
{
    const TndTimelineArea *area = g_object_get_data(G_OBJECT(widget), key);
    return area ? area->picture : NULL;
}

const TndTimeline *tnd_timeline_area_picture(GtkWidget *widget)
{
    const TndTimelineArea *area = g_object_get_data(G_OBJECT(widget), key);
    return area && area->picture ? tnd_lane_stack_timeline(area->picture, tnd_session_lane(area->session)) : NULL;
}
