/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "app.cut.prv: 4 rows, 120 states, ..., 1.5 ms".
 */
#include "cli/made_trace.h"

#include "analysis/base/quantity.h"
#include "formats/plain_text.h"

#include <stdio.h>

void tnd_made_trace_print(const TndMadeTrace *made)
{
    const struct {
        guint64 n;
        const char *one, *many;
    } counts[] = {{made->n_rows, "row", "rows"},
                  {made->n_states, "state", "states"},
                  {made->n_events, "event value", "event values"},
                  {made->n_messages, "message", "messages"}};
    char *duration = tnd_quantity_text((double)made->end_ns, "ns");
    char *output = g_strdup(made->output), *aside = g_strdup(made->aside ? made->aside : "");
    tnd_plain_text_make(output, "");
    tnd_plain_text_make(aside, "");
    printf("%s: ", output);
    for (guint i = 0; i < G_N_ELEMENTS(counts); i++)
        printf("%" G_GUINT64_FORMAT " %s, ", counts[i].n, counts[i].n == 1 ? counts[i].one : counts[i].many);
    printf("%s", duration);
    if (made->aside)
        printf("; the trace before it is %s", aside);
    putchar('\n');
    g_free(duration);
    g_free(output);
    g_free(aside);
}
