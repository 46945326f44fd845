/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers are those of pairs: of event type and value, of row and event type.
 */
#include "analysis/convert/otf2_definitions.h"

#include "analysis/convert/numbering.h"
#include "analysis/convert/row_items.h"
#include "analysis/reports/call_tree.h"
#include "analysis/reports/source_line.h"
#include "analysis/reports/statistics.h"
#include "analysis/trace/levels.h"
#include "formats/event_types.h"
#include "formats/fact.h"

#include <stdlib.h>
#include <string.h>

/* A metric: of an event type, or, as an instance of that, of the process or node that a row tells of. */
typedef struct {
    gboolean is_instance;
    guint32 type;
    OTF2_MetricRef class; /* of an instance */
    OTF2_LocationRef recorder;
    OTF2_MetricScope scope;
    guint64 whose;
} Metric;

struct TndOtf2Definitions {
    TndOtf2Archive *archive;
    GHashTable *regions, *parameters; /* numbers of pairs */
    GHashTable *metrics;              /* number of a pair of type and row; row -1: the class */
    GArray *metrics_made;             /* Metric, by their numbers */
    GHashTable *places;               /* numbers of places in the source */
    TndCallTree *tree;                /* all stacks; nodes are calling contexts */
    guint n_contexts;                 /* of them are defined, the first node among them, which is none */
};

/* What is known of the regions of event types, sorted.  A value: only of this one. */
static const struct kind {
    guint32 first, last;
    gint64 value;
    OTF2_Paradigm paradigm;
    OTF2_RegionRole role;
} kinds[] = {
    {TND_TYPE_PROCESS_CALL, TND_TYPE_PROCESS_CALL, 0, OTF2_PARADIGM_USER, OTF2_REGION_ROLE_FUNCTION},
    {TND_TYPE_HEAP_CALL, TND_TYPE_HEAP_CALL, 2, OTF2_PARADIGM_USER, OTF2_REGION_ROLE_DEALLOCATE},
    {TND_TYPE_HEAP_CALL, TND_TYPE_HEAP_CALL, 3, OTF2_PARADIGM_USER, OTF2_REGION_ROLE_REALLOCATE},
    {TND_TYPE_HEAP_CALL, TND_TYPE_HEAP_CALL, 0, OTF2_PARADIGM_USER, OTF2_REGION_ROLE_ALLOCATE},
    {TND_TYPE_MPI_P2P, TND_TYPE_MPI_P2P, 0, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_POINT2POINT},
    {TND_TYPE_MPI_COLLECTIVE, TND_TYPE_MPI_COLLECTIVE, 7, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_COLL_ONE2ALL},
    {TND_TYPE_MPI_COLLECTIVE, TND_TYPE_MPI_COLLECTIVE, 8, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_BARRIER},
    {TND_TYPE_MPI_COLLECTIVE, TND_TYPE_MPI_COLLECTIVE, 9, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_COLL_ALL2ONE},
    {TND_TYPE_MPI_COLLECTIVE, TND_TYPE_MPI_COLLECTIVE, 13, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_COLL_ALL2ONE},
    {TND_TYPE_MPI_COLLECTIVE, TND_TYPE_MPI_COLLECTIVE, 14, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_COLL_ALL2ONE},
    {TND_TYPE_MPI_COLLECTIVE, TND_TYPE_MPI_COLLECTIVE, 15, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_COLL_ONE2ALL},
    {TND_TYPE_MPI_COLLECTIVE, TND_TYPE_MPI_COLLECTIVE, 16, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_COLL_ONE2ALL},
    {TND_TYPE_MPI_COLLECTIVE, TND_TYPE_MPI_COLLECTIVE, 30, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_COLL_OTHER},
    {TND_TYPE_MPI_COLLECTIVE, TND_TYPE_MPI_COLLECTIVE, 0, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_COLL_ALL2ALL},
    {TND_TYPE_MPI_OTHER, TND_TYPE_MPI_OTHER, 0, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FUNCTION},
    {TND_TYPE_MPI_ONE_SIDED, TND_TYPE_MPI_ONE_SIDED, 0, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_RMA},
    {TND_TYPE_MPI_IO, TND_TYPE_MPI_IO, 0, OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FILE_IO},
    {TND_TYPE_OPENMP_PARALLEL, TND_TYPE_OPENMP_PARALLEL, 0, OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_PARALLEL},
    {TND_TYPE_OPENMP_WORKSHARING, TND_TYPE_OPENMP_WORKSHARING, 0, OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_WORKSHARE},
    {TND_TYPE_OPENMP_BARRIER, TND_TYPE_OPENMP_BARRIER, 0, OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_BARRIER},
    {TND_TYPE_OPENMP_NAMED_LOCK, TND_TYPE_OPENMP_UNNAMED_LOCK, 0, OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_CRITICAL},
    {TND_TYPE_OPENMP_TASKWAIT, TND_TYPE_OPENMP_TASKWAIT, 0, OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK_WAIT},
    {TND_TYPE_OPENMP_ORDERED, TND_TYPE_OPENMP_ORDERED, 0, OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_ORDERED},
};

