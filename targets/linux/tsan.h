/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the program runs with ThreadSanitizer.  It wraps functions of libc, which fault in threads that it has not
 * seen begin, and its own thread is one of them.
 *
 * Context: any.
 */
#ifndef TND_TSAN_H
#define TND_TSAN_H

#include <stdbool.h>

extern void __tsan_init(void) __attribute__((weak));

static inline bool tnd_tsan_is_here(void)
{
    return __tsan_init != 0;
}

#endif
