/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times and limits as a user types them.  All are read before any is applied.
 */
#include "viewer/session_parts.h"

#include "formats/value.h"
#include "viewer/paint/ruler.h"

#include <gio/gio.h>
#include <string.h>

static gboolean complain(GError **error, const char *what, const char *text, const char *takes)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: got '%s', takes %s", what, text, takes);
    return FALSE;
}

/* Without blanks, as in "1.5 ms".  Free with g_free. */
static char *squeeze(const char *text)
{
    char **parts = g_strsplit_set(text, " \t", -1), *squeezed = g_strjoinv("", parts);
    g_strfreev(parts);
    return squeezed;
}

/* otherwise: for an empty text.  from_ns: what "+20us" counts from; G_MAXUINT64: it is not allowed. */
static gboolean read_time(const char *what, const char *typed, guint64 otherwise, guint64 from_ns, guint64 *time_ns,
                          GError **error)
{
    char *text = squeeze(typed);
    const gboolean is_length = from_ns != G_MAXUINT64 && *text == '+';
    gboolean is_good = TRUE;
    *time_ns = otherwise;
    if (*text && strcmp(text, "0")) {
        is_good = tnd_value_period(time_ns, text + is_length, "") ||
                  complain(error, what, typed, "a time with its unit, as 500ns, 20us, 1.5ms, 2s");
        *time_ns += is_good && is_length ? from_ns : 0;
    } else if (*text) {
        *time_ns = 0;
    }
    g_free(text);
    return is_good;
}

static gboolean read_times(const TndSession *session, const TndTyped *typed, TndZoom *zoom, GError **error)
{
    const guint64 end_ns = tnd_trace_end_ns(session->trace);
    char *end = tnd_ruler_time_text(end_ns, 0);
    gboolean is_good = read_time("From", typed->begin, 0, G_MAXUINT64, &zoom->begin_ns, error) &&
                       read_time("To", typed->end, end_ns, zoom->begin_ns, &zoom->end_ns, error);
    if (is_good && zoom->begin_ns >= end_ns) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "From: the trace ends at %s", end);
        is_good = FALSE;
    }
    if (is_good && zoom->end_ns <= zoom->begin_ns)
        is_good = complain(error, "To", typed->end, "a time after the begin");
    zoom->end_ns = MIN(zoom->end_ns, end_ns);
    g_free(end);
    return is_good;
}

static gboolean read_limit(const char *what, const char *typed, gboolean is_most, const TndPaletteScale *scale,
                           double *limit, gboolean *is_percentile, GError **error)
{
    char *text = squeeze(typed);
    gboolean is_good = TRUE;
    *is_percentile = FALSE;
    if (*text)
        is_good = tnd_look_parse_limit(text, limit, is_percentile) ||
                  complain(error, what, typed, "a number, a time as 10us, a size as 1M, or a percentile as 99%");
    else
        *limit = is_most ? scale->most : scale->least;
    g_free(text);
    return is_good;
}

static gboolean read_limits(const TndSession *session, const TndTyped *typed, TndLook *look, GError **error)
{
    const TndPaletteScale scale = tnd_session_parts_scale(session, session->view);
    gboolean least_is, most_is;
    look->has_limits = *typed->least || *typed->most;
    if (!look->has_limits)
        return TRUE;
    if (!read_limit("Least", typed->least, FALSE, &scale, &look->least, &least_is, error) ||
        !read_limit("Most", typed->most, TRUE, &scale, &look->most, &most_is, error))
        return FALSE;
    look->are_percentiles = least_is || most_is;
    if (look->are_percentiles && !*typed->least)
        look->least = 0;
    else if (look->are_percentiles && !*typed->most)
        look->most = 100;
    else if (least_is != most_is)
        return complain(error, "Most", typed->most, "a percentile, as the least is one, or both as values");
    return look->least < look->most || complain(error, "Most", typed->most, "more than the least");
}

gboolean tnd_session_type(TndSession *session, const TndTyped *typed, GError **error)
{
    TndZoom zoom = tnd_session_zoom(session);
    TndLook look = session->look;
    if (!session->view) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no trace is open");
        return FALSE;
    }
    if (!read_times(session, typed, &zoom, error) || !read_limits(session, typed, &look, error))
        return FALSE;
    tnd_session_set_zoom(session, zoom, FALSE);
    tnd_session_set_look(session, look);
    return TRUE;
}
