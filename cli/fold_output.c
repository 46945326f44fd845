/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text has a strip for each function: a character for each bin, or for several, denser where the share is larger.
 */
#include "cli/fold_output.h"

#include "analysis/base/quantity.h"
#include "cli/cli.h"
#include "formats/csv.h"
#include "formats/output_file.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define FUNCTIONS_SHOWN 15
#define NAME_WIDTH 60
#define STRIP_WIDTH 50
#define LEAST_PARTS 0.5 /* of the hundred parts of an instance that samples are expected to hit */

static const char levels[] = " .:-=+*#%@";
#define UNKNOWN '?'

/* Prints a strip of values between 0 and 1, whose sums by bin are given: each character shows part / whole of its bins.
 */
static void print_strip(const double *parts, const double *wholes, guint n_bins)
{
    guint width = MIN(n_bins, STRIP_WIDTH);
    putchar('|');
    for (guint i = 0; i < width; i++) {
        double part = 0, whole = 0;
        for (guint bin = i * n_bins / width; bin < (i + 1) * n_bins / width; bin++) {
            part += parts[bin];
            whole += wholes ? wholes[bin] : 1;
        }
        double level = whole > 0 ? part / whole * (sizeof levels - 2) : NAN;
        putchar(isnan(level) ? UNKNOWN : levels[(guint)CLAMP(ceil(level - 0.5), level > 0, sizeof levels - 2)]);
    }
    putchar('|');
}

static void print_instances(const TndFoldPicture *what, const TndFoldOutputOptions *options)
{
    const TndFoldInstances *instances = what->instances;
    const TndFolding *folding = what->folding;
    char *n_out = tnd_quantity_text(instances->all->len - instances->n_kept, "");
    char *n = tnd_quantity_text(instances->all->len, ""), *n_kept = tnd_quantity_text(instances->n_kept, "");
    char *mean = tnd_quantity_text(instances->mean_ns, "ns");
    char *deviation = tnd_quantity_text(round(instances->deviation_ns), "ns");
    char *kept = tnd_quantity_text((double)instances->kept_ns, "ns");
    char *least = tnd_quantity_text((double)instances->least_ns, "ns");
    char *most =
        instances->most_ns == G_MAXUINT64 ? g_strdup("any time") : tnd_quantity_text((double)instances->most_ns, "ns");
    char *bin = tnd_quantity_text(folding->mean_ns / folding->n_bins, "ns");
    printf("%s\n%s of %s instances of %s are folded: %s each (standard deviation %s), %s in all\n",
           tnd_trace_shown(what->trace), n_kept, n, what->region, mean, deviation, kept);
    if (options->is_chosen)
        printf("  It is what is repeated and takes the most time; --by VIEW=VALUE chooses another region\n");
    if (instances->n_kept < instances->all->len)
        printf("  %s with %.1f %% of the time are left out because they do not last %s to %s\n", n_out,
               100 * (1 - (double)instances->kept_ns / (double)instances->all_ns), least, most);
    printf("  %" G_GUINT64_FORMAT " samples are in them, %" G_GUINT64_FORMAT
           " in instances left out, %" G_GUINT64_FORMAT " in none; %u bins of %s\n",
           folding->n_samples, folding->n_left_out, folding->n_outside, folding->n_bins, bin);
    char *const all[] = {n, n_out, n_kept, mean, deviation, kept, least, most, bin};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        g_free(all[i]);
}

static char *name_of(const TndFoldPicture *what, guint function)
{
    char *name = tnd_folding_name(what->trace, what->options, tnd_folding_function(what->folding, function));
    char *cut = tnd_cli_cut(name, NAME_WIDTH);
    g_free(name);
    return cut;
}

