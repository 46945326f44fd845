/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opens the traces one after another, and prints the table.
 */
#include "cli/scaling_table.h"

#include "analysis/base/quantity.h"
#include "cli/cli.h"
#include "cli/scaling_page.h"
#include "cli/stat_time.h"

#include <stdio.h>

#define AT(member) G_STRUCT_OFFSET(TndScalingRun, member)

static const TndScalingRow rows[] = {
    {"global efficiency", "parallel x computation", AT(scaling.global), FALSE, FALSE},
    {"  parallel efficiency", "useful time / (threads x duration)", AT(factors.parallel), FALSE, FALSE},
    {"    load balance", "average / maximum of useful time", AT(factors.load_balance), FALSE, FALSE},
    {"    communication", "maximum of useful time / duration", AT(factors.communication), FALSE, FALSE},
    {"      running", "the same / maximum of time outside of MPI", AT(factors.running), FALSE, FALSE},
    {"      serialisation", "that / duration on an ideal network", AT(factors.serialisation), FALSE, FALSE},
    {"      transfer", "duration on an ideal network / duration", AT(factors.transfer), FALSE, FALSE},
    {"    of MPI", "first threads' time outside of MPI", AT(efficiency.mpi.parallel), TRUE, FALSE},
    {"      MPI load balance", "average / maximum of that", AT(efficiency.mpi.load_balance), TRUE, FALSE},
    {"      MPI communication", "maximum of that / duration", AT(efficiency.mpi.communication), TRUE, FALSE},
    {"        serialisation", "the same / duration on an ideal network", AT(efficiency.mpi.serialisation), TRUE, FALSE},
    {"        transfer", "duration on an ideal network / duration", AT(efficiency.mpi.transfer), TRUE, FALSE},
    {"    of OpenMP", "the rest; may exceed 100 %", AT(efficiency.openmp.parallel), TRUE, FALSE},
    {"      OpenMP load balance", "of all threads / of MPI", AT(efficiency.openmp.load_balance), TRUE, FALSE},
    {"      OpenMP communication", "of all threads / of MPI", AT(efficiency.openmp.communication), TRUE, FALSE},
    {"  computation scalability", "useful time against the first run", AT(scaling.computation), FALSE, FALSE},
    {"    of instructions", "instructions against the first run", AT(scaling.instructions), FALSE, FALSE},
    {"    of IPC", "instructions / cycle", AT(scaling.ipc), FALSE, FALSE},
    {"    of frequency", "cycles / useful time", AT(scaling.frequency), FALSE, FALSE},
    {"lost to load balance", "share of all threads' time", AT(lost.load_balance), FALSE, TRUE},
    {"lost to stops outside of MPI", "share of all threads' time", AT(lost.stopped), FALSE, TRUE},
    {"lost to serialisation", "share of all threads' time", AT(lost.serialisation), FALSE, TRUE},
    {"lost to transfer", "share of all threads' time", AT(lost.transfer), FALSE, TRUE},
    {"lost to OpenMP", "share of all threads' time", AT(lost.openmp), TRUE, TRUE},
};

const TndScalingRow *tnd_scaling_table_rows(guint *n)
{
    *n = G_N_ELEMENTS(rows);
    return rows;
}

static double value_of(const TndScalingRun *run, const TndScalingRow *row)
{
    return G_STRUCT_MEMBER(double, run, row->offset);
}

gboolean tnd_scaling_table_has(const TndScalingTable *table, const TndScalingRow *row)
{
    for (guint i = 0; i < table->n; i++)
        if (row->is_lost || value_of(&table->runs[i], row) > 0)
            return !row->of_openmp || table->has_openmp;
    return FALSE;
}

char *tnd_scaling_table_text(const TndScalingTable *table, guint run, const TndScalingRow *row, guint n_decimals)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE], format[] = "%.0f";
    double value = value_of(&table->runs[run], row);
    if (!row->is_lost && value <= 0)
        return g_strdup("-");
    format[2] = (char)('0' + n_decimals);
    return g_strdup_printf("%s %%", g_ascii_formatd(text, sizeof text, format, 100 * value));
}

