/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The formats of other tools that a trace is written in, and what their writers share.
 *
 * Memory: by the number of rows, names and different stacks, independent of the number of records.
 */
#ifndef TND_CONVERSION_H
#define TND_CONVERSION_H

#include "analysis/trace/trace.h"

#include <stdio.h>

typedef struct {
    FILE *file; /* NULL: an archive is written */
    const TndTrace *trace;
    const gboolean *is_chosen; /* of each thread; NULL: all are */
    TndTraceProgress progress; /* NULL: nobody waits */
    gpointer user_data;
} TndConversion;

typedef struct {
    const char *name;
    void (*write)(const TndConversion *conversion); /* if it fails, the file has the error */
    /* Instead, for a format of several files: they are made in an empty directory.  FALSE and error: it failed. */
    gboolean (*write_archive)(const TndConversion *conversion, const char *directory, GError **error);
    const char *anchor; /* the file that every such directory has; NULL: the format is one file */
    /* Whether a trace has what is written, and the sentence for one that has not. */
    gboolean (*has_any)(const TndTrace *trace);
    const char *nothing;
} TndConversionFormat;

extern const TndConversionFormat tnd_conversion_formats[];
extern const guint tnd_conversion_n;

/* NULL: there is none of this name. */
const TndConversionFormat *tnd_conversion_find(const char *name);

/* When the run began, in s since 1970; 0: the trace does not say. */
gint64 tnd_conversion_begin_s(const TndTrace *trace);

static inline gboolean tnd_conversion_is_chosen(const TndConversion *conversion, guint row)
{
    return !conversion->is_chosen || conversion->is_chosen[row];
}

/* Writes the bytes to the file and empties the array, if there are at least so many. */
static inline void tnd_conversion_flush(const TndConversion *conversion, GByteArray *bytes, guint at_least)
{
    if (bytes->len < at_least)
        return;
    fwrite(bytes->data, 1, bytes->len, conversion->file);
    g_byte_array_set_size(bytes, 0);
}
#define TND_CONVERSION_BUFFER (1 << 16)

#endif
