/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A callback for each kind of definition, which copies what is needed of it.
 */
#include "analysis/import/otf2_tables.h"

#include <math.h>
#include <string.h>

static OTF2_CallbackCode keep(GHashTable *table, guint64 number, gconstpointer data, gsize size)
{
    g_hash_table_insert(table, GSIZE_TO_POINTER(number), g_memdup2(data, size));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_clock(void *self, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t begin)
{
    TndOtf2Contents *contents = self;
    contents->resolution = MAX(resolution, 1);
    contents->offset = offset;
    contents->length = length;
    contents->begin_s = begin == OTF2_UNDEFINED_TIMESTAMP ? 0 : begin / 1000000000;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_text(void *self, OTF2_StringRef number, const char *text)
{
    return keep(((TndOtf2Contents *)self)->texts, number, text, strlen(text) + 1);
}

static OTF2_CallbackCode take_node(void *self, OTF2_SystemTreeNodeRef number, OTF2_StringRef name, OTF2_StringRef class,
                                   OTF2_SystemTreeNodeRef parent)
{
    const TndOtf2Node node = {name, class, parent, 0};
    return keep(((TndOtf2Contents *)self)->nodes, number, &node, sizeof node);
}

static OTF2_CallbackCode take_group(void *self, OTF2_LocationGroupRef number, OTF2_StringRef name,
                                    OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef node,
                                    OTF2_LocationGroupRef creator)
{
    TndOtf2Contents *contents = self;
    const TndOtf2Process group = {name, node, g_hash_table_size(contents->groups), 0};
    (void)type, (void)creator;
    return keep(contents->groups, number, &group, sizeof group);
}

static OTF2_CallbackCode take_location(void *self, OTF2_LocationRef number, OTF2_StringRef name, OTF2_LocationType type,
                                       uint64_t n_events, OTF2_LocationGroupRef group)
{
    TndOtf2Contents *contents = self;
    const TndOtf2Location location = {number, name, group, contents->locations->len, 0, n_events};
    (void)type;
    g_array_append_val(contents->locations, location);
    contents->n_events += n_events;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_region(void *self, OTF2_RegionRef number, OTF2_StringRef name, OTF2_StringRef canonical,
                                     OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                     OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin, uint32_t end)
{
    const TndOtf2Region region = {name, description, role, paradigm, {0}};
    (void)canonical, (void)flags, (void)file, (void)begin, (void)end;
    return keep(((TndOtf2Contents *)self)->regions, number, &region, sizeof region);
}

static OTF2_CallbackCode take_context(void *self, OTF2_CallingContextRef number, OTF2_RegionRef region,
                                      OTF2_SourceCodeLocationRef place, OTF2_CallingContextRef parent)
{
    const TndOtf2Context context = {region, place, parent, 0};
    return keep(((TndOtf2Contents *)self)->contexts, number, &context, sizeof context);
}

static OTF2_CallbackCode take_place(void *self, OTF2_SourceCodeLocationRef number, OTF2_StringRef file, uint32_t line)
{
    const TndOtf2Place place = {file, line};
    return keep(((TndOtf2Contents *)self)->places, number, &place, sizeof place);
}

static OTF2_CallbackCode take_member(void *self, OTF2_MetricMemberRef number, OTF2_StringRef name,
                                     OTF2_StringRef description, OTF2_MetricType metric, OTF2_MetricMode mode,
                                     OTF2_Type type, OTF2_Base base, int64_t exponent, OTF2_StringRef unit)
{
    const TndOtf2Member member = {name, mode, type, base, exponent, {0}};
    (void)description, (void)metric, (void)unit;
    return keep(((TndOtf2Contents *)self)->members, number, &member, sizeof member);
}

static OTF2_CallbackCode take_metric(void *self, OTF2_MetricRef number, uint8_t n, const OTF2_MetricMemberRef *members,
                                     OTF2_MetricOccurrence occurrence, OTF2_RecorderKind recorder)
{
    const TndOtf2MetricClass metric = {n, g_memdup2(members, n * sizeof *members), 0};
    (void)occurrence, (void)recorder;
    return keep(((TndOtf2Contents *)self)->metrics, number, &metric, sizeof metric);
}

static OTF2_CallbackCode take_instance(void *self, OTF2_MetricRef number, OTF2_MetricRef of, OTF2_LocationRef recorder,
                                       OTF2_MetricScope scope, uint64_t whose)
{
    const TndOtf2MetricClass metric = {0, NULL, of};
    (void)recorder, (void)scope, (void)whose;
    return keep(((TndOtf2Contents *)self)->metrics, number, &metric, sizeof metric);
}

static OTF2_CallbackCode take_parameter(void *self, OTF2_ParameterRef number, OTF2_StringRef name,
                                        OTF2_ParameterType type)
{
    (void)type;
    return keep(((TndOtf2Contents *)self)->parameters, number, &name, sizeof name);
}

static OTF2_CallbackCode take_members(void *self, OTF2_GroupRef number, OTF2_StringRef name, OTF2_GroupType type,
                                      OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t n, const uint64_t *members)
{
    TndOtf2Contents *contents = self;
    const TndOtf2Set set = {type, paradigm, flags, n, g_memdup2(members, n * sizeof *members)};
    (void)name;
    keep(contents->sets, number, &set, sizeof set);
    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS && paradigm == OTF2_PARADIGM_MPI)
        contents->ranks = tnd_otf2_tables_find(contents->sets, number);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_inter_comm(void *self, OTF2_CommRef number, OTF2_StringRef name, OTF2_GroupRef a,
                                         OTF2_GroupRef b, OTF2_CommRef common, OTF2_CommFlag flags)
{
    TndOtf2Contents *contents = self;
    const TndOtf2Comm comm = {{a, b}, g_hash_table_size(contents->comms) + 1};
    (void)name, (void)common, (void)flags;
    return keep(contents->comms, number, &comm, sizeof comm);
}

static OTF2_CallbackCode take_comm(void *self, OTF2_CommRef number, OTF2_StringRef name, OTF2_GroupRef group,
                                   OTF2_CommRef parent, OTF2_CommFlag flags)
{
    return take_inter_comm(self, number, name, group, OTF2_UNDEFINED_GROUP, parent, flags);
}

static OTF2_CallbackCode take_generator(void *self, OTF2_InterruptGeneratorRef number, OTF2_StringRef name,
                                        OTF2_InterruptGeneratorMode mode, OTF2_Base base, int64_t exponent,
                                        uint64_t period)
{
    double unit_s = pow(base == OTF2_BASE_BINARY ? 2 : 10, (double)exponent);
    gboolean is_time = mode == OTF2_INTERRUPT_GENERATOR_MODE_TIME;
    const TndOtf2Generator generator = {name, is_time ? (guint64)llround((double)period * unit_s * 1e9) : 0};
    return keep(((TndOtf2Contents *)self)->generators, number, &generator, sizeof generator);
}

OTF2_GlobalDefReaderCallbacks *tnd_otf2_tables_callbacks(void)
{
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, take_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, take_text);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(callbacks, take_node);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, take_group);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, take_location);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, take_region);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(callbacks, take_context);
    OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback(callbacks, take_place);
    OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks, take_member);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks, take_metric);
    OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(callbacks, take_instance);
    OTF2_GlobalDefReaderCallbacks_SetParameterCallback(callbacks, take_parameter);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, take_members);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, take_comm);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, take_inter_comm);
    OTF2_GlobalDefReaderCallbacks_SetInterruptGeneratorCallback(callbacks, take_generator);
    return callbacks;
}

