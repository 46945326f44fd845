/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Open receives stand in lists, one for each sender and tag that were asked for, and one of those that asked for any of
 * either.  A receive that must wait does so at the first of those that it waits for, and looks again when that one is
 * over.
 */
#include "analysis/merge/match/merge_order.h"

/* If more receives wait for one, that one loses its place: it will never be complete. */
#define MAX_WAITING (1u << 20)

/* A receive that is complete and waits (half), or that is open (NULL). */
struct receive {
    guint64 logical, nth;
    TndMergeHalf *half;
    guint32 source, tag;
};

struct TndMergePost {
    TndMergeOrder *order;
    struct receive self; /* with the source and tag that it asks for */
    GArray *waiting;     /* struct receive: those that wait for it; NULL: none does */
    GQueue *list;        /* the list that it stands in; NULL: it lost its place */
    GList link;
};

struct TndMergeSend {
    TndMergeOrder *order;
    TndMergeHalf *half; /* NULL: it was cancelled */
    gboolean is_decided;
};

struct TndMergeOrder {
    TndMergeMatch *match;
    TndMergeGive give;
    gpointer user_data;
    guint64 n_receives;
    GHashTable *named; /* sender and tag -> GQueue of open receives that asked for them */
    GQueue any;        /* open receives that asked for any sender or tag */
    GQueue sends;      /* TndMergeSend: all wait until it is known whether the first is cancelled */
};

static void free_queue(gpointer queue)
{
    g_free(queue);
}

TndMergeOrder *tnd_merge_order_new(TndMergeMatch *match, TndMergeGive give, gpointer user_data)
{
    TndMergeOrder *order = g_new0(TndMergeOrder, 1);
    order->match = match;
    order->give = give;
    order->user_data = user_data;
    g_queue_init(&order->any);
    g_queue_init(&order->sends);
    return order;
}

static gboolean is_before(const struct receive *a, const struct receive *b)
{
    return a->logical != b->logical ? a->logical < b->logical : a->nth < b->nth;
}

static int compare_receives(gconstpointer a, gconstpointer b)
{
    return is_before(a, b) ? -1 : is_before(b, a);
}

static guint64 name_of(guint32 source, guint32 tag)
{
    return (guint64)source << 32 | tag;
}

static GQueue *find_named(const TndMergeOrder *order, guint32 source, guint32 tag)
{
    guint64 name = name_of(source, tag);
    return order->named ? g_hash_table_lookup(order->named, &name) : NULL;
}

/* The first open receive that this one waits for; NULL: it waits for none. */
static TndMergePost *find_blocker(const TndMergeOrder *order, const struct receive *receive)
{
    const GQueue *same = find_named(order, receive->source, receive->tag);
    TndMergePost *first = same && same->head ? same->head->data : NULL;
    if (first && is_before(&first->self, receive))
        return first;
    for (GList *at = order->any.head; at; at = at->next) {
        TndMergePost *post = at->data;
        if (is_before(&post->self, receive) &&
            (post->self.source == TND_MERGE_ANY || post->self.source == receive->source) &&
            (post->self.tag == TND_MERGE_ANY || post->self.tag == receive->tag))
            return post;
    }
    return NULL;
}

static void leave_list(TndMergePost *post)
{
    if (post->list)
        g_queue_unlink(post->list, &post->link);
    post->list = NULL;
}

static void place(TndMergeOrder *order, const struct receive *receive);

/* Places the receives that waited for this one again, in their order. */
static void let_pass(TndMergePost *post)
{
    GArray *waiting = g_steal_pointer(&post->waiting);
    if (!waiting)
        return;
    g_array_sort(waiting, compare_receives);
    for (guint i = 0; i < waiting->len; i++)
        place(post->order, &g_array_index(waiting, struct receive, i));
    g_array_unref(waiting);
}

