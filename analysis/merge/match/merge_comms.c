/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Communicators: which of the processes' views are views of one, who its members are, and the lines of the header.
 *
 * Views of one communicator have been made of the same one, of the same groups, and are the same nth. An
 * intercommunicator to another world is known by its near side only: there is one on each side until their LINKs say
 * that they are one. A communicator that was made of such a one can be identified only then; hence rounds, as many as
 * worlds were spawned in each other. Numbers are given in the order of applications, ranks and time, COMM_WORLD first.
 *
 * Cost: the members of all views, once.
 */
#include "analysis/merge/match/merge_comms.h"
#include "analysis/merge/base/merge_note.h"
#include "analysis/merge/base/merge_ticks.h"
#include "analysis/merge/read/merge_clock.h"

#include <string.h>

#define NO_LINK G_MAXUINT32

/* One communicator; of those that are one, `same` leads to the first. */
typedef struct TndMergeWhole {
    struct TndMergeWhole *same;
    guint32 id;
    const GArray *near, *far; /* the groups; far is that of an intercommunicator, NULL while it is not known */
    gboolean is_inter;
    guint32 n_far;
    guint64 time_ns;
    guint32 link; /* enum tnd_link, NO_LINK: none */
    guint64 key;
} Whole;

struct naming {
    TndMerge *merge;
    GPtrArray *views;  /* of TndMergeComm, in the order of numbers */
    GPtrArray *wholes; /* of Whole */
    GHashTable *known; /* GBytes of `describe` -> Whole */
    guint n_left;      /* views of which the Whole is not known yet */
    gboolean give_up;  /* far sides that are not known by now will never be */
};

static Whole *find_whole(Whole *whole)
{
    while (whole->same)
        whole = whole->same;
    return whole;
}

static int compare_comms(gconstpointer a, gconstpointer b)
{
    const TndMergeComm *c = *(TndMergeComm *const *)a, *d = *(TndMergeComm *const *)b;
    return (c->ticks > d->ticks) - (c->ticks < d->ticks);
}

static void set_links(const TndMergeProcess *process, GPtrArray *views)
{
    for (guint i = 0; i < process->links->len; i++) {
        const TndMergeLink *link = &g_array_index(process->links, TndMergeLink, i);
        for (guint j = views->len; j > 0; j--) {
            TndMergeComm *comm = views->pdata[j - 1];
            if (comm->handle != link->handle || comm->ticks > link->ticks)
                continue;
            comm->link = *link;
            comm->has_link = TRUE;
            break;
        }
    }
}

/* Adds the views of a process.  The parent of a view is the last communicator before it that had the handle it was
 * made of. */
static void add_views(struct naming *naming, TndMergeProcess *process)
{
    GPtrArray *views = g_ptr_array_new();
    for (guint i = 0; i < process->streams->len; i++)
        g_ptr_array_extend(views, g_array_index(process->streams, TndMergeStream, i).comms, NULL, NULL);
    g_ptr_array_sort(views, compare_comms);
    GHashTable *current = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (guint i = 0; i < views->len; i++) {
        TndMergeComm *comm = views->pdata[i];
        comm->process = process;
        comm->parent = g_hash_table_lookup(current, &comm->made_of);
        g_hash_table_replace(current, &comm->handle, comm);
    }
    g_hash_table_unref(current);
    set_links(process, views);
    g_ptr_array_extend(naming->views, views, NULL, NULL);
    g_ptr_array_unref(views);
}

/* Whether everything is known of a view that will ever be. */
static gboolean is_settled(const struct naming *naming, const TndMergeComm *comm)
{
    return comm->whole && (!comm->whole->is_inter || comm->whole->far || naming->give_up);
}

static guint32 member_at(const GArray *group, guint32 place)
{
    return group && place < group->len ? g_array_index(group, guint32, place) : TND_MERGE_NO_MEMBER;
}

