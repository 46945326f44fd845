/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The `tandem` command: finds the subcommand and runs it.  Each subcommand is in the file of its name.
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
    {"record", tnd_cli_record, "Run a command, record what it does, and make a trace of it"},
    {"attach", tnd_cli_attach, "Sample a program that runs already, and make a trace of it"},
    {"stat", tnd_cli_stat, "Print a summary of a trace for a first look"},
    {"report", tnd_cli_report, "Print where the CPU time went: functions and who called them"},
    {"compare", tnd_cli_compare, "Print what changed between runs beyond noise; fail if too much"},
    {"fold", tnd_cli_fold, "Lay samples of a repeated region over one another, to see inside it"},
    {"histogram", tnd_cli_histogram, "Print a table of a statistic by thread and value"},
    {"timeline", tnd_cli_timeline, "Print the values of a view over time on every row, as CSV"},
    {"tasks", tnd_cli_tasks, "Print the graph of OpenMP tasks, their parallelism, lost time"},
    {"heap", tnd_cli_heap, "List who allocates, who had most at the peak, what was never freed"},
    {"replay", tnd_cli_replay, "Make the trace of a run on another network, with faster functions"},
    {"convert", tnd_cli_convert, "Write a trace for other tools: flame graphs, pprof, Perfetto"},
    {"merge", tnd_cli_merge, "Make the trace of a run directory"},
    {"cut", tnd_cli_cut_trace, "Cut a stretch of time, or some rows, out of a trace"},
    {"filter", tnd_cli_filter, "Keep only some events, states and messages of a trace"},
    {"shift", tnd_cli_shift, "Move rows of a trace, or all of it, in time"},
    {"wrap", tnd_cli_wrap, "Describe a library, or link a static one, for tandem record"},
    {"check", tnd_cli_check, "Check whether a trace is valid, and report its faults"},
    {"dump", tnd_cli_dump, "Print the streams of a run directory as text"},
    {"doctor", tnd_cli_doctor, "Check what works on this machine, and what to do about the rest"},
    {NULL, NULL, NULL},
};

static void print_usage(FILE *file)
{
    fputs("Usage: tandem COMMAND [options] [arguments]\n\n"
          "Records what a parallel program does, and makes a trace of it that Paraver and\ntview open.\n\n",
          file);
    for (const struct command *command = commands; command->name; command++)
        fprintf(file, "  %-10s %s\n", command->name, command->help);
    fputs("\n`tandem COMMAND --help` describes a command, `tandem --version` prints the\nversion.\n", file);
}

static int run_command(int argc, char **argv)
{
    for (const struct command *command = commands; command->name; command++)
        if (strcmp(argv[0], command->name) == 0)
            return command->run(argc, argv);
    const char *names[G_N_ELEMENTS(commands)] = {NULL};
    for (gsize i = 0; commands[i].name; i++)
        names[i] = commands[i].name;
    tnd_cli_complain_name(argv[0], argv[0][0] == '-' ? "option" : "command", argv[0], names, "tandem --help");
    return TND_EXIT_USAGE;
}

/* Called at exit: flushes standard output.  If that fails, complains and exits with a status. */
static void close_output(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return;
    tnd_cli_complain("standard output", "%s", g_strerror(errno));
    _exit(TND_EXIT_INPUT);
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, ""); /* not LC_NUMERIC: numbers do not depend on the locale */
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
    else if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
        puts("tandem " TND_VERSION);
    else
        return run_command(argc - 1, argv + 1);
    return TND_EXIT_FINE;
}
