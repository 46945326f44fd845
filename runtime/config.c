/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the settings (run/setting.h) from the environment; on a board also from a table that the program has.
 *
 * Context: at start, in the first thread.
 */
#include "runtime/config.h"

#include "runtime/sentence.h"
#include "runtime/target.h"

#include <stdlib.h>
#include <string.h>

struct tnd_config tnd_config;

#ifdef TND_BOARD
/* "TANDEM_BUFFER=64k", ..., ended by NULL: what the environment does not say.  The program may define it. */
extern const char *const tandem_settings[] __attribute__((weak));

static const char *look_in_table(const char *variable)
{
    size_t n = strlen(variable);
    for (const char *const *line = tandem_settings; line && *line; line++)
        if (strncmp(*line, variable, n) == 0 && (*line)[n] == '=')
            return *line + n + 1;
    return NULL;
}
#else
static const char *look_in_table(const char *variable)
{
    return NULL;
}
#endif

static const char *look_up(const char *variable)
{
    const char *value = getenv(variable);
    return value ? value : look_in_table(variable);
}

/* A copy for ever; not of malloc, because LeakSanitizer would complain to the program of memory that it does not know
 * to be in use.  NULL: there is no memory. */
static const char *keep(const char *value)
{
    static char room[256];
    static size_t n_used;
    size_t n = strlen(value) + 1;
    char *copy = n <= sizeof room - n_used ? room + n_used : tnd_target_pages(n);
    if (copy == room + n_used)
        n_used += n;
    return copy ? memcpy(copy, value, n) : NULL;
}

struct tnd_config_found tnd_config_find(const char *name, const char *also)
{
    struct tnd_config_found found;
    tnd_sentence(found.variable, sizeof found.variable, "TANDEM_", name, NULL);
    for (char *letter = found.variable; *letter; letter++)
        *letter = *letter == '-' ? '_' : *letter >= 'a' && *letter <= 'z' ? (char)(*letter - 'a' + 'A') : *letter;
    found.value = look_up(found.variable);
    if (!found.value && also[0]) {
        tnd_sentence(found.variable, sizeof found.variable, also, NULL);
        found.value = look_up(also);
    }
    found.value = found.value && found.value[0] ? keep(found.value) : NULL;
    return found;
}

void tnd_config_refuse(const struct tnd_config_found *found, const char *takes, const char *default_,
                       void (*report)(const char *sentence))
{
    char sentence[512], wrong[101];
    size_t n;
    const char *what = tnd_value_wrong(found->value, takes, &n);
    n = n < 100 ? n : 100;
    memcpy(wrong, what, n);
    wrong[n] = 0;
    tnd_sentence(sentence, sizeof sentence, found->variable, ": got \"", wrong, "\", takes ", takes, "; using ",
                 default_[0] ? default_ : "none", NULL);
    report(sentence);
}

void tnd_config_start(void (*report)(const char *sentence))
{
#define READ(kind, field, name, also, default_, takes, help)                                                           \
    TND_CONFIG_READ(&tnd_config.field, kind, name, also, default_, takes, report);
    TND_SETTING_TABLE(READ)
}

const char *tnd_config_lookup(const char *variable)
{
    const char *value = look_up(variable);
    return value && value[0] ? value : NULL;
}
