/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as what another tool recorded (text; archives of OTF2 are several files): they are refused with a message,
 * or become a trace in which no line is faulty.
 */
#include "analysis/import/import.h"
#include "analysis/trace/trace.h"

#include <glib/gstdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static char *directory, *input, *output;

static void remove_trace(void)
{
    static const char *const endings[] = {".prv", ".pcf", ".row"};
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
        char *path = g_strconcat(directory, "/a", endings[i], NULL);
        g_remove(path);
        g_free(path);
    }
}

static void clear_up(void)
{
    remove_trace();
    g_remove(input);
    g_rmdir(directory);
}

static void set_up(void)
{
    directory = g_dir_make_tmp("tandem-fuzz-XXXXXX", NULL);
    input = g_build_filename(directory, "input", NULL);
    output = g_build_filename(directory, "a.prv", NULL);
    atexit(clear_up);
}

static void open_again(void)
{
    TndTrace *trace = tnd_trace_open(output, NULL, NULL, NULL);
    if (!trace || tnd_trace_n_faults(trace))
        abort();
    tnd_trace_free(trace);
    remove_trace();
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    if (!directory)
        set_up();
    if (!g_file_set_contents(input, (const char *)data, (gssize)size, NULL))
        abort();
    const TndImportOptions options = {.path = input, .output = output, .force = TRUE};
    TndImportResult result;
    GError *error = NULL;
    if (tnd_import_run(&options, &result, &error))
        open_again();
    else if (!error)
        abort();
    g_clear_error(&error);
    tnd_trace_output_made_clear(&result.made);
    return 0;
}
