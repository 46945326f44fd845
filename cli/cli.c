/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all subcommands share: options, complaints, opening traces, texts of a given width.
 */
#include "cli/cli.h"

#include "analysis/base/likeness.h"
#include "analysis/base/option_help.h"
#include "analysis/views/view_absence.h"
#include "analysis/views/view_files.h"
#include "cli/progress.h"
#include "formats/plain_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tnd_cli_complain(const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *what = g_strdup_vprintf(format, arguments), *plain_where = g_strdup(where);
    va_end(arguments);
    tnd_plain_text_make(what, "\n\t");
    tnd_plain_text_make(plain_where, "");
    fprintf(stderr, "tandem: %s: %s\n", plain_where, what);
    g_free(plain_where);
    g_free(what);
}

void tnd_cli_complain_error(GError **error)
{
    tnd_plain_text_make((*error)->message, "\n\t");
    fprintf(stderr, "tandem: %s\n", (*error)->message);
    g_clear_error(error);
}

void tnd_cli_complain_name(const char *where, const char *what, const char *name, const char *const *names,
                           const char *list)
{
    const char *nearest = tnd_likeness_nearest(name, names);
    char *instead = nearest ? g_strconcat("; did you mean ", nearest, "?", NULL) : g_strdup_printf(" (see `%s`)", list);
    tnd_cli_complain(where, "no such %s%s", what, instead);
    g_free(instead);
}

TndTrace *tnd_cli_open(const char *path)
{
    GError *error = NULL;
    TndProgress progress;
    tnd_progress_begin(&progress, "reading");
    TndTrace *trace = tnd_trace_open(path, tnd_progress_show, &progress, &error);
    tnd_progress_end(&progress);
    if (!trace)
        tnd_cli_complain_error(&error);
    return trace;
}

gboolean tnd_cli_complain_of_nothing(TndView *view)
{
    char *absence = tnd_view_cfg(view) ? NULL : tnd_view_absence(tnd_view_trace(view), tnd_view_rule(view));
    if (absence)
        fprintf(stderr, "tandem: %s\n", absence);
    gboolean is_nothing = absence != NULL;
    g_free(absence);
    return is_nothing;
}

gboolean tnd_cli_may_write(const char *path, gboolean force)
{
    if (!path || force || !g_file_test(path, G_FILE_TEST_EXISTS))
        return TRUE;
    tnd_cli_complain(path, "exists (--force overwrites it)");
    return FALSE;
}

char *tnd_cli_cut(const char *text, glong width)
{
    glong n = g_utf8_strlen(text, -1), n_begin = (width - 2) / 3;
    if (n <= width)
        return g_strdup(text);
    char *beginning = g_utf8_substring(text, 0, n_begin), *end = g_utf8_substring(text, n - (width - 2 - n_begin), n);
    char *cut = g_strconcat(beginning, "..", end, NULL);
    g_free(beginning);
    g_free(end);
    return cut;
}

char *tnd_cli_fit(const char *text, glong width)
{
    char *cut = tnd_cli_cut(text, width);
    char *padded = g_strdup_printf("%s%*s", cut, (int)(width - g_utf8_strlen(cut, -1)), "");
    g_free(cut);
    return padded;
}

/* The option of this word, if the next word is its value; NULL: it is not. */
static const GOptionEntry *find_waiting(const GOptionEntry *entries, const char *word)
{
    gboolean is_long = g_str_has_prefix(word, "--");
    char last = word[strlen(word) - 1]; /* of several short options in a word only the last one can have a value */
    for (; entries->long_name; entries++)
        if (entries->arg != G_OPTION_ARG_NONE &&
            (is_long ? !strcmp(word + 2, entries->long_name) : last == entries->short_name))
            return entries;
    return NULL;
}

/* Complains if the value of an option is missing and an option follows, which GLib's parser would take for the value.
 */
static gboolean have_values(int argc, char **argv, const GOptionEntry *entries, gboolean is_strict)
{
    for (int i = 1; i + 1 < argc && strcmp(argv[i], "--") != 0; i++) {
        if (argv[i][0] != '-' || !argv[i][1]) {
            if (is_strict)
                return TRUE;
        } else if (find_waiting(entries, argv[i])) {
            i++;
            if (g_str_has_prefix(argv[i], "--")) {
                tnd_cli_complain(argv[0], "%s: got no value before \"%s\" (see `tandem %s --help`)", argv[i - 1],
                                 argv[i], argv[0]);
                return FALSE;
            }
        }
    }
    return TRUE;
}