/* The member that a number of a COMM record stands for. */
static guint32 resolve(const TndMergeComm *comm, guint32 told)
{
    if (told < TND_COMM_STRANGER)
        return told < comm->process->world_size ? comm->process->first_member + told : TND_MERGE_NO_MEMBER;
    if (told == G_MAXUINT32 || !comm->parent)
        return TND_MERGE_NO_MEMBER;
    const TndMergeComm *parent = comm->parent;
    guint32 place = told - TND_COMM_STRANGER, n_far = parent->whole->is_inter ? parent->whole->n_far : 0;
    return place < n_far ? member_at(parent->whole->far, place) : member_at(parent->group, place - n_far);
}

/* Puts members in the place of numbers; FALSE if one of them is not known. */
static gboolean resolve_all(const TndMergeComm *comm, GArray *group)
{
    gboolean all_known = TRUE;
    for (guint i = 0; i < group->len; i++) {
        guint32 *number = &g_array_index(group, guint32, i);
        *number = resolve(comm, *number);
        all_known &= *number != TND_MERGE_NO_MEMBER;
    }
    return all_known;
}

static int compare_groups(const GArray *a, const GArray *b)
{
    if (a->len != b->len)
        return a->len < b->len ? -1 : 1;
    return memcmp(a->data, b->data, a->len * sizeof(guint32));
}

/* What views of one communicator have in common. */
static GBytes *describe(const TndMergeComm *comm, const GArray *far)
{
    const GArray *first = comm->group, *second = comm->remote;
    if (far && compare_groups(first, far) > 0) {
        first = far;
        second = comm->group;
    }
    guint32 head[] = {comm->parent ? find_whole(comm->parent->whole)->id : 0,
                      comm->nth,
                      comm->is_inter,
                      first->len,
                      second ? second->len : 0,
                      far != NULL};
    GByteArray *bytes = g_byte_array_new();
    g_byte_array_append(bytes, (const guint8 *)head, sizeof head);
    g_byte_array_append(bytes, (const guint8 *)first->data, first->len * (guint)sizeof(guint32));
    if (far)
        g_byte_array_append(bytes, (const guint8 *)second->data, second->len * (guint)sizeof(guint32));
    return g_byte_array_free_to_bytes(bytes);
}

static void identify(struct naming *naming, TndMergeComm *comm)
{
    resolve_all(comm, comm->group);
    const GArray *far = comm->remote && resolve_all(comm, comm->remote) ? comm->remote : NULL;
    GBytes *description = describe(comm, far);
    Whole *whole = g_hash_table_lookup(naming->known, description);
    if (!whole) {
        whole = g_new(Whole, 1);
        *whole = (Whole){.id = naming->wholes->len + 1,
                         .near = comm->group,
                         .far = far,
                         .is_inter = comm->is_inter,
                         .n_far = comm->remote ? comm->remote->len : 0,
                         .time_ns = tnd_merge_ticks_time(comm->process->clock, comm->ticks),
                         .link = NO_LINK};
        g_ptr_array_add(naming->wholes, whole);
        g_hash_table_insert(naming->known, g_bytes_ref(description), whole);
    }
    if (comm->has_link) {
        whole->link = comm->link.how;
        whole->key = comm->link.key;
    }
    comm->whole = whole;
    naming->n_left--;
    g_bytes_unref(description);
}

static gboolean waits_for_link(const Whole *whole)
{
    return whole->is_inter && !whole->far && whole->link != NO_LINK;
}

static gboolean belong_together(const Whole *a, const Whole *b)
{
    static const guint32 others[] = {[TND_LINK_SPAWN] = TND_LINK_PARENT,
                                     [TND_LINK_PARENT] = TND_LINK_SPAWN,
                                     [TND_LINK_ACCEPT] = TND_LINK_CONNECT,
                                     [TND_LINK_CONNECT] = TND_LINK_ACCEPT,
                                     [TND_LINK_JOIN] = TND_LINK_JOIN};
    return waits_for_link(b) && a->key == b->key && a->link < G_N_ELEMENTS(others) && others[a->link] == b->link &&
           a->near->len == b->n_far && b->near->len == a->n_far;
}

