/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parses the two sides of the colon.
 */
#include "cli/time_option.h"

#include "cli/cli.h"
#include "cli/rewriting.h"

#include <string.h>

/* Parses a time or a percentage; an empty text leaves *time as it is. */
static gboolean parse_time(const char *text, TndRewriteTime *time)
{
    char *end;
    gint64 ns;
    if (!*text)
        return TRUE;
    double percent = g_ascii_strtod(text, &end);
    if (end > text && strcmp(end, "%") == 0 && percent >= 0 && percent <= 100) {
        time->percent = percent;
        return TRUE;
    }
    if (!tnd_rewriting_duration(text, &ns))
        return FALSE;
    *time = (TndRewriteTime){(guint64)ns, -1};
    return TRUE;
}

gboolean tnd_time_option_parse(const char *command, const char *option, const char *text, TndRewriteTime *begin,
                               TndRewriteTime *end)
{
    if (!text)
        return TRUE;
    char **sides = g_strsplit(text, ":", -1);
    gboolean good = g_strv_length(sides) == 2 && (*sides[0] || *sides[1]) && parse_time(sides[0], begin) &&
                    parse_time(sides[1], end);
    g_strfreev(sides);
    if (!good)
        tnd_cli_complain(command,
                         "%s: got \"%s\", takes BEGIN:END, two times or parts of the duration, as 1.5ms:2s, 10%%:20%%, "
                         "1s: or :50%%",
                         option, text);
    return good;
}
