/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The `tandem` command: finds the subcommand and runs it.  What a subcommand does is in the file of its name.
 */
#include "cli/cli.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct command {
    const char *name;
    TndCommand run;
    const char *help;
};

static const struct command commands[] = {
    {"record", tnd_cli_record, "Run a command, record what it does, make a trace of it"},
    {"stat", tnd_cli_stat, "The first look at a trace, in the terminal"},
    {"histogram", tnd_cli_histogram, "A table of a trace: a statistic by thread and value"},
    {"timeline", tnd_cli_timeline, "What a view has on every row from when to when, as CSV"},
    {"tasks", tnd_cli_tasks, "The tasks of OpenMP: graph, parallelism, where time was lost"},
    {"heap", tnd_cli_heap, "The heap: who allocates, who had it when it was largest, what was never freed"},
    {"merge", tnd_cli_merge, "Make the trace of a run directory"},
    {"cut", tnd_cli_cut_trace, "A stretch of time, some rows: a trace of its own"},
    {"filter", tnd_cli_filter, "A trace with some of its events, states and messages"},
    {"shift", tnd_cli_shift, "Rows moved in time, or the whole trace"},
    {"check", tnd_cli_check, "Is it a valid trace? Every fault with its line"},
    {"dump", tnd_cli_dump, "The streams of a run directory as text"},
    {"doctor", tnd_cli_doctor, "What works on this machine, and what to do about the rest"},
    {NULL, NULL, NULL},
};

static void print_usage(FILE *file)
{
    fputs("Usage: tandem COMMAND [options] [arguments]\n\n"
          "Records what a parallel program does, and makes a trace of it that Paraver and tview open.\n\n",
          file);
    for (const struct command *command = commands; command->name; command++)
        fprintf(file, "  %-10s %s\n", command->name, command->help);
    fputs("\n`tandem COMMAND --help` tells more.  `tandem --version` tells the version.\n", file);
}

static int run_command(int argc, char **argv)
{
    for (const struct command *command = commands; command->name; command++)
        if (strcmp(argv[0], command->name) == 0)
            return command->run(argc, argv);
    tnd_cli_complain(argv[0], "no such %s (see `tandem --help`)", argv[0][0] == '-' ? "option" : "command");
    return TND_EXIT_USAGE;
}

/* At exit: what was printed has been written, or that it was not is said, and the status tells. */
static void close_output(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return;
    tnd_cli_complain("standard output", "%s", g_strerror(errno));
    _exit(TND_EXIT_INPUT);
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, ""); /* numbers stay as every machine writes them */
    atexit(close_output);
    if (argc < 2) {
        print_usage(stderr);
        return TND_EXIT_USAGE;
    }
    const char *word = argv[1];
    gboolean is_help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
    if (is_help && argc > 2) {
        char *words[] = {argv[2], (char *)"--help", NULL};
        return run_command(2, words);
    }
    if (is_help)
        print_usage(stdout);
    else if (strcmp(word, "--version") == 0)
        puts("tandem " TND_VERSION);
    else
        return run_command(argc - 1, argv + 1);
    return TND_EXIT_FINE;
}
