/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An item shows its title and its first key.
 */
#include "viewer/command_menu.h"

#include <string.h>

static const char command_key[] = "tnd-command";

static void on_activated(GtkWidget *widget, gpointer data)
{
    const TndCommand *command = g_object_get_data(G_OBJECT(widget), command_key);
    tnd_commands_do(command, data);
}

char *tnd_command_menu_key(const TndCommand *command)
{
    char *keys = g_strndup(command->keys, strcspn(command->keys, " "));
    guint key;
    GdkModifierType modifiers;
    gtk_accelerator_parse(keys, &key, &modifiers);
    g_free(keys);
    return gtk_accelerator_get_label(key, modifiers);
}

static const TndCommand *command_named(const char *id)
{
    guint i = 0;
    while (i + 1 < tnd_commands_n && strcmp(tnd_commands[i].id, id))
        i++;
    return &tnd_commands[i];
}

GtkWidget *tnd_command_menu_button(TndSession *session, const char *id, const char *icon)
{
    const TndCommand *command = command_named(id);
    GtkWidget *button = gtk_button_new_from_icon_name(icon, GTK_ICON_SIZE_BUTTON);
    char *label = tnd_command_menu_key(command), *tip = g_strdup_printf("%s (%s)", command->title, label);
    gtk_widget_set_tooltip_text(button, tip);
    gtk_widget_set_focus_on_click(button, FALSE);
    g_object_set_data(G_OBJECT(button), command_key, (gpointer)command);
    g_signal_connect(button, "clicked", G_CALLBACK(on_activated), session);
    g_free(tip);
    g_free(label);
    return button;
}

static GtkWidget *item_new(TndSession *session, const TndCommand *command)
{
    GtkWidget *item = gtk_menu_item_new(), *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 24);
    char *label = tnd_command_menu_key(command);
    GtkWidget *keys = gtk_label_new(label), *title = gtk_label_new(command->title);
    gtk_widget_set_opacity(keys, 0.6);
    gtk_box_pack_start(GTK_BOX(box), title, FALSE, FALSE, 0);
    gtk_box_pack_end(GTK_BOX(box), keys, FALSE, FALSE, 0);
    gtk_container_add(GTK_CONTAINER(item), box);
    g_object_set_data(G_OBJECT(item), command_key, (gpointer)command);
    g_signal_connect(item, "activate", G_CALLBACK(on_activated), session);
    g_free(label);
    return item;
}

GtkWidget *tnd_command_menu_new(TndSession *session, const char *const *ids)
{
    GtkMenuShell *menu = GTK_MENU_SHELL(gtk_menu_new());
    for (guint i = 0; !ids && i < tnd_commands_n; i++) {
        if (i && strcmp(tnd_commands[i].group, tnd_commands[i - 1].group))
            gtk_menu_shell_append(menu, gtk_separator_menu_item_new());
        gtk_menu_shell_append(menu, item_new(session, &tnd_commands[i]));
    }
    for (; ids && *ids; ids++)
        gtk_menu_shell_append(menu, **ids ? item_new(session, command_named(*ids)) : gtk_separator_menu_item_new());
    gtk_widget_show_all(GTK_WIDGET(menu));
    return GTK_WIDGET(menu);
}