static void free_metric(gpointer metric)
{
    g_free(((TndOtf2MetricClass *)metric)->members);
    g_free(metric);
}

static void free_members(gpointer set)
{
    g_free(((TndOtf2Set *)set)->members);
    g_free(set);
}

static GHashTable *new_table(GDestroyNotify free_it)
{
    return g_hash_table_new_full(NULL, NULL, NULL, free_it);
}

void tnd_otf2_tables_begin(TndOtf2Contents *contents)
{
    GHashTable **tables[] = {&contents->texts,    &contents->nodes,     &contents->groups,  &contents->regions,
                             &contents->contexts, &contents->places,    &contents->members, &contents->parameters,
                             &contents->comms,    &contents->generators};
    for (guint i = 0; i < G_N_ELEMENTS(tables); i++)
        *tables[i] = new_table(g_free);
    contents->metrics = new_table(free_metric);
    contents->sets = new_table(free_members);
    contents->of_location = new_table(NULL);
    contents->locations = g_array_new(FALSE, FALSE, sizeof(TndOtf2Location));
    contents->resolution = 1000000000;
}

void tnd_otf2_tables_end(TndOtf2Contents *contents)
{
    GHashTable *tables[] = {contents->texts,      contents->nodes,  contents->groups,  contents->regions,
                            contents->contexts,   contents->places, contents->members, contents->metrics,
                            contents->parameters, contents->sets,   contents->comms,   contents->generators,
                            contents->of_location};
    for (guint i = 0; i < G_N_ELEMENTS(tables); i++)
        g_hash_table_unref(tables[i]);
    g_array_unref(contents->locations);
}
