/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes a trace from another one, record by record.  This reads, converts times to ns, finds rows and writes; a tool
 * (rewrite_cut.h, rewrite_filter.h) decides what becomes of each record.  The new trace gets its name when it is
 * complete.
 *
 * Memory: for rows, event types and labels, independent of the number of records.
 */
#ifndef TND_REWRITE_H
#define TND_REWRITE_H

#include "formats/pcf.h"
#include "formats/prv.h"

#include "analysis/output/trace_output.h"

#include <glib.h>

typedef struct TndRewrite TndRewrite;

/* Is called from time to time.  fraction: how much of the file has been read, from 0 to 1; n_bytes: of its text.  If it
 * returns FALSE, the work is cancelled (G_IO_ERROR_CANCELLED). */
typedef gboolean (*TndRewriteProgress)(double fraction, guint64 n_bytes, gpointer user_data);

typedef struct {
    const char *path;   /* NAME.prv or NAME.prv.gz; its .pcf and .row may be missing */
    const char *output; /* NULL: NAME.<tool>.prv in the same directory, or .prv.gz if the input is compressed */
    gboolean force;     /* replace an existing trace; else it is set aside */
    const char *rows;   /* as in row_choice.h; NULL: all */
    gboolean all_stay;  /* keep rows that are not chosen, empty */
    TndRewriteProgress progress;
    gpointer user_data;
} TndRewriteOptions;

typedef struct {
    TndMadeTrace made;
    guint64 n_faults; /* faulty lines, which were left out */
    char *fault;      /* message about the first one */
} TndRewriteResult;

void tnd_rewrite_result_clear(TndRewriteResult *result);

/* The functions of a tool.  Times are in ns; rows are those of the trace that is read, and only chosen ones.  A
 * function may change the record that it gets. */
typedef struct {
    const char *name; /* for the default name of the output */
    /* Called first.  FALSE and error: there is no trace. */
    gboolean (*begin)(gpointer self, TndRewrite *rewrite, GError **error);
    void (*state)(gpointer self, guint row, struct tnd_prv_state *state);
    void (*event)(gpointer self, guint row, struct tnd_prv_event *event);
    void (*message)(gpointer self, guint sender, guint receiver, struct tnd_prv_message *message);
    gboolean (*keeps)(gpointer self, const char *comment); /* whether a comment is kept; NULL: all are */
    void (*end)(gpointer self);                            /* called after the last record; may be NULL */
} TndRewriteTool;

/* FALSE and error: there is no trace, and result->output is NULL. */
gboolean tnd_rewrite_run(const TndRewriteOptions *options, const TndRewriteTool *tool, gpointer self,
                         TndRewriteResult *result, GError **error);

/* For tools: the trace that is read. */
const char *tnd_rewrite_path(const TndRewrite *rewrite);
const struct tnd_prv_header *tnd_rewrite_header(const TndRewrite *rewrite);
guint64 tnd_rewrite_end_ns(const TndRewrite *rewrite);            /* of the header */
const struct tnd_pcf *tnd_rewrite_pcf(const TndRewrite *rewrite); /* if there is no .pcf, it has states only */
const struct tnd_row *tnd_rewrite_names(const TndRewrite *rewrite);
guint tnd_rewrite_n_rows(const TndRewrite *rewrite);
gboolean tnd_rewrite_is_chosen(const TndRewrite *rewrite, guint row);

/* For tools: the trace that is written.  The place of a record is made from the row; only its CPU is used. */
void tnd_rewrite_set_end(TndRewrite *rewrite, guint64 end_ns); /* called in begin; default: the end of the trace read */
void tnd_rewrite_state(TndRewrite *rewrite, guint row, const struct tnd_prv_state *state);
void tnd_rewrite_event(TndRewrite *rewrite, guint row, const struct tnd_prv_event *event);
void tnd_rewrite_message(TndRewrite *rewrite, guint sender, guint receiver, const struct tnd_prv_message *message);

/* Called in begin: records will not be written in the order of time, but none before the time of the record that is
 * being read, plus offset_ns. */
void tnd_rewrite_put_into_order(TndRewrite *rewrite, gint64 offset_ns);

/* Writes a comment; if called in begin, before all records. */
void tnd_rewrite_comment(TndRewrite *rewrite, const char *text);

/* The tool wants no more records.  Only the comments at the end of the file are still read; if it is not compressed,
 * what is before them is skipped. */
void tnd_rewrite_stop(TndRewrite *rewrite);

#endif
