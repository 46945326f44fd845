/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a configuration and says what of it is passed over.
 */
#include "cli/cfg_input.h"

#include "cli/cli.h"

TndCfg *tnd_cfg_input_read(const char *path, GError **error)
{
    TndCfg *cfg = tnd_cfg_read(path, error);
    for (guint i = 0; cfg && cfg->strangers[i]; i++) {
        char *where = g_strdup_printf("%s:%s", path, cfg->strangers[i]);
        tnd_cli_complain(where, "is no key of Paraver's; passed over, as it does");
        g_free(where);
    }
    return cfg;
}