static void print_phases(const TndFoldPicture *what)
{
    printf("\nPhases: where the functions change (95 %% sure within +-)\n  %10s %10s %10s %8s  functions\n", "begin",
           "end", "+-", "samples");
    for (guint i = 0; i < what->phases->len; i++) {
        const TndFoldPhase *phase = &g_array_index(what->phases, TndFoldPhase, i);
        char *begin = tnd_quantity_text(round(phase->begin * what->folding->mean_ns), "ns");
        char *end = tnd_quantity_text(round(phase->end * what->folding->mean_ns), "ns");
        char *sure = phase->uncertainty > 0
                         ? tnd_quantity_text(round(phase->uncertainty * what->folding->mean_ns), "ns")
                         : g_strdup("");
        printf("  %10s %10s %10s %8" G_GUINT64_FORMAT " ", begin, end, sure, phase->n);
        for (guint k = 0; k < phase->n_functions; k++) {
            char *name = name_of(what, phase->functions[k]);
            if (k == 0 || phase->shares[k] >= 0.01)
                printf("%s %s %.1f %%", k ? "," : "", name, 100 * phase->shares[k]);
            g_free(name);
        }
        printf("\n");
        g_free(begin);
        g_free(end);
        g_free(sure);
    }
}

static void print_functions(const TndFoldPicture *what, const TndFoldOutputOptions *options)
{
    const TndFolding *folding = what->folding;
    guint n = folding->functions->len, n_shown = options->all ? n : MIN(n, FUNCTIONS_SHOWN);
    guint width = MIN(folding->n_bins, STRIP_WIDTH) + 2;
    printf("\nFunctions: share of the %s (95 %% sure within +-), over the time in an instance\n  %8s %8s  %-*s  %s\n",
           folding->are_weighed ? "CPU time" : "samples", "share", "+-", (int)width, "from begin to end", "function");
    for (guint i = 0; i < n_shown; i++) {
        double sure, share = tnd_folding_total(folding, i, &sure);
        char *name = name_of(what, i);
        printf("  %6.2f %% %6.2f %%  ", 100 * share, 100 * sure);
        print_strip(tnd_folding_function(folding, i)->weights, folding->weights, folding->n_bins);
        printf("%*s  %s\n", (int)MAX(17, width) - (int)width, "", name);
        g_free(name);
    }
    if (n_shown < n)
        printf("  ... and %u more: --all shows them\n", n - n_shown);
}

static void print_curves(const TndFoldPicture *what)
{
    const TndFolding *folding = what->folding;
    guint n_bins = folding->n_bins, width = MIN(n_bins, STRIP_WIDTH) + 2;
    double *parts = g_new(double, n_bins);
    printf("\nReadings: least and largest of all bins, over the time in an instance\n  %26s %26s  %-*s  %s\n", "least",
           "largest", (int)width, "from 0 to largest", "what");
    for (guint i = 0; i < folding->curves->len; i++) {
        const TndFoldCurve *curve = tnd_folding_curve(folding, i);
        double least = INFINITY, most = -INFINITY, size;
        for (guint bin = 0; bin < n_bins; bin++) {
            least = isnan(curve->values[bin]) ? least : MIN(least, curve->values[bin]);
            most = isnan(curve->values[bin]) ? most : MAX(most, curve->values[bin]);
        }
        for (guint bin = 0; bin < n_bins; bin++)
            parts[bin] = most > 0 ? curve->values[bin] / most : curve->values[bin];
        char *unit = tnd_quantity_unit(MAX(fabs(least), fabs(most)), curve->unit, &size);
        char *from = g_strdup_printf("%.4g %s", least / size, unit),
             *to = g_strdup_printf("%.4g %s", most / size, unit);
        printf("  %26s %26s  ", from, to);
        print_strip(parts, NULL, n_bins);
        printf("%*s  %s", (int)MAX(17, width) - (int)width, "", curve->name);
        if (!isnan(curve->total))
            printf(" (%.6g an instance)", curve->total);
        printf("\n");
        g_free(from);
        g_free(to);
        g_free(unit);
    }
    g_free(parts);
}

void tnd_fold_output_print(const TndFoldPicture *what, const TndFoldOutputOptions *options)
{
    print_instances(what, options);
    if (what->folding->n_samples) {
        print_phases(what);
        print_functions(what, options);
    }
    if (what->folding->curves->len)
        print_curves(what);
}

