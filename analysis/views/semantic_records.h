/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread's records in Paraver's order, and which of them pass the filters of a window.
 *
 * A message has eight records: logical and physical, send and receive, each in its own thread and as a remote one in
 * the partner's.  Records of one time are in this order: ends of states, physical receives, logical sends, other
 * physical records, events and other logical records, begins of states.  States keep the order of the file.
 */
#ifndef TND_SEMANTIC_RECORDS_H
#define TND_SEMANTIC_RECORDS_H

#include "analysis/cfg/cfg.h"
#include "analysis/trace/walk.h"

typedef struct TndViewPlan TndViewPlan;

typedef enum {
    TND_RECORD_IS_EVENT = 1,
    TND_RECORD_IS_BEGIN = 2, /* of a state */
    TND_RECORD_IS_END = 4,
    TND_RECORD_IS_LOGICAL = 8,
    TND_RECORD_IS_PHYSICAL = 16,
    TND_RECORD_IS_SEND = 32,
    TND_RECORD_IS_RECEIVE = 64,
    TND_RECORD_IS_FAR_SEND = 128, /* remote: a record of the partner */
    TND_RECORD_IS_FAR_RECEIVE = 256,
    TND_RECORD_IS_STATE = TND_RECORD_IS_BEGIN | TND_RECORD_IS_END,
    TND_RECORD_IS_OWN = TND_RECORD_IS_SEND | TND_RECORD_IS_RECEIVE,
    TND_RECORD_IS_FAR = TND_RECORD_IS_FAR_SEND | TND_RECORD_IS_FAR_RECEIVE,
    TND_RECORD_IS_MESSAGE = TND_RECORD_IS_OWN | TND_RECORD_IS_FAR,
} TndRecordKind;

typedef struct {
    guint64 time_ns;
    guint32 kind;
    guint32 cpu;     /* from 1; 0: not known */
    gboolean passes; /* passes the filters of messages (events that do not pass theirs are left out) */
    double value;    /* of an event, with the precision of its type applied */
    union {
        const TndState *state;
        guint32 type; /* of an event */
        const TndMessage *message;
    };
} TndSemanticRecord;

typedef struct {
    const TndViewPlan *plan;
    guint row;
    TndSemanticRecord *records;
    gsize n;
    TndRowRecords states; /* the states that records point to */
} TndRecords;

/* The records of a thread whose kind is in `needs` (bits of TndRecordKind). */
TndRecords tnd_semantic_records_of(const TndViewPlan *plan, guint row, guint needs);
void tnd_semantic_records_clear(TndRecords *records);

/* Whether a message passes the filters of messages, and whether a window reads this kind of record (TndRecordKind) of
 * it. */
gboolean tnd_semantic_records_message_passes(const TndViewPlan *plan, const TndMessage *message);
gboolean tnd_semantic_records_side_passes(const TndCfgWindow *window, const TndMessage *message, guint kind);

/* The next record after i that passes and is of this kind; n: there is none. */
gsize tnd_semantic_records_next(const TndRecords *records, gssize i, guint kind);

#endif
