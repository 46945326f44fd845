/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What definitions mean for the trace that is made, when it is asked for first.
 */
#include "analysis/import/otf2_contents.h"

#include "analysis/base/otf2_errors.h"
#include "analysis/import/otf2_tables.h"
#include "formats/event_types.h"
#include "formats/otf2_attributes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DECIMALS 6 /* of values that are not whole */

const char *tnd_otf2_contents_text(const TndOtf2Contents *contents, OTF2_StringRef text)
{
    const char *found = tnd_otf2_tables_find(contents->texts, text);
    return found ? found : "";
}

/* The node that a process is on: the first one of the class "node" from its place in the tree upwards, or that place.
 */
static TndOtf2Node *node_of(const TndOtf2Contents *contents, OTF2_SystemTreeNodeRef place)
{
    TndOtf2Node *first = tnd_otf2_tables_find(contents->nodes, place), *node = first;
    for (guint n = 0; node && n <= g_hash_table_size(contents->nodes); n++) {
        if (g_ascii_strcasecmp(tnd_otf2_contents_text(contents, node->class), "node") == 0)
            return node;
        node = tnd_otf2_tables_find(contents->nodes, node->parent);
    }
    return first;
}

static guint make_process(TndOtf2Contents *contents, const TndOtf2Location *location)
{
    static TndOtf2Process lone; /* of a location without */
    TndOtf2Process *group = tnd_otf2_tables_find(contents->groups, location->group);
    TndOtf2Node *node = group ? node_of(contents, group->node) : NULL, nowhere = {0};
    if (!group)
        lone = (TndOtf2Process){location->name, 0, 0, 0}, group = &lone;
    if (group->process)
        return group->process - 1;
    if (!node)
        node = &nowhere;
    if (!node->node)
        node->node =
            tnd_import_trace_node(contents->import,
                                  node == &nowhere ? "machine" : tnd_otf2_contents_text(contents, node->name)) +
            1;
    group->process =
        tnd_import_trace_process(contents->import, node->node - 1, tnd_otf2_contents_text(contents, group->name)) + 1;
    return group->process - 1;
}

static int compare_locations(gconstpointer a, gconstpointer b, gpointer self)
{
    const TndOtf2Contents *contents = self;
    const TndOtf2Location *x = a, *y = b;
    const TndOtf2Process *of_x = tnd_otf2_tables_find(contents->groups, x->group),
                         *of_y = tnd_otf2_tables_find(contents->groups, y->group);
    guint m = of_x ? of_x->order : 0, n = of_y ? of_y->order : 0;
    return m != n ? (m > n) - (m < n) : (x->order > y->order) - (x->order < y->order);
}

static void make_threads(TndOtf2Contents *contents)
{
    g_array_sort_with_data(contents->locations, compare_locations, contents);
    contents->refs = g_new(OTF2_LocationRef, contents->locations->len);
    for (guint i = 0; i < contents->locations->len; i++) {
        TndOtf2Location *location = &g_array_index(contents->locations, TndOtf2Location, i);
        if (location->n_events) /* libotf2 3.0 reads freed memory where one has none */
            contents->refs[contents->n_refs++] = location->self;
        location->thread = tnd_import_trace_thread(contents->import, make_process(contents, location),
                                                   tnd_otf2_contents_text(contents, location->name));
        g_hash_table_insert(contents->of_location, GSIZE_TO_POINTER(location->self), GUINT_TO_POINTER(i + 1));
    }
}

/* The location of a member of a group. */
static OTF2_LocationRef location_of(const TndOtf2Contents *contents, const TndOtf2Set *set, guint64 rank)
{
    if (!set || rank >= set->n)
        return OTF2_UNDEFINED_LOCATION;
    guint64 member = set->members[rank];
    if (set->type == OTF2_GROUP_TYPE_COMM_SELF || !contents->ranks || (set->flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS))
        return member;
    return member < contents->ranks->n ? contents->ranks->members[member] : OTF2_UNDEFINED_LOCATION;
}

