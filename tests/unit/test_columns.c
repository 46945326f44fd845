/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns of numbers come back as they were, whatever they are, in as few bytes as promised; bytes that are none are
 * refused or read as something, never behind their end.
 */
#include "analysis/base/columns.h"

#define MOST 3000

/* n numbers of up to so many bits, now and then of any. */
static void fill(guint64 *numbers, gsize n, guint bits, gboolean has_large)
{
    for (gsize i = 0; i < n; i++) {
        guint64 any = (guint64)(guint32)g_test_rand_int() << 32 | (guint32)g_test_rand_int();
        gboolean is_large = has_large && g_test_rand_int_range(0, 50) == 0;
        numbers[i] = bits == 0 && !is_large ? 0 : any >> (is_large ? 0 : 64 - bits);
    }
}

static GByteArray *write_column(const guint64 *numbers, gsize n)
{
    static const guint8 slack[TND_COLUMNS_SLACK] = {1, 2, 3, 4, 5, 6, 7, 8};
    GByteArray *bytes = g_byte_array_new();
    tnd_columns_write(bytes, numbers, n);
    g_byte_array_append(bytes, slack, sizeof slack);
    return bytes;
}

static void test_as_they_were(void)
{
    static guint64 numbers[MOST], found[MOST];
    for (guint bits = 0; bits <= 64; bits++)
        for (guint round = 0; round < 8; round++) {
            gsize n = round == 0 ? 1 : (gsize)g_test_rand_int_range(1, MOST);
            fill(numbers, n, bits, round % 2);
            GByteArray *bytes = write_column(numbers, n);
            const guint8 *end = bytes->data + bytes->len - TND_COLUMNS_SLACK;
            g_assert_true(tnd_columns_read(bytes->data, end, found, n) == end);
            g_assert_cmpmem(found, n * sizeof *found, numbers, n * sizeof *numbers);
            g_assert_cmpuint(bytes->len - TND_COLUMNS_SLACK, <=, 9 + 8 * n);
            if (round % 2 == 0)
                g_assert_cmpuint(bytes->len - TND_COLUMNS_SLACK, <=, 9 + (bits + 7) / 8 * n);
            g_byte_array_unref(bytes);
        }
}

static void test_small(void)
{
    static guint64 numbers[MOST];
    for (gsize i = 0; i < MOST; i++)
        numbers[i] = 12345678901234567890u;
    GByteArray *bytes = write_column(numbers, MOST);
    g_assert_cmpuint(bytes->len - TND_COLUMNS_SLACK, ==, 9); /* all equal */
    g_byte_array_unref(bytes);
    fill(numbers, MOST, 7, FALSE);
    numbers[7] = G_MAXUINT64;
    bytes = write_column(numbers, MOST);
    g_assert_cmpuint(bytes->len - TND_COLUMNS_SLACK, <=, 1 + MOST / 2 + MOST + 8); /* one large one is large alone */
    g_byte_array_unref(bytes);
}

static void test_signs(void)
{
    static const gint64 numbers[] = {0, -1, 1, G_MININT64, G_MAXINT64, -123456789};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        g_assert_cmpint((gint64)tnd_columns_unzigzag(tnd_columns_zigzag((guint64)numbers[i])), ==, numbers[i]);
    g_assert_cmpuint(tnd_columns_zigzag((guint64)-1), ==, 1);
}

/* Run with AddressSanitizer, too. */
static void test_damaged(void)
{
    static guint64 numbers[MOST], found[MOST];
    for (guint round = 0; round < 2000; round++) {
        gsize n = (gsize)g_test_rand_int_range(1, 40);
        fill(numbers, n, (guint)g_test_rand_int_range(0, 65), TRUE);
        GByteArray *bytes = write_column(numbers, n);
        guint n_bytes = bytes->len - TND_COLUMNS_SLACK, cut = (guint)g_test_rand_int_range(0, (gint32)n_bytes + 1);
        bytes->data[g_test_rand_int_range(0, (gint32)n_bytes)] = (guint8)g_test_rand_int();
        guint8 *own = g_memdup2(bytes->data, cut + TND_COLUMNS_SLACK); /* so that reading too far is seen */
        const guint8 *end = tnd_columns_read(own, own + cut, found, n);
        g_assert_true(!end || (end > own && end <= own + cut));
        g_free(own);
        g_byte_array_unref(bytes);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/columns/as-they-were", test_as_they_were);
    g_test_add_func("/columns/small", test_small);
    g_test_add_func("/columns/signs", test_signs);
    g_test_add_func("/columns/damaged", test_damaged);
    return g_test_run();
}
