/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a configuration and reports its unknown keys.
 */
#include "cli/cfg_input.h"

#include "cli/cli.h"

static void report_unknown_keys(const TndCfg *cfg)
{
    for (guint i = 0; cfg && cfg->unknown_keys[i]; i++) {
        char *where = g_strdup_printf("%s:%s", cfg->path, cfg->unknown_keys[i]);
        tnd_cli_complain(where, TND_CFG_UNKNOWN_KEY);
        g_free(where);
    }
}

TndCfg *tnd_cfg_input_read(const char *path, GError **error)
{
    TndCfg *cfg = tnd_cfg_read(path, error);
    report_unknown_keys(cfg);
    return cfg;
}

TndView *tnd_cfg_input_view(const TndTrace *trace, const char *name, GError **error)
{
    TndView *view = tnd_view_new(trace, name, error);
    report_unknown_keys(view ? tnd_view_cfg(view) : NULL);
    return view;
}