static int compare_numbers(gconstpointer a, gconstpointer b)
{
    const TndOtf2Comm *const *x = a, *const *y = b;
    return ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

/* Those of MPI's processes, in the order of definitions. */
static void make_communicators(TndOtf2Contents *contents)
{
    guint n_comms = g_hash_table_size(contents->comms);
    gpointer *comms = g_new(gpointer, n_comms + 1);
    guint n = 0;
    GHashTableIter iter;
    g_hash_table_iter_init(&iter, contents->comms);
    while (g_hash_table_iter_next(&iter, NULL, &comms[n]))
        n++;
    qsort(comms, n, sizeof *comms, compare_numbers);
    for (guint i = 0; i < n; i++) {
        const TndOtf2Comm *comm = comms[i];
        const TndOtf2Set *set = tnd_otf2_tables_find(contents->sets, comm->groups[0]);
        gboolean is_mpi = set && set->type == OTF2_GROUP_TYPE_COMM_GROUP && set->paradigm == OTF2_PARADIGM_MPI;
        GArray *processes = g_array_new(FALSE, FALSE, sizeof(guint));
        for (guint rank = 0; is_mpi && rank < set->n; rank++) {
            guint process = tnd_otf2_contents_process(contents, location_of(contents, set, rank));
            if (process != G_MAXUINT)
                g_array_append_val(processes, process);
        }
        if (processes->len && comm->groups[1] == OTF2_UNDEFINED_GROUP)
            tnd_import_trace_communicator(contents->import, comm->number, (guint *)(gpointer)processes->data,
                                          processes->len);
        g_array_unref(processes);
    }
    g_free(comms);
}

TndOtf2Contents *tnd_otf2_contents_read(OTF2_Reader *reader, TndImport *import, GError **error)
{
    TndOtf2Contents *contents = g_new0(TndOtf2Contents, 1);
    tnd_otf2_tables_begin(contents);
    contents->import = import;
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *callbacks = tnd_otf2_tables_callbacks();
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, contents);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    uint64_t n_read;
    OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n_read);
    char *creator = NULL;
    OTF2_Reader_GetCreator(reader, &creator);
    contents->is_own = creator && strcmp(creator, TND_OTF2_CREATOR) == 0;
    free(creator);
    if (!tnd_otf2_errors_take(error)) {
        tnd_otf2_contents_free(contents);
        return NULL;
    }
    make_threads(contents);
    make_communicators(contents);
    if (contents->begin_s)
        tnd_import_trace_date(import, (gint64)contents->begin_s);
    return contents;
}

void tnd_otf2_contents_free(TndOtf2Contents *contents)
{
    tnd_otf2_tables_end(contents);
    g_free(contents->refs);
    g_free(contents);
}

guint64 tnd_otf2_contents_n_events(const TndOtf2Contents *contents)
{
    return contents->n_events;
}

guint64 tnd_otf2_contents_time_ns(const TndOtf2Contents *contents, OTF2_TimeStamp time)
{
    guint64 ticks = time > contents->offset ? time - contents->offset : 0;
    unsigned __int128 time_ns = (unsigned __int128)ticks * 1000000000 / contents->resolution;
    return time_ns > G_MAXINT64 ? G_MAXINT64 : (guint64)time_ns;
}

guint64 tnd_otf2_contents_end_ns(const TndOtf2Contents *contents)
{
    return contents->length ? tnd_otf2_contents_time_ns(contents, contents->offset + contents->length - 1) : 0;
}

const OTF2_LocationRef *tnd_otf2_contents_locations(const TndOtf2Contents *contents, guint *n)
{
    *n = contents->n_refs;
    return contents->refs;
}

static const TndOtf2Location *location_at(const TndOtf2Contents *contents, OTF2_LocationRef location)
{
    guint index = GPOINTER_TO_UINT(tnd_otf2_tables_find(contents->of_location, location));
    return index ? &g_array_index(contents->locations, TndOtf2Location, index - 1) : NULL;
}

guint tnd_otf2_contents_thread(const TndOtf2Contents *contents, OTF2_LocationRef location)
{
    const TndOtf2Location *found = location_at(contents, location);
    return found ? found->thread : G_MAXUINT;
}

guint tnd_otf2_contents_process(const TndOtf2Contents *contents, OTF2_LocationRef location)
{
    const TndOtf2Location *found = location_at(contents, location);
    const TndOtf2Process *group = found ? tnd_otf2_tables_find(contents->groups, found->group) : NULL;
    return group ? group->process - 1 : G_MAXUINT;
}

gboolean tnd_otf2_contents_is_own(const TndOtf2Contents *contents)
{
    return contents->is_own;
}

