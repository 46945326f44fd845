/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The subcommands of `tandem`, a file each, and what they share.  A subcommand gets its own name as argv[0] and returns
 * the exit status: 0 success, 1 faulty input, 2 wrong usage.
 */
#ifndef TND_CLI_H
#define TND_CLI_H

#include "analysis/trace/trace.h"
#include "analysis/views/view.h"

#include <glib.h>

typedef int (*TndCommand)(int argc, char **argv);

enum { TND_EXIT_FINE = 0, TND_EXIT_INPUT = 1, TND_EXIT_USAGE = 2 };

/* Prints "tandem: where: what is wrong" to stderr.  In this folder, "complained" means that this was done. */
void tnd_cli_complain(const char *where, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The same for an error whose message says where; clears the error. */
void tnd_cli_complain_error(GError **error);

/* Adds views from the files of --view-file (NULL: none).  Faulty files in the directories of views are only reported.
 * FALSE: complained. */
gboolean tnd_cli_add_views(const char *where, char **paths);

/* Complains of a name that is none of a list, which NULL ends: "where: no such WHAT", and which one may be meant.
 * list: the command that lists them. */
void tnd_cli_complain_name(const char *where, const char *what, const char *name, const char *const *names,
                           const char *list);

/* Opens a trace, and shows progress on the terminal.  NULL: complained. */
TndTrace *tnd_cli_open(const char *path);

/* Complains if the trace has nothing to show in the view, and says what to record.  TRUE: complained. */
gboolean tnd_cli_complain_of_nothing(TndView *view);

/* Whether a trace may be written where the user wants it: path is NULL or does not exist, or it may be replaced. FALSE:
 * complained. */
gboolean tnd_cli_may_write(const char *path, gboolean force);

/* A text cut to `width` characters: its beginning, "..", and its end, which is the more telling part of a name.
 * tnd_cli_fit also pads shorter texts.  Free with g_free. */
char *tnd_cli_cut(const char *text, glong width);
char *tnd_cli_fit(const char *text, glong width);

/* Parses the options of a subcommand; entries end with an empty one.  On success *argc and *argv are what is left,
 * argv[0] included.  arguments: what follows the options in the usage line; if it begins with "[--]", it is a command
 * with options of its own, and ours end where it begins.  summary: says what the subcommand does.  FALSE: return
 * *status. */
gboolean tnd_cli_options(int *argc, char ***argv, const GOptionEntry *entries, const char *arguments,
                         const char *summary, int *status);

int tnd_cli_attach(int argc, char **argv);
int tnd_cli_check(int argc, char **argv);
int tnd_cli_compare(int argc, char **argv);
int tnd_cli_convert(int argc, char **argv);
int tnd_cli_cut_trace(int argc, char **argv);
int tnd_cli_doctor(int argc, char **argv);
int tnd_cli_dump(int argc, char **argv);
int tnd_cli_filter(int argc, char **argv);
int tnd_cli_fold(int argc, char **argv);
int tnd_cli_heap(int argc, char **argv);
int tnd_cli_histogram(int argc, char **argv);
int tnd_cli_merge(int argc, char **argv);
int tnd_cli_record(int argc, char **argv);
int tnd_cli_replay(int argc, char **argv);
int tnd_cli_report(int argc, char **argv);
int tnd_cli_shift(int argc, char **argv);
int tnd_cli_wrap(int argc, char **argv);
int tnd_cli_stat(int argc, char **argv);
int tnd_cli_tasks(int argc, char **argv);
int tnd_cli_timeline(int argc, char **argv);

#endif
