/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text of `--help`, no wider than 80 columns: GLib's own has one line for each option, however long.
 */
#ifndef TND_OPTION_HELP_H
#define TND_OPTION_HELP_H

#include <glib.h>

/* usage: the command and what follows it.  summary: what it does; a line of it that is a name, two spaces or more and a
 * text continues under the text.  entries end with an empty one.  example: lines; NULL: there is none.  Free with
 * g_free. */
char *tnd_option_help(const char *usage, const char *summary, const GOptionEntry *entries, const char *example);

/* Adds `--help`, which prints the text and exits, to the options of a context, and the entries.  What is pointed to
 * must live until the context has parsed. */
typedef struct {
    const char *usage, *summary, *example;
    const GOptionEntry *entries;
} TndOptionHelp;
void tnd_option_help_add(GOptionContext *context, const TndOptionHelp *help);

#endif
