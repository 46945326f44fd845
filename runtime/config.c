/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the environment: one reader per kind of setting, the table does the rest.
 *
 * Context: at start, in the first thread; may allocate.
 */
#include "runtime/config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tnd_config tnd_config;

struct unit {
    const char *name;
    double factor;
};

static const struct unit duration_units[] = {{"ns", 1},   {"us", 1e3}, {"ms", 1e6}, {"s", 1e9},
                                             {"m", 60e9}, {"", 1e9},   {0}};
static const struct unit size_units[] = {{"k", 1024}, {"K", 1024}, {"M", 1 << 20}, {"G", 1 << 30}, {"", 1}, {0}};

/* Reads a number and its unit; *end is what follows.  Digits and a point only: independent of the locale. */
static bool read_quantity(const char *text, const struct unit *units, double *value, const char **end)
{
    double number = 0, place = 1;
    const char *p = text;
    if (!isdigit((unsigned char)*p))
        return false;
    while (isdigit((unsigned char)*p))
        number = number * 10 + (*p++ - '0');
    if (*p == '.')
        for (p++; isdigit((unsigned char)*p); p++)
            number += (*p - '0') * (place /= 10);
    size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    for (const struct unit *unit = units; unit->name; unit++)
        if (strlen(unit->name) == n && strncmp(unit->name, p, n) == 0) {
            *value = number * unit->factor;
            *end = p + n;
            return *value < 9e18;
        }
    return false;
}

static bool read_bounded(const char *text, const struct unit *units, const char *takes, uint64_t *value)
{
    double read, low, high;
    const char *end;
    if (!read_quantity(text, units, &read, &end) || *end != 0)
        return false;
    if (read_quantity(takes, units, &low, &end) && strncmp(end, " to ", 4) == 0 &&
        read_quantity(end + 4, units, &high, &end) && (read < low || read > high))
        return false;
    *value = (uint64_t)(read + 0.5);
    return true;
}

static bool set_duration(uint64_t *field, const char *text, const char *takes)
{
    return read_bounded(text, duration_units, takes, field);
}

static bool set_size(uint64_t *field, const char *text, const char *takes)
{
    return read_bounded(text, size_units, takes, field);
}

static bool set_number(uint64_t *field, const char *text, const char *takes)
{
    static const struct unit units[] = {{"", 1}, {0}};
    return read_bounded(text, units, takes, field);
}

static bool set_flag(bool *field, const char *text, const char *takes)
{
    if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
        return false;
    *field = text[0] == '1';
    return true;
}

static bool set_text(const char **field, const char *text, const char *takes)
{
    if (strchr(takes, '|')) {
        size_t n = strlen(text);
        const char *choice = takes;
        while (strncmp(choice, text, n) != 0 || (choice[n] != '|' && choice[n] != 0)) {
            choice = strchr(choice, '|');
            if (!choice++)
                return false;
        }
    }
    const char *copy = strdup(text);
    if (copy)
        *field = copy;
    return true;
}

/* The variable of a setting that is set, and its value. */
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
    return value && value[0] ? value : NULL;
}

void tnd_config_start(void (*report)(const char *sentence))
{
    char variable[64], sentence[512];
    const char *value;
#define READ(kind, field, name, also, default_, takes, help)                                                           \
    set_##kind(&tnd_config.field, default_, "");                                                                       \
    value = find(name, also, variable);                                                                                \
    if (value && !set_##kind(&tnd_config.field, value, takes)) {                                                       \
        snprintf(sentence, sizeof sentence, "%s: got \"%.100s\", takes %s; using %s", variable, value, takes,          \
                 default_[0] ? default_ : "none");                                                                     \
        report(sentence);                                                                                              \
    }
    TND_CONFIG_TABLE(READ)
}

const char *tnd_config_lookup(const char *variable)
{
    const char *value = getenv(variable);
    return value && value[0] ? value : NULL;
}