/* Those that the table has not are told apart by their category. */
static struct kind kind_of(guint32 type, gint64 value)
{
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (kinds[i].first <= type && type <= kinds[i].last && (!kinds[i].value || kinds[i].value == value))
            return kinds[i];
    const char *category = tnd_row_items_category(type);
    OTF2_Paradigm paradigm = !category                          ? OTF2_PARADIGM_SAMPLING
                             : strcmp(category, "OpenMP") == 0  ? OTF2_PARADIGM_OPENMP
                             : strcmp(category, "pthread") == 0 ? OTF2_PARADIGM_PTHREAD
                                                                : OTF2_PARADIGM_USER;
    return (struct kind){type, type, 0, paradigm, OTF2_REGION_ROLE_FUNCTION};
}

static OTF2_StringRef text(const TndOtf2Definitions *definitions, const char *text)
{
    return tnd_otf2_archive_text(definitions->archive, text);
}

static OTF2_StringRef type_text(const TndOtf2Definitions *definitions, guint32 type)
{
    char *name = tnd_row_items_type_name(definitions->archive->trace, type);
    OTF2_StringRef number = text(definitions, name);
    g_free(name);
    return number;
}

static void define_region(TndOtf2Definitions *definitions, OTF2_RegionRef number, guint32 type, gint64 value,
                          const char *name, const TndSourceLine *line)
{
    struct kind kind = kind_of(type, value);
    OTF2_StringRef name_text = text(definitions, name), type_number = type_text(definitions, type);
    OTF2_StringRef file = line && line->file ? text(definitions, line->file) : OTF2_UNDEFINED_STRING;
    OTF2_GlobalDefWriter_WriteRegion(definitions->archive->definitions, number, name_text, name_text, type_number,
                                     kind.role, kind.paradigm, OTF2_REGION_FLAG_NONE, file, 0, 0);
}

OTF2_RegionRef tnd_otf2_definitions_region(TndOtf2Definitions *definitions, guint32 type, gint64 value)
{
    gboolean is_new;
    guint number = tnd_numbering_pair(definitions->regions, type, value, &is_new);
    if (is_new) {
        char *name = tnd_row_items_call_name(definitions->archive->trace, type, value);
        define_region(definitions, number - 1, type, value, name, NULL);
        g_free(name);
    }
    return number - 1;
}

/* "[bytes]" in the label of a type; free with g_free. */
static char *unit_of(const char *label)
{
    const char *begin = strrchr(label, '['), *end = begin ? strchr(begin, ']') : NULL;
    return end ? g_strndup(begin + 1, (gsize)(end - begin - 1)) : g_strdup("#");
}

