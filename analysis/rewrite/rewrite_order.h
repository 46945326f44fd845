/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records that come out of the order of time by as much as rows are moved against each other, put into it.
 *
 * Memory: what is within that time, up to a limit; beyond it goes to an unlinked file as sorted runs.
 */
#ifndef TND_REWRITE_ORDER_H
#define TND_REWRITE_ORDER_H

#include "formats/prv.h"

#include <glib.h>

typedef struct TndRewriteOrder TndRewriteOrder;

/* How much is kept in memory.  Tests make it tiny. */
extern gsize tnd_rewrite_order_limit_bytes;

/* Where records go, in order. */
typedef struct {
    void (*state)(gpointer self, guint row, const struct tnd_prv_state *state);
    void (*event)(gpointer self, guint row, const struct tnd_prv_event *event);
    void (*message)(gpointer self, guint sender, guint receiver, const struct tnd_prv_message *message);
    gpointer self;
    const char *directory; /* where the file may be made */
} TndRewriteOrderOut;

TndRewriteOrder *tnd_rewrite_order_new(const TndRewriteOrderOut *out);
void tnd_rewrite_order_free(TndRewriteOrder *order);

void tnd_rewrite_order_state(TndRewriteOrder *order, guint row, const struct tnd_prv_state *state);
void tnd_rewrite_order_event(TndRewriteOrder *order, guint row, const struct tnd_prv_event *event);
void tnd_rewrite_order_message(TndRewriteOrder *order, guint sender, guint receiver,
                               const struct tnd_prv_message *message);

/* Nothing before this time comes any more. */
void tnd_rewrite_order_pass(TndRewriteOrder *order, guint64 time);

/* Gives out all that is left.  FALSE and error if the file failed. */
gboolean tnd_rewrite_order_finish(TndRewriteOrder *order, GError **error);

#endif
