/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An OTF2 archive that is being written: its files and its texts.
 */
#ifndef TND_OTF2_ARCHIVE_H
#define TND_OTF2_ARCHIVE_H

#include "analysis/trace/trace.h"

#include <otf2/otf2.h>

typedef struct {
    const TndTrace *trace;
    OTF2_Archive *handle;
    OTF2_GlobalDefWriter *definitions;
    GHashTable *texts; /* numbers of texts, as numbering.h has them */
} TndOtf2Archive;

/* Begins an archive in an empty directory.  NULL and error: it failed. */
TndOtf2Archive *tnd_otf2_archive_new(const TndTrace *trace, const char *directory, GError **error);

/* Finishes the archive and frees it.  FALSE and error: something failed since its begin. */
gboolean tnd_otf2_archive_close(TndOtf2Archive *archive, GError **error);

/* The number of a text, which is defined when it comes up first. */
OTF2_StringRef tnd_otf2_archive_text(TndOtf2Archive *archive, const char *text);

#endif
