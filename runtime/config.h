/* SPDX-License-Identifier: Apache-2.0
 *
 * The configuration: one table of environment variables, read once at start.  config.c is the only file inside the
 * program that calls getenv.  A bad value is reported in one line (variable, value, what it takes) and the default is
 * used.
 *
 * A setting has a name ("sampling-period"): the option of `tandem record` is "--" name, the variable "TANDEM_" NAME.
 * The table itself is run/setting.h, because the command's options are made from it too.
 *
 * Context: tnd_config is constant after start and may be read anywhere.
 */
#ifndef TND_CONFIG_H
#define TND_CONFIG_H

#include "run/setting.h"

#include <stdbool.h>
#include <stdint.h>

#define TND_CONFIG_FIELD(kind, field, name, also, default_, takes, help) TND_VALUE_##kind field;
struct tnd_config {
    TND_SETTING_TABLE(TND_CONFIG_FIELD)
};

extern struct tnd_config tnd_config __attribute__((visibility("hidden")));

/* Reads the environment.  Once, at start.  Calls `report` with a sentence for each bad value. */
void tnd_config_start(void (*report)(const char *sentence));

/* The same for a table of a target's own: reads one setting of it into *place. */
#define TND_CONFIG_READ(place, kind, name, also, default_, takes, report)                                              \
    do {                                                                                                               \
        struct tnd_config_found tnd_found = tnd_config_find(name, also);                                               \
        tnd_value_##kind(place, default_, "");                                                                         \
        if (tnd_found.value && !tnd_value_##kind(place, tnd_found.value, takes))                                       \
            tnd_config_refuse(&tnd_found, takes, default_, report);                                                    \
    } while (0)

/* What the user has set, and in which variable; value NULL: nothing.  The value is a copy, because the program may
 * change its environment. */
struct tnd_config_found {
    const char *value;
    char variable[64];
};
struct tnd_config_found tnd_config_find(const char *name, const char *also);
void tnd_config_refuse(const struct tnd_config_found *found, const char *takes, const char *default_,
                       void (*report)(const char *sentence));

/* Value of a variable that is no setting (of a launcher, say); NULL if it is not set or empty.  At start only. */
const char *tnd_config_lookup(const char *variable);

#endif
