/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem shift`: rows moved in time.  What it does is in analysis/rewrite/rewrite_shift.h; here are its options.
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

/* Takes the "--" out that the parser leaves before what begins with a dash. */
static void drop_dashes(int *argc, char **argv)
{
    int n = 0;
    for (int i = 0; i < *argc; i++)
        if (strcmp(argv[i], "--") != 0)
            argv[n++] = argv[i];
    *argc = n;
}

/* The trace and how far, in any order; with a file, the trace alone.  NULL: complained. */
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
    tnd_cli_complain("shift", "got \"%s\", takes a time, as 20us or -1.5ms (after --)", offset);
    return NULL;
}

int tnd_cli_shift(int argc, char **argv)
{
    TndRewritingWords words = {.command = "shift", .doing = "shifting"};
    TndRewriteShiftOptions shift = {0};
    char *rows = NULL, *file = NULL;
    const GOptionEntry entries[] = {
        {"rows", 'r', 0, G_OPTION_ARG_STRING, &rows, "Only these rows: 1.2.*, 1.1-4, rank:0-3, names", "ROWS"},
        {"offsets", 0, 0, G_OPTION_ARG_FILENAME, &file, "A file with \"ROWS TIME\" on each line, instead", "FILE"},
        TND_REWRITING_ENTRIES(&words),
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (!tnd_cli_options(&argc, &argv, entries, "TRACE.prv -- TIME",
                         "Rows moved in time, later or (-1.5ms) earlier, or the whole trace: TRACE.shift.prv.\n"
                         "What would come before 0 is cut off.",
                         &status))
        return status;
    drop_dashes(&argc, argv);
    shift.rows = rows;
    shift.file = file;
    status = TND_EXIT_USAGE;
    const char *path = NULL;
    if (rows && file)
        tnd_cli_complain("shift", "--rows and --offsets: one of them");
    else
        path = parse_arguments(argc, argv, &shift);
    if (path)
        status = tnd_rewriting_run(&words, path, run, &shift);
    char *const all[] = {rows, file, words.output};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        g_free(all[i]);
    return status;
}
