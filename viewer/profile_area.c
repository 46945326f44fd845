/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The profile is made by a job.  If another one is wanted meanwhile, the job is cancelled, and the next one starts when
 * it has ended.  The flame graph is laid out again when its width or the profile changes.
 */
#include "viewer/profile_area.h"

#include "viewer/command_menu.h"
#include "viewer/profile_lists.h"
#include "viewer/shown.h"
#include "viewer/waiting.h"

#include <gio/gio.h>
#include <string.h>

typedef struct {
    TndSession *session;
    GtkWidget *canvas, *about, *hovered, *chooser;
    GtkWidget *pages, *paned, *waiting, *nothing; /* pages: a stack of the other three */
    TndFlame *flame;
    const TndProfile *of; /* what the flame graph is of, for how wide a canvas */
    int width;
    double pointer_x, pointer_y; /* less than 0: the pointer is not there */
    TndLongJob *job;             /* that makes the profile; NULL: none runs */
    gboolean is_stale;           /* the job's profile is no longer wanted */
} Area;

static const char key[] = "tnd-profile-area";
static const char no_samples[] = "The trace has no samples.\n\nRecord them with: tandem record --sampling-period 1ms";
static const char no_samples_here[] = "There are no samples of these threads in this stretch of time.";
static const char hint[] = "Click on a function to see it in the whole width, once more to go back.";

static void drop_flame(Area *area)
{
    g_clear_pointer(&area->flame, tnd_flame_free);
    area->of = NULL;
}

/* The flame graph for the canvas' width, or NULL. */
static TndFlame *lay_out(Area *area)
{
    TndFlameSubject subject;
    int width = gtk_widget_get_allocated_width(area->canvas);
    if (area->flame && area->of == tnd_session_profile(area->session) && area->width == width)
        return area->flame;
    drop_flame(area);
    if (!tnd_session_flame(area->session, &subject))
        return NULL;
    area->flame = tnd_flame_new(&subject, width);
    area->of = tnd_session_profile(area->session);
    area->width = width;
    gtk_widget_set_size_request(area->canvas, -1, (int)tnd_flame_height(area->flame));
    return area->flame;
}

static const TndFlameBox *box_at_pointer(const Area *area)
{
    return area->flame && area->pointer_x >= 0 ? tnd_flame_find(area->flame, area->pointer_x, area->pointer_y) : NULL;
}

static gboolean on_draw(GtkWidget *widget, cairo_t *cr, gpointer data)
{
    Area *area = data;
    const TndFlame *flame = lay_out(area);
    if (!flame)
        return FALSE;
    tnd_flame_paint(flame, cr);
    if (box_at_pointer(area))
        tnd_flame_outline(flame, box_at_pointer(area), cr);
    return TRUE;
}

static void show_pointer(Area *area, double x, double y)
{
    area->pointer_x = x;
    area->pointer_y = y;
    const TndFlameBox *box = box_at_pointer(area);
    const TndProfile *profile = tnd_session_profile(area->session);
    char *words = box && profile ? tnd_flame_words(profile->tree, box->node) : NULL;
    tnd_shown_set(area->hovered, words ? words : hint);
    g_free(words);
    gtk_widget_queue_draw(area->canvas);
}

static gboolean on_motion(GtkWidget *widget, GdkEventMotion *event, gpointer data)
{
    show_pointer(data, event->x, event->y);
    return FALSE;
}

static gboolean on_leave(GtkWidget *widget, GdkEventCrossing *event, gpointer data)
{
    show_pointer(data, -1, -1);
    return FALSE;
}

/* A click zooms; a second one on the same function goes back to its caller. */
static gboolean on_press(GtkWidget *widget, GdkEventButton *event, gpointer data)
{
    Area *area = data;
    show_pointer(area, event->x, event->y);
    const TndFlameBox *box = box_at_pointer(area);
    const TndProfile *profile = tnd_session_profile(area->session);
    if (!box || !profile || event->type != GDK_BUTTON_PRESS || event->button != GDK_BUTTON_PRIMARY)
        return FALSE;
    gboolean is_top = box->node && box->node == tnd_session_profile_top(area->session);
    tnd_session_set_profile_top(area->session,
                                is_top ? tnd_call_tree_node(profile->tree, box->node)->parent : box->node);
    return TRUE;
}