/* The event types of OpenMP's regions by their role. */
static const struct {
    OTF2_RegionRole role;
    guint32 type;
} openmp[] = {
    {OTF2_REGION_ROLE_PARALLEL, TND_TYPE_OPENMP_PARALLEL},
    {OTF2_REGION_ROLE_LOOP, TND_TYPE_OPENMP_WORKSHARING},
    {OTF2_REGION_ROLE_SECTIONS, TND_TYPE_OPENMP_WORKSHARING},
    {OTF2_REGION_ROLE_SINGLE, TND_TYPE_OPENMP_WORKSHARING},
    {OTF2_REGION_ROLE_WORKSHARE, TND_TYPE_OPENMP_WORKSHARING},
    {OTF2_REGION_ROLE_BARRIER, TND_TYPE_OPENMP_BARRIER},
    {OTF2_REGION_ROLE_IMPLICIT_BARRIER, TND_TYPE_OPENMP_BARRIER},
    {OTF2_REGION_ROLE_CRITICAL, TND_TYPE_OPENMP_NAMED_LOCK},
    {OTF2_REGION_ROLE_ORDERED, TND_TYPE_OPENMP_ORDERED},
    {OTF2_REGION_ROLE_TASK_WAIT, TND_TYPE_OPENMP_TASKWAIT},
};

static guint32 type_by_kind(const TndOtf2Region *region)
{
    for (guint i = 0; region->paradigm == OTF2_PARADIGM_OPENMP && i < G_N_ELEMENTS(openmp); i++)
        if (openmp[i].role == region->role)
            return openmp[i].type;
    return region->paradigm == OTF2_PARADIGM_OPENMP    ? TND_TYPE_OPENMP_FUNCTION
           : region->paradigm == OTF2_PARADIGM_PTHREAD ? TND_TYPE_PTHREAD_CALL
                                                       : TND_TYPE_USER_FUNCTION;
}

/* The label of a value in the name of a region that tandem wrote: a type whose one value is "Begin" is called by its
 * own label, and a value without a label is "type: 7". */
static const char *value_label(const char *name, const char *type)
{
    if (strcmp(name, type) == 0)
        return "Begin";
    gsize n = strlen(type);
    return strncmp(name, type, n) == 0 && g_str_has_prefix(name + n, ": ") ? name + n + 2 : name;
}

TndImportCall tnd_otf2_contents_call(TndOtf2Contents *contents, OTF2_RegionRef number)
{
    TndOtf2Region *region = tnd_otf2_tables_find(contents->regions, number);
    if (!region || region->call.type)
        return region ? region->call : (TndImportCall){0};
    TndImportNames *names = tnd_import_trace_names(contents->import);
    const char *name = tnd_otf2_contents_text(contents, region->name),
               *type_name = tnd_otf2_contents_text(contents, region->description);
    guint32 type = contents->is_own ? tnd_import_names_known(names, type_name) : 0;
    if (type)
        region->call = (TndImportCall){type, tnd_import_names_value(names, type, value_label(name, type_name))};
    else if (region->paradigm == OTF2_PARADIGM_MPI)
        region->call = tnd_import_names_mpi(names, name);
    if (!region->call.type) {
        type = type_by_kind(region);
        region->call = (TndImportCall){type, tnd_import_names_value(names, type, name)};
    }
    return region->call;
}

OTF2_RegionRef tnd_otf2_contents_context_region(const TndOtf2Contents *contents, OTF2_CallingContextRef number)
{
    const TndOtf2Context *context = tnd_otf2_tables_find(contents->contexts, number);
    return context ? context->region : OTF2_UNDEFINED_REGION;
}

guint tnd_otf2_contents_frame(TndOtf2Contents *contents, OTF2_CallingContextRef number)
{
    TndOtf2Context *context = tnd_otf2_tables_find(contents->contexts, number);
    if (!context || context->frame)
        return context ? context->frame : 0;
    const TndOtf2Region *region = tnd_otf2_tables_find(contents->regions, context->region);
    const TndOtf2Place *place = tnd_otf2_tables_find(contents->places, context->place);
    /* A context is not its own caller, whatever the file says. */
    guint caller = context->parent < number ? tnd_otf2_contents_frame(contents, context->parent) : 0;
    char *line = place ? tnd_import_names_line(tnd_otf2_contents_text(contents, place->file), place->line) : NULL;
    context->frame = tnd_import_trace_frame(contents->import, caller,
                                            region ? tnd_otf2_contents_text(contents, region->name) : "", line);
    g_free(line);
    return context->frame;
}

