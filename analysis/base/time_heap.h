/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A binary min-heap of items by time, which says whose turn is next among very many.
 *
 * Cost: moving an entry down takes two comparisons a level.
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

/* Moves the entry at `at` down to its place, after its time has become later or it was put there. */
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

/* Adds an entry to a heap of n, which has room for it. */
static inline void tnd_time_heap_add(TndTimeHeapEntry *heap, gsize n, TndTimeHeapEntry added)
{
    gsize at = n;
    for (gsize above; at > 0 && tnd_time_heap_is_before(&added, &heap[above = (at - 1) / 2]); at = above)
        heap[at] = heap[above];
    heap[at] = added;
}

/* Removes the first entry of a heap of n. */
static inline void tnd_time_heap_drop(TndTimeHeapEntry *heap, gsize n)
{
    heap[0] = heap[n - 1];
    if (n > 1)
        tnd_time_heap_sift(heap, n - 1, 0);
}

/* Makes a heap of n entries in any order. */
static inline void tnd_time_heap_make(TndTimeHeapEntry *heap, gsize n)
{
    for (gsize at = n / 2; at-- > 0;)
        tnd_time_heap_sift(heap, n, at);
}

#endif
