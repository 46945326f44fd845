/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bytes of a trace: plain, compressed, compressed in pieces, cut off, wrongly named; opening and cancelling one.
 * Also built with zlib instead of ISA-L.
 */
#include "analysis/trace/prv_file.h"
#include "analysis/trace/trace.h"

#include <glib/gstdio.h>
#include <string.h>

static char *directory;

static char *place(const char *name)
{
    return g_build_filename(directory, name, NULL);
}

/* One member, at this level, 0: not made smaller; with a file name in its header if there is one. */
static GByteArray *compress_as(const char *text, gsize length, gint level, const char *name)
{
    GByteArray *bytes = g_byte_array_new();
    GZlibCompressor *compressor = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, level);
    GFileInfo *info = g_file_info_new();
    if (name) {
        g_file_info_set_name(info, name);
        g_zlib_compressor_set_file_info(compressor, info);
    }
    GConverter *converter = G_CONVERTER(compressor);
    gsize done = 0;
    for (GConverterResult result = G_CONVERTER_CONVERTED; result != G_CONVERTER_FINISHED;) {
        guint8 piece[4096];
        gsize n_read, n_written;
        result = g_converter_convert(converter, text + done, length - done, piece, sizeof piece,
                                     G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL);
        g_assert_cmpint(result, !=, G_CONVERTER_ERROR);
        done += n_read;
        g_byte_array_append(bytes, piece, (guint)n_written);
    }
    g_object_unref(converter);
    g_object_unref(info);
    return bytes;
}

static GByteArray *compress(const char *text, gsize length)
{
    return compress_as(text, length, 6, NULL);
}

static void add_member(GByteArray *file, GByteArray *member)
{
    g_byte_array_append(file, member->data, member->len);
    g_byte_array_unref(member);
}

static void write_bytes(const char *name, const void *bytes, gsize length)
{
    char *path = place(name);
    g_assert_true(g_file_set_contents_full(path, bytes, (gssize)length, G_FILE_SET_CONTENTS_NONE, 0666, NULL));
    g_free(path);
}

/* All of a file in reads of `size`; NULL if it fails. */
static GString *read_all_or_say(const char *name, gsize size, char **why)
{
    char *path = place(name);
    GError *error = NULL;
    TndPrvFile *file = tnd_prv_file_open(path, &error);
    g_assert_no_error(error);
    GString *text = g_string_new(NULL);
    char *buffer = g_malloc(size);
    ssize_t n;
    while ((n = tnd_prv_file_read(file, buffer, size)) > 0)
        g_string_append_len(text, buffer, n);
    if (n < 0) {
        g_assert_nonnull(tnd_prv_file_error(file));
        *why = g_strdup(tnd_prv_file_error(file)->message);
        g_assert_cmpint(tnd_prv_file_read(file, buffer, size), ==, -1);
        g_string_free(text, TRUE);
        text = NULL;
    } else {
        g_assert_cmpfloat(tnd_prv_file_fraction(file), ==, 1);
    }
    g_free(buffer);
    tnd_prv_file_close(file);
    g_free(path);
    return text;
}

static GString *read_all(const char *name, gsize size)
{
    char *why = NULL;
    GString *text = read_all_or_say(name, size, &why);
    g_free(why);
    return text;
}

static void check_unreadable(const char *name, const char *expected)
{
    char *why = NULL;
    g_assert_null(read_all_or_say(name, 1 << 16, &why));
    g_assert_cmpstr(why, ==, expected);
    g_free(why);
}

static void check_content(const char *name, const GString *expected)
{
    static const gsize sizes[] = {1 << 20, 4099, 7};
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        GString *text = read_all(name, sizes[i]);
        g_assert_nonnull(text);
        g_assert_true(g_string_equal(text, expected));
        g_string_free(text, TRUE);
    }
}

static GString *long_text(void)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < 30000; i++)
        g_string_append_printf(text, "2:1:1:1:1:%u:%u:7\n", i * 977, g_test_rand_int_range(1, 1 << 30));
    return text;
}

static void test_plain_and_compressed(void)
{
    GString *text = long_text();
    GByteArray *whole = compress(text->str, text->len);
    write_bytes("a.prv", text->str, text->len);
    write_bytes("b.prv.gz", whole->data, whole->len);
    write_bytes("c.prv.gz", text->str, text->len); /* plain, whatever its name */
    check_content("a.prv", text);
    check_content("b.prv.gz", text);
    check_content("c.prv.gz", text);

    GByteArray *pieces = compress(text->str, 1000);
    GByteArray *rest = compress(text->str + 1000, text->len - 1000);
    g_byte_array_append(pieces, rest->data, rest->len);
    write_bytes("d.prv.gz", pieces->data, pieces->len);
    check_content("d.prv.gz", text);

    write_bytes("e.prv.gz", whole->data, whole->len / 2);
    g_assert_null(read_all("e.prv.gz", 1 << 16));
    whole->data[whole->len / 2] ^= 0x55;
    whole->data[whole->len / 2 + 1] ^= 0x55;
    write_bytes("f.prv.gz", whole->data, whole->len);
    g_assert_null(read_all("f.prv.gz", 1 << 16));
    g_byte_array_unref(whole);
    g_byte_array_unref(pieces);
    g_byte_array_unref(rest);
    g_string_free(text, TRUE);
}

