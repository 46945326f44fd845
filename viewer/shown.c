/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The same rule as in pictures.
 */
#include "viewer/shown.h"

#include "analysis/base/quantity.h"

void tnd_shown_set(GtkWidget *label, const char *text)
{
    char *shown = tnd_quantity_shown(text);
    gtk_label_set_text(GTK_LABEL(label), shown);
    g_free(shown);
}