/* Gives a complete receive, or has it wait. */
static void place(TndMergeOrder *order, const struct receive *receive)
{
    TndMergePost *blocker = find_blocker(order, receive);
    if (!blocker) {
        order->give(order->user_data, receive->half);
        return;
    }
    if (!blocker->waiting)
        blocker->waiting = g_array_new(FALSE, FALSE, sizeof(struct receive));
    g_array_append_val(blocker->waiting, *receive);
    if (blocker->waiting->len > MAX_WAITING) {
        leave_list(blocker);
        let_pass(blocker);
    }
}

TndMergePost *tnd_merge_order_post(TndMergeOrder *order, guint64 logical, guint32 source, guint32 tag)
{
    TndMergePost *post = g_slice_new0(TndMergePost);
    post->order = order;
    post->self = (struct receive){logical, order->n_receives++, NULL, source, tag};
    post->link.data = post;
    post->list = &order->any;
    if (source != TND_MERGE_ANY && tag != TND_MERGE_ANY) {
        if (!order->named)
            order->named = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_queue);
        post->list = find_named(order, source, tag);
        if (!post->list) {
            guint64 name = name_of(source, tag);
            post->list = g_new0(GQueue, 1);
            g_hash_table_insert(order->named, g_memdup2(&name, sizeof name), post->list);
        }
    }
    g_queue_push_tail_link(post->list, &post->link);
    return post;
}

guint64 tnd_merge_order_logical(const TndMergePost *post)
{
    return post->self.logical;
}

void tnd_merge_order_complete(TndMergePost *post, TndMergeHalf *half, guint32 source, guint32 tag)
{
    struct receive receive = {post->self.logical, post->self.nth, half, source, tag};
    leave_list(post);
    if (half)
        place(post->order, &receive);
    let_pass(post);
    g_slice_free(TndMergePost, post);
}

void tnd_merge_order_receive(TndMergeOrder *order, TndMergeHalf *half, guint32 source, guint32 tag)
{
    struct receive receive = {half->logical, order->n_receives++, half, source, tag};
    place(order, &receive);
}

static void give_sends(TndMergeOrder *order)
{
    TndMergeSend *send;
    while ((send = g_queue_peek_head(&order->sends)) && send->is_decided) {
        g_queue_pop_head(&order->sends);
        if (send->half)
            order->give(order->user_data, send->half);
        g_slice_free(TndMergeSend, send);
    }
}

TndMergeSend *tnd_merge_order_send(TndMergeOrder *order, TndMergeHalf *half, gboolean may_cancel)
{
    if (!may_cancel && g_queue_is_empty(&order->sends)) {
        order->give(order->user_data, half);
        return NULL;
    }
    TndMergeSend *send = g_slice_new(TndMergeSend);
    *send = (TndMergeSend){order, half, !may_cancel};
    g_queue_push_tail(&order->sends, send);
    return may_cancel ? send : NULL;
}

void tnd_merge_order_end_send(TndMergeSend *send, gboolean is_cancelled)
{
    if (is_cancelled && send->half->is_closed) { /* no call refers to the half any more */
        tnd_merge_match_drop_half(send->order->match, send->half);
        send->half = NULL;
    }
    send->is_decided = TRUE;
    give_sends(send->order);
}

static void end_posts(GQueue *posts)
{
    for (TndMergePost *post; (post = g_queue_peek_head(posts));)
        tnd_merge_order_complete(post, NULL, 0, 0);
}

void tnd_merge_order_end(TndMergeOrder *order)
{
    GHashTableIter iterator;
    gpointer queue;
    end_posts(&order->any);
    if (order->named) {
        g_hash_table_iter_init(&iterator, order->named);
        while (g_hash_table_iter_next(&iterator, NULL, &queue))
            end_posts(queue);
        g_hash_table_unref(order->named);
    }
    for (GList *at = order->sends.head; at; at = at->next)
        ((TndMergeSend *)at->data)->is_decided = TRUE;
    give_sends(order);
    g_free(order);
}
