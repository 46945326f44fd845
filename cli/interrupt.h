/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lets signals cancel long work: SIGINT, SIGTERM and SIGHUP (unless ignored) are noted while it runs, so that it can
 * delete unfinished files, and then die of the signal, as a shell expects.
 */
#ifndef TND_INTERRUPT_H
#define TND_INTERRUPT_H

#include <glib.h>

void tnd_interrupt_begin(void);
gboolean tnd_interrupt_has_come(void);
void tnd_interrupt_end(void);

/* The signal that has come was a wish that is fulfilled: work that follows is not cancelled by it. */
void tnd_interrupt_forget(void);

/* Dies of the signal that has come; if none has, returns. */
void tnd_interrupt_die(void);

/* Dies of a signal as another process did, but without a core file: ours would take the place of the other one. Returns
 * only if that is no signal to die of. */
void tnd_interrupt_die_as(int number);

#endif
