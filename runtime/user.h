/* SPDX-License-Identifier: Apache-2.0
 *
 * Hooks of sources in the program's calls of tandem.h.
 *
 * Context: at start.
 */
#ifndef TND_USER_H
#define TND_USER_H

#include "runtime/thread.h"

/* Called before an event, a counter, or a begin or end of a region is recorded, in the thread that calls: the source
 * records its own values at that moment first.  NULL: no source wants that. */
extern void (*tnd_user_before)(struct tnd_thread *thread) __attribute__((visibility("hidden")));

/* Called after the begin of a region is recorded, of this time.  NULL: as above. */
extern void (*tnd_user_region_begun)(struct tnd_thread *thread, uint64_t time) __attribute__((visibility("hidden")));

#endif
