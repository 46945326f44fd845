/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem stat` of several traces: how efficiencies change with the number of processes.
 */
#include "cli/stat_time.h"

#include "analysis/base/quantity.h"
#include "cli/cli.h"

#include <stdio.h>

typedef struct {
    TndEfficiency efficiency;
    TndEfficiencyFactors factors; /* of all threads if there are any of OpenMP */
    TndScaling scaling;
} Run;

/* Rows of the table: shares in percent. */
static const struct {
    const char *name, *help;
    gsize offset; /* of the double in Run */
} rows[] = {
    {"global efficiency", "parallel x computation", G_STRUCT_OFFSET(Run, scaling.global)},
    {"  parallel efficiency", "useful time / (threads x duration)", G_STRUCT_OFFSET(Run, factors.parallel)},
    {"    load balance", "average / maximum of useful time", G_STRUCT_OFFSET(Run, factors.load_balance)},
    {"    communication", "maximum of useful time / duration", G_STRUCT_OFFSET(Run, factors.communication)},
    {"      serialisation", "the same on an ideal network", G_STRUCT_OFFSET(Run, factors.serialisation)},
    {"      transfer", "duration on an ideal network / duration", G_STRUCT_OFFSET(Run, factors.transfer)},
    {"  computation scalability", "useful time against the first run", G_STRUCT_OFFSET(Run, scaling.computation)},
    {"    of instructions", "instructions against the first run", G_STRUCT_OFFSET(Run, scaling.instructions)},
    {"    of IPC", "instructions / cycle", G_STRUCT_OFFSET(Run, scaling.ipc)},
    {"    of frequency", "cycles / useful time", G_STRUCT_OFFSET(Run, scaling.frequency)},
};

static void print_table(const Run *runs, guint n)
{
    printf("\nRuns of %s work, against the first one; 0: not known\n  %-26s",
           runs[0].scaling.is_weak ? "growing" : "the same", "");
    for (guint i = 0; i < n; i++)
        printf(" %10u", runs[i].efficiency.n_processes);
    printf("   processes\n  %-26s", "");
    for (guint i = 0; i < n; i++)
        printf(" %10u", runs[i].efficiency.n_threads);
    printf("   threads\n  %-26s", "duration");
    for (guint i = 0; i < n; i++) {
        char *text = tnd_quantity_text((double)(runs[i].efficiency.end_ns - runs[i].efficiency.begin_ns), "ns");
        printf(" %10s", text);
        g_free(text);
    }
    printf("\n  %-26s", "speedup");
    for (guint i = 0; i < n; i++)
        printf(" %10.3f", runs[i].scaling.speedup);
    putchar('\n');
    for (guint row = 0; row < G_N_ELEMENTS(rows); row++) {
        printf("  %-26s", rows[row].name);
        for (guint i = 0; i < n; i++)
            printf(" %8.2f %%", 100 * G_STRUCT_MEMBER(double, &runs[i], rows[row].offset));
        printf("   %s\n", rows[row].help);
    }
}

int tnd_stat_time_compare(char **paths, guint n)
{
    Run *runs = g_new0(Run, n);
    TndEfficiency *efficiencies = g_new0(TndEfficiency, n);
    TndScaling *scalings = g_new0(TndScaling, n);
    int status = TND_EXIT_FINE;
    for (guint i = 0; i < n && status == TND_EXIT_FINE; i++) {
        TndTrace *trace = tnd_cli_open(paths[i]);
        if (!trace) {
            status = TND_EXIT_INPUT;
            break;
        }
        TndStatTime *time = tnd_stat_time_new(trace, FALSE);
        efficiencies[i] = runs[i].efficiency = time->has_run ? time->run : time->whole;
        runs[i].factors = runs[i].efficiency.has_openmp ? runs[i].efficiency.hybrid : runs[i].efficiency.processes;
        printf("%s\n", paths[i]);
        if (runs[i].factors.parallel <= 0) {
            tnd_cli_complain(paths[i], "no thread computes, as far as the trace says");
            status = TND_EXIT_INPUT;
        }
        tnd_stat_time_free(time);
        tnd_trace_free(trace);
    }
    if (status == TND_EXIT_FINE) {
        tnd_efficiency_scale(efficiencies, n, scalings);
        for (guint i = 0; i < n; i++)
            runs[i].scaling = scalings[i];
        print_table(runs, n);
    }
    g_free(runs);
    g_free(efficiencies);
    g_free(scalings);
    return status;
}
