/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sorts records by time, which are out of order by as much as rows are moved against each other.
 *
 * Memory: for the records of that time, up to a limit; more go to an unlinked file as sorted runs.
 */
#ifndef TND_REWRITE_ORDER_H
#define TND_REWRITE_ORDER_H

#include "formats/prv.h"

#include <glib.h>

typedef struct TndRewriteOrder TndRewriteOrder;

/* The limit of memory: 64 MB; tests make it tiny. */
extern gsize tnd_rewrite_order_limit_bytes;

/* The functions that get the records, in order. */
typedef struct {
    void (*state)(gpointer self, guint row, const struct tnd_prv_state *state);
    void (*event)(gpointer self, guint row, const struct tnd_prv_event *event);
    void (*message)(gpointer self, guint sender, guint receiver, const struct tnd_prv_message *message);
    gpointer self;
    const char *directory; /* of the file */
} TndRewriteOrderOut;

TndRewriteOrder *tnd_rewrite_order_new(const TndRewriteOrderOut *out);
void tnd_rewrite_order_free(TndRewriteOrder *order);

void tnd_rewrite_order_state(TndRewriteOrder *order, guint row, const struct tnd_prv_state *state);
void tnd_rewrite_order_event(TndRewriteOrder *order, guint row, const struct tnd_prv_event *event);
void tnd_rewrite_order_message(TndRewriteOrder *order, guint sender, guint receiver,
                               const struct tnd_prv_message *message);

/* No record before this time will be added any more. */
void tnd_rewrite_order_pass(TndRewriteOrder *order, guint64 time);

/* Gives out all records that are left.  FALSE and error: the file failed. */
gboolean tnd_rewrite_order_finish(TndRewriteOrder *order, GError **error);

#endif
