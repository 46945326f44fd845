/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Headings of groups are lines that cannot be chosen.
 */
#include "viewer/statistic_chooser.h"

enum { ID, TITLE, IS_CHOICE, WEIGHT, N_COLUMNS };

typedef struct {
    const char *title, *help; /* help NULL: the heading of those that follow */
    TndStatistic statistic;
} Line;

static const Line lines[] = {
    {"Time", NULL, 0},
    {"Time", "How long the row has the column's value", TND_STATISTIC_TIME},
    {"% of the row's time", "The same, as a part of the row's whole time", TND_STATISTIC_TIME_PERCENT},
    {"% of the row's time not 0", "As a part of the time in which the row has a value other than 0",
     TND_STATISTIC_TIME_PERCENT_NONZERO},
    {"% of the time shown", "As a part of the stretch of time that is shown", TND_STATISTIC_WINDOW_PERCENT},
    {"Average duration", "Of a burst: the time, divided by the number of bursts", TND_STATISTIC_AVERAGE_DURATION},
    {"Deviation of durations", "Standard deviation of the durations of bursts", TND_STATISTIC_STDEV_DURATION},
    {"Median duration", "Half of the bursts last longer", TND_STATISTIC_MEDIAN_DURATION},
    {"Numbers", NULL, 0},
    {"Bursts", "How often the row gets the column's value", TND_STATISTIC_BURSTS},
    {"% of the row's bursts", "The same, as a part of all bursts of the row", TND_STATISTIC_BURSTS_PERCENT},
    {"Bursts not 0", "Those in which the values' view is not 0", TND_STATISTIC_BURSTS_NONZERO},
    {"Calls", "How many calls begin; of views of calls and regions alone", TND_STATISTIC_CALLS},
    {"Values", NULL, 0},
    {"Average value", "Over the time, of the values' view", TND_STATISTIC_AVERAGE_VALUE},
    {"Average value not 0", "Over the time in which it is not 0", TND_STATISTIC_AVERAGE_VALUE_NONZERO},
    {"Average per burst", "Every burst counts the same, however long it is", TND_STATISTIC_AVERAGE_PER_BURST},
    {"Average per burst not 0", "The same, of bursts whose value is not 0", TND_STATISTIC_AVERAGE_PER_BURST_NONZERO},
    {"Largest value", "The largest one of all bursts", TND_STATISTIC_MAXIMUM},
    {"Smallest value", "The smallest one of all bursts", TND_STATISTIC_MINIMUM},
    {"Median value", "Half of the bursts have a larger one", TND_STATISTIC_MEDIAN_VALUE},
    {"Sum over bursts", "All values, added up", TND_STATISTIC_SUM_BURSTS},
    {"Integral over time", "All values, each times its duration", TND_STATISTIC_INTEGRAL},
    {"Messages sent, by receiver", NULL, 0},
    {"Messages sent", "How many the row sends to each other one", TND_STATISTIC_SENDS},
    {"Bytes sent", "How much the row sends to each other one", TND_STATISTIC_BYTES_SENT},
    {"Average bytes sent", "Of a message", TND_STATISTIC_AVERAGE_BYTES_SENT},
    {"Fewest bytes sent", "In one message", TND_STATISTIC_MINIMUM_BYTES_SENT},
    {"Most bytes sent", "In one message", TND_STATISTIC_MAXIMUM_BYTES_SENT},
    {"Median of bytes sent", "Half of the messages are larger", TND_STATISTIC_MEDIAN_BYTES_SENT},
    {"Messages received, by sender", NULL, 0},
    {"Messages received", "How many the row gets of each other one", TND_STATISTIC_RECEIVES},
    {"Bytes received", "How much the row gets of each other one", TND_STATISTIC_BYTES_RECEIVED},
    {"Average bytes received", "Of a message", TND_STATISTIC_AVERAGE_BYTES_RECEIVED},
    {"Fewest bytes received", "In one message", TND_STATISTIC_MINIMUM_BYTES_RECEIVED},
    {"Most bytes received", "In one message", TND_STATISTIC_MAXIMUM_BYTES_RECEIVED},
    {"Median of bytes received", "Half of the messages are larger", TND_STATISTIC_MEDIAN_BYTES_RECEIVED},
};

enum { N_HEADINGS = 5 };
G_STATIC_ASSERT(G_N_ELEMENTS(lines) == TND_STATISTIC_N + N_HEADINGS);

static GtkListStore *list_lines(void)
{
    GtkListStore *store =
        gtk_list_store_new(N_COLUMNS, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_BOOLEAN, PANGO_TYPE_WEIGHT);
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        const gboolean is_choice = lines[i].help != NULL;
        gtk_list_store_insert_with_values(
            store, NULL, -1, ID, is_choice ? tnd_histogram_statistic_name(lines[i].statistic) : NULL, TITLE,
            lines[i].title, IS_CHOICE, is_choice, WEIGHT, is_choice ? PANGO_WEIGHT_NORMAL : PANGO_WEIGHT_BOLD, -1);
    }
    return store;
}

static void on_chosen(GtkComboBox *chooser, gpointer session)
{
    TndStatistic statistic;
    const char *name = gtk_combo_box_get_active_id(chooser);
    if (name && tnd_histogram_statistic_parse(name, &statistic))
        tnd_session_set_statistic(session, statistic);
}

GtkWidget *tnd_statistic_chooser_new(TndSession *session)
{
    GtkListStore *store = list_lines();
    GtkWidget *chooser = gtk_combo_box_new_with_model(GTK_TREE_MODEL(store));
    GtkCellRenderer *text = gtk_cell_renderer_text_new();
    g_object_unref(store);
    gtk_combo_box_set_id_column(GTK_COMBO_BOX(chooser), ID);
    gtk_cell_layout_pack_start(GTK_CELL_LAYOUT(chooser), text, TRUE);
    gtk_cell_layout_set_attributes(GTK_CELL_LAYOUT(chooser), text, "text", TITLE, "sensitive", IS_CHOICE, "weight",
                                   WEIGHT, NULL);
    g_signal_connect(chooser, "changed", G_CALLBACK(on_chosen), session);
    return chooser;
}

/* Only if it is another one: GTK then looks at once for what is under the pointer, and a double click there is lost. */
static void set_help(GtkWidget *chooser, const Line *line)
{
    char *help = g_strdup_printf("%s (--histogram %s)", line->help, tnd_histogram_statistic_name(line->statistic));
    char *before = gtk_widget_get_tooltip_text(chooser);
    if (g_strcmp0(help, before) != 0)
        gtk_widget_set_tooltip_text(chooser, help);
    g_free(before);
    g_free(help);
}

void tnd_statistic_chooser_follow(GtkWidget *chooser, const TndSession *session)
{
    const TndStatistic statistic = tnd_session_statistic(session);
    const char *name = statistic < TND_STATISTIC_N ? tnd_histogram_statistic_name(statistic) : NULL;
    g_signal_handlers_block_matched(chooser, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, (gpointer)on_chosen, NULL);
    gtk_combo_box_set_active_id(GTK_COMBO_BOX(chooser), name);
    g_signal_handlers_unblock_matched(chooser, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, (gpointer)on_chosen, NULL);
    for (guint i = 0; name && i < G_N_ELEMENTS(lines); i++)
        if (lines[i].help && lines[i].statistic == statistic)
            set_help(chooser, &lines[i]);
}
