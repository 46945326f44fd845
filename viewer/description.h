/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Describes in words what is at a spot of a timeline, for the status line, the panel of details and tests.
 */
#ifndef TND_DESCRIPTION_H
#define TND_DESCRIPTION_H

#include "viewer/burst_records.h"
#include "viewer/session.h"

enum { TND_DESCRIPTION_MOST_MESSAGES = 100 };

typedef struct {
    char *row, *time, *value, *duration; /* NULL: there is none at the spot */
    char *stretch;                       /* of the burst: "begin – end"; NULL: there is no burst */
    double share;                        /* of the burst in the stretch of time that is shown */
    GPtrArray *messages;                 /* of char *: the burst's, at most TND_DESCRIPTION_MOST_MESSAGES */
    TndBurstRecords records;             /* the burst's; lines NULL: they were not asked for, or there are none */
    guint64 n_messages;                  /* of the burst, including those that are left out */
    gboolean may_have_messages;          /* FALSE: rows are CPUs or nodes, which have no records */
} TndDescription;

/* FALSE: there is nothing to describe. */
gboolean tnd_description_of(TndSession *session, TndSpot spot, gboolean with_records, TndDescription *description);
void tnd_description_clear(TndDescription *description);
char *tnd_description_line(const TndDescription *description); /* in one line; g_free */

/* A message or a line between tasks: "Rank 1 to Rank 0: 8 bytes, …"; free with g_free. */
char *tnd_description_message(const TndTrace *trace, const TndMessage *message);

#endif
