/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading what users write, and what a look means for a view.
 */
#include "viewer/paint/look.h"

#include "formats/value.h"

#include <math.h>
#include <string.h>

static const char *const scales[TND_SCALE_N] = {"auto", "linear", "log"};
static const char *const colours[TND_COLOURS_N] = {"muted", "paraver"};
static const char *const themes[TND_THEME_N] = {"light", "dark"};

const char *tnd_look_scale_name(TndScaleKind scale)
{
    return scales[scale];
}

const char *tnd_look_colours_name(TndColours of)
{
    return colours[of];
}

const char *tnd_look_theme_name(TndTheme theme)
{
    return themes[theme];
}

static gboolean parse_name(const char *const *names, guint n, const char *name, guint *at)
{
    for (*at = 0; *at < n; ++*at)
        if (strcmp(names[*at], name) == 0)
            return TRUE;
    return FALSE;
}

gboolean tnd_look_parse_scale(TndLook *look, const char *name)
{
    guint at;
    if (!parse_name(scales, TND_SCALE_N, name, &at))
        return FALSE;
    look->scale = at;
    return TRUE;
}

gboolean tnd_look_parse_colours(TndLook *look, const char *name)
{
    guint at;
    if (!parse_name(colours, TND_COLOURS_N, name, &at))
        return FALSE;
    look->colours = at;
    return TRUE;
}

gboolean tnd_look_parse_theme(TndLook *look, const char *name)
{
    guint at;
    if (!parse_name(themes, TND_THEME_N, name, &at))
        return FALSE;
    look->theme = at;
    look->has_theme = TRUE;
    return TRUE;
}

/* A plain number, a time, which is a number of ns, a size in bytes, or a percentile. */
gboolean tnd_look_parse_limit(const char *text, double *limit, gboolean *is_percentile)
{
    char *end;
    guint64 number;
    *limit = g_ascii_strtod(text, &end);
    *is_percentile = end != text && !strcmp(end, "%");
    if (end != text && (!*end || *is_percentile))
        return isfinite(*limit) && *limit >= 0 && !(*is_percentile && *limit > 100);
    if (!tnd_value_duration(&number, text, "") && !tnd_value_size(&number, text, ""))
        return FALSE;
    *limit = (double)number;
    return TRUE;
}

gboolean tnd_look_parse_limits(TndLook *look, const char *text)
{
    gboolean are_percentiles[2] = {FALSE, FALSE};
    char **parts = g_strsplit(text, "-", 2);
    look->has_limits = parts[0] && parts[1] && tnd_look_parse_limit(parts[0], &look->least, &are_percentiles[0]) &&
                       tnd_look_parse_limit(parts[1], &look->most, &are_percentiles[1]) &&
                       are_percentiles[0] == are_percentiles[1] && look->least < look->most;
    look->are_percentiles = are_percentiles[0];
    g_strfreev(parts);
    return look->has_limits;
}

char *tnd_look_limits_text(const TndLook *look)
{
    const char *sign = look->are_percentiles ? "%" : "";
    return look->has_limits ? g_strdup_printf("%.17g%s-%.17g%s", look->least, sign, look->most, sign) : NULL;
}

TndDrawMode tnd_look_mode(const TndLook *look, gboolean are_codes)
{
    return look->mode == TND_MODE_AVERAGE && are_codes ? TND_MODE_TIME : look->mode;
}
