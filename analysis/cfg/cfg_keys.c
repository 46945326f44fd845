/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parses values of keys: numbers, true and false.
 */
#include "analysis/cfg/cfg_keys.h"

#include <string.h>

void tnd_cfg_keys_text(char **text, const char *value)
{
    g_free(*text);
    *text = g_strdup(value);
}

double tnd_cfg_keys_number(TndCfgReading *reading, const char *text)
{
    char *end;
    double value = g_ascii_strtod(text, &end);
    if (end == text)
        reading->wrong = "takes a number";
    return value;
}

gboolean tnd_cfg_keys_truth(TndCfgReading *reading, const char *text)
{
    gboolean is_true = g_ascii_strcasecmp(text, "true") == 0;
    if (!is_true && g_ascii_strcasecmp(text, "false") != 0)
        reading->wrong = "takes true or false";
    return is_true;
}

gboolean tnd_cfg_keys_pair(TndCfgReading *reading, const char *text, double numbers[2])
{
    char **words = g_strsplit_set(text, " \t", -1);
    guint n = 0;
    for (guint i = 0; words[i] && n < 2; i++)
        if (words[i][0])
            numbers[n++] = tnd_cfg_keys_number(reading, words[i]);
    g_strfreev(words);
    if (n < 2)
        reading->wrong = "takes two numbers";
    return n == 2;
}

gboolean tnd_cfg_keys_numbers(const char *text, TndNumbers *numbers, const char **rest)
{
    char *end;
    guint64 n = g_ascii_strtoull(text, &end, 10);
    if (end == text || n > strlen(text))
        return FALSE;
    double *values = g_new(double, n + 1);
    for (guint i = 0; i < n; i++) {
        text = end;
        values[i] = g_ascii_strtod(text, &end);
        if (end == text) {
            g_free(values);
            return FALSE;
        }
    }
    g_free(numbers->values);
    *numbers = (TndNumbers){values, (guint)n};
    *rest = end;
    return TRUE;
}
