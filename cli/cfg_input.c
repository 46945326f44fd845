/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a configuration and says what of it is passed over.
 */
#include "cli/cfg_input.h"

#include "cli/cli.h"

static void tell_strangers(const TndCfg *cfg)
{
    for (guint i = 0; cfg && cfg->strangers[i]; i++) {
        char *where = g_strdup_printf("%s:%s", cfg->path, cfg->strangers[i]);
        tnd_cli_complain(where, "is no key of Paraver's; passed over, as it does");
        g_free(where);
    }
}

TndCfg *tnd_cfg_input_read(const char *path, GError **error)
{
    TndCfg *cfg = tnd_cfg_read(path, error);
    tell_strangers(cfg);
    return cfg;
}

TndView *tnd_cfg_input_view(const TndTrace *trace, const char *name, GError **error)
{
    TndView *view = tnd_view_new(trace, name, error);
    tell_strangers(view ? tnd_view_cfg(view) : NULL);
    return view;
}
