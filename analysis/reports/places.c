/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CPUs and stacks of a trace.  Events give the current value of each type of region; which region is the innermost
 * follows from the order of these events.
 */
#include "analysis/reports/places.h"

#include "analysis/trace/nesting.h"
#include "analysis/trace/walk.h"

#include "formats/event_types.h"

/* The types of regions at whose begin the depth of the stack is recorded (runtime/place.h). */
static const guint32 region_types[] = {TND_TYPE_REGION,          TND_TYPE_OPENMP_FUNCTION, TND_TYPE_OPENMP_TASK,
                                       TND_TYPE_PYTHON_FUNCTION, TND_TYPE_MPI_P2P,         TND_TYPE_MPI_COLLECTIVE,
                                       TND_TYPE_MPI_OTHER,       TND_TYPE_MPI_ONE_SIDED,   TND_TYPE_MPI_IO};

/* The state of the pass over a row. */
typedef struct {
    TndPlaces *places;
    guint row;
    TndNesting nesting;
    GHashTable *cpus, *regions;
    gint64 cpu;
    guint64 depth_bytes; /* the last depth of the stack */
    /* At the current time: */
    gboolean is_told, has_begun; /* there is a depth; a region begins */
    TndNestingCall ended;        /* the first region that ends */
    gint64 function;             /* the sampled function */
} Pass;

static gboolean is_region(guint32 type)
{
    for (guint i = 0; i < G_N_ELEMENTS(region_types); i++)
        if (region_types[i] == type)
            return TRUE;
    return FALSE;
}

static void end(gpointer self, guint index, guint64 time_ns)
{
    (void)time_ns;
    Pass *pass = self;
    if (!pass->ended.type)
        pass->ended = g_array_index(pass->nesting.calls, TndNestingCall, index);
}

static guint hash_region(gconstpointer data)
{
    const TndPlaceRegion *region = data;
    return g_int64_hash(&region->value) * 31 + region->type;
}

static gboolean equal_regions(gconstpointer a, gconstpointer b)
{
    const TndPlaceRegion *x = a, *y = b;
    return x->type == y->type && x->value == y->value;
}

/* Adds the depth at the time that is over to the innermost region, or to the one that ended then: the depths at both
 * ends of a region belong to it. */
static void settle(Pass *pass)
{
    if (pass->depth_bytes && (pass->is_told || pass->has_begun)) {
        const GArray *calls = pass->nesting.calls;
        TndNestingCall inner = {0};
        if (calls->len)
            inner = g_array_index(calls, TndNestingCall, calls->len - 1);
        if (pass->ended.type && !pass->has_begun)
            inner = pass->ended;
        TndPlaceRegion here = {inner.type, inner.value, pass->depth_bytes, pass->row, pass->function};
        TndPlaceRegion *known = g_hash_table_lookup(pass->regions, &here),
                       *deepest = &pass->places->rows[pass->row].deepest;
        if (!known)
            g_hash_table_add(pass->regions, g_memdup2(&here, sizeof here));
        else if (here.deepest_bytes > known->deepest_bytes)
            *known = here;
        if (here.deepest_bytes > deepest->deepest_bytes)
            *deepest = here;
        pass->places->has_stack = TRUE;
    }
    pass->is_told = pass->has_begun = FALSE;
    pass->ended = (TndNestingCall){0};
    pass->function = 0;
}

static void note(Pass *pass, const TndEvent *event)
{
    TndPlace *place = &pass->places->rows[pass->row];
    switch (event->type) {
    case TND_TYPE_CPU:
        if (!event->value)
            break;
        place->n_migrations += pass->cpu && pass->cpu != event->value;
        pass->cpu = event->value;
        g_hash_table_add(pass->cpus, GINT_TO_POINTER((gint)event->value));
        break;
    case TND_TYPE_STACK_DEPTH:
        pass->depth_bytes = (guint64)MAX(event->value, 0);
        pass->is_told = TRUE;
        break;
    case TND_TYPE_STACK_HIGH:
        place->high_bytes = MAX(place->high_bytes, (guint64)MAX(event->value, 0));
        pass->places->has_stack = TRUE;
        break;
    case TND_TYPE_STACK_SIZE:
        place->size_bytes = MAX(place->size_bytes, (guint64)MAX(event->value, 0));
        break;
    case TND_TYPE_SAMPLED_FUNCTION:
        pass->function = event->value;
        break;
    default:
        if (is_region(event->type) && tnd_nesting_follow(&pass->nesting, event->time_ns, event->type, event->value))
            pass->has_begun = TRUE;
    }
}

