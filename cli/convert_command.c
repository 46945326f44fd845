/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem convert`: writes a trace in the formats of other tools.
 */
#include "cli/cli.h"
#include "cli/importing.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/row_option.h"

#include "analysis/convert/archive_directory.h"
#include "analysis/convert/conversion.h"
#include "analysis/import/import.h"
#include "formats/output_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* "collapsed, speedscope or pprof", or the same with | between them.  Free with g_free. */
static char *list_formats(const char *between, const char *last)
{
    GString *list = g_string_new(NULL);
    for (guint i = 0; i < tnd_conversion_n; i++)
        g_string_append_printf(list, "%s%s",
                               i == 0                     ? ""
                               : i + 1 < tnd_conversion_n ? between
                                                          : last,
                               tnd_conversion_formats[i].name);
    return g_string_free(list, FALSE);
}

/* Writes to a file (NULL: standard output); FALSE: complained. */
static gboolean write_to(const char *output, const TndConversionFormat *format, TndConversion *conversion)
{
    if (output && strcmp(output, "-") == 0)
        output = NULL;
    conversion->file = output ? tnd_output_file_open(output) : stdout;
    if (conversion->file) {
        format->write(conversion);
        gboolean is_written = fflush(conversion->file) == 0 && !ferror(conversion->file);
        if ((!output || fclose(conversion->file) == 0) && is_written)
            return TRUE;
    }
    tnd_cli_complain(output ? output : "standard output", "%s", tnd_output_file_reason(errno));
    return FALSE;
}

static gboolean on_progress(double fraction, gpointer progress)
{
    return tnd_progress_show(fraction, progress) && !tnd_interrupt_has_come();
}

/* Writes a directory; FALSE: complained, or a signal has come. */
static gboolean write_archive(const char *output, const TndConversionFormat *format, TndConversion *conversion)
{
    GError *error = NULL;
    char *made = tnd_archive_directory_begin(output, format->anchor, &error);
    TndProgress progress;
    tnd_interrupt_begin();
    tnd_progress_begin(&progress, "converting");
    conversion->progress = on_progress;
    conversion->user_data = &progress;
    if (made && !format->write_archive(conversion, made, &error)) {
        g_prefix_error(&error, "%s: ", output);
        tnd_archive_directory_delete(made);
    } else if (made)
        tnd_archive_directory_finish(made, output, &error);
    tnd_progress_end(&progress);
    tnd_interrupt_end();
    g_free(made);
    tnd_interrupt_die();
    if (!error)
        return TRUE;
    tnd_cli_complain_error(&error);
    return FALSE;
}

static int run(const char *path, const TndConversionFormat *format, const char *output, const char *rows)
{
    TndTrace *trace = tnd_cli_open(path);
    if (!trace)
        return TND_EXIT_INPUT;
    gboolean *chosen = rows ? tnd_row_option_parse("convert", trace, rows) : NULL;
    int status = rows && !chosen ? TND_EXIT_USAGE : TND_EXIT_INPUT;
    TndConversion conversion = {NULL, trace, chosen, NULL, NULL};
    if (rows && !chosen)
        ;
    else if (!format->has_any(trace))
        tnd_cli_complain(path, "%s", format->nothing);
    else if (format->anchor ? write_archive(output, format, &conversion) : write_to(output, format, &conversion))
        status = TND_EXIT_FINE;
    g_free(chosen);
    tnd_trace_free(trace);
    return status;
}

int tnd_cli_convert(int argc, char **argv)
{
    char *to = NULL, *output = NULL, *rows = NULL;
    gboolean force = FALSE;
    char *choices = list_formats("|", "|"), *formats = list_formats(", ", " or ");
    const GOptionEntry entries[] = {
        {"to", 't', 0, G_OPTION_ARG_STRING, &to, "The format", choices},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
         "The file (otf2: directory) to write; - or none: standard output, or FILE.prv", "FILE"},
        {"force", 'f', 0, G_OPTION_ARG_NONE, &force, "Overwrite an existing trace", NULL},
        {"rows", 'r', 0, G_OPTION_ARG_STRING, &rows, "Only these threads: 1.2.*, 1.1-4, rank:0-3 or names", "ROWS"},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (tnd_cli_options(&argc, &argv, entries, "TRACE",
                        "Writes a trace, or the stacks of its samples, in the format of another tool; or makes a trace "
                        "of what another tool recorded (an OTF2 archive, Chrome's JSON, text of perf script).",
                        &status)) {
        const TndConversionFormat *format = to ? tnd_conversion_find(to) : NULL;
        status = TND_EXIT_USAGE;
        gboolean is_import = !to && argc == 2 && !tnd_import_is_prv(argv[1]);
        if (is_import && rows)
            tnd_cli_complain("convert",
                             "--rows: only of a .prv; tandem filter --rows takes some of the trace that is made");
        else if (is_import)
            status = tnd_importing_run(argv[1], output, force);
        else if (!format)
            tnd_cli_complain("convert", "--to: got \"%s\", takes %s", to ? to : "", formats);
        else if (argc != 2)
            tnd_cli_complain("convert", "takes one trace (see `tandem convert --help`)");
        else if (format->anchor && (!output || strcmp(output, "-") == 0))
            tnd_cli_complain("convert", "--to %s writes a directory: --output says which", format->name);
        else
            status = run(argv[1], format, output, rows);
    }
    g_free(choices);
    g_free(formats);
    g_free(to);
    g_free(output);
    g_free(rows);
    return status;
}
