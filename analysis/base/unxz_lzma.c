/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decompression with liblzma.  How large the result becomes is found out by trying.
 */
#include "analysis/base/unxz.h"

#include <lzma.h>

enum { FIRST_BYTES = 1 << 16 };

GBytes *tnd_unxz(gconstpointer packed, gsize n_bytes, gsize max_bytes)
{
    GByteArray *unpacked = g_byte_array_new();
    lzma_ret status = LZMA_BUF_ERROR;
    for (gsize size = FIRST_BYTES; status == LZMA_BUF_ERROR && unpacked->len < max_bytes; size *= 2) {
        uint64_t memory = UINT64_MAX;
        size_t from = 0, to = 0;
        g_byte_array_set_size(unpacked, (guint)MIN(size, max_bytes));
        status =
            lzma_stream_buffer_decode(&memory, 0, NULL, packed, &from, n_bytes, unpacked->data, &to, unpacked->len);
        if (status == LZMA_OK)
            g_byte_array_set_size(unpacked, (guint)to);
    }
    if (status == LZMA_OK)
        return g_byte_array_free_to_bytes(unpacked);
    g_byte_array_unref(unpacked);
    return NULL;
}
