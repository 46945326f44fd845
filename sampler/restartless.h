/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that a signal ends with EINTR even under SA_RESTART (signal(7) lists them), interposed for the sampling clocks
 * whose signals may come inside calls: see restartless.c.
 *
 * Context: at start, and after the program has loaded something.
 */
#ifndef TND_RESTARTLESS_H
#define TND_RESTARTLESS_H

/* Finds the functions behind ours. */
void tnd_restartless_start(void);

/* The function behind one of ours; NULL: that is none of ours. */
const void *tnd_restartless_behind(const void *function);

#endif
