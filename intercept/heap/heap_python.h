/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of Python's domains (raw, memory, objects).  CPython itself cuts small objects out of large blocks; with
 * --heap-python it takes each object from malloc, so that each is in the heap and has a site.
 *
 * Cost: malloc in place of CPython's allocator of small objects, and two atomic additions a block.
 * Context: tnd_heap_python_start at start; the values anywhere.
 */
#ifndef TND_HEAP_PYTHON_H
#define TND_HEAP_PYTHON_H

#include <stdint.h>

enum { TND_HEAP_PYTHON_DOMAINS = 3 };

/* Bytes that are live, by domain, as CPython numbers them. */
extern int64_t tnd_heap_python_live[TND_HEAP_PYTHON_DOMAINS] __attribute__((visibility("hidden")));

/* Before CPython allocates anything.  Does nothing in a process without CPython. */
void tnd_heap_python_start(void);

#endif
