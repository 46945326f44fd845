/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the offsets of rows from the options or from a file.
 */
#include "analysis/rewrite/rewrite_shift.h"

#include "analysis/rewrite/rewrite_cut.h"
#include "analysis/trace/row_choice.h"
#include "formats/value.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>

/* A file that is being read. */
typedef struct {
    const TndRewrite *rewrite;
    const char *path;
    guint line, next_row;
    gint64 *offsets;
} Reading;

gboolean tnd_rewrite_shift_parse(const char *text, gint64 *offset_ns)
{
    gboolean is_negative = *text == '-';
    uint64_t ns;
    if (!tnd_value_duration(&ns, text + (is_negative || *text == '+'), ""))
        return FALSE;
    *offset_ns = is_negative ? -(gint64)ns : (gint64)ns;
    return TRUE;
}

static gboolean set_rows(const TndRewrite *rewrite, const char *rows, gint64 offset_ns, gint64 *offsets, GError **error)
{
    gboolean *chosen =
        rows ? tnd_row_choice_parse(rows, tnd_rewrite_header(rewrite), tnd_rewrite_names(rewrite), error) : NULL;
    if (rows && !chosen)
        return FALSE;
    for (guint row = 0; row < tnd_rewrite_n_rows(rewrite); row++)
        if (!chosen || chosen[row])
            offsets[row] = offset_ns;
    g_free(chosen);
    return TRUE;
}

/* The offset is the last word, because names of rows may contain blanks.  A number without a unit is in ns, as in
 * Paraver.
 */
static gboolean read_line(Reading *reading, char *line, GError **error)
{
    char *end, *word = strrchr(line, ' '), *tab = strrchr(line, '\t');
    gint64 offset_ns;
    word = tab > word ? tab : word;
    gboolean is_alone = !word;
    offset_ns = g_ascii_strtoll(line, &end, 10);
    if ((!is_alone || *end) && !tnd_rewrite_shift_parse(is_alone ? line : word + 1, &offset_ns)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                    "%s:%u: got \"%s\", takes rows and a time, as 1.2.* -1.5ms", reading->path, reading->line, line);
        return FALSE;
    }
    if (is_alone && reading->next_row < tnd_rewrite_n_rows(reading->rewrite))
        reading->offsets[reading->next_row++] = offset_ns;
    if (is_alone)
        return TRUE;
    *word = '\0';
    gboolean good = set_rows(reading->rewrite, g_strstrip(line), offset_ns, reading->offsets, error);
    if (!good) {
        g_prefix_error(error, "%s:%u: ", reading->path, reading->line);
        if (error)
            (*error)->code = G_IO_ERROR_INVALID_DATA;
    }
    return good;
}

static gboolean read_file(Reading *reading, GError **error)
{
    char *text;
    GError *reason = NULL;
    if (!g_file_get_contents(reading->path, &text, NULL, &reason)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", reading->path,
                    g_error_matches(reason, G_FILE_ERROR, G_FILE_ERROR_NOENT) ? g_strerror(ENOENT) : reason->message);
        g_error_free(reason);
        return FALSE;
    }
    char **lines = g_strsplit(text, "\n", -1);
    gboolean good = TRUE;
    for (char **line = lines; *line && good; line++) {
        reading->line++;
        g_strstrip(*line);
        if (**line && **line != '#')
            good = read_line(reading, *line, error);
    }
    g_strfreev(lines);
    g_free(text);
    return good;
}

static gint64 *make_offsets(gpointer user_data, TndRewrite *rewrite, GError **error)
{
    const TndRewriteShiftOptions *options = user_data;
    guint n_rows = tnd_rewrite_n_rows(rewrite);
    gint64 *offsets = g_new0(gint64, n_rows + 1), low = G_MAXINT64, high = G_MININT64, end_ns;
    Reading reading = {.rewrite = rewrite, .path = options->file, .offsets = offsets};
    if (!(options->file ? read_file(&reading, error)
                        : set_rows(rewrite, options->rows, options->offset_ns, offsets, error))) {
        if (!options->file)
            g_prefix_error(error, "--rows: ");
        g_free(offsets);
        return NULL;
    }
    for (guint row = 0; row < n_rows; row++) {
        low = MIN(low, offsets[row]);
        high = MAX(high, offsets[row]);
    }
    if (__builtin_add_overflow((gint64)MIN(tnd_rewrite_end_ns(rewrite), (guint64)G_MAXINT64), high, &end_ns))
        end_ns = G_MAXINT64;
    tnd_rewrite_set_end(rewrite, (guint64)MAX(end_ns, 0));
    if (low != high)
        tnd_rewrite_put_into_order(rewrite, low);
    return offsets;
}

gboolean tnd_rewrite_shift_run(const TndRewriteOptions *options, const TndRewriteShiftOptions *shift,
                               TndRewriteResult *result, GError **error)
{
    const TndRewriteCutOptions cut = {.offsets = make_offsets, .user_data = (gpointer)shift};
    return tnd_rewrite_cut_run(options, &cut, result, error);
}