static int compare_times(gconstpointer a, gconstpointer b)
{
    const Whole *v = *(Whole *const *)a, *w = *(Whole *const *)b;
    return v->time_ns != w->time_ns ? (v->time_ns < w->time_ns ? -1 : 1) : v->id < w->id ? -1 : v->id > w->id;
}

/* Finds the two sides of each connection.  Those of one port belong together in the order of time. */
static void link_sides(struct naming *naming)
{
    GPtrArray *sides = g_ptr_array_new();
    for (guint i = 0; i < naming->wholes->len; i++)
        if (waits_for_link(naming->wholes->pdata[i]))
            g_ptr_array_add(sides, naming->wholes->pdata[i]);
    g_ptr_array_sort(sides, compare_times);
    for (guint i = 0; i < sides->len; i++) {
        Whole *a = sides->pdata[i];
        for (guint j = i + 1; j < sides->len && waits_for_link(a); j++) {
            Whole *b = sides->pdata[j];
            if (!belong_together(a, b))
                continue;
            a->far = b->near;
            b->far = a->near;
            *(a->id < b->id ? &b->same : &a->same) = a->id < b->id ? a : b;
        }
    }
    g_ptr_array_unref(sides);
}

/* Goes over the views once; returns whether one of them was identified. */
static gboolean identify_some(struct naming *naming)
{
    guint n_before = naming->n_left;
    for (guint i = 0; i < naming->views->len; i++) {
        TndMergeComm *comm = naming->views->pdata[i];
        if (!comm->whole && (!comm->parent || is_settled(naming, comm->parent)))
            identify(naming, comm);
    }
    link_sides(naming);
    return naming->n_left < n_before;
}

/* "c:application:number:n:task1:..." for each application that has members in the group. */
static void add_group_lines(TndMerge *merge, guint32 id, const GArray *group)
{
    for (guint application = 0; application < merge->applications->len; application++) {
        GString *tasks = g_string_new(NULL);
        guint n = 0;
        for (guint i = 0; i < group->len; i++) {
            guint32 number = g_array_index(group, guint32, i);
            if (number == TND_MERGE_NO_MEMBER)
                continue;
            const TndMergeMember *member = &g_array_index(merge->members, TndMergeMember, number);
            if (member->application != application)
                continue;
            g_string_append_printf(tasks, ":%u", member->task + 1);
            n++;
        }
        if (n)
            g_ptr_array_add(merge->communicators, g_strdup_printf("c:%u:%u:%u%s", application + 1, id, n, tasks->str));
        g_string_free(tasks, TRUE);
    }
}

static GBytes *group_bytes(const GArray *group)
{
    return g_bytes_new(group->data, group->len * sizeof(guint32));
}

/* The number of an intracommunicator that has this group: the first there was, or a new one, to which only lines of
 * intercommunicators refer.  0: the group is not known. */
static guint32 group_id(struct naming *naming, GHashTable *groups, const GArray *group, guint32 *n_ids)
{
    if (!group)
        return 0;
    GBytes *bytes = group_bytes(group);
    guint32 id = GPOINTER_TO_UINT(g_hash_table_lookup(groups, bytes));
    if (!id) {
        id = ++*n_ids;
        add_group_lines(naming->merge, id, group);
        g_hash_table_insert(groups, g_bytes_ref(bytes), GUINT_TO_POINTER(id));
    }
    g_bytes_unref(bytes);
    return id;
}

static guint application_of(const TndMerge *merge, const GArray *group)
{
    guint32 first = member_at(group, 0);
    return first == TND_MERGE_NO_MEMBER ? 0 : g_array_index(merge->members, TndMergeMember, first).application;
}