void tnd_fold_output_warn(const TndFoldPicture *what)
{
    const char *path = tnd_trace_path(what->trace);
    const TndFoldInstances *instances = what->instances;
    double expected, left_out = 1 - (double)instances->kept_ns / (double)MAX(instances->all_ns, 1);
    guint n_parts = tnd_folding_parts_hit(what->folding, &expected);
    guint n_overfull = tnd_folding_overfull(what->folding, instances);
    if (left_out > 0.5)
        tnd_cli_complain(path,
                         "the instances left out have %.0f %% of the time: --duration MIN:MAX chooses others, --by and "
                         "--between other regions",
                         100 * left_out);
    if (n_overfull)
        tnd_cli_complain(path,
                         "samples and instances are in step: %u of %u bins have more CPU time than there was; their "
                         "shares are right, those of the whole instance are not, which another --sampling-period of "
                         "tandem record changes",
                         n_overfull, what->folding->n_bins);
    if (what->folding->n_samples > 1 && n_parts < LEAST_PARTS * expected)
        tnd_cli_complain(
            path,
            "the samples hit %u of a hundred parts of the instance, where %.0f are expected: either threads "
            "wait in the others, or instances and samples are in step, which another --sampling-period of "
            "tandem record changes",
            n_parts, expected);
}

/* A line; NaN: an empty field. */
static void write_line(FILE *file, const char *what, const char *name, double begin_ns, double end_ns, guint64 n,
                       double value, double uncertainty, const char *unit)
{
    const double numbers[] = {value, uncertainty};
    tnd_csv_text(file, 1, what);
    tnd_csv_text(file, 0, name);
    tnd_csv_number(file, 0, begin_ns, 1);
    tnd_csv_number(file, 0, end_ns, 1);
    tnd_csv_whole(file, 0, n, 0, 0);
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        if (isnan(numbers[i]))
            tnd_csv_text(file, 0, "");
        else
            tnd_csv_number(file, 0, numbers[i], 6);
    tnd_csv_text(file, 0, unit);
    tnd_csv_end_line(file);
}

static void write_phases(FILE *file, const TndFoldPicture *what)
{
    double mean_ns = what->folding->mean_ns;
    for (guint i = 0; i < what->phases->len; i++) {
        const TndFoldPhase *phase = &g_array_index(what->phases, TndFoldPhase, i);
        write_line(file, "phase", "", phase->begin * mean_ns, phase->end * mean_ns, phase->n, phase->end * mean_ns,
                   phase->uncertainty * mean_ns, "ns");
    }
}

static void write_csv(FILE *file, const TndFoldPicture *what)
{
    const TndFolding *folding = what->folding;
    double bin_ns = folding->mean_ns / folding->n_bins;
    fputs("what,name,begin [ns],end [ns],readings,value,+-,unit\n", file);
    write_phases(file, what);
    for (guint i = 0; i < folding->functions->len; i++) {
        char *name = tnd_folding_name(what->trace, what->options, tnd_folding_function(folding, i));
        for (guint bin = 0; bin < folding->n_bins; bin++) {
            double sure, share = tnd_folding_share(folding, i, bin, &sure);
            write_line(file, "share", name, bin * bin_ns, (bin + 1) * bin_ns, folding->counts[bin], 100 * share,
                       100 * sure, "%");
        }
        g_free(name);
    }
    for (guint i = 0; i < folding->curves->len; i++) {
        const TndFoldCurve *curve = tnd_folding_curve(folding, i);
        for (guint bin = 0; bin < folding->n_bins; bin++)
            write_line(file, "reading", curve->name, bin * bin_ns, (bin + 1) * bin_ns, curve->counts[bin],
                       curve->values[bin], NAN, curve->unit);
    }
}

/* Errors of standard output are reported at the end of the command (main.c). */
static gboolean write_file(const TndFoldPicture *what, const char *path,
                           void (*write)(FILE *file, const TndFoldPicture *what))
{
    gboolean is_output = strcmp(path, "-") == 0;
    FILE *file = is_output ? stdout : tnd_output_file_open(path);
    if (file)
        write(file, what);
    gboolean good = file && (is_output || (fflush(file) == 0 && !ferror(file)));
    int reason = errno;
    if (file && !is_output && fclose(file) != 0 && good) {
        reason = errno;
        good = FALSE;
    }
    if (!good)
        tnd_cli_complain(path, "%s", tnd_output_file_reason(reason));
    return good;
}

gboolean tnd_fold_output_csv(const TndFoldPicture *what, const char *path)
{
    return write_file(what, path, write_csv);
}

gboolean tnd_fold_output_draw(const TndFoldPicture *what, const char *path)
{
    return write_file(what, path, tnd_fold_picture_write);
}
