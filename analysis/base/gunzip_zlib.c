/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decompression with zlib, for builds without ISA-L; a test of builds with ISA-L compares the two.
 */
#include "analysis/base/gunzip.h"

#include <zlib.h>

#define GZIP_WINDOW_BITS (15 + 16) /* zlib.h: 16 more bits mean a gzip header */

struct TndGunzip {
    z_stream stream;
    gboolean has_ended; /* the last member is complete: the next call begins another one */
};

TndGunzip *tnd_gunzip_new(void)
{
    TndGunzip *gunzip = g_new0(TndGunzip, 1);
    if (inflateInit2(&gunzip->stream, GZIP_WINDOW_BITS) != Z_OK)
        g_error("zlib cannot be initialized");
    return gunzip;
}

void tnd_gunzip_free(TndGunzip *gunzip)
{
    if (gunzip)
        inflateEnd(&gunzip->stream);
    g_free(gunzip);
}

TndGunzipResult tnd_gunzip_convert(TndGunzip *gunzip, const char *from, gsize n_from, char *to, gsize n_to,
                                   gsize *n_read, gsize *n_written)
{
    z_stream *stream = &gunzip->stream;
    if (gunzip->has_ended)
        inflateReset(stream);
    stream->next_in = (guint8 *)from; /* zlib does not write to it */
    stream->avail_in = (guint)n_from;
    stream->next_out = (guint8 *)to;
    stream->avail_out = (guint)n_to;
    int result = inflate(stream, Z_NO_FLUSH);
    *n_read = n_from - stream->avail_in;
    *n_written = n_to - stream->avail_out;
    gunzip->has_ended = result == Z_STREAM_END;
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        return TND_GUNZIP_DAMAGED;
    return gunzip->has_ended ? TND_GUNZIP_MEMBER_ENDED : TND_GUNZIP_GOES_ON;
}
