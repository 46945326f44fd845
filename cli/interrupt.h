/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Long work that a user may end: SIGINT, SIGTERM and SIGHUP (unless ignored) are noted while it goes on, so that it can
 * take away what is not finished, and then die of the signal, so that a shell knows.
 */
#ifndef TND_INTERRUPT_H
#define TND_INTERRUPT_H

#include <glib.h>

void tnd_interrupt_begin(void);
gboolean tnd_interrupt_has_come(void);
void tnd_interrupt_end(void);

/* Does not return if a signal has come. */
void tnd_interrupt_die(void);

#endif
