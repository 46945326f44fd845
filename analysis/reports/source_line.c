/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads labels from their ends, because names of files may contain whatever stands between the parts.
 */
#include "analysis/reports/source_line.h"

#include <string.h>

/* "FILE:12" up to `end`. */
static gboolean parse_place(const char *text, const char *end, TndSourceLine *line)
{
    const char *digits = end;
    while (digits > text && g_ascii_isdigit(digits[-1]))
        digits--;
    if (digits == end || digits - text < 2 || digits[-1] != ':')
        return FALSE;
    guint64 number = g_ascii_strtoull(digits, NULL, 10);
    gsize length = (gsize)(digits - 1 - text);
    if (!number || number > G_MAXINT32 || strncmp(text, "??", length) == 0)
        return FALSE;
    line->number = (guint)number;
    line->file = g_strndup(text, length);
    return TRUE;
}

/* The last `text` within [from, end); NULL: there is none. */
static const char *find_last(const char *from, const char *end, const char *text)
{
    gsize length = strlen(text);
    for (const char *at = end - length; at >= from; at--)
        if (strncmp(at, text, length) == 0)
            return at;
    return NULL;
}

static char *copy_object(const char *begin, const char *end)
{
    return end > begin && strncmp(begin, "??", (gsize)(end - begin)) != 0 ? g_strndup(begin, (gsize)(end - begin))
                                                                          : NULL;
}

/* "12 (work.c, app)". */
static gboolean parse_numbered(const char *label, TndSourceLine *line)
{
    char *open;
    const guint64 number = g_ascii_strtoull(label, &open, 10);
    const char *end = label + strlen(label), *comma = find_last(label, end, ", ");
    if (!g_ascii_isdigit(*label) || !number || number > G_MAXINT32 || strncmp(open, " (", 2) != 0 || end[-1] != ')' ||
        !comma || comma < open + 3 || strncmp(open + 2, "??", (gsize)(comma - open - 2)) == 0)
        return FALSE;
    line->number = (guint)number;
    line->file = g_strndup(open + 2, (gsize)(comma - open - 2));
    line->object = copy_object(comma + 2, end - 1);
    return TRUE;
}

TndSourceLine tnd_source_line_parse(const char *label)
{
    TndSourceLine line = {0};
    const char *end = label + strlen(label), *open;
    if (parse_numbered(label, &line))
        return line;
    if (g_str_has_suffix(label, "]") && (open = find_last(label, end, " ["))) {
        const char *comma = find_last(open, end, ", ");
        if (comma)
            line.object = copy_object(comma + 2, end - 1);
        if (!parse_place(open + 2, comma ? comma : end - 1, &line) && parse_place(label, open, &line)) {
            g_free(line.file);
            line.file = g_strndup(open + 2, (gsize)(end - 1 - open - 2));
        }
    } else if (!parse_place(label, end, &line)) {
        const char *close = strrchr(label, ']');
        if (label[0] == '[' && close)
            line.object = copy_object(label + 1, close);
        else if (g_str_has_suffix(label, ")") && (open = find_last(label, end, " (")))
            line.object = copy_object(open + 2, end - 1);
    }
    return line;
}

TndSourceLine tnd_source_line_of(const TndTrace *trace, guint32 type, gint64 value)
{
    const char *label = value ? tnd_pcf_value_label(tnd_trace_pcf(trace), type, value) : NULL;
    return label ? tnd_source_line_parse(label) : (TndSourceLine){0};
}

void tnd_source_line_clear(TndSourceLine *line)
{
    g_free(line->file);
    g_free(line->object);
    *line = (TndSourceLine){0};
}
