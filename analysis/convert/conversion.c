/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of formats.
 */
#include "analysis/convert/conversion.h"

#include "analysis/convert/chrome.h"
#include "analysis/convert/collapsed.h"
#include "analysis/convert/perfetto.h"
#include "analysis/convert/pprof.h"
#include "analysis/convert/row_items.h"
#include "analysis/convert/speedscope.h"
#include "analysis/reports/samples.h"

#include <string.h>

#define NO_SAMPLES "the trace has no samples (tandem record --sampling-period)"
#define NO_ITEMS "the trace has no states, calls, counters or samples"

const TndConversionFormat tnd_conversion_formats[] = {
    {"collapsed", tnd_collapsed_write, tnd_samples_exist, NO_SAMPLES},
    {"speedscope", tnd_speedscope_write, tnd_samples_exist, NO_SAMPLES},
    {"pprof", tnd_pprof_write, tnd_samples_exist, NO_SAMPLES},
    {"chrome", tnd_chrome_write, tnd_row_items_exist, NO_ITEMS},
    {"perfetto", tnd_perfetto_write, tnd_row_items_exist, NO_ITEMS},
};

const guint tnd_conversion_n = G_N_ELEMENTS(tnd_conversion_formats);

const TndConversionFormat *tnd_conversion_find(const char *name)
{
    for (guint i = 0; i < tnd_conversion_n; i++)
        if (strcmp(tnd_conversion_formats[i].name, name) == 0)
            return &tnd_conversion_formats[i];
    return NULL;
}