static gpointer make(gconstpointer data, TndTraceProgress progress, gpointer user_data, GError **error)
{
    return tnd_profile_page_make(data, progress, user_data, error);
}

static void on_made(gpointer profile, GError *error, gpointer data);

static void start_job(Area *area)
{
    static const TndLongJobKind making = {make, (GDestroyNotify)tnd_profile_page_free_source,
                                          (GDestroyNotify)tnd_profile_page_free, on_made};
    area->job = tnd_long_job_start(&making, tnd_session_profile_source(area->session), area);
    area->is_stale = FALSE;
    tnd_waiting_show(area->waiting, "Adding up the samples", area->job);
    if (!tnd_long_job_wait(area->job, TND_LONG_JOB_SOON_MS))
        gtk_stack_set_visible_child(GTK_STACK(area->pages), area->waiting);
}

static void show_about(Area *area)
{
    const TndProfile *profile = tnd_session_profile(area->session);
    char *all = tnd_flame_words(profile->tree, 0);
    char *total = g_strndup(all + strlen("all: "), strcspn(all, ",") - strlen("all: "));
    guint64 n = tnd_call_tree_n_samples(profile->tree);
    char *text = g_strdup_printf("%s, %" G_GUINT64_FORMAT " samples: %s", total, n, profile->text);
    tnd_shown_set(area->about, text);
    g_free(text);
    g_free(total);
    g_free(all);
}

/* Shows the profile, or starts to make it. */
static void refresh(Area *area)
{
    if (!gtk_widget_get_mapped(area->pages) || !tnd_session_trace(area->session))
        return;
    gtk_combo_box_set_active(GTK_COMBO_BOX(area->chooser), (int)tnd_session_profile_of(area->session));
    const TndProfile *profile = tnd_session_profile(area->session);
    gboolean has_samples = tnd_session_has_samples(area->session);
    if (has_samples && !profile) {
        if (!area->job)
            start_job(area);
        return;
    }
    gboolean is_empty = !has_samples || !tnd_call_tree_node(profile->tree, 0)->total;
    gtk_label_set_text(GTK_LABEL(area->nothing), has_samples ? no_samples_here : no_samples);
    gtk_stack_set_visible_child(GTK_STACK(area->pages), is_empty ? area->nothing : area->paned);
    if (has_samples)
        show_about(area);
    gtk_widget_queue_draw(area->canvas);
}

static void forget_job(Area *area)
{
    tnd_waiting_show(area->waiting, "", NULL);
    area->job = NULL;
}

static void on_made(gpointer profile, GError *error, gpointer data)
{
    Area *area = data;
    forget_job(area);
    if (area->is_stale)
        tnd_profile_page_free(profile);
    else if (profile)
        tnd_session_set_profile(area->session, profile);
    g_clear_error(&error);
    refresh(area);
}

void tnd_profile_area_stop(GtkWidget *widget)
{
    Area *area = g_object_get_data(G_OBJECT(widget), key);
    if (area->job)
        tnd_long_job_stop(area->job);
    forget_job(area);
}

static void on_change(TndSession *session, guint changes, gpointer data)
{
    Area *area = data;
    if (!(changes & (TND_CHANGED_TRACE | TND_CHANGED_VIEW | TND_CHANGED_ZOOM | TND_CHANGED_LANES | TND_CHANGED_OPTIONS |
                     TND_CHANGED_PROFILE)))
        return;
    drop_flame(area);
    if (area->job && !tnd_session_profile(session)) {
        area->is_stale = TRUE;
        tnd_long_job_cancel(area->job);
    }
    refresh(area);
}

static void on_chosen(GtkComboBox *chooser, gpointer data)
{
    Area *area = data;
    tnd_session_set_profile_of(area->session, (TndSamplesOf)gtk_combo_box_get_active(chooser));
}

static void on_destroy(GtkWidget *widget, gpointer data)
{
    Area *area = data;
    tnd_session_unwatch(area->session, area);
    if (area->job)
        tnd_long_job_stop(area->job);
    area->job = NULL;
    drop_flame(area);
}

