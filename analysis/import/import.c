/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a file is, is told by its first bytes.
 */
#include "analysis/import/import.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#define FIRST_BYTES 4096
#define CALLS_OF_A_STEP 16 /* of a meter */

static gboolean is_otf2(const char *text)
{
    return text[0] == 3 && strncmp(text + 2, "OTF2", 4) == 0;
}

static gboolean is_chrome(const char *text)
{
    text += strspn(text, " \t\r\n");
    return *text == '{' || *text == '[';
}

static const struct {
    gboolean (*is)(const char *text); /* the first bytes of the file */
    TndImportReader read;
} readers[] = {{is_otf2, tnd_import_otf2}, {is_chrome, tnd_import_chrome}, {tnd_import_perf_is, tnd_import_perf}};

#define FORMATS "an OTF2 archive, Chrome's JSON, text of `perf script`"

/* Reads the first bytes of a file, decompressed, with a 0 behind them. */
static gboolean peek(const char *path, char text[FIRST_BYTES + 1], GError **error)
{
    gsize n = 0;
    GInputStream *stream = tnd_import_open(path, error);
    gboolean good = stream && g_input_stream_read_all(stream, text, FIRST_BYTES, &n, NULL, error);
    text[n] = '\0';
    g_clear_object(&stream);
    return good;
}

GInputStream *tnd_import_open(const char *path, GError **error)
{
    GFile *file = g_file_new_for_path(path);
    GInputStream *raw = G_INPUT_STREAM(g_file_read(file, NULL, error));
    g_object_unref(file);
    if (!raw)
        return NULL;
    GInputStream *buffered = g_buffered_input_stream_new(raw);
    g_object_unref(raw);
    gsize n;
    g_buffered_input_stream_fill(G_BUFFERED_INPUT_STREAM(buffered), -1, NULL, NULL);
    const guchar *first = g_buffered_input_stream_peek_buffer(G_BUFFERED_INPUT_STREAM(buffered), &n);
    if (n < 2 || first[0] != 0x1f || first[1] != 0x8b)
        return buffered;
    GConverter *gunzip = G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP));
    GInputStream *plain = g_converter_input_stream_new(buffered, gunzip);
    g_object_unref(gunzip);
    g_object_unref(buffered);
    return plain;
}

TndImportMeter tnd_import_meter(const TndImportOptions *options)
{
    GStatBuf status;
    return (TndImportMeter){options, g_stat(options->path, &status) == 0 ? status.st_size : 0, 0};
}

gboolean tnd_import_meter_go_on(TndImportMeter *meter, GInputStream *stream, GError **error)
{
    if (++meter->n_calls % CALLS_OF_A_STEP || !meter->options->progress)
        return TRUE;
    GInputStream *raw = stream; /* the file below what decompresses and buffers it */
    while (G_IS_FILTER_INPUT_STREAM(raw))
        raw = g_filter_input_stream_get_base_stream(G_FILTER_INPUT_STREAM(raw));
    double fraction = (double)g_seekable_tell(G_SEEKABLE(raw)) / (double)MAX(meter->size, 1);
    if (meter->options->progress(MIN(fraction, 1), meter->options->user_data))
        return TRUE;
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
    return FALSE;
}

gboolean tnd_import_is_prv(const char *path)
{
    return g_str_has_suffix(path, ".prv") || g_str_has_suffix(path, ".prv.gz");
}

static TndImportReader find_reader(const char *path, GError **error)
{
    char text[FIRST_BYTES + 1];
    if (!peek(path, text, error))
        return NULL;
    for (guint i = 0; i < G_N_ELEMENTS(readers); i++)
        if (readers[i].is(text))
            return readers[i].read;
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                        "is not a trace that tandem can read, by its first bytes: " FORMATS ", or a .prv");
    return NULL;
}

static gboolean make_trace(const TndImportOptions *options, TndImportReader read, TndImportResult *result,
                           GError **error)
{
    guint64 begin_ns = 0, end_ns = 0;
    TndImport *import = tnd_import_trace_new(options->output, options->force, error);
    gboolean good = import && read(options, import, &begin_ns, &end_ns, error) &&
                    tnd_import_trace_finish(import, begin_ns, end_ns, result, error);
    tnd_import_trace_free(import);
    return good;
}

gboolean tnd_import_run(const TndImportOptions *options, TndImportResult *result, GError **error)
{
    TndImportOptions used = *options;
    char *inner =
        g_file_test(options->path, G_FILE_TEST_IS_DIR) ? g_build_filename(options->path, "traces.otf2", NULL) : NULL;
    *result = (TndImportResult){0};
    if (inner)
        used.path = inner;
    TndImportReader read = find_reader(used.path, error);
    gboolean good = read && make_trace(&used, read, result, error);
    if (!good)
        g_prefix_error(error, "%s: ", used.path);
    g_free(inner);
    return good;
}
