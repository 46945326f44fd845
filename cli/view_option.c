/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds where the name of the view ends by trying to open it.
 */
#include "cli/view_option.h"

#include "cli/cfg_input.h"
#include "cli/cli.h"

#include <string.h>

#define NEARS_SHOWN 5

gboolean tnd_view_option_number(const char *text, double *number)
{
    char *end;
    *number = g_ascii_strtod(text, &end);
    return end != text && *end == '\0';
}

/* Opens the view that a text begins with; *rest: what follows its name and the separator.  NULL and error: there is no
 * such view. */
static TndView *open_first(const TndTrace *trace, const char *text, char separator, const char **rest, GError **error)
{
    TndView *view = NULL;
    for (const char *end = text + strlen(text); !view && end > text; end--) {
        if (*end != separator)
            continue;
        char *name = g_strndup(text, (gsize)(end - text));
        g_clear_error(error);
        view = tnd_cfg_input_view(trace, name, error);
        *rest = end + 1;
        g_free(name);
    }
    return view;
}

/* Complains of a value, with suggestions. */
static void refuse_value(const char *command, const char *option, TndView *view, const char *text, const char *value)
{
    char **nears = tnd_view_near_texts(view, value, NEARS_SHOWN);
    char *list = g_strjoinv("\", \"", nears);
    tnd_cli_complain(command, "%s: got \"%s\", takes a value that the view has in this trace%s%s%s", option, text,
                     nears[0] ? ", as \"" : "", list, nears[0] ? "\"" : "");
    g_free(list);
    g_strfreev(nears);
}

TndView *tnd_view_option_open(const char *command, const char *option, const TndTrace *trace, const char *text,
                              char separator, double *value)
{
    GError *error = NULL;
    const char *rest;
    TndView *view = open_first(trace, text, separator, &rest, &error);
    if (error)
        tnd_cli_complain(command, "%s", error->message);
    else if (!view)
        tnd_cli_complain(command, "%s: got \"%s\", takes VIEW%cVALUE, as state%cRunning", option, text, separator,
                         separator);
    else if (!tnd_view_option_number(rest, value) && !tnd_view_find_text(view, rest, value)) {
        refuse_value(command, option, view, text, rest);
        tnd_view_free(view);
        view = NULL;
    }
    g_clear_error(&error);
    return view;
}
