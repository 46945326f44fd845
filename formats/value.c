/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading values: digits, a point and a unit, whatever the locale.
 *
 * Context: any.
 */
#include "formats/value.h"

#include <string.h>

struct unit {
    const char *name;
    double factor;
};

static const struct unit duration_units[] = {{"ns", 1},   {"us", 1e3}, {"ms", 1e6}, {"s", 1e9},
                                             {"m", 60e9}, {"", 1e9},   {0}};
static const struct unit period_units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {0}};
static const struct unit size_units[] = {{"k", 1024}, {"K", 1024}, {"M", 1 << 20}, {"G", 1 << 30}, {"", 1}, {0}};
static const struct unit no_units[] = {{"", 1}, {0}};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads a number and its unit; *rounded is exact even where a double is not, *end is what follows. */
static bool read_quantity(const char *text, const struct unit *units, double *value, uint64_t *rounded,
                          const char **end)
{
    double number = 0, fraction = 0, place = 1;
    uint64_t whole = 0;
    const char *p = text;
    if (!is_digit(*p))
        return false;
    for (; is_digit(*p); p++) {
        number = number * 10 + (*p - '0');
        whole = whole * 10 + (uint64_t)(*p - '0');
    }
    if (*p == '.')
        for (p++; is_digit(*p); p++)
            fraction += (*p - '0') * (place /= 10);
    const bool is_micro = strncmp(p, "\302\265", 2) == 0; /* as windows and pages write a u */
    p += is_micro ? 2 : 0;
    size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    for (const struct unit *unit = units; unit->name; unit++)
        if (strlen(unit->name) == n + is_micro && strncmp(unit->name + is_micro, p, n) == 0 &&
            (!is_micro || *unit->name == 'u')) {
            *value = (number + fraction) * unit->factor;
            *rounded = whole * (uint64_t)unit->factor + (uint64_t)(fraction * unit->factor + 0.5);
            *end = p + n;
            return *value < 9e18;
        }
    return false;
}

static bool read_bounded(const char *text, const struct unit *units, const char *takes, uint64_t *value)
{
    double read, low, high;
    uint64_t rounded, bound;
    const char *end;
    if (!read_quantity(text, units, &read, &rounded, &end) || *end != 0)
        return false;
    if (read_quantity(takes, units, &low, &bound, &end) && strncmp(end, " to ", 4) == 0 &&
        read_quantity(end + 4, units, &high, &bound, &end) && (read < low || read > high))
        return false;
    *value = rounded;
    return true;
}

bool tnd_value_duration(uint64_t *ns, const char *text, const char *takes)
{
    return read_bounded(text, duration_units, takes, ns);
}

/* One that is shorter than anything, though not 0, is none. */
bool tnd_value_period(uint64_t *ns, const char *text, const char *takes)
{
    uint64_t read;
    bool is_zero = strcmp(text, "0") == 0;
    if (!read_bounded(is_zero ? "0s" : text, period_units, takes, &read) || (read == 0 && !is_zero))
        return false;
    *ns = read;
    return true;
}

bool tnd_value_size(uint64_t *bytes, const char *text, const char *takes)
{
    return read_bounded(text, size_units, takes, bytes);
}

bool tnd_value_number(uint64_t *number, const char *text, const char *takes)
{
    return read_bounded(text, no_units, takes, number);
}

bool tnd_value_flag(bool *flag, const char *text, const char *takes)
{
    if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
        return false;
    *flag = text[0] == '1';
    return true;
}

/* EVENT@N */
static bool is_event(const char *text)
{
    const char *at = strrchr(text, '@');
    return at && at > text && at[1] >= '1' && at[1] <= '9' && at[1 + strspn(at + 1, "0123456789")] == 0;
}

/* The words up to the next |, or, where there is a colon in them, what begins as they do up to it. */
static bool is_choice(const char *choice, const char *text, size_t n)
{
    size_t n_fixed = strcspn(choice, ":|");
    if (choice[n_fixed] == ':')
        return strncmp(choice, text, n_fixed + 1) == 0 && is_event(text + n_fixed + 1);
    return n == n_fixed && strncmp(choice, text, n) == 0;
}

bool tnd_value_text(const char **kept, const char *text, const char *takes)
{
    if (strchr(takes, '|')) {
        size_t n = strlen(text);
        const char *choice = takes;
        while (!is_choice(choice, text, n)) {
            choice = strchr(choice, '|');
            if (!choice++)
                return false;
        }
    }
    *kept = text;
    return true;
}

/* Whether the n characters are a word of those, which ", " separates. */
static bool has_word(const char *words, const char *word, size_t n)
{
    for (; *words; words += strspn(words, ", ")) {
        size_t n_here = strcspn(words, ",");
        if (n_here == n && strncmp(words, word, n) == 0)
            return true;
        words += n_here;
    }
    return false;
}

/* The first word that is none of those, which ", " separates; NULL: there is none. */
static const char *strange_word(const char *text, const char *words, size_t *n)
{
    for (; *text; text += strspn(text, ",")) {
        *n = strcspn(text, ",");
        if (*n && !has_word(words, text, *n))
            return text;
        text += *n;
    }
    return NULL;
}

/* What follows an @ in its set and is no period; NULL: there is none. */
static const char *strange_time(const char *text, size_t *n)
{
    char time[32];
    uint64_t ns;
    for (; (text = strchr(text, '@')); text += *n) {
        *n = strcspn(++text, "/");
        if (*n >= sizeof time)
            return text;
        memcpy(time, text, *n);
        time[*n] = 0;
        if (!tnd_value_period(&ns, time, ""))
            return text;
    }
    return NULL;
}

static const char *strange_part(const char *text, const char *takes, size_t *n)
{
    static const char words[] = "some of ", time[] = "@TIME";
    size_t n_takes = strlen(takes);
    if (strncmp(takes, words, sizeof words - 1) == 0)
        return strange_word(text, takes + sizeof words - 1, n);
    if (n_takes >= sizeof time && strcmp(takes + n_takes - (sizeof time - 1), time) == 0)
        return strange_time(text, n);
    return NULL;
}

bool tnd_value_list(const char **kept, const char *text, const char *takes)
{
    size_t n;
    if (strange_part(text, takes, &n))
        return false;
    *kept = text;
    return true;
}

const char *tnd_value_wrong(const char *text, const char *takes, size_t *n)
{
    const char *part = strange_part(text, takes, n);
    if (part)
        return part;
    *n = strlen(text);
    return text;
}
