/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes and prints tables of histograms.
 */
#include "cli/histogram_output.h"

#include "analysis/base/quantity.h"
#include "cli/cli.h"
#include "formats/output_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Prints a line with totals for each column, however many rows there are. */
static void print_totals(const TndHistogram *table)
{
    static const guint shown[] = {TND_TOTAL_SUM, TND_TOTAL_AVERAGE, TND_TOTAL_MAXIMUM, TND_TOTAL_MINIMUM,
                                  TND_TOTAL_AVG_MAX};
    const gboolean are_several = table->n_rows != 1;
    const char *rows =
        table->is_vertical ? (are_several ? "columns" : "column") : tnd_levels_word(table->level, are_several);
    printf("%s: %s, over %u %s\n\n%-32s", table->subject, table->title, table->n_rows, rows, "");
    for (guint i = 0; i < G_N_ELEMENTS(shown); i++)
        printf(" %12s", tnd_histogram_total_name(shown[i]));
    printf("\n");
    for (guint column = 0; column < table->n_columns; column++) {
        char *name = tnd_cli_fit(table->column_names[column], 32);
        fputs(name, stdout);
        g_free(name);
        for (guint i = 0; i < G_N_ELEMENTS(shown); i++) {
            double value = table->totals[(gsize)shown[i] * table->n_columns + column];
            char *text =
                shown[i] == TND_TOTAL_AVG_MAX ? g_strdup_printf("%.3f", value) : tnd_quantity_text(value, table->unit);
            printf(" %12s", text);
            g_free(text);
        }
        printf("\n");
    }
}

static gboolean write_all(FILE *file, const TndHistogramOutput *output, const TndCfgTables *tables)
{
    for (guint i = 0; i < tables->n_planes; i++)
        tables->planes[i]->decimals = output->decimals;
    return tnd_cfg_histogram_write_csv(tables, file, output->is_long, NULL);
}

/* Errors of standard output are reported at the end of the command (main.c). */
gboolean tnd_histogram_output_write(const TndHistogramOutput *output, const TndCfgTables *tables)
{
    if (!output->csv) {
        for (guint i = 0; i < tables->n_planes; i++) {
            if (tables->plane_names[i])
                printf("%s%s\n", i > 0 ? "\n" : "", tables->plane_names[i]);
            print_totals(tables->planes[i]);
        }
        return TRUE;
    }
    if (strcmp(output->csv, "-") == 0)
        return write_all(stdout, output, tables);
    FILE *file = tnd_output_file_open(output->csv);
    gboolean good = file && write_all(file, output, tables);
    int reason = errno;
    if (file && fclose(file) != 0 && good) {
        reason = errno;
        good = FALSE;
    }
    if (!good)
        tnd_cli_complain(output->csv, "%s", tnd_output_file_reason(reason));
    return good;
}
