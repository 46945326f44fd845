/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lays the text of `--help` out in two columns.
 */
#include "analysis/base/option_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 79 /* a terminal that is 80 wide breaks a line of 80 */
#define TEXT_AT 28

/* Appends the words of a text, the first one where the line is at, the others so that no line gets too wide.  A word
 * that begins with "-" stays in the line of the word before it: at the begin of a line it would look like an option. */
static void append_words(GString *help, const char *text, gsize at, gsize indent)
{
    char **words = g_strsplit(text, " ", -1);
    for (guint i = 0; words[i]; i++) {
        gsize width = (gsize)g_utf8_strlen(words[i], -1), ahead = 0;
        if (words[i + 1] && words[i + 1][0] == '-')
            ahead = 1 + (gsize)g_utf8_strlen(words[i + 1], -1);
        gboolean is_first = i == 0, breaks = !is_first && words[i][0] != '-' && at + 1 + width + ahead > WIDTH;
        if (breaks)
            g_string_append_printf(help, "\n%*s", (int)indent, "");
        else if (!is_first)
            g_string_append_c(help, ' ');
        g_string_append(help, words[i]);
        at = breaks ? indent + width : at + width + !is_first;
    }
    g_string_append_c(help, '\n');
    g_strfreev(words);
}

/* Appends "left   text", the text in a column of its own. */
static void append_item(GString *help, const char *left, const char *text, gsize text_at)
{
    gsize width = (gsize)g_utf8_strlen(left, -1);
    g_string_append(help, left);
    if (width + 2 > text_at) {
        g_string_append_c(help, '\n');
        width = 0;
    }
    g_string_append_printf(help, "%*s", (int)(text_at - width), "");
    append_words(help, text, text_at, text_at);
}

static void append_line(GString *help, const char *line)
{
    gsize n_spaces = strspn(line, " ");
    const char *gap = strstr(line + n_spaces, "  ");
    if (!gap) {
        g_string_append_len(help, line, (gssize)n_spaces);
        append_words(help, line + n_spaces, n_spaces, n_spaces);
        return;
    }
    char *left = g_strndup(line, (gsize)(gap - line));
    gsize text_at = (gsize)(gap - line) + strspn(gap, " ");
    append_item(help, left, line + text_at, MIN(text_at, TEXT_AT));
    g_free(left);
}

static void append_lines(GString *help, const char *text)
{
    char **lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++)
        append_line(help, *line);
    g_strfreev(lines);
}

static void append_option(GString *help, const GOptionEntry *entry)
{
    GString *left = g_string_new("      ");
    if (entry->short_name)
        g_string_printf(left, "  -%c, ", entry->short_name);
    g_string_append_printf(left, "--%s", entry->long_name);
    if (entry->arg_description)
        g_string_append_printf(left, "=%s", entry->arg_description);
    append_item(help, left->str, entry->description ? entry->description : "", TEXT_AT);
    g_string_free(left, TRUE);
}

char *tnd_option_help(const char *usage, const char *summary, const GOptionEntry *entries, const char *example)
{
    GString *help = g_string_new("Usage:\n  ");
    append_words(help, usage, 2, 4);
    g_string_append_c(help, '\n');
    append_lines(help, summary);
    g_string_append(help, "\nOptions:\n");
    for (; entries->long_name; entries++)
        if (entries->long_name[0] && !(entries->flags & G_OPTION_FLAG_HIDDEN))
            append_option(help, entries);
    append_item(help, "  -h, --help", "Show this help", TEXT_AT);
    if (example)
        g_string_append_printf(help, "\nExample:\n%s\n", example);
    return g_string_free(help, FALSE);
}

static gboolean print(const char *name, const char *value, gpointer data, GError **error)
{
    (void)name, (void)value, (void)error;
    const TndOptionHelp *help = data;
    char *text = tnd_option_help(help->usage, help->summary, help->entries, help->example);
    fputs(text, stdout);
    g_free(text);
    exit(0);
}

void tnd_option_help_add(GOptionContext *context, const TndOptionHelp *help)
{
    const GOptionEntry entries[] = {
        {"help", 'h', G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK, (gpointer)print, NULL, NULL}, G_OPTION_ENTRY_NULL};
    GOptionGroup *group = g_option_group_new("main", NULL, NULL, (gpointer)help, NULL);
    g_option_group_add_entries(group, help->entries);
    g_option_group_add_entries(group, entries);
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_set_main_group(context, group);
}
