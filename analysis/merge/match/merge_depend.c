/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules of dependences.  The tasks that named an address fall into groups: tasks that only read it, or that are of
 * the same set (mutexinoutset, inoutset), are one group and do not wait for each other; a task that writes it is a
 * group by itself.  A task waits for all of the group before its own.
 */
#include "analysis/merge/match/merge_depend.h"

/* What is known of an address; first the address, as its key. */
struct place {
    guint64 address;
    enum tnd_task_depend kind; /* of the tasks of the last group */
    GPtrArray *last, *before;  /* the last two groups, which hold references to their tasks */
};

struct TndMergeChildren {
    GHashTable *places;       /* guint64 * -> struct place * */
    TndMergeOmpTask *barrier; /* the last task that named all memory; NULL: there is none */
};

static void release(gpointer task)
{
    tnd_merge_depend_release(task);
}

static GPtrArray *new_group(void)
{
    return g_ptr_array_new_with_free_func(release);
}

static void free_place(gpointer data)
{
    struct place *place = data;
    g_ptr_array_unref(place->last);
    g_ptr_array_unref(place->before);
    g_free(place);
}

TndMergeOmpTask *tnd_merge_depend_new(guint32 number)
{
    TndMergeOmpTask *task = g_new0(TndMergeOmpTask, 1);
    task->number = number;
    task->n_references = 1;
    return task;
}

TndMergeOmpTask *tnd_merge_depend_keep(TndMergeOmpTask *task)
{
    task->n_references++;
    return task;
}

void tnd_merge_depend_close(TndMergeOmpTask *creator)
{
    struct TndMergeChildren *children = creator->children;
    creator->children = NULL;
    if (!children)
        return;
    g_hash_table_unref(children->places);
    tnd_merge_depend_release(children->barrier);
    g_free(children);
}

void tnd_merge_depend_release(TndMergeOmpTask *task)
{
    if (!task || --task->n_references)
        return;
    g_clear_pointer(&task->predecessors, g_ptr_array_unref);
    tnd_merge_depend_close(task);
    g_free(task);
}

static void add_predecessor(TndMergeOmpTask *task, TndMergeOmpTask *predecessor)
{
    if (predecessor == task || predecessor->last_successor == task->number)
        return;
    predecessor->last_successor = task->number;
    if (!task->predecessors)
        task->predecessors = new_group();
    g_ptr_array_add(task->predecessors, tnd_merge_depend_keep(predecessor));
}

static void add_group(TndMergeOmpTask *task, const GPtrArray *group)
{
    for (guint i = 0; i < group->len; i++)
        add_predecessor(task, group->pdata[i]);
}

static struct place *find_place(struct TndMergeChildren *children, guint64 address)
{
    struct place *place = g_hash_table_lookup(children->places, &address);
    if (place)
        return place;
    place = g_new0(struct place, 1);
    *place = (struct place){address, TND_DEPEND_OUT, new_group(), new_group()};
    if (children->barrier)
        g_ptr_array_add(place->last, tnd_merge_depend_keep(children->barrier));
    g_hash_table_insert(children->places, &place->address, place);
    return place;
}

static void name_place(struct TndMergeChildren *children, TndMergeOmpTask *task, guint64 address,
                       enum tnd_task_depend kind)
{
    struct place *place = find_place(children, address);
    if (place->last->len && place->last->pdata[place->last->len - 1] == task) { /* the task named this address before */
        if (place->kind == TND_DEPEND_OUT || place->kind == kind)
            return;
        g_ptr_array_set_size(place->last, (gint)place->last->len - 1);
        kind = TND_DEPEND_OUT;
    }
    if (kind == TND_DEPEND_OUT || kind != place->kind) {
        GPtrArray *group = place->before;
        place->before = place->last;
        place->last = group;
        place->kind = kind;
        g_ptr_array_set_size(group, 0);
    }
    add_group(task, place->before);
    g_ptr_array_add(place->last, tnd_merge_depend_keep(task));
}

/* The task names all memory: it waits for all siblings before it that depend on anything, and all later ones wait for
 * it. */
static void name_all(struct TndMergeChildren *children, TndMergeOmpTask *task)
{
    GHashTableIter iter;
    gpointer place;
    if (children->barrier &&
        g_hash_table_size(children->places) == 0) /* if tasks came since the barrier, they wait for it themselves */
        add_predecessor(task, children->barrier);
    g_hash_table_iter_init(&iter, children->places);
    while (g_hash_table_iter_next(&iter, NULL, &place))
        add_group(task, ((struct place *)place)->last);
    g_hash_table_remove_all(children->places);
    tnd_merge_depend_release(children->barrier);
    children->barrier = tnd_merge_depend_keep(task);
}

void tnd_merge_depend_add(TndMergeOmpTask *creator, TndMergeOmpTask *task, const guint64 *words, guint n_words)
{
    if (!creator->children) {
        creator->children = g_new0(struct TndMergeChildren, 1);
        creator->children->places = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, free_place);
    }
    for (guint i = 0; i < n_words; i++) {
        enum tnd_task_depend kind = (enum tnd_task_depend)(words[i] & 15);
        if (kind == TND_DEPEND_ALL)
            name_all(creator->children, task);
        else if (kind >= TND_DEPEND_IN && kind <= TND_DEPEND_INOUTSET)
            name_place(creator->children, task, words[i] >> 4, kind);
    }
}
