/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decompression with ISA-L, whose state takes 87 KB: the window of decompressed bytes, and tables of codes.
 */
#include "analysis/base/gunzip.h"

#include <isa-l/igzip_lib.h>

struct TndGunzip {
    struct inflate_state state;
    gboolean has_begun; /* inside a member */
};

TndGunzip *tnd_gunzip_new(void)
{
    return g_new0(TndGunzip, 1);
}

void tnd_gunzip_free(TndGunzip *gunzip)
{
    g_free(gunzip);
}

TndGunzipResult tnd_gunzip_convert(TndGunzip *gunzip, const char *from, gsize n_from, char *to, gsize n_to,
                                   gsize *n_read, gsize *n_written)
{
    struct inflate_state *state = &gunzip->state;
    if (!gunzip->has_begun) {
        isal_inflate_init(state);
        state->crc_flag = ISAL_GZIP;
        gunzip->has_begun = TRUE;
    }
    state->next_in = (guint8 *)from; /* ISA-L does not write to it */
    state->avail_in = (guint32)n_from;
    state->next_out = (guint8 *)to;
    state->avail_out = (guint32)n_to;
    int result = isal_inflate(state);
    *n_read = n_from - state->avail_in;
    *n_written = n_to - state->avail_out;
    if (result < ISAL_DECOMP_OK || result == ISAL_NEED_DICT)
        return TND_GUNZIP_DAMAGED;
    gunzip->has_begun = state->block_state != ISAL_BLOCK_FINISH;
    return gunzip->has_begun ? TND_GUNZIP_GOES_ON : TND_GUNZIP_MEMBER_ENDED;
}
