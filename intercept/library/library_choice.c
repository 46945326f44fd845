/* SPDX-License-Identifier: Apache-2.0
 *
 * Patterns of libraries and functions.  Context: library_choice.h.
 */
#include "intercept/library/library_choice.h"

#include "run/library_name.h"
#include "runtime/config.h"
#include "runtime/names.h"
#include "runtime/pattern.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pattern {
    struct pattern *next;
    enum tnd_library_state state;
    unsigned number; /* its place in the list, from 1 */
    char text[];
};

static struct pattern *libraries;

static void read_libraries(void)
{
    unsigned number = 0;
    char text[TND_PATTERN_BYTES];
    for (const char *rest = tnd_config.library; (rest = tnd_pattern_next(rest, text));) {
        struct pattern *pattern = calloc(1, sizeof *pattern + strlen(text) + 1);
        if (!pattern)
            continue;
        strcpy(pattern->text, text);
        pattern->number = ++number;
        pattern->next = libraries;
        libraries = pattern;
    }
}

static void record(const struct pattern *pattern)
{
    tnd_names_define(TND_DEFINE_LIBRARY_WISH, pattern->number, pattern->state, pattern->text);
}

bool tnd_library_choice_start(void)
{
    read_libraries();
    for (const struct pattern *pattern = libraries; pattern; pattern = pattern->next)
        record(pattern);
    return libraries != NULL;
}

bool tnd_library_choice_has(const char *path)
{
    bool has = false;
    for (const struct pattern *pattern = libraries; pattern && !has; pattern = pattern->next)
        has = tnd_library_name_means(pattern->text, path);
    return has;
}

void tnd_library_choice_note(const char *path, enum tnd_library_state state)
{
    for (struct pattern *pattern = libraries; pattern; pattern = pattern->next)
        if (pattern->state < state && tnd_library_name_means(pattern->text, path)) {
            pattern->state = state;
            record(pattern);
        }
}

/* Whether the library's description leaves the function out. */
static bool is_left_out(const char *path, const char *symbol, const char *plain)
{
    char name[NAME_MAX + 1], list[TND_PATTERN_BYTES];
    for (const char *at = tnd_config.library_default; *at; at += strcspn(at, ";"), at += *at == ';')
        if (sscanf(at, "%255[^=;]=%4095[^;]", name, list) == 2 && tnd_library_name_means(name, path))
            return !tnd_pattern_means(list, symbol) && !(*plain && tnd_pattern_means(list, plain));
    return false;
}

bool tnd_library_choice_takes(const char *path, const char *symbol)
{
    if (tnd_library_name_is_left_alone(symbol))
        return false;
    const char *only = tnd_config.library_functions, *excluded = tnd_config.library_exclude;
    char plain[512] = "";
    bool has_plain = tnd_library_name_plain(symbol, plain, sizeof plain);
    bool is_wanted = *only ? tnd_pattern_means(only, symbol) || (has_plain && tnd_pattern_means(only, plain))
                           : !is_left_out(path, symbol, has_plain ? plain : "");
    return is_wanted && !tnd_pattern_means(excluded, symbol) && !(has_plain && tnd_pattern_means(excluded, plain));
}
