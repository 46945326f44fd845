/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A heap of items in the order of their times: whose turn it is among very many, of which some end meanwhile.
 *
 * Cost: a step down the heap is two comparisons a level.
 */
#ifndef TND_TIME_HEAP_H
#define TND_TIME_HEAP_H

#include <glib.h>

typedef struct {
    guint64 time_ns, turn; /* of equal times the smaller turn is first */
    gsize item;
} TndTimeHeapEntry;

static inline gboolean tnd_time_heap_is_before(const TndTimeHeapEntry *a, const TndTimeHeapEntry *b)
{
    return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->turn < b->turn;
}

/* The entry at this place of n has become later, or has only now got there. */
static inline void tnd_time_heap_sift(TndTimeHeapEntry *heap, gsize n, gsize at)
{
    const TndTimeHeapEntry moved = heap[at];
    for (gsize child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && tnd_time_heap_is_before(&heap[child + 1], &heap[child]))
            child++;
        if (!tnd_time_heap_is_before(&heap[child], &moved))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

/* One more entry behind n others, for which there is room. */
static inline void tnd_time_heap_add(TndTimeHeapEntry *heap, gsize n, TndTimeHeapEntry added)
{
    gsize at = n;
    for (gsize above; at > 0 && tnd_time_heap_is_before(&added, &heap[above = (at - 1) / 2]); at = above)
        heap[at] = heap[above];
    heap[at] = added;
}

/* Takes the first of n entries away. */
static inline void tnd_time_heap_drop(TndTimeHeapEntry *heap, gsize n)
{
    heap[0] = heap[n - 1];
    if (n > 1)
        tnd_time_heap_sift(heap, n - 1, 0);
}

/* Of n entries in any order. */
static inline void tnd_time_heap_make(TndTimeHeapEntry *heap, gsize n)
{
    for (gsize at = n / 2; at-- > 0;)
        tnd_time_heap_sift(heap, n, at);
}

#endif
