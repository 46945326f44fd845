/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whoever is free takes the next item.
 */
#include "analysis/cores.h"

typedef struct {
    guint n_items;
    guint next; /* atomic */
    void (*work)(guint item, gpointer data);
    gpointer data;
} Run;

static gpointer take_items(gpointer data)
{
    Run *run = data;
    for (guint item; (item = (guint)g_atomic_int_add(&run->next, 1)) < run->n_items;)
        run->work(item, run->data);
    return NULL;
}

void tnd_cores_run(guint n_items, void (*work)(guint item, gpointer data), gpointer data)
{
    Run run = {.n_items = n_items, .work = work, .data = data};
    guint n_others = n_items ? MIN(g_get_num_processors(), n_items) - 1 : 0;
    GThread **others = g_new0(GThread *, n_others + 1);
    for (guint i = 0; i < n_others; i++)
        others[i] = g_thread_try_new("tandem", take_items, &run, NULL);
    take_items(&run);
    for (guint i = 0; i < n_others; i++)
        if (others[i])
            g_thread_join(others[i]);
    g_free(others);
}
