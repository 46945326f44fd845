/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The subcommands of `tandem`: one file each, one line each here.  A subcommand gets its own name as argv[0] and
 * returns the command's exit status: 0 fine, 1 the input is bad, 2 usage.
 */
#ifndef TND_CLI_H
#define TND_CLI_H

#include "analysis/trace/trace.h"

#include <glib.h>

typedef int (*TndCommand)(int argc, char **argv);

enum { TND_EXIT_FINE = 0, TND_EXIT_INPUT = 1, TND_EXIT_USAGE = 2 };

/* "tandem: where: what is wrong" to stderr. */
void tnd_cli_complain(const char *where, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The same of an error whose message says where; clears it. */
void tnd_cli_complain_error(GError **error);

/* Adds views that are files (--view-file; NULL: none).  What is wrong with a file that nobody named is said, and does
 * not matter.  FALSE: complained. */
gboolean tnd_cli_add_views(const char *where, char **paths);

/* Opens a trace, with progress on the terminal.  NULL: complained. */
TndTrace *tnd_cli_open(const char *path);

/* The text, or its beginning, ".." and its end, which tells more of a name, if it has more characters than the width;
 * tnd_cli_fit pads it, too.  Free with g_free. */
char *tnd_cli_cut(const char *text, glong width);
char *tnd_cli_fit(const char *text, glong width);

/* Parses a subcommand's options (entries end with an empty one): on success *argc and *argv are what is left, argv[0]
 * included.  `arguments` is what follows the options in the usage line, `summary` says what the command does. Arguments
 * that begin with "[--]" are a command with options of its own: ours end where it begins.  FALSE: *status is what to
 * return. */
gboolean tnd_cli_options(int *argc, char ***argv, const GOptionEntry *entries, const char *arguments,
                         const char *summary, int *status);

int tnd_cli_check(int argc, char **argv);
int tnd_cli_cut_trace(int argc, char **argv);
int tnd_cli_doctor(int argc, char **argv);
int tnd_cli_dump(int argc, char **argv);
int tnd_cli_filter(int argc, char **argv);
int tnd_cli_heap(int argc, char **argv);
int tnd_cli_histogram(int argc, char **argv);
int tnd_cli_merge(int argc, char **argv);
int tnd_cli_record(int argc, char **argv);
int tnd_cli_shift(int argc, char **argv);
int tnd_cli_stat(int argc, char **argv);
int tnd_cli_tasks(int argc, char **argv);
int tnd_cli_timeline(int argc, char **argv);

#endif