static void define_class(TndOtf2Definitions *definitions, OTF2_MetricRef number, OTF2_MetricMemberRef member,
                         guint32 type)
{
    TndViewScope scope;
    gboolean holds_before;
    tnd_views_reading(type, &scope, &holds_before);
    const TndTrace *trace = definitions->archive->trace;
    const struct tnd_pcf_type *known = tnd_pcf_type(tnd_trace_pcf(trace), type);
    gboolean is_papi = type >= TND_TYPE_COUNTER_PRESET && type <= TND_TYPE_COUNTER_NATIVE_LAST;
    char *name = tnd_row_items_type_name(trace, type), *unit = unit_of(name);
    OTF2_StringRef name_text = text(definitions, name), unit_text = text(definitions, unit);
    OTF2_GlobalDefWriter_WriteMetricMember(definitions->archive->definitions, member, name_text, name_text,
                                           is_papi ? OTF2_METRIC_TYPE_PAPI : OTF2_METRIC_TYPE_OTHER,
                                           holds_before ? OTF2_METRIC_RELATIVE_LAST : OTF2_METRIC_ABSOLUTE_NEXT,
                                           OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, known ? -known->precision : 0,
                                           unit_text);
    OTF2_GlobalDefWriter_WriteMetricClass(definitions->archive->definitions, number, 1, &member,
                                          OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
    g_free(name);
    g_free(unit);
}

OTF2_MetricRef tnd_otf2_definitions_metric(TndOtf2Definitions *definitions, guint row, guint32 type)
{
    gboolean is_new, holds_before;
    TndViewScope scope;
    guint class = tnd_numbering_pair(definitions->metrics, type, -1, &is_new) - 1;
    if (is_new) {
        const Metric metric = {.type = type};
        g_array_append_val(definitions->metrics_made, metric);
    }
    tnd_views_reading(type, &scope, &holds_before);
    if (scope == TND_SCOPE_THREAD)
        return class;
    guint number = tnd_numbering_pair(definitions->metrics, type, row, &is_new) - 1;
    if (is_new) {
        const TndTrace *trace = definitions->archive->trace;
        gboolean is_of_node = scope == TND_SCOPE_NODE;
        const Metric metric = {TRUE,
                               type,
                               class,
                               row,
                               is_of_node ? OTF2_SCOPE_SYSTEM_TREE_NODE : OTF2_SCOPE_LOCATION_GROUP,
                               is_of_node ? tnd_trace_thread(trace, row)->node
                                          : tnd_levels_row_above(trace, TND_LEVEL_THREAD, row, TND_LEVEL_TASK)};
        g_array_append_val(definitions->metrics_made, metric);
    }
    return number;
}

OTF2_ParameterRef tnd_otf2_definitions_parameter(TndOtf2Definitions *definitions, guint32 type, gboolean *is_text)
{
    gboolean is_new;
    const struct tnd_pcf_type *known = tnd_pcf_type(tnd_trace_pcf(definitions->archive->trace), type);
    guint number = tnd_numbering_pair(definitions->parameters, type, 0, &is_new) - 1;
    *is_text = known && known->n_values;
    if (is_new) {
        OTF2_StringRef name = type_text(definitions, type);
        OTF2_GlobalDefWriter_WriteParameter(definitions->archive->definitions, number, name,
                                            *is_text ? OTF2_PARAMETER_TYPE_STRING : OTF2_PARAMETER_TYPE_INT64);
    }
    return number;
}

OTF2_StringRef tnd_otf2_definitions_value(TndOtf2Definitions *definitions, guint32 type, gint64 value)
{
    char number[32];
    const char *label = tnd_pcf_value_label(tnd_trace_pcf(definitions->archive->trace), type, value);
    g_snprintf(number, sizeof number, "%" G_GINT64_FORMAT, value);
    return text(definitions, label ? label : number);
}

/* The label of a line; waits have types of their own, but share the numbers. */
static TndSourceLine line_of(const TndTrace *trace, gint64 line)
{
    gboolean is_sampled = tnd_pcf_value_label(tnd_trace_pcf(trace), TND_TYPE_SAMPLED_LINE, line) != NULL;
    return tnd_source_line_of(trace, is_sampled ? TND_TYPE_SAMPLED_LINE : TND_TYPE_WAITING_LINE, line);
}

static OTF2_SourceCodeLocationRef place_of(TndOtf2Definitions *definitions, const TndSourceLine *line)
{
    if (!line->file)
        return OTF2_UNDEFINED_SOURCE_CODE_LOCATION;
    gboolean is_new;
    OTF2_StringRef file = text(definitions, line->file);
    guint number = tnd_numbering_pair(definitions->places, file, line->number, &is_new) - 1;
    if (is_new)
        OTF2_GlobalDefWriter_WriteSourceCodeLocation(definitions->archive->definitions, number, file, line->number);
    return number;
}

static void define_context(TndOtf2Definitions *definitions, guint index)
{
    const TndCallNode *node = tnd_call_tree_node(definitions->tree, index);
    const TndTrace *trace = definitions->archive->trace;
    gboolean is_new;
    TndSourceLine line = line_of(trace, node->line);
    guint region = tnd_numbering_pair(definitions->regions, TND_TYPE_SAMPLED_FUNCTION, node->function, &is_new) - 1;
    if (is_new) {
        char *name = tnd_samples_function_name(trace, node->function);
        define_region(definitions, region, TND_TYPE_SAMPLED_FUNCTION, node->function, name, &line);
        g_free(name);
    }
    OTF2_SourceCodeLocationRef place = place_of(definitions, &line);
    OTF2_GlobalDefWriter_WriteCallingContext(definitions->archive->definitions, index - 1, region, place,
                                             node->parent ? node->parent - 1 : OTF2_UNDEFINED_CALLING_CONTEXT);
    tnd_source_line_clear(&line);
}

OTF2_CallingContextRef tnd_otf2_definitions_stack(TndOtf2Definitions *definitions, const TndSample *sample)
{
    guint index = tnd_call_tree_add(definitions->tree, sample, TRUE);
    for (; definitions->n_contexts < definitions->tree->nodes->len; definitions->n_contexts++)
        define_context(definitions, definitions->n_contexts);
    return index - 1;
}

static void define_attributes(TndOtf2Definitions *definitions)
{
    static const char *const names[][2] = {
        [TND_OTF2_PHYSICAL_SEND] = {"physical send", "time when the send was complete [ns]"},
        [TND_OTF2_RECEIVE_POSTED] = {"receive posted", "time when the receive was begun [ns]"},
        [TND_OTF2_PHYSICAL_RECEIVE] = {"physical receive", "time when the message came, before it was asked for [ns]"},
        [TND_OTF2_SAMPLE_WEIGHT] = {"sample weight", "time that the sample stands for [ns]"},
    };
    static const char *const samples[] = {[TND_SAMPLES_CPU] = "CPU time", [TND_SAMPLES_WAITS] = "waits"};
    OTF2_GlobalDefWriter *writer = definitions->archive->definitions;
    const char *period_ns = tnd_statistics_comment(definitions->archive->trace, TND_FACT_SAMPLING_PERIOD_NS);
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        OTF2_StringRef name = text(definitions, names[i][0]), about = text(definitions, names[i][1]);
        OTF2_GlobalDefWriter_WriteAttribute(writer, i, name, about, OTF2_TYPE_UINT64);
    }
    for (guint i = 0; i < G_N_ELEMENTS(samples); i++) {
        OTF2_StringRef name = text(definitions, samples[i]);
        OTF2_GlobalDefWriter_WriteInterruptGenerator(
            writer, i, name, OTF2_INTERRUPT_GENERATOR_MODE_TIME, OTF2_BASE_DECIMAL, -9,
            period_ns && i == TND_SAMPLES_CPU ? strtoull(period_ns, NULL, 10) : 0);
    }
}

