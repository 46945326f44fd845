/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files are written in chunks, as they fill.
 */
#include "analysis/convert/otf2_archive.h"

#include "analysis/base/otf2_errors.h"
#include "analysis/convert/conversion.h"
#include "analysis/convert/numbering.h"
#include "formats/otf2_attributes.h"

/* Of events and of definitions: what the library has in memory of a file. */
#define CHUNK_BYTES (1 << 20)

static OTF2_FlushType flush(void *self, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
    (void)self, (void)type, (void)location, (void)caller, (void)is_final;
    return OTF2_FLUSH;
}

static void define_clock(const TndOtf2Archive *archive)
{
    gint64 begin_s = tnd_conversion_begin_s(archive->trace);
    OTF2_GlobalDefWriter_WriteClockProperties(archive->definitions, 1000000000, 0, tnd_trace_end_ns(archive->trace) + 1,
                                              begin_s ? (guint64)begin_s * 1000000000 : OTF2_UNDEFINED_TIMESTAMP);
}

TndOtf2Archive *tnd_otf2_archive_new(const TndTrace *trace, const char *directory, GError **error)
{
    static const OTF2_FlushCallbacks flushing = {.otf2_pre_flush = flush};
    tnd_otf2_errors_begin();
    TndOtf2Archive *archive = g_new0(TndOtf2Archive, 1);
    archive->trace = trace;
    archive->texts = tnd_numbering_new_texts();
    archive->handle = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, CHUNK_BYTES, CHUNK_BYTES,
                                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive->handle) {
        OTF2_Archive_SetFlushCallbacks(archive->handle, &flushing, NULL);
        OTF2_Archive_SetSerialCollectiveCallbacks(archive->handle);
        OTF2_Archive_SetCreator(archive->handle, TND_OTF2_CREATOR);
        OTF2_Archive_SetDescription(archive->handle, tnd_trace_name(trace));
        OTF2_Archive_OpenEvtFiles(archive->handle);
        OTF2_Archive_OpenDefFiles(archive->handle);
        archive->definitions = OTF2_Archive_GetGlobalDefWriter(archive->handle);
    }
    if (tnd_otf2_errors_take(error)) {
        define_clock(archive);
        return archive;
    }
    tnd_otf2_archive_close(archive, NULL);
    return NULL;
}

gboolean tnd_otf2_archive_close(TndOtf2Archive *archive, GError **error)
{
    if (archive->handle) {
        OTF2_Archive_CloseEvtFiles(archive->handle);
        OTF2_Archive_CloseDefFiles(archive->handle);
        OTF2_Archive_Close(archive->handle);
    }
    g_hash_table_unref(archive->texts);
    g_free(archive);
    return tnd_otf2_errors_take(error);
}

OTF2_StringRef tnd_otf2_archive_text(TndOtf2Archive *archive, const char *text)
{
    gboolean is_new;
    guint number = tnd_numbering_text(archive->texts, text, &is_new);
    if (is_new)
        OTF2_GlobalDefWriter_WriteString(archive->definitions, number - 1, text);
    return number - 1;
}
