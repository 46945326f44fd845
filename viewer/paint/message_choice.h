/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chooses messages: words, as users write them, that must all hold.
 *
 *   size>64k  size=8               how many bytes
 *   tag=3
 *   >1ms  <20us                    from the logical send to the physical receive
 *   from:rank:0  to:1.2.*          the sender, the receiver: rows as row_choice.h has them
 *   with:rank:0-3                  the sender or the receiver
 *
 * Lines between tasks of OpenMP have no size and no tag: they are chosen by rows and time only.
 * Messages have no communicator in a trace.
 */
#ifndef TND_MESSAGE_CHOICE_H
#define TND_MESSAGE_CHOICE_H

#include "analysis/trace/trace.h"

/* What a choice takes, as a sentence for users. */
#define TND_MESSAGE_CHOICE_TAKES "size>64k, tag=3, durations (>1ms), from:rank:0, to:rank:3, with:rank:0-3"

typedef struct TndMessageChoice TndMessageChoice;

/* NULL and error: it cannot be understood. */
TndMessageChoice *tnd_message_choice_new(const TndTrace *trace, const char *text, GError **error);
void tnd_message_choice_free(TndMessageChoice *choice); /* may be NULL */

const char *tnd_message_choice_text(const TndMessageChoice *choice);
gboolean tnd_message_choice_has(const TndMessageChoice *choice, const TndMessage *message);

#endif
