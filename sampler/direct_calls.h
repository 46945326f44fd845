/* SPDX-License-Identifier: Apache-2.0
 *
 * syscall() is interposed, too: see direct_calls.c.
 *
 * Context: at start.
 */
#ifndef TND_DIRECT_CALLS_H
#define TND_DIRECT_CALLS_H

/* From here on, calls by number are looked at. */
void tnd_direct_calls_start(void);

#endif
