/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why a process cannot be looked at from outside, and what to do about it.
 */
#ifndef TND_ATTACH_REFUSAL_H
#define TND_ATTACH_REFUSAL_H

#include <glib.h>

/* A sentence, or NULL: nothing speaks against it.  Free with g_free. */
char *tnd_attach_refusal_find(int pid);

/* The sentence for an errno of tnd_attach_events_watch. */
char *tnd_attach_refusal_explain(int error);

#endif
