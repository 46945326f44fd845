/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of `tandem shift`; analysis/rewrite/rewrite_shift.h does the work.
 */
#include "analysis/rewrite/rewrite_shift.h"
#include "analysis/trace/prv_file.h"
#include "cli/cli.h"
#include "cli/rewriting.h"

#include <string.h>

static gboolean run(const TndRewriteOptions *options, gconstpointer shift, TndRewriteResult *result, GError **error)
{
    return tnd_rewrite_shift_run(options, shift, result, error);
}

/* Puts a time before 0 behind a "--" at the end, where the parser does not take it for an option. */
static char **hide_time(int *argc, char **argv)
{
    char **hidden = g_new0(char *, (gsize)*argc + 2);
    int n = 0;
    char *time = NULL;
    for (int i = 0; i < *argc; i++)
        if (!time && argv[i][0] == '-' && (g_ascii_isdigit(argv[i][1]) || argv[i][1] == '.'))
            time = argv[i];
        else
            hidden[n++] = argv[i];
    if (time) {
        hidden[n++] = (char *)"--";
        hidden[n++] = time;
    }
    *argc = n;
    return hidden;
}

/* Removes the "--" that the parser leaves before a word that begins with a dash. */
static void drop_dashes(int *argc, char **argv)
{
    int n = 0;
    for (int i = 0; i < *argc; i++)
        if (strcmp(argv[i], "--") != 0)
            argv[n++] = argv[i];
    *argc = n;
}

/* Parses the trace and the offset, in any order; with --offsets, only the trace.  Returns the trace; NULL: complained.
 */
static const char *parse_arguments(int argc, char **argv, TndRewriteShiftOptions *shift)
{
    gboolean has_offset = !shift->file;
    if (argc != (has_offset ? 3 : 2)) {
        tnd_cli_complain("shift", has_offset ? "takes a trace and a time, or --offsets (see `tandem shift --help`)"
                                             : "takes one trace with --offsets (see `tandem shift --help`)");
        return NULL;
    }
    if (!has_offset)
        return argv[1];
    char *stem = tnd_prv_file_stem(argv[1]);
    const char *path = stem ? argv[1] : argv[2], *offset = stem ? argv[2] : argv[1];
    g_free(stem);
    if (tnd_rewrite_shift_parse(offset, &shift->offset_ns))
        return path;
    tnd_cli_complain("shift", "got \"%s\", takes a time, as 20us or -1.5ms", offset);
    return NULL;
}

static int shift_trace(int argc, char **argv)
{
    TndRewritingWords words = {.command = "shift", .doing = "shifting"};
    TndRewriteShiftOptions shift = {0};
    char *rows = NULL, *file = NULL;
    const GOptionEntry entries[] = {
        {"rows", 'r', 0, G_OPTION_ARG_STRING, &rows, "Only these rows: 1.2.*, 1.1-4, rank:0-3, names", "ROWS"},
        {"offsets", 0, 0, G_OPTION_ARG_FILENAME, &file, "Take offsets from a file with \"ROWS TIME\" on each line",
         "FILE"},
        TND_REWRITING_ENTRIES(&words),
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (!tnd_cli_options(&argc, &argv, entries, "TRACE.prv TIME",
                         "Moves rows of a trace, or all of it, to later or earlier (-1.5ms) times: TRACE.shift.prv.\n"
                         "What would come before 0 is cut off.",
                         &status))
        return status;
    drop_dashes(&argc, argv);
    shift.rows = rows;
    shift.file = file;
    status = TND_EXIT_USAGE;
    const char *path = NULL;
    if (rows && file)
        tnd_cli_complain("shift", "--rows and --offsets exclude each other");
    else
        path = parse_arguments(argc, argv, &shift);
    if (path)
        status = tnd_rewriting_run(&words, path, run, &shift);
    char *const all[] = {rows, file, words.output};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        g_free(all[i]);
    return status;
}

int tnd_cli_shift(int argc, char **argv)
{
    char **hidden = hide_time(&argc, argv);
    int status = shift_trace(argc, hidden);
    g_free(hidden);
    return status;
}
