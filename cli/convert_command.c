/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem convert`: writes the samples of a trace in the formats of other tools.
 */
#include "cli/cli.h"
#include "cli/row_option.h"

#include "analysis/reports/call_tree.h"
#include "analysis/reports/samples.h"
#include "analysis/trace/levels.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    FILE *file;
    const TndTrace *trace;
    const gboolean *is_chosen; /* of each thread; NULL: all are */
} Conversion;

static gboolean is_chosen(const Conversion *conversion, guint row)
{
    return !conversion->is_chosen || conversion->is_chosen[row];
}

/* Stacks, a line each: functions from the outermost inwards with semicolons between them, and a number. */

static void write_stacks(const Conversion *conversion, const TndCallTree *tree, guint at, GString *path)
{
    const TndCallNode *node = tnd_call_tree_node(tree, at);
    gsize length = path->len;
    if (at) {
        char *name = tnd_samples_function_name(conversion->trace, node->function);
        g_string_append_printf(path, "%s%s", length ? ";" : "", g_strdelimit(name, ";\n", ':'));
        g_free(name);
    }
    if (node->self)
        fprintf(conversion->file, "%s %" G_GUINT64_FORMAT "\n", path->str, node->self);
    for (guint child = node->first_child; child; child = tnd_call_tree_node(tree, child)->sibling)
        write_stacks(conversion, tree, child, path);
    g_string_truncate(path, length);
}

static void write_collapsed(const Conversion *conversion)
{
    TndCallTree *tree = tnd_call_tree_new(conversion->trace, conversion->is_chosen);
    GString *path = g_string_new(NULL);
    write_stacks(conversion, tree, 0, path);
    g_string_free(path, TRUE);
    tnd_call_tree_free(tree);
}

/* Speedscope's own format: a profile for each thread, with its samples in the order of time. */

typedef struct {
    const Conversion *conversion;
    GHashTable *places; /* of functions in the list of frames, from 1 on */
    GArray *functions;  /* gint64 */
    guint64 n, sum;     /* samples of the thread so far, and their weights */
} Profile;

static void write_text(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if ((guchar)*text < ' ')
            fprintf(file, "\\u%04x", *text);
        else
            putc(*text, file);
    putc('"', file);
}

static guint place_of(Profile *profile, gint64 function)
{
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(profile->places, &function));
    if (!place) {
        g_array_append_val(profile->functions, function);
        place = profile->functions->len;
        g_hash_table_insert(profile->places, g_memdup2(&function, sizeof function), GUINT_TO_POINTER(place));
    }
    return place - 1;
}

static void write_stack(gpointer self, const TndSample *sample)
{
    Profile *profile = self;
    fprintf(profile->conversion->file, "%s[", profile->n++ ? "," : "");
    for (guint depth = sample->n_frames; depth-- > 0;)
        fprintf(profile->conversion->file, "%u%s", place_of(profile, sample->frames[depth]), depth ? "," : "");
    putc(']', profile->conversion->file);
}

static void write_weight(gpointer self, const TndSample *sample)
{
    Profile *profile = self;
    guint64 weight = sample->weight_ns ? sample->weight_ns : 1;
    fprintf(profile->conversion->file, "%s%" G_GUINT64_FORMAT, profile->n++ ? "," : "", weight);
    profile->sum += weight;
}

static void write_profile(Profile *profile, guint row, gboolean is_first)
{
    const Conversion *conversion = profile->conversion;
    char *name = tnd_levels_row_name(conversion->trace, TND_LEVEL_THREAD, row);
    profile->n = profile->sum = 0;
    fprintf(conversion->file, "%s\n{\"type\":\"sampled\",\"name\":", is_first ? "" : ",");
    write_text(conversion->file, name);
    fprintf(conversion->file, ",\"samples\":[");
    tnd_samples_each(conversion->trace, row, write_stack, profile);
    fprintf(conversion->file, "],\n\"weights\":[");
    profile->n = 0;
    tnd_samples_each(conversion->trace, row, write_weight, profile);
    fprintf(conversion->file, "],\n\"unit\":\"%s\",\"startValue\":0,\"endValue\":%" G_GUINT64_FORMAT "}",
            tnd_samples_are_weighed(conversion->trace) ? "nanoseconds" : "none", profile->sum);
    g_free(name);
}

static void write_speedscope(const Conversion *conversion)
{
    FILE *file = conversion->file;
    Profile profile = {conversion, g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
                       g_array_new(FALSE, FALSE, sizeof(gint64)), 0, 0};
    fprintf(file,
            "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\"exporter\":\"tandem\",\"name\":");
    write_text(file, tnd_trace_name(conversion->trace));
    fprintf(file, ",\n\"profiles\":[");
    gboolean is_first = TRUE;
    for (guint row = 0; row < tnd_trace_n_threads(conversion->trace); row++)
        if (is_chosen(conversion, row)) {
            write_profile(&profile, row, is_first);
            is_first = FALSE;
        }
    fprintf(file, "],\n\"shared\":{\"frames\":[");
    for (guint i = 0; i < profile.functions->len; i++) {
        char *name = tnd_samples_function_name(conversion->trace, g_array_index(profile.functions, gint64, i));
        fprintf(file, "%s\n{\"name\":", i ? "," : "");
        write_text(file, name);
        putc('}', file);
        g_free(name);
    }
    fprintf(file, "]}}\n");
    g_hash_table_unref(profile.places);
    g_array_unref(profile.functions);
}

/* The command. */

static const struct format {
    const char *name;
    void (*write)(const Conversion *conversion);
} formats[] = {{"collapsed", write_collapsed}, {"speedscope", write_speedscope}};

static const struct format *find_format(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(formats); i++)
        if (name && strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

/* Writes to a file (NULL: standard output); FALSE: complained. */
static gboolean write_to(const char *output, const struct format *format, Conversion *conversion)
{
    conversion->file = output ? fopen(output, "w") : stdout;
    if (conversion->file) {
        format->write(conversion);
        gboolean is_written = fflush(conversion->file) == 0 && !ferror(conversion->file);
        if ((!output || fclose(conversion->file) == 0) && is_written)
            return TRUE;
    }
    tnd_cli_complain(output ? output : "standard output", "%s", g_strerror(errno));
    return FALSE;
}

static int run(const char *path, const struct format *format, const char *output, const char *rows)
{
    TndTrace *trace = tnd_cli_open(path);
    if (!trace)
        return TND_EXIT_INPUT;
    gboolean *chosen = rows ? tnd_row_option_parse("convert", trace, rows) : NULL;
    int status = rows && !chosen ? TND_EXIT_USAGE : TND_EXIT_INPUT;
    Conversion conversion = {NULL, trace, chosen};
    if (rows && !chosen)
        ;
    else if (!tnd_samples_exist(trace))
        tnd_cli_complain(path, "the trace has no samples (tandem record --sampling-period)");
    else if (write_to(output, format, &conversion))
        status = TND_EXIT_FINE;
    g_free(chosen);
    tnd_trace_free(trace);
    return status;
}

int tnd_cli_convert(int argc, char **argv)
{
    char *to = NULL, *output = NULL, *rows = NULL;
    const GOptionEntry entries[] = {
        {"to", 't', 0, G_OPTION_ARG_STRING, &to, "The format", "collapsed|speedscope"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "The file to write (default: standard output)", "FILE"},
        {"rows", 'r', 0, G_OPTION_ARG_STRING, &rows, "Only these threads: 1.2.*, 1.1-4, rank:0-3 or names", "ROWS"},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (tnd_cli_options(&argc, &argv, entries, "TRACE.prv",
                        "Writes the samples of a trace, with their stacks, in the format of another tool.", &status)) {
        const struct format *format = find_format(to);
        status = TND_EXIT_USAGE;
        if (!format)
            tnd_cli_complain("convert", "--to: got \"%s\", takes collapsed or speedscope", to ? to : "");
        else if (argc != 2)
            tnd_cli_complain("convert", "takes one trace (see `tandem convert --help`)");
        else
            status = run(argv[1], format, output, rows);
    }
    g_free(to);
    g_free(output);
    g_free(rows);
    return status;
}
