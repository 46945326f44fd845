/* SPDX-License-Identifier: Apache-2.0
 *
 * What the program maps by itself: addresses that it and its libraries got of mmap or mremap and have not unmapped, in
 * whole pages.  What libc maps within (blocks of the heap, stacks of threads) and what the loader does (code) is none.
 *
 * Cost: some 50 ns a call.
 * Context: wherever the program may map.  Waits for another thread that is at it just now; in a handler that
 * interrupted its own thread there it counts nothing.
 */
#ifndef TND_HEAP_MAPS_H
#define TND_HEAP_MAPS_H

#include <stdint.h>

/* At start, before there are other threads; and in the child of a fork. */
void tnd_heap_maps_start(void);
void tnd_heap_maps_fork_child(void);

/* How much there is now. */
uint64_t tnd_heap_maps_bytes(void);

#endif