/* FALSE: complained. */
static gboolean read_run(TndScalingRun *run, const char *path)
{
    TndTrace *trace = tnd_cli_open(path);
    if (!trace)
        return FALSE;
    TndStatTime *time = tnd_stat_time_new(trace, FALSE);
    const TndEfficiency *of = time->has_run ? &time->run : &time->whole;
    *run = (TndScalingRun){.path = g_strdup(path),
                           .efficiency = *of,
                           .factors = of->has_openmp ? of->hybrid : of->processes,
                           .lost = of->has_openmp ? of->hybrid_lost : of->lost};
    tnd_stat_time_free(time);
    tnd_trace_free(trace);
    if (run->factors.parallel > 0)
        return TRUE;
    tnd_cli_complain(path, "no thread computes, as far as the trace says");
    return FALSE;
}

static void free_table(TndScalingTable *table)
{
    if (!table)
        return;
    for (guint i = 0; i < table->n; i++)
        g_free(table->runs[i].path);
    g_free(table->runs);
    g_free(table);
}

/* NULL: complained. */
static TndScalingTable *read_table(char **paths, guint n)
{
    TndScalingTable *table = g_new0(TndScalingTable, 1);
    table->runs = g_new0(TndScalingRun, n);
    for (; table->n < n; table->n++) {
        if (!read_run(&table->runs[table->n], paths[table->n])) {
            table->n++;
            free_table(table);
            return NULL;
        }
        table->has_openmp = table->has_openmp || table->runs[table->n].efficiency.has_openmp;
    }
    TndEfficiency *efficiencies = g_new(TndEfficiency, n);
    TndScaling *scalings = g_new(TndScaling, n);
    for (guint i = 0; i < n; i++)
        efficiencies[i] = table->runs[i].efficiency;
    tnd_efficiency_scale(efficiencies, n, scalings);
    for (guint i = 0; i < n; i++)
        table->runs[i].scaling = scalings[i];
    g_free(efficiencies);
    g_free(scalings);
    return table;
}

static void print_table(const TndScalingTable *table)
{
    for (guint i = 0; i < table->n; i++)
        printf("%s\n", table->runs[i].path);
    printf("\nRuns of %s work, against the first one; -: not known\n  %-26s",
           table->runs[0].scaling.is_weak ? "growing" : "the same", "");
    for (guint i = 0; i < table->n; i++)
        printf(" %10u", table->runs[i].efficiency.n_processes);
    printf("   processes\n  %-26s", "");
    for (guint i = 0; i < table->n; i++)
        printf(" %10u", table->runs[i].efficiency.n_threads);
    printf("   threads\n  %-26s", "duration");
    for (guint i = 0; i < table->n; i++) {
        const TndEfficiency *efficiency = &table->runs[i].efficiency;
        char *text = tnd_quantity_text((double)(efficiency->end_ns - efficiency->begin_ns), "ns");
        printf(" %10s", text);
        g_free(text);
    }
    printf("\n  %-26s", "speedup");
    for (guint i = 0; i < table->n; i++)
        printf(" %10.3f", table->runs[i].scaling.speedup);
    putchar('\n');
    for (guint row = 0; row < G_N_ELEMENTS(rows); row++) {
        if (!tnd_scaling_table_has(table, &rows[row]))
            continue;
        printf("  %-26s", rows[row].name);
        for (guint i = 0; i < table->n; i++) {
            char *text = tnd_scaling_table_text(table, i, &rows[row], 2);
            printf(" %10s", text);
            g_free(text);
        }
        printf("   %s\n", rows[row].help);
    }
}

int tnd_scaling_table_say(char **paths, guint n, const char *output)
{
    TndScalingTable *table = read_table(paths, n);
    gboolean is_said = table != NULL;
    if (table && output)
        is_said = tnd_scaling_page_write(table, output);
    else if (table)
        print_table(table);
    free_table(table);
    return is_said ? TND_EXIT_FINE : TND_EXIT_INPUT;
}
