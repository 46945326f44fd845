/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `tandem cut`, `tandem filter` and `tandem shift` share: making a trace from another one, with progress on the
 * terminal, and a summary.  A signal cancels it, and no files are left.
 */
#ifndef TND_REWRITING_H
#define TND_REWRITING_H

#include "analysis/rewrite/rewrite.h"

/* Options as given on the command line. */
typedef struct {
    const char *command, *doing; /* "cut", "cutting" */
    char *output, *rows;
    gboolean force, all_stay, is_quiet;
} TndRewritingWords;

#define TND_REWRITING_ENTRIES(words)                                                                                   \
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &(words)->output, "The trace to write, x.prv or x.prv.gz", "FILE"},      \
        {"force", 'f', 0, G_OPTION_ARG_NONE, &(words)->force, "Overwrite an existing trace", NULL},                    \
    {                                                                                                                  \
        "quiet", 'q', 0, G_OPTION_ARG_NONE, &(words)->is_quiet, "Print nothing but faults", NULL                       \
    }

#define TND_REWRITING_ROWS(words)                                                                                      \
    {"rows", 'r', 0, G_OPTION_ARG_STRING, &(words)->rows, "Only these rows: 1.2.*, 1.1-4, rank:0-3, names", "ROWS"},   \
    {                                                                                                                  \
        "keep-rows", 0, 0, G_OPTION_ARG_NONE, &(words)->all_stay,                                                      \
            "Keep the other rows, empty, so that no row gets another number", NULL                                     \
    }

typedef gboolean (*TndRewritingRun)(const TndRewriteOptions *options, gconstpointer tool_options,
                                    TndRewriteResult *result, GError **error);

/* Returns the command's exit status; frees the words. */
int tnd_rewriting_run(TndRewritingWords *words, const char *path, TndRewritingRun run, gconstpointer tool_options);

/* Parses "A:B".  Either side may be missing, and *low or *high is then left as it is.  parse: of a side, returns FALSE
 * if it is faulty.  FALSE: complained. */
gboolean tnd_rewriting_range(const char *command, const char *option, const char *text, const char *takes,
                             gboolean (*parse)(const char *text, gint64 *number), gint64 *low, gint64 *high);

/* For `parse`: durations and sizes. */
gboolean tnd_rewriting_duration(const char *text, gint64 *ns);
gboolean tnd_rewriting_size(const char *text, gint64 *bytes);

#endif
