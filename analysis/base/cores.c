/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whoever is free takes the next item.  A thread that gets no core until all are taken is not waited for: it finds
 * none, and ends by itself.
 */
#include "analysis/base/cores.h"

/* Freed by who is the last to leave it; `data` is no longer there once all items are done. */
typedef struct {
    guint n_items;
    guint next; /* atomic */
    void (*work)(guint item, gpointer data);
    gpointer data;
    gint n_users; /* atomic */
    GMutex lock;
    GCond all_done;
    guint n_done;
} Run;

static void leave(Run *run)
{
    if (!g_atomic_int_dec_and_test(&run->n_users))
        return;
    g_mutex_clear(&run->lock);
    g_cond_clear(&run->all_done);
    g_free(run);
}

static void take_items(Run *run)
{
    guint n_done = 0;
    for (guint item; (item = (guint)g_atomic_int_add(&run->next, 1)) < run->n_items; n_done++)
        run->work(item, run->data);
    g_mutex_lock(&run->lock);
    run->n_done += n_done;
    if (run->n_done == run->n_items)
        g_cond_signal(&run->all_done);
    g_mutex_unlock(&run->lock);
}

static gpointer help(gpointer run)
{
    take_items(run);
    leave(run);
    return NULL;
}

void tnd_cores_run(guint n_items, void (*work)(guint item, gpointer data), gpointer data)
{
    Run *run = g_new0(Run, 1);
    *run = (Run){.n_items = n_items, .work = work, .data = data, .n_users = 1};
    g_mutex_init(&run->lock);
    g_cond_init(&run->all_done);
    guint n_others = n_items ? MIN(g_get_num_processors(), n_items) - 1 : 0;
    for (guint i = 0; i < n_others; i++) {
        g_atomic_int_inc(&run->n_users);
        GThread *other = g_thread_try_new("tandem", help, run, NULL);
        if (other)
            g_thread_unref(other);
        else
            leave(run);
    }
    take_items(run);
    g_mutex_lock(&run->lock);
    while (run->n_done < run->n_items)
        g_cond_wait(&run->all_done, &run->lock);
    g_mutex_unlock(&run->lock);
    leave(run);
}

struct TndCoresTeller {
    TndCoresProgress progress;
    gpointer user_data;
    guint64 n_items, n_done;
    GMutex lock;
    gint has_ended; /* atomic */
};

TndCoresTeller *tnd_cores_teller_new(TndCoresProgress progress, gpointer user_data, guint64 n_items)
{
    TndCoresTeller *teller = g_new0(TndCoresTeller, 1);
    *teller = (TndCoresTeller){.progress = progress, .user_data = user_data, .n_items = n_items};
    g_mutex_init(&teller->lock);
    return teller;
}

void tnd_cores_teller_free(TndCoresTeller *teller)
{
    if (!teller)
        return;
    g_mutex_clear(&teller->lock);
    g_free(teller);
}

/* A run for somebody who is told. */
typedef struct {
    TndCoresTeller *teller;
    void (*work)(guint item, gpointer data);
    gpointer data;
} Told;

static void tell(TndCoresTeller *teller)
{
    g_mutex_lock(&teller->lock);
    double fraction = (double)++teller->n_done / (double)teller->n_items;
    if (!teller->progress(MIN(fraction, 1), teller->user_data))
        g_atomic_int_set(&teller->has_ended, 1);
    g_mutex_unlock(&teller->lock);
}

static void work_and_tell(guint item, gpointer data)
{
    const Told *told = data;
    if (g_atomic_int_get(&told->teller->has_ended))
        return;
    told->work(item, told->data);
    tell(told->teller);
}

gboolean tnd_cores_run_telling(TndCoresTeller *teller, guint n_items, void (*work)(guint item, gpointer data),
                               gpointer data)
{
    Told told = {teller, work, data};
    tnd_cores_run(n_items, teller ? work_and_tell : work, teller ? (gpointer)&told : data);
    return !teller || !g_atomic_int_get(&teller->has_ended);
}