static GtkWidget *tools_new(Area *area)
{
    GtkWidget *tools = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    GtkWidget *whole = tnd_command_menu_button(area->session, "whole-profile", "zoom-fit-best-symbolic");
    area->chooser = gtk_combo_box_text_new();
    gtk_widget_set_name(area->chooser, "profile-chooser");
    gtk_combo_box_text_append_text(GTK_COMBO_BOX_TEXT(area->chooser), "CPU time");
    gtk_combo_box_text_append_text(GTK_COMBO_BOX_TEXT(area->chooser), "Time waited");
    gtk_combo_box_set_active(GTK_COMBO_BOX(area->chooser), (int)tnd_session_profile_of(area->session));
    gtk_widget_set_focus_on_click(area->chooser, FALSE);
    area->about = gtk_label_new(NULL);
    gtk_label_set_ellipsize(GTK_LABEL(area->about), PANGO_ELLIPSIZE_END);
    gtk_label_set_xalign(GTK_LABEL(area->about), 0);
    gtk_container_set_border_width(GTK_CONTAINER(tools), 6);
    gtk_box_pack_start(GTK_BOX(tools), area->chooser, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(tools), whole, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(tools), area->about, TRUE, TRUE, 0);
    g_signal_connect(area->chooser, "changed", G_CALLBACK(on_chosen), area);
    return tools;
}

static GtkWidget *flame_new(Area *area)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *scrolled = gtk_scrolled_window_new(NULL, NULL);
    area->canvas = gtk_drawing_area_new();
    area->hovered = gtk_label_new(hint);
    gtk_widget_set_name(area->canvas, "flame-graph");
    gtk_label_set_ellipsize(GTK_LABEL(area->hovered), PANGO_ELLIPSIZE_MIDDLE);
    gtk_label_set_xalign(GTK_LABEL(area->hovered), 0);
    gtk_widget_set_margin_start(area->hovered, 10);
    gtk_widget_add_events(area->canvas, GDK_POINTER_MOTION_MASK | GDK_LEAVE_NOTIFY_MASK | GDK_BUTTON_PRESS_MASK);
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_container_add(GTK_CONTAINER(scrolled), area->canvas);
    gtk_box_pack_start(GTK_BOX(box), scrolled, TRUE, TRUE, 0);
    gtk_box_pack_start(GTK_BOX(box), area->hovered, FALSE, FALSE, 4);
    g_signal_connect(area->canvas, "draw", G_CALLBACK(on_draw), area);
    g_signal_connect(area->canvas, "motion-notify-event", G_CALLBACK(on_motion), area);
    g_signal_connect(area->canvas, "leave-notify-event", G_CALLBACK(on_leave), area);
    g_signal_connect(area->canvas, "button-press-event", G_CALLBACK(on_press), area);
    return box;
}

GtkWidget *tnd_profile_area_new(TndSession *session)
{
    Area *area = g_new0(Area, 1);
    area->session = session;
    area->pointer_x = area->pointer_y = -1;
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    area->pages = gtk_stack_new();
    area->paned = gtk_paned_new(GTK_ORIENTATION_HORIZONTAL);
    area->waiting = tnd_waiting_new(FALSE, FALSE);
    area->nothing = gtk_label_new(no_samples);
    gtk_label_set_justify(GTK_LABEL(area->nothing), GTK_JUSTIFY_CENTER);
    gtk_paned_pack1(GTK_PANED(area->paned), tnd_profile_lists_new(session), FALSE, FALSE);
    gtk_paned_pack2(GTK_PANED(area->paned), flame_new(area), TRUE, FALSE);
    gtk_paned_set_position(GTK_PANED(area->paned), 430);
    gtk_container_add(GTK_CONTAINER(area->pages), area->paned);
    gtk_container_add(GTK_CONTAINER(area->pages), area->waiting);
    gtk_container_add(GTK_CONTAINER(area->pages), area->nothing);
    gtk_box_pack_start(GTK_BOX(box), tools_new(area), FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), area->pages, TRUE, TRUE, 0);
    g_object_set_data_full(G_OBJECT(box), key, area, g_free);
    g_signal_connect_swapped(area->pages, "map", G_CALLBACK(refresh), area);
    g_signal_connect(box, "destroy", G_CALLBACK(on_destroy), area);
    tnd_session_watch(session, on_change, area);
    return box;
}

const TndFlame *tnd_profile_area_flame(GtkWidget *widget)
{
    return ((Area *)g_object_get_data(G_OBJECT(widget), key))->flame;
}

GtkWidget *tnd_profile_area_canvas(GtkWidget *widget)
{
    return ((Area *)g_object_get_data(G_OBJECT(widget), key))->canvas;
}
