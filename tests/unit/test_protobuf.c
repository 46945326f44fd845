/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The encoding of protocol buffers, byte by byte, and nested messages of lengths around 128 and 16384.
 */
#include "analysis/convert/protobuf.h"

#include <string.h>

static void expect(GByteArray *bytes, const char *expected, gsize n)
{
    g_assert_cmpmem(bytes->data, bytes->len, expected, n);
    g_byte_array_set_size(bytes, 0);
}

static void test_fields(void)
{
    GByteArray *bytes = g_byte_array_new();
    tnd_protobuf_number(bytes, 1, 150);
    expect(bytes, "\x08\x96\x01", 3);
    tnd_protobuf_number(bytes, 16, 0);
    expect(bytes, "\x80\x01\x00", 3);
    tnd_protobuf_number(bytes, 2, (guint64)-1);
    expect(bytes, "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
    tnd_protobuf_double(bytes, 3, 1.0);
    expect(bytes, "\x19\0\0\0\0\0\0\xf0\x3f", 9);
    tnd_protobuf_text(bytes, 2, "testing");
    expect(bytes, "\x12\x07testing", 9);
    tnd_protobuf_text(bytes, 2, "a\xff"); /* the sign for what cannot be read stands in its place */
    expect(bytes,
           "\x12\x04"
           "a\xef\xbf\xbd",
           6);
    g_byte_array_unref(bytes);
}

static void test_messages(void)
{
    static const struct {
        guint size;
        const char *head;
        guint n_head;
    } cases[] = {{0, "\x1a\x02\x22\x00", 4},
                 {125, "\x1a\x7f\x22\x7d", 4},
                 {126, "\x1a\x80\x01\x22\x7e", 5},
                 {128, "\x1a\x83\x01\x22\x80\x01", 6},
                 {16384, "\x1a\x84\x80\x01\x22\x80\x80\x01", 8}};
    char *text = g_malloc(16384);
    memset(text, 'x', 16384);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        GByteArray *bytes = g_byte_array_new();
        guint outer = tnd_protobuf_begin(bytes, 3), inner = tnd_protobuf_begin(bytes, 4);
        g_byte_array_append(bytes, (const guint8 *)text, cases[i].size);
        tnd_protobuf_end(bytes, inner);
        tnd_protobuf_end(bytes, outer);
        g_assert_cmpmem(bytes->data, cases[i].n_head, cases[i].head, cases[i].n_head);
        g_assert_cmpmem(bytes->data + cases[i].n_head, bytes->len - cases[i].n_head, text, cases[i].size);
        g_byte_array_unref(bytes);
    }
    g_free(text);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/protobuf/fields", test_fields);
    g_test_add_func("/protobuf/messages", test_messages);
    return g_test_run();
}