guint64 tnd_otf2_contents_period_ns(const TndOtf2Contents *contents, OTF2_InterruptGeneratorRef number,
                                    gboolean *is_wait)
{
    const TndOtf2Generator *generator = tnd_otf2_tables_find(contents->generators, number);
    *is_wait = contents->is_own && generator && strcmp(tnd_otf2_contents_text(contents, generator->name), "waits") == 0;
    return generator ? generator->period_ns : 0;
}

static void make_metric(TndOtf2Contents *contents, TndOtf2Member *member)
{
    TndImportNames *names = tnd_import_trace_names(contents->import);
    gboolean is_accumulated = (member->mode & OTF2_METRIC_VALUE_MASK) == OTF2_METRIC_VALUE_ACCUMULATED;
    gboolean is_before = is_accumulated || (member->mode & OTF2_METRIC_TIMING_MASK) == OTF2_METRIC_TIMING_LAST;
    guint32 type = tnd_import_names_type(names, tnd_otf2_contents_text(contents, member->name),
                                         is_before ? TND_IMPORT_COUNTER : TND_IMPORT_LEVEL);
    gboolean is_whole = member->type != OTF2_TYPE_DOUBLE && member->type != OTF2_TYPE_FLOAT;
    gboolean is_decimal = member->base == OTF2_BASE_DECIMAL && member->exponent < 0 && member->exponent > -10;
    int decimals = is_decimal ? (int)-member->exponent : is_whole ? 0 : DECIMALS;
    double factor = pow(member->base == OTF2_BASE_DECIMAL ? 10 : 2, (double)member->exponent) * pow(10, decimals);
    if (decimals)
        tnd_pcf_set_precision(names->pcf, type, decimals);
    member->metric = (TndOtf2Metric){type, is_accumulated, is_decimal ? 1 : factor};
}

TndOtf2Metric tnd_otf2_contents_metric(TndOtf2Contents *contents, OTF2_MetricRef number, guint member)
{
    const TndOtf2MetricClass *metric = tnd_otf2_tables_find(contents->metrics, number);
    if (metric && !metric->members)
        metric = tnd_otf2_tables_find(contents->metrics, metric->of);
    TndOtf2Member *found =
        metric && member < metric->n ? tnd_otf2_tables_find(contents->members, metric->members[member]) : NULL;
    if (found && !found->metric.type)
        make_metric(contents, found);
    return found ? found->metric : (TndOtf2Metric){0};
}

guint32 tnd_otf2_contents_parameter(TndOtf2Contents *contents, OTF2_ParameterRef parameter)
{
    const OTF2_StringRef *name = tnd_otf2_tables_find(contents->parameters, parameter);
    return name ? tnd_import_names_type(tnd_import_trace_names(contents->import),
                                        tnd_otf2_contents_text(contents, *name), TND_IMPORT_EVENT)
                : 0;
}

OTF2_LocationRef tnd_otf2_contents_rank(const TndOtf2Contents *contents, OTF2_CommRef number, OTF2_LocationRef seen_by,
                                        guint32 rank)
{
    const TndOtf2Comm *comm = tnd_otf2_tables_find(contents->comms, number);
    const TndOtf2Set *set = comm ? tnd_otf2_tables_find(contents->sets, comm->groups[0]) : NULL;
    if (!comm || comm->groups[1] == OTF2_UNDEFINED_GROUP)
        return location_of(contents, set, rank);
    /* Ranks of a communicator of two groups are those of the other group. */
    guint process = tnd_otf2_contents_process(contents, seen_by);
    for (guint i = 0; set && i < set->n; i++)
        if (tnd_otf2_contents_process(contents, location_of(contents, set, i)) == process)
            return location_of(contents, tnd_otf2_tables_find(contents->sets, comm->groups[1]), rank);
    return location_of(contents, set, rank);
}

guint64 tnd_otf2_contents_communicator(const TndOtf2Contents *contents, OTF2_CommRef number)
{
    const TndOtf2Comm *comm = tnd_otf2_tables_find(contents->comms, number);
    return comm ? comm->number : 0;
}