static void pass_row(Pass *pass, const TndTrace *trace)
{
    tnd_nesting_clear(&pass->nesting);
    g_hash_table_remove_all(pass->cpus);
    pass->cpu = 0;
    pass->depth_bytes = 0;
    guint64 before_ns = 0;
    TndWalk walk = tnd_walk_events(trace, pass->row, G_MAXUINT64);
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk)); before_ns = event->time_ns) {
        if (event->time_ns != before_ns)
            settle(pass);
        note(pass, event);
    }
    tnd_walk_end(&walk);
    settle(pass);
}

static int compare_regions(gconstpointer a, gconstpointer b)
{
    const TndPlaceRegion *x = a, *y = b;
    if (x->deepest_bytes != y->deepest_bytes)
        return x->deepest_bytes < y->deepest_bytes ? 1 : -1;
    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

static GArray *sort_regions(GHashTable *regions)
{
    GArray *sorted = g_array_new(FALSE, FALSE, sizeof(TndPlaceRegion));
    GHashTableIter iter;
    gpointer region;
    g_hash_table_iter_init(&iter, regions);
    while (g_hash_table_iter_next(&iter, &region, NULL))
        g_array_append_vals(sorted, region, 1);
    g_array_sort(sorted, compare_regions);
    return sorted;
}

/* A key for a CPU of the thread's node. */
static guint64 cpu_of(const TndThread *thread, gint cpu)
{
    return (guint64)thread->node << 32 | (guint32)cpu;
}

TndPlaces *tnd_places_new(const TndTrace *trace)
{
    TndPlaces *places = g_new0(TndPlaces, 1);
    places->n_rows = tnd_trace_n_threads(trace);
    places->rows = g_new0(TndPlace, places->n_rows + 1);
    Pass pass = {.places = places,
                 .nesting = {g_array_new(FALSE, FALSE, sizeof(TndNestingCall)), end, NULL, {0}},
                 .cpus = g_hash_table_new(g_direct_hash, g_direct_equal),
                 .regions = g_hash_table_new_full(hash_region, equal_regions, g_free, NULL)};
    pass.nesting.self = &pass;
    GHashTable *all = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (; pass.row < places->n_rows; pass.row++) {
        const TndThread *thread = tnd_trace_thread(trace, pass.row);
        if (!thread->n_states && !thread->n_events)
            continue;
        pass_row(&pass, trace);
        places->rows[pass.row].n_cpus = g_hash_table_size(pass.cpus);
        places->n_migrations += places->rows[pass.row].n_migrations;
        GHashTableIter iter;
        gpointer cpu;
        g_hash_table_iter_init(&iter, pass.cpus);
        while (g_hash_table_iter_next(&iter, &cpu, NULL)) {
            guint64 key = cpu_of(thread, GPOINTER_TO_INT(cpu));
            g_hash_table_add(all, g_memdup2(&key, sizeof key));
        }
    }
    places->n_cpus = g_hash_table_size(all);
    places->regions = sort_regions(pass.regions);
    g_array_unref(pass.nesting.calls);
    g_hash_table_unref(pass.cpus);
    g_hash_table_unref(pass.regions);
    g_hash_table_unref(all);
    return places;
}

void tnd_places_free(TndPlaces *places)
{
    if (!places)
        return;
    g_array_unref(places->regions);
    g_free(places->rows);
    g_free(places);
}

static char *label(const TndTrace *trace, guint32 type, gint64 value)
{
    const char *text = tnd_pcf_value_label(tnd_trace_pcf(trace), type, value);
    return text ? g_strdup(text) : g_strdup_printf("%u:%" G_GINT64_FORMAT, type, value);
}

char *tnd_places_name(const TndTrace *trace, const TndPlaceRegion *region)
{
    char *name = region->type ? label(trace, region->type, region->value) : g_strdup("outside of regions");
    if (!region->function)
        return name;
    char *function = label(trace, TND_TYPE_SAMPLED_FUNCTION, region->function);
    char *both = g_strdup_printf("%s: %s", name, function);
    g_free(function);
    g_free(name);
    return both;
}
