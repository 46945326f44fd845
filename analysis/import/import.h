/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traces of other tools made into traces of tandem.
 */
#ifndef TND_IMPORT_H
#define TND_IMPORT_H

#include "analysis/import/import_trace.h"

#include <gio/gio.h>

/* fraction: from 0 to 1.  If it returns FALSE, the work is cancelled (G_IO_ERROR_CANCELLED). */
typedef gboolean (*TndImportProgress)(double fraction, gpointer user_data);

typedef struct {
    const char *path, *output;
    gboolean force;
    TndImportProgress progress; /* NULL: nobody waits */
    gpointer user_data;
} TndImportOptions;

/* Whether a file is a trace already, by its name. */
gboolean tnd_import_is_prv(const char *path);

/* Finds out what the file is, and makes a trace of it.  FALSE and error: there is none. */
gboolean tnd_import_run(const TndImportOptions *options, TndImportResult *result, GError **error);

/* Opens a file, which may be compressed by gzip.  Free with g_object_unref; NULL and error: it failed. */
GInputStream *tnd_import_open(const char *path, GError **error);

/* A reader: says what happened (import_trace.h), and when the trace begins and ends.  FALSE and error: it failed. */
typedef gboolean (*TndImportReader)(const TndImportOptions *options, TndImport *import, guint64 *begin_ns,
                                    guint64 *end_ns, GError **error);

/* For readers: shows how much of a file of text has been read, from time to time.  FALSE and error: it is cancelled. */
typedef struct {
    const TndImportOptions *options;
    goffset size;
    guint n_calls;
} TndImportMeter;
TndImportMeter tnd_import_meter(const TndImportOptions *options);
gboolean tnd_import_meter_go_on(TndImportMeter *meter, GInputStream *stream, GError **error);

gboolean tnd_import_chrome(const TndImportOptions *options, TndImport *import, guint64 *begin_ns, guint64 *end_ns,
                           GError **error);
/* Whether the first bytes of a file are what `perf script` prints. */
gboolean tnd_import_perf_is(const char *text);
gboolean tnd_import_perf(const TndImportOptions *options, TndImport *import, guint64 *begin_ns, guint64 *end_ns,
                         GError **error);
gboolean tnd_import_otf2(const TndImportOptions *options, TndImport *import, guint64 *begin_ns, guint64 *end_ns,
                         GError **error);

#endif
