/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The `tandem` command: finds the subcommand and runs it.  What a subcommand does is in the file of its name.
 */
#include "cli/cli.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct command {
    const char *name;
    TndCommand run;
    const char *help;
};

static const struct command commands[] = {
    {"record", tnd_cli_record, "Run a command, record what it does, make a trace of it"},
    {"stat", tnd_cli_stat, "The first look at a trace, in the terminal"},
    {"histogram", tnd_cli_histogram, "A table of a trace: a statistic by thread and value"},
    {"merge", tnd_cli_merge, "Make the trace of a run directory"},
    {"check", tnd_cli_check, "Is it a valid trace? Every fault with its line"},
    {"dump", tnd_cli_dump, "The streams of a run directory as text"},
    {NULL, NULL, NULL},
};

void tnd_cli_complain(const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    fprintf(stderr, "tandem: %s: %s\n", where, what);
    g_free(what);
}

gboolean tnd_cli_options(int *argc, char ***argv, const GOptionEntry *entries, const char *arguments,
                         const char *summary, int *status)
{
    GOptionContext *context = g_option_context_new(arguments);
    g_option_context_set_summary(context, summary);
    g_option_context_set_strict_posix(context, g_str_has_prefix(arguments, "[--]"));
    g_option_context_add_main_entries(context, entries, NULL);
    const char *command = (*argv)[0];
    char *program = g_strconcat("tandem ", command, NULL);
    g_set_prgname(program);
    GError *error = NULL;
    gboolean parsed = g_option_context_parse(context, argc, argv, &error);
    if (!parsed) {
        tnd_cli_complain(command, "%s (see `%s --help`)", error->message, program);
        g_clear_error(&error);
        *status = TND_EXIT_USAGE;
    }
    g_free(program);
    g_option_context_free(context);
    return parsed;
}

static void print_usage(FILE *file)
{
    fputs("Usage: tandem COMMAND [options] [arguments]\n\n"
          "Records what a parallel program does, and makes a trace of it that Paraver and tview open.\n\n",
          file);
    for (const struct command *command = commands; command->name; command++)
        fprintf(file, "  %-10s %s\n", command->name, command->help);
    fputs("\n`tandem COMMAND --help` tells more.  `tandem --version` tells the version.\n", file);
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, ""); /* numbers stay as every machine writes them */
    if (argc < 2) {
        print_usage(stderr);
        return TND_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_usage(stdout);
        return TND_EXIT_FINE;
    }
    if (strcmp(word, "--version") == 0) {
        puts("tandem " TND_VERSION);
        return TND_EXIT_FINE;
    }
    for (const struct command *command = commands; command->name; command++)
        if (strcmp(word, command->name) == 0)
            return command->run(argc - 1, argv + 1);
    tnd_cli_complain(word, "no such command");
    print_usage(stderr);
    return TND_EXIT_USAGE;
}
