/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the settings (run/setting.h) from the environment.
 *
 * Context: at start, in the first thread; may allocate.
 */
#include "runtime/config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tnd_config tnd_config;

/* A copy of a setting's value, because the program may change its environment, and the variable that it is from; NULL
 * if none is set. */
static const char *find(const char *name, const char *also, char variable[static 64])
{
    size_t n = (size_t)snprintf(variable, 64, "TANDEM_%s", name);
    for (size_t i = 0; i < n && i < 63; i++)
        variable[i] = variable[i] == '-' ? '_' : (char)toupper((unsigned char)variable[i]);
    const char *value = getenv(variable);
    if (!value && also[0]) {
        snprintf(variable, 64, "%s", also);
        value = getenv(variable);
    }
    return value && value[0] ? strdup(value) : NULL;
}

void tnd_config_start(void (*report)(const char *sentence))
{
    char variable[64], sentence[512];
    const char *value, *wrong;
    size_t n;
#define READ(kind, field, name, also, default_, takes, help)                                                           \
    tnd_value_##kind(&tnd_config.field, default_, "");                                                                 \
    value = find(name, also, variable);                                                                                \
    if (value && !tnd_value_##kind(&tnd_config.field, value, takes)) {                                                 \
        wrong = tnd_value_wrong(value, takes, &n);                                                                     \
        snprintf(sentence, sizeof sentence, "%s: got \"%.*s\", takes %s; using %s", variable, n < 100 ? (int)n : 100,  \
                 wrong, takes, default_[0] ? default_ : "none");                                                       \
        report(sentence);                                                                                              \
    }
    TND_SETTING_TABLE(READ)
}

const char *tnd_config_lookup(const char *variable)
{
    const char *value = getenv(variable);
    return value && value[0] ? value : NULL;
}