/* Members of all kinds and sizes, an empty one among them. */
static void test_members(void)
{
    GString *text = long_text();
    GByteArray *file = g_byte_array_new();
    gsize done = 0;
    for (guint i = 0; i < 300; i++) {
        add_member(file, compress_as(text->str + done, i, (gint)i % 10, i % 3 ? NULL : "a.prv"));
        done += i;
    }
    add_member(file, compress_as(text->str + done, text->len - done, 0, NULL));
    write_bytes("members.prv.gz", file->data, file->len);
    check_content("members.prv.gz", text);
    g_byte_array_unref(file);
    g_string_free(text, TRUE);
}

/* Cut off at each byte, and with each byte of what is not the header wrong.  A few bits say nothing, or another
 * distance at which the same text was. */
static void test_cut_and_damaged(void)
{
    enum { HEADER_BYTES = 10, SUMS_BYTES = 8, MOST_SAME = 3 };
    guint n_same = 0;
    GString *text = long_text();
    g_string_truncate(text, 600);
    GByteArray *file = compress(text->str, text->len);
    for (gsize n = HEADER_BYTES; n < file->len; n++) {
        write_bytes("cut.prv.gz", file->data, n);
        check_unreadable("cut.prv.gz", "the compressed file ends in the middle");
    }
    for (gsize at = HEADER_BYTES; at < file->len; at++) {
        file->data[at] ^= 0x10;
        write_bytes("bad.prv.gz", file->data, file->len);
        GString *read = read_all("bad.prv.gz", 1 << 16);
        if (read) {
            g_assert_true(g_string_equal(read, text));
            g_assert_cmpuint(++n_same, <=, MOST_SAME);
            g_string_free(read, TRUE);
        }
        file->data[at] ^= 0x10;
    }
    file->data[file->len - SUMS_BYTES] ^= 1;
    write_bytes("bad.prv.gz", file->data, file->len);
    check_unreadable("bad.prv.gz", "the compressed file is damaged");
    file->data[file->len - SUMS_BYTES] ^= 1;
    g_byte_array_append(file, (const guint8 *)"rubbish behind it", 17);
    write_bytes("bad.prv.gz", file->data, file->len);
    check_unreadable("bad.prv.gz", "the compressed file is damaged");
    g_byte_array_unref(file);
    g_string_free(text, TRUE);
}

static void check_refused(const char *name, int code)
{
    char *path = place(name);
    GError *error = NULL;
    g_assert_null(tnd_trace_open(path, NULL, NULL, &error));
    g_assert_error(error, G_IO_ERROR, code);
    g_assert_nonnull(strstr(error->message, name)); /* says which */
    g_error_free(error);
    g_free(path);
}

static void test_refused(void)
{
    write_bytes("text.txt", "hello", 5);
    write_bytes("empty.prv", "", 0);
    write_bytes("other.prv", "hello\n", 6);
    char *path = place("folder.prv");
    g_assert_cmpint(g_mkdir(path, 0700), ==, 0);
    g_free(path);
    check_refused("text.txt", G_IO_ERROR_INVALID_FILENAME);
    check_refused("missing.prv", G_IO_ERROR_NOT_FOUND);
    check_refused("folder.prv", G_IO_ERROR_IS_DIRECTORY);
    check_refused("empty.prv", G_IO_ERROR_INVALID_DATA);
    check_refused("other.prv", G_IO_ERROR_INVALID_DATA);
}

static gboolean stop(double fraction, gpointer n_calls)
{
    g_assert_cmpfloat(fraction, >=, 0);
    g_assert_cmpfloat(fraction, <=, 1);
    ++*(guint *)n_calls;
    return FALSE;
}

static void test_cancelled(void)
{
    GString *text = g_string_new("#Paraver (01/01/2026 at 12:00):200000000_ns:1(1):1:1(1:1)\n");
    GString *body = long_text();
    while (text->len < 40 << 20)
        g_string_append_len(text, body->str, (gssize)body->len);
    write_bytes("long.prv", text->str, text->len);
    char *path = place("long.prv");
    GError *error = NULL;
    guint n_calls = 0;
    g_assert_null(tnd_trace_open(path, stop, &n_calls, &error));
    g_assert_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_assert_cmpuint(n_calls, ==, 1);
    g_error_free(error);
    g_free(path);
    g_string_free(text, TRUE);
    g_string_free(body, TRUE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    directory = g_dir_make_tmp("tandem-prv-file-XXXXXX", NULL);
    g_test_add_func("/prv-file/plain-and-compressed", test_plain_and_compressed);
    g_test_add_func("/prv-file/members", test_members);
    g_test_add_func("/prv-file/cut-and-damaged", test_cut_and_damaged);
    g_test_add_func("/prv-file/refused", test_refused);
    g_test_add_func("/prv-file/cancelled", test_cancelled);
    int status = g_test_run();
    GDir *dir = g_dir_open(directory, 0, NULL);
    for (const char *name; (name = g_dir_read_name(dir));) {
        char *path = place(name);
        g_remove(path);
        g_free(path);
    }
    g_dir_close(dir);
    g_rmdir(directory);
    g_free(directory);
    return status;
}
