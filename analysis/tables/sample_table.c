/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples are collected row by row; each different function, line and stack becomes a code.
 */
#include "analysis/tables/sample_table.h"

#include "analysis/reports/call_tree.h"
#include "analysis/tables/record_tables.h"
#include "formats/event_types.h"

#include <gio/gio.h>

/* Codes of numbers, in the order in which they come. */
typedef struct {
    GHashTable *codes; /* from the number to its code + 1 */
    GArray *numbers;   /* gint64 */
} Codes;

typedef struct {
    gint64 time_ns, weight_ns;
    guint32 row, kind, function, line, stack;
} Sample;

typedef struct {
    const TndTrace *trace;
    guint64 begin_ns, end_ns; /* [begin_ns, end_ns] */
    TndCallTree *stacks;
    Codes functions, lines, nodes; /* nodes: of stacks */
    guint32 row;
    TndSamplesOf what;
    GArray *samples; /* Sample */
} Collection;

static Codes new_codes(void)
{
    return (Codes){g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
                   g_array_new(FALSE, FALSE, sizeof(gint64))};
}

static void free_codes(Codes *codes)
{
    g_hash_table_unref(codes->codes);
    g_array_unref(codes->numbers);
}

static guint32 code_of(Codes *codes, gint64 number)
{
    guint code = GPOINTER_TO_UINT(g_hash_table_lookup(codes->codes, &number));
    if (code)
        return code - 1;
    g_array_append_val(codes->numbers, number);
    g_hash_table_insert(codes->codes, g_memdup2(&number, sizeof number), GUINT_TO_POINTER(codes->numbers->len));
    return codes->numbers->len - 1;
}

static void collect(gpointer data, const TndSample *sample)
{
    Collection *self = data;
    if (sample->time_ns < self->begin_ns || sample->time_ns > self->end_ns)
        return;
    const Sample collected = {.time_ns = (gint64)sample->time_ns,
                              .weight_ns = (gint64)sample->weight_ns,
                              .row = self->row,
                              .kind = self->what == TND_SAMPLES_WAITS ? TND_SAMPLE_KIND_WAIT
                                      : sample->is_rest               ? TND_SAMPLE_KIND_REST
                                                                      : TND_SAMPLE_KIND_CPU,
                              .function = code_of(&self->functions, sample->frames[0]),
                              .line = code_of(&self->lines, sample->lines[0]),
                              .stack = code_of(&self->nodes, tnd_call_tree_add(self->stacks, sample, FALSE))};
    g_array_append_val(self->samples, collected);
}

/* Collects a row's samples of both kinds.  FALSE: cancelled. */
static gboolean collect_rows(Collection *self, const TndTableSelection *selection)
{
    const guint n_rows = tnd_trace_n_threads(self->trace);
    gboolean goes_on = TRUE;
    for (guint row = 0; row < n_rows && goes_on; row++) {
        self->row = row;
        for (self->what = TND_SAMPLES_CPU; self->what <= TND_SAMPLES_WAITS; self->what++)
            if (!selection->rows || selection->rows[row])
                tnd_samples_each(self->trace, row, self->what, collect, self);
        goes_on = !selection->progress || selection->progress((double)(row + 1) / n_rows, selection->user_data);
    }
    return goes_on;
}

