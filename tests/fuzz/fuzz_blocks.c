/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as a block of an index: they are refused, or are records; and records, written as a block, come back.
 * The first byte is the kind, the next two how many records.
 */
#include "analysis/base/columns.h"
#include "analysis/trace/blocks.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

/* What is not in order of time is not written. */
static gboolean is_in_order(TndBlockKind kind, const guint8 *records, guint n)
{
    guint64 before = 0;
    for (guint i = 0; i < n; i++) {
        guint64 time;
        memcpy(&time, records + i * tnd_blocks_record_bytes[kind], sizeof time);
        if (time < before)
            return FALSE;
        before = time;
    }
    return TRUE;
}

static void check_again(TndBlockKind kind, const guint8 *records, guint n, guint8 *again)
{
    static const guint8 slack[TND_COLUMNS_SLACK];
    GByteArray *bytes = g_byte_array_new();
    TndBlock block = tnd_blocks_write(kind, bytes, records, n);
    g_byte_array_append(bytes, slack, sizeof slack);
    memset(again, 0, n * tnd_blocks_record_bytes[kind]);
    if (!tnd_blocks_read(kind, &block, bytes->data, again) ||
        memcmp(records, again, n * tnd_blocks_record_bytes[kind]) != 0)
        abort();
    g_byte_array_unref(bytes);
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    if (size < 3)
        return 0;
    TndBlockKind kind = data[0] % TND_BLOCK_N;
    guint n = (data[1] | data[2] << 8u) % TND_BLOCKS_RECORDS + 1;
    TndBlock block = {.first_ns = 1000,
                      .last_ns = G_MAXUINT64,
                      .end_ns = G_MAXUINT64,
                      .n_bytes = (guint32)(size - 3),
                      .n_records = n};
    guint8 *bytes = g_malloc0(size - 3 + TND_COLUMNS_SLACK); /* so that reading too far is seen */
    memcpy(bytes, data + 3, size - 3);
    guint8 *records = g_malloc0_n(n, tnd_blocks_record_bytes[kind]);
    guint8 *again = g_malloc0_n(n, tnd_blocks_record_bytes[kind]);
    if (tnd_blocks_read(kind, &block, bytes, records) && is_in_order(kind, records, n))
        check_again(kind, records, n, again);
    g_free(again);
    g_free(records);
    g_free(bytes);
    return 0;
}
