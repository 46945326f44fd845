/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace made of another one, record by record: what reads, converts times to ns, finds rows and writes is here; what
 * becomes of a record is the tool's (rewrite_cut.h, rewrite_filter.h).  The trace that is made appears under its name
 * when it is whole.
 *
 * Memory: for rows, event types and labels, whatever the number of records.
 */
#ifndef TND_REWRITE_H
#define TND_REWRITE_H

#include "formats/pcf.h"
#include "formats/prv.h"

#include <glib.h>

typedef struct TndRewrite TndRewrite;

/* How much of the file has been read, 0 to 1, and how many bytes of text that were.  FALSE ends it
 * (G_IO_ERROR_CANCELLED). */
typedef gboolean (*TndRewriteProgress)(double fraction, guint64 n_bytes, gpointer user_data);

typedef struct {
    const char *path;   /* NAME.prv or NAME.prv.gz; its .pcf and .row may be missing */
    const char *output; /* NULL: NAME.<tool>.prv beside it, or .prv.gz as it is */
    gboolean force;     /* an existing trace is replaced; else the next free name is taken */
    const char *rows;   /* as row_choice.h takes them; NULL: all */
    gboolean all_stay;  /* rows that are not chosen stay, empty */
    TndRewriteProgress progress;
    gpointer user_data;
} TndRewriteOptions;

typedef struct {
    char *output;
    guint n_rows;
    guint64 n_states, n_events, n_messages, end_ns; /* of what was written */
    guint64 n_faults;                               /* lines that were left out, because they are faulty */
    char *fault;                                    /* the first */
} TndRewriteResult;

void tnd_rewrite_result_clear(TndRewriteResult *result);

/* What a tool does with what is read: times are in ns, rows are those of the trace that is read, chosen ones only.  It
 * may change the record that it gets.  Functions for records that it never sees may be missing. */
typedef struct {
    const char *name; /* in the default name */
    /* Before all else; FALSE and error: refused. */
    gboolean (*begin)(gpointer self, TndRewrite *rewrite, GError **error);
    void (*state)(gpointer self, guint row, struct tnd_prv_state *state);
    void (*event)(gpointer self, guint row, struct tnd_prv_event *event);
    void (*message)(gpointer self, guint sender, guint receiver, struct tnd_prv_message *message);
    gboolean (*keeps)(gpointer self, const char *comment); /* NULL: all */
    void (*end)(gpointer self);                            /* NULL: nothing */
} TndRewriteTool;

/* FALSE and error; result->output is NULL then. */
gboolean tnd_rewrite_run(const TndRewriteOptions *options, const TndRewriteTool *tool, gpointer self,
                         TndRewriteResult *result, GError **error);

/* For tools.  What is read: */
const char *tnd_rewrite_path(const TndRewrite *rewrite);
const struct tnd_prv_header *tnd_rewrite_header(const TndRewrite *rewrite);
guint64 tnd_rewrite_end_ns(const TndRewrite *rewrite);            /* as the header has it */
const struct tnd_pcf *tnd_rewrite_pcf(const TndRewrite *rewrite); /* without a .pcf: states only */
const struct tnd_row *tnd_rewrite_names(const TndRewrite *rewrite);
guint tnd_rewrite_n_rows(const TndRewrite *rewrite);
gboolean tnd_rewrite_is_chosen(const TndRewrite *rewrite, guint row);

/* What is written: places are made of rows, of the one that a record has only the CPU is taken. */
void tnd_rewrite_set_end(TndRewrite *rewrite, guint64 end_ns); /* in begin; else as it was */
void tnd_rewrite_state(TndRewrite *rewrite, guint row, const struct tnd_prv_state *state);
void tnd_rewrite_event(TndRewrite *rewrite, guint row, const struct tnd_prv_event *event);
void tnd_rewrite_message(TndRewrite *rewrite, guint sender, guint receiver, const struct tnd_prv_message *message);

/* In begin: what is written is not in the order of time, but no earlier than what is being read, plus offset_ns. */
void tnd_rewrite_put_into_order(TndRewrite *rewrite, gint64 offset_ns);

/* A comment; in begin: before all records. */
void tnd_rewrite_comment(TndRewrite *rewrite, const char *text);

/* The tool wants no more records: only the comments at the end are still read, without what is before them where the
 * file can be read at any place. */
void tnd_rewrite_stop(TndRewrite *rewrite);

#endif
