/* SPDX-License-Identifier: Apache-2.0
 *
 * What a source may hang into the program's calls of tandem.h.
 *
 * Context: at start.
 */
#ifndef TND_USER_H
#define TND_USER_H

#include "runtime/thread.h"

/* Called before an event, a counter, or an end of a region that the program tells, in its thread: the source tells
 * what holds at that moment.  NULL: nobody wants that. */
extern void (*tnd_user_before)(struct tnd_thread *thread) __attribute__((visibility("hidden")));

#endif