/* What is said of an option that cannot be parsed; of one that there is not, which one may be meant. */
static void complain_of_options(const char *command, const GOptionEntry *entries, const char *message)
{
    const char *dashes = strstr(message, "Unknown option --"), *nearest = NULL;
    GPtrArray *names = g_ptr_array_new();
    for (; dashes && entries->long_name; entries++)
        g_ptr_array_add(names, (gpointer)entries->long_name);
    g_ptr_array_add(names, NULL);
    char *wanted = dashes ? g_strdup(dashes + strlen("Unknown option --")) : NULL;
    if (wanted)
        nearest = tnd_likeness_nearest(strtok(wanted, "= "), (const char *const *)names->pdata);
    if (nearest)
        tnd_cli_complain(command, "%s; did you mean --%s?", message, nearest);
    else
        tnd_cli_complain(command, "%s (see `tandem %s --help`)", message, command);
    g_free(wanted);
    g_ptr_array_unref(names);
}

static const char *example_of(const char *command)
{
    static const struct {
        const char *command, *text;
    } examples[] = {
        {"attach", "  tandem attach --duration 10s 4711\n  tandem attach $(pgrep -x lmp)"},
        {"check", "  tandem check app.prv"},
        {"compare", "  tandem compare before.prv after.prv\n"
                    "  tandem compare --before a1.prv,a2.prv --after b1.prv --fail-if 'useful > +5%'"},
        {"convert", "  tandem convert --to perfetto app.prv -o app.pftrace\n"
                    "  tandem convert app.otf2/traces.otf2 -o app.prv"},
        {"cut", "  tandem cut --time 1.5s:2s --rows rank:0-3 app.prv"},
        {"doctor", "  tandem doctor"},
        {"dump", "  tandem dump app.tandem | less"},
        {"filter", "  tandem filter --no-messages --state-duration 1ms: app.prv"},
        {"fold", "  tandem fold --by user-events app.prv"},
        {"heap", "  tandem record --heap leaks -- ./app\n  tandem heap app.prv"},
        {"histogram", "  tandem histogram --view mpi-calls --statistic time-percent app.prv"},
        {"merge", "  tandem merge app.tandem"},
        {"record", "  tandem record -- mpirun -n 4 ./app in.dat\n"
                   "  tandem record --sampling-period 1ms --callers 3 -o app.prv -- ./app"},
        {"replay", "  tandem replay --latency 0 --bandwidth inf --output ideal.prv app.prv"},
        {"report", "  tandem report app.prv\n  tandem report -o app.html app.prv\n"
                   "  tandem report -o scaling.html p2.prv p4.prv p8.prv"},
        {"shift", "  tandem shift app.prv -1.5ms"},
        {"stat", "  tandem stat app.prv\n  tandem stat p2.prv p4.prv p8.prv"},
        {"tasks", "  tandem tasks app.prv"},
        {"timeline", "  tandem timeline --view useful-duration app.prv > useful.csv"},
        {"wrap", "  tandem wrap --list"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(examples); i++)
        if (strcmp(examples[i].command, command) == 0)
            return examples[i].text;
    return NULL;
}

gboolean tnd_cli_options(int *argc, char ***argv, const GOptionEntry *entries, const char *arguments,
                         const char *summary, int *status)
{
    gboolean is_strict = g_str_has_prefix(arguments, "[--]");
    if (!have_values(*argc, *argv, entries, is_strict)) {
        *status = TND_EXIT_USAGE;
        return FALSE;
    }
    const char *command = (*argv)[0];
    char *program = g_strconcat("tandem ", command, NULL),
         *usage = g_strconcat(program, " [OPTION…] ", arguments, NULL);
    g_set_prgname(program);
    GOptionContext *context = g_option_context_new(NULL);
    const TndOptionHelp help = {usage, summary, example_of(command), entries};
    tnd_option_help_add(context, &help);
    g_option_context_set_strict_posix(context, is_strict);
    GError *error = NULL;
    gboolean parsed = g_option_context_parse(context, argc, argv, &error);
    if (!parsed) {
        complain_of_options(command, entries, error->message);
        g_clear_error(&error);
        *status = TND_EXIT_USAGE;
    }
    g_free(usage);
    g_free(program);
    g_option_context_free(context);
    return parsed;
}

gboolean tnd_cli_add_views(const char *where, char **paths)
{
    GError *error = NULL;
    for (const char *const *fault = tnd_view_files_faults(); *fault; fault++)
        tnd_cli_complain(where, "%s", *fault);
    for (guint i = 0; paths && paths[i] && !error; i++)
        tnd_view_files_add(paths[i], &error);
    if (!error)
        return TRUE;
    tnd_cli_complain(where, "%s", error->message);
    g_error_free(error);
    return FALSE;
}