TndOtf2Definitions *tnd_otf2_definitions_new(TndOtf2Archive *archive)
{
    TndOtf2Definitions *definitions = g_new0(TndOtf2Definitions, 1);
    definitions->archive = archive;
    definitions->regions = tnd_numbering_new_pairs();
    definitions->parameters = tnd_numbering_new_pairs();
    definitions->metrics = tnd_numbering_new_pairs();
    definitions->places = tnd_numbering_new_pairs();
    definitions->metrics_made = g_array_new(FALSE, FALSE, sizeof(Metric));
    definitions->tree = tnd_call_tree_new_empty(archive->trace, TND_SAMPLES_CPU);
    definitions->n_contexts = 1;
    define_attributes(definitions);
    return definitions;
}

void tnd_otf2_definitions_finish(TndOtf2Definitions *definitions)
{
    OTF2_MetricMemberRef n_members = 0;
    for (guint i = 0; i < definitions->metrics_made->len; i++) {
        const Metric *metric = &g_array_index(definitions->metrics_made, Metric, i);
        if (metric->is_instance)
            OTF2_GlobalDefWriter_WriteMetricInstance(definitions->archive->definitions, i, metric->class,
                                                     metric->recorder, metric->scope, metric->whose);
        else
            define_class(definitions, i, n_members++, metric->type);
    }
}

void tnd_otf2_definitions_free(TndOtf2Definitions *definitions)
{
    tnd_call_tree_free(definitions->tree);
    g_array_unref(definitions->metrics_made);
    g_hash_table_unref(definitions->places);
    g_hash_table_unref(definitions->metrics);
    g_hash_table_unref(definitions->parameters);
    g_hash_table_unref(definitions->regions);
    g_free(definitions);
}