static void add_lines(struct naming *naming)
{
    GHashTable *groups =
        g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)(void (*)(void))g_bytes_unref, NULL);
    guint32 n_ids = naming->wholes->len;
    for (guint i = 0; i < naming->wholes->len; i++) {
        const Whole *whole = naming->wholes->pdata[i];
        if (whole->is_inter)
            continue;
        add_group_lines(naming->merge, whole->id, whole->near);
        GBytes *bytes = group_bytes(whole->near);
        if (g_hash_table_contains(groups, bytes))
            g_bytes_unref(bytes);
        else
            g_hash_table_insert(groups, bytes, GUINT_TO_POINTER(whole->id));
    }
    for (guint i = 0; i < naming->wholes->len; i++) {
        const Whole *whole = naming->wholes->pdata[i];
        if (!whole->is_inter || whole->same)
            continue;
        guint32 near = group_id(naming, groups, whole->near, &n_ids);
        guint32 far = group_id(naming, groups, whole->far, &n_ids);
        g_ptr_array_add(
            naming->merge->communicators,
            g_strdup_printf("i:%u:%u:%u:%u", application_of(naming->merge, whole->near) + 1, whole->id, near, far));
    }
    g_hash_table_unref(groups);
}

/* Gives each view its number and, if it is an intercommunicator, the far group that turned out. */
static void tell_views(struct naming *naming)
{
    for (guint i = 0; i < naming->views->len; i++) {
        TndMergeComm *comm = naming->views->pdata[i];
        const GArray *far = comm->is_inter ? comm->whole->far : NULL;
        comm->id = find_whole(comm->whole)->id;
        if (far && member_at(comm->remote, 0) == TND_MERGE_NO_MEMBER) {
            g_array_set_size(comm->remote, 0);
            g_array_append_vals(comm->remote, far->data, far->len);
        }
    }
}

static void note_unknown(struct naming *naming)
{
    guint n = 0;
    for (guint i = 0; i < naming->wholes->len; i++) {
        const Whole *whole = naming->wholes->pdata[i];
        n += whole->is_inter && !whole->far;
    }
    if (n)
        tnd_merge_note(
            naming->merge,
            "%u intercommunicator%s to processes that this run did not record or could not tell from others: "
            "messages over %s are not shown",
            n, n == 1 ? "" : "s", n == 1 ? "it" : "them");
}

void tnd_merge_comms_run(TndMerge *merge)
{
    struct naming naming = {
        .merge = merge,
        .views = g_ptr_array_new(),
        .wholes = g_ptr_array_new_with_free_func(g_free),
        .known =
            g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)(void (*)(void))g_bytes_unref, NULL),
    };
    for (guint i = 0; i < merge->applications->len; i++) {
        const GArray *tasks = ((TndMergeApplication *)merge->applications->pdata[i])->tasks;
        for (guint t = 0; t < tasks->len; t++)
            for (TndMergeProcess *p = g_array_index(tasks, TndMergeTask, t).first; p; p = p->next_image)
                if (p->has_rank)
                    add_views(&naming, p);
    }
    naming.n_left = naming.views->len;
    while (naming.n_left) {
        gboolean did = identify_some(&naming);
        naming.give_up |= !did;
    }
    add_lines(&naming);
    tell_views(&naming);
    note_unknown(&naming);
    g_hash_table_unref(naming.known);
    g_ptr_array_unref(naming.wholes);
    g_ptr_array_unref(naming.views);
}

void tnd_merge_comms_follow(TndMergeProcess *process, const TndMergeStream *stream, const struct tnd_record *record,
                            guint *n_told)
{
    gboolean remote_follows = (record->aux & TND_COMM_INTER) && !(record->aux & TND_COMM_REMOTE);
    if (record->n_words < 3 || (record->aux & TND_COMM_CONTINUES) || remote_follows || *n_told >= stream->comms->len)
        return;
    TndMergeComm *comm = stream->comms->pdata[(*n_told)++];
    g_hash_table_insert(process->comms, &comm->handle, comm);
    process->last_comm = NULL;
}

void tnd_merge_comms_forget(TndMergeProcess *process)
{
    g_hash_table_remove_all(process->comms);
    process->last_comm = NULL;
}
