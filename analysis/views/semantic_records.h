/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread's records in the order in which Paraver goes through them, and which of them a window's filter lets pass.
 *
 * A message is eight records: logical and physical, send and receive, each in its own thread and as a remote one in the
 * other's.  At one time: ends of states, physical receives, logical sends, what else is physical, then events and what
 * else is logical, begins of states; states among themselves as they stand in the file.
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
    TND_RECORD_IS_FAR_SEND = 128, /* the remote ones */
    TND_RECORD_IS_FAR_RECEIVE = 256,
    TND_RECORD_IS_STATE = TND_RECORD_IS_BEGIN | TND_RECORD_IS_END,
    TND_RECORD_IS_OWN = TND_RECORD_IS_SEND | TND_RECORD_IS_RECEIVE,
    TND_RECORD_IS_FAR = TND_RECORD_IS_FAR_SEND | TND_RECORD_IS_FAR_RECEIVE,
    TND_RECORD_IS_MESSAGE = TND_RECORD_IS_OWN | TND_RECORD_IS_FAR,
} TndRecordKind;

typedef struct {
    guint64 time_ns;
    guint32 kind;
    guint32 cpu;     /* 0: not known */
    gboolean passes; /* the filters of messages; events that do not pass theirs are not there */
    double value;    /* of an event, with its type's precision */
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
    TndRowRecords states; /* that records speak of */
} TndRecords;

/* Those of a thread's records that are of any of `needs`. */
TndRecords tnd_semantic_records_of(const TndViewPlan *plan, guint row, guint needs);
void tnd_semantic_records_clear(TndRecords *records);

/* Whether the filters of messages let one pass, and which of its records (a TndRecordKind) a window looks at. */
gboolean tnd_semantic_records_message_passes(const TndViewPlan *plan, const TndMessage *message);
gboolean tnd_semantic_records_side_passes(const TndCfgWindow *window, const TndMessage *message, guint kind);

/* The next record from i on (i not included) that passes and is of this kind; n: there is none. */
gsize tnd_semantic_records_next(const TndRecords *records, gssize i, guint kind);

#endif
