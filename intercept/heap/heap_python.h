/* SPDX-License-Identifier: Apache-2.0
 *
 * Python's own memory: what its domains (raw, memory, objects) have.  CPython shares small objects out of large blocks;
 * with --heap-python it takes each from malloc, so that all of them are in the heap, and in its sites, one by one.
 *
 * Cost: malloc in place of CPython's allocator of small objects, and two atomic additions a block.
 * Context: start and fork child; values anywhere.
 */
#ifndef TND_HEAP_PYTHON_H
#define TND_HEAP_PYTHON_H

#include <stdint.h>

enum { TND_HEAP_PYTHON_DOMAINS = 3 };

/* Bytes that are live, by domain, as CPython numbers them. */
extern int64_t tnd_heap_python_live[TND_HEAP_PYTHON_DOMAINS] __attribute__((visibility("hidden")));

/* Before CPython allocates anything.  Does nothing where there is none. */
void tnd_heap_python_start(void);

#endif
