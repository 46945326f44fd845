/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is at a spot of a timeline, in words: for the status line, the panel of details and tests.
 */
#ifndef TND_DESCRIPTION_H
#define TND_DESCRIPTION_H

#include "viewer/session.h"

enum { TND_DESCRIPTION_MOST_MESSAGES = 100 };

typedef struct {
    char *row, *time, *value, *duration; /* NULL: nothing there */
    char *stretch;                       /* of the burst: "begin – end" */
    GPtrArray *messages;                 /* char *: of the burst, at most so many */
    guint64 n_messages;                  /* all of them */
    gboolean may_have_messages;          /* those are of threads, not of CPUs or nodes */
} TndDescription;

/* FALSE: there is nothing to describe. */
gboolean tnd_description_of(TndSession *session, TndSpot spot, gboolean with_messages, TndDescription *description);
void tnd_description_clear(TndDescription *description);
char *tnd_description_line(const TndDescription *description); /* in one line; g_free */

#endif