static gint compare(gconstpointer a, gconstpointer b)
{
    const Sample *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

static char *line_text(const TndTrace *trace, gint64 line)
{
    const struct tnd_pcf *pcf = tnd_trace_pcf(trace);
    const char *label = line ? tnd_pcf_value_label(pcf, TND_TYPE_SAMPLED_LINE, line) : "";
    if (!label) /* it may have waits only */
        label = tnd_pcf_value_label(pcf, TND_TYPE_WAITING_LINE, line);
    return label ? g_strdup(label) : g_strdup_printf("%" G_GINT64_FORMAT, line);
}

static char *stack_text(const Collection *self, guint node)
{
    GString *text = g_string_new(NULL);
    for (guint at = node; at; at = tnd_call_tree_node(self->stacks, at)->parent) {
        char *name = tnd_samples_function_name(self->trace, tnd_call_tree_node(self->stacks, at)->function);
        g_string_prepend_c(text, ';');
        g_string_prepend(text, g_strdelimit(name, ";\n", ':'));
        g_free(name);
    }
    if (text->len)
        g_string_truncate(text, text->len - 1);
    return g_string_free(text, FALSE);
}

/* The texts of codes, in their order. */
static char **texts_of(const Collection *self, const Codes *codes)
{
    char **texts = g_new0(char *, codes->numbers->len + 1);
    for (guint i = 0; i < codes->numbers->len; i++) {
        gint64 number = g_array_index(codes->numbers, gint64, i);
        texts[i] = codes == &self->functions ? tnd_samples_function_name(self->trace, number)
                   : codes == &self->lines   ? line_text(self->trace, number)
                                             : stack_text(self, (guint)number);
    }
    return texts;
}

static guint add_codes(TndTable *table, const char *name, const Collection *self, const Codes *codes)
{
    return tnd_table_add_codes(table, name, texts_of(self, codes), codes->numbers->len);
}

static TndTable *table_of(const Collection *self, GError **error)
{
    static const char *const kinds[] = {"CPU", "CPU after the last sample", "waiting", NULL};
    G_STATIC_ASSERT(G_N_ELEMENTS(kinds) == TND_SAMPLE_KIND_N + 1);
    TndTable *table = tnd_table_new();
    guint row =
        tnd_table_add_codes(table, "row", tnd_record_tables_rows(self->trace), tnd_trace_n_threads(self->trace));
    guint time = tnd_table_add(table, "time_ns", TND_COLUMN_INT64);
    guint weight = tnd_table_add(table, "weight_ns", TND_COLUMN_INT64);
    guint kind = tnd_table_add_codes(table, "kind", g_strdupv((char **)kinds), TND_SAMPLE_KIND_N);
    guint function = add_codes(table, "function", self, &self->functions);
    guint line = add_codes(table, "line", self, &self->lines);
    guint path = add_codes(table, "call_path", self, &self->nodes);
    if (!tnd_table_allocate(table, self->samples->len, error))
        g_clear_pointer(&table, tnd_table_free);
    for (guint i = 0; table && i < self->samples->len; i++) {
        const Sample *sample = &g_array_index(self->samples, Sample, i);
        *tnd_table_integers(table, time, i) = sample->time_ns;
        *tnd_table_integers(table, weight, i) = sample->weight_ns;
        tnd_table_write_codes(table, row, i, 1, &sample->row);
        tnd_table_write_codes(table, kind, i, 1, &sample->kind);
        tnd_table_write_codes(table, function, i, 1, &sample->function);
        tnd_table_write_codes(table, line, i, 1, &sample->line);
        tnd_table_write_codes(table, path, i, 1, &sample->stack);
    }
    return table;
}

TndTable *tnd_sample_table_new(const TndTrace *trace, const TndTableSelection *selection, GError **error)
{
    if (!tnd_samples_exist(trace) && !tnd_trace_n_events_of(trace, TND_TYPE_WAITING_FUNCTION)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: the trace has no samples", tnd_trace_path(trace));
        return NULL;
    }
    Collection self = {.trace = trace,
                       .begin_ns = selection->begin_ns,
                       .end_ns = selection->end_ns ? selection->end_ns - 1 : G_MAXUINT64,
                       .stacks = tnd_call_tree_new_empty(trace, TND_SAMPLES_CPU),
                       .functions = new_codes(),
                       .lines = new_codes(),
                       .nodes = new_codes(),
                       .samples = g_array_new(FALSE, FALSE, sizeof(Sample))};
    TndTable *table = NULL;
    if (collect_rows(&self, selection)) {
        g_array_sort(self.samples, compare);
        table = table_of(&self, error);
    } else
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
    tnd_call_tree_free(self.stacks);
    free_codes(&self.functions);
    free_codes(&self.lines);
    free_codes(&self.nodes);
    g_array_unref(self.samples);
    return table;
}
