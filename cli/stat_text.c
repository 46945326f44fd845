/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts of `tandem stat`.
 */
#include "cli/stat_text.h"

#include "analysis/base/quantity.h"
#include "cli/cli.h"

#include <stdio.h>
#include <unistd.h>

const TndStatColours *tnd_stat_text_colours(void)
{
    static const TndStatColours none = {"", "", "", "", ""};
    static const TndStatColours some = {"\033[1m", "\033[34m", "\033[31m", "\033[33m", "\033[0m"};
    return isatty(STDOUT_FILENO) ? &some : &none;
}

const char *tnd_stat_text_quantity(TndStatPool *pool, double value, const char *unit)
{
    char *text = tnd_quantity_text(value, unit);
    g_ptr_array_add(pool, text);
    return text;
}

const char *tnd_stat_text_count(TndStatPool *pool, guint64 n, const char *one, const char *many)
{
    char *number = tnd_quantity_text((double)n, "");
    char *text = g_strdup_printf("%s %s", number, n == 1 ? one : many);
    g_free(number);
    g_ptr_array_add(pool, text);
    return text;
}

void tnd_stat_text_title(const char *title)
{
    printf("\n%s%s%s\n", tnd_stat_text_colours()->title, title, tnd_stat_text_colours()->end);
}

const char *tnd_stat_text_cut(TndStatPool *pool, const char *name, glong width)
{
    char *text = tnd_cli_cut(name, width);
    g_ptr_array_add(pool, text);
    return text;
}

const char *tnd_stat_text_fit(TndStatPool *pool, const char *name, glong width)
{
    char *text = tnd_cli_fit(name, width);
    g_ptr_array_add(pool, text);
    return text;
}
