/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A root is what stands outside of an outlined function in a stack that has the call which opened the region.  A root
 * holds for a stretch of time: from the first to the last of the thread's samples that have it, with no other between.
 */
#include "analysis/reports/team_stacks.h"

#include "formats/event_types.h"
#include "formats/pcf.h"

#include <string.h>

/* Regions within regions: how often a stack goes on in another one. */
#define MOST_LEVELS 8

/* Frames outside of an outlined function, innermost first. */
typedef struct {
    guint n_frames;
    gint64 frames[]; /* n_frames functions, then as many lines */
} Root;

typedef struct {
    guint64 begin_ns, end_ns;
    const Root *root;
} Stretch;

/* An outlined function in a process. */
typedef struct {
    gint64 function;
    guint32 application, task;
} Place;

typedef enum { OTHER, OUTLINED, OPENS } Kind;

struct TndTeamStacks {
    const TndTrace *trace;
    GHashTable *kinds;     /* function -> Kind, of those that are not OTHER */
    GHashTable *roots;     /* of Root: each is there once */
    GHashTable *stretches; /* Place -> GArray of Stretch, by begin */
    guint row;             /* whose samples are being collected */
};

static guint hash_root(gconstpointer key)
{
    const Root *root = key;
    guint64 mixed = root->n_frames;
    for (guint i = 0; i < 2 * root->n_frames; i++)
        mixed = (mixed ^ (guint64)root->frames[i]) * 0x9e3779b97f4a7c15u;
    return (guint)(mixed >> 32);
}

static gsize root_size(guint n_frames)
{
    return sizeof(Root) + 2 * n_frames * sizeof(gint64);
}

static gboolean are_roots_equal(gconstpointer a, gconstpointer b)
{
    const Root *x = a, *y = b;
    return x->n_frames == y->n_frames && memcmp(x, y, root_size(x->n_frames)) == 0;
}

static guint hash_place(gconstpointer key)
{
    const Place *place = key;
    return g_int64_hash(&place->function) ^ (place->task * 2654435761u) ^ (place->application << 20);
}

static gboolean are_places_equal(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(Place)) == 0;
}

static Place place_of(const TndTeamStacks *teams, guint row, gint64 function)
{
    const TndThread *thread = tnd_trace_thread(teams->trace, row);
    return (Place){function, thread->application, thread->task};
}

/* Names of gcc's and clang's outlined code, and of the calls that compilers open regions with. */
static Kind kind_of_name(const char *name)
{
    if (strstr(name, "._omp_fn.") || strstr(name, "omp_outlined"))
        return OUTLINED;
    return g_str_has_prefix(name, "GOMP_parallel") || g_str_has_prefix(name, "__kmpc_fork_") ? OPENS : OTHER;
}

static Kind kind_of(const TndTeamStacks *teams, gint64 function)
{
    return (Kind)GPOINTER_TO_UINT(g_hash_table_lookup(teams->kinds, &function));
}

static const Root *root_outside(TndTeamStacks *teams, const TndSample *sample, guint frame)
{
    guint n = sample->n_frames - frame - 1;
    Root *root = g_malloc(root_size(n));
    memset(root, 0, sizeof *root);
    root->n_frames = n;
    memcpy(root->frames, sample->frames + frame + 1, n * sizeof root->frames[0]);
    memcpy(root->frames + n, sample->lines + frame + 1, n * sizeof root->frames[0]);
    const Root *same = g_hash_table_lookup(teams->roots, root);
    if (same) {
        g_free(root);
        return same;
    }
    g_hash_table_add(teams->roots, root);
    return root;
}

static void note_root(TndTeamStacks *teams, const TndSample *sample, guint frame)
{
    Place place = place_of(teams, teams->row, sample->frames[frame]);
    GArray *stretches = g_hash_table_lookup(teams->stretches, &place);
    if (!stretches) {
        stretches = g_array_new(FALSE, FALSE, sizeof(Stretch));
        g_hash_table_insert(teams->stretches, g_memdup2(&place, sizeof place), stretches);
    }
    const Root *root = root_outside(teams, sample, frame);
    Stretch *last = stretches->len ? &g_array_index(stretches, Stretch, stretches->len - 1) : NULL;
    if (last && last->root == root && last->end_ns <= sample->time_ns) {
        last->end_ns = sample->time_ns;
    } else {
        Stretch fresh = {sample->time_ns, sample->time_ns, root};
        g_array_append_val(stretches, fresh);
    }
}

/* Notes the roots of all outlined functions of the sample's stack that were called, and not only begun, here. */
static void collect(gpointer self, const TndSample *sample)
{
    TndTeamStacks *teams = self;
    gboolean is_opened = FALSE;
    for (guint frame = sample->n_frames; frame-- > 0;) {
        Kind kind = kind_of(teams, sample->frames[frame]);
        if (kind == OUTLINED && is_opened)
            note_root(teams, sample, frame);
        is_opened = kind == OPENS || (is_opened && kind != OUTLINED);
    }
}

static gint compare_begins(gconstpointer a, gconstpointer b)
{
    const Stretch *x = a, *y = b;
    return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* Returns whether there is outlined code. */
static gboolean note_kinds(TndTeamStacks *teams)
{
    const struct tnd_pcf_type *type = tnd_pcf_type(tnd_trace_pcf(teams->trace), TND_TYPE_SAMPLED_FUNCTION);
    gboolean any = FALSE;
    for (gsize i = 0; type && i < type->n_values; i++) {
        Kind kind = kind_of_name(type->values[i].label);
        any |= kind == OUTLINED;
        if (kind != OTHER)
            g_hash_table_insert(teams->kinds, g_memdup2(&type->values[i].value, sizeof(gint64)),
                                GUINT_TO_POINTER(kind));
    }
    return any;
}

static void free_teams(gpointer data)
{
    TndTeamStacks *teams = data;
    g_hash_table_unref(teams->kinds);
    g_hash_table_unref(teams->stretches);
    g_hash_table_unref(teams->roots);
    g_free(teams);
}

static gpointer make_teams(const TndTrace *trace)
{
    TndTeamStacks *teams = g_new0(TndTeamStacks, 1);
    teams->trace = trace;
    teams->kinds = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    teams->roots = g_hash_table_new_full(hash_root, are_roots_equal, g_free, NULL);
    teams->stretches = g_hash_table_new_full(hash_place, are_places_equal, g_free, (GDestroyNotify)g_array_unref);
    guint n_rows = note_kinds(teams) ? tnd_trace_n_threads(trace) : 0;
    for (teams->row = 0; teams->row < n_rows; teams->row++)
        tnd_samples_each_recorded(trace, teams->row, TND_SAMPLES_CPU, collect, teams);
    GHashTableIter iter;
    gpointer stretches;
    g_hash_table_iter_init(&iter, teams->stretches);
    while (g_hash_table_iter_next(&iter, NULL, &stretches))
        g_array_sort(stretches, compare_begins);
    return teams;
}

const TndTeamStacks *tnd_team_stacks_of(const TndTrace *trace)
{
    return tnd_trace_keep(trace, TND_TRACE_TEAM_STACKS, make_teams, free_teams);
}

gboolean tnd_team_stacks_any(const TndTeamStacks *teams)
{
    return g_hash_table_size(teams->stretches) > 0;
}

/* The root of the stretch that is nearest to a moment; there is one. */
static const Root *nearest(const GArray *stretches, guint64 time_ns)
{
    guint low = 0, high = stretches->len; /* the first one that begins later is among low..high */
    while (low < high) {
        guint middle = (low + high) / 2;
        if (g_array_index(stretches, Stretch, middle).begin_ns > time_ns)
            high = middle;
        else
            low = middle + 1;
    }
    const Stretch *before = low ? &g_array_index(stretches, Stretch, low - 1) : NULL;
    const Stretch *after = low < stretches->len ? &g_array_index(stretches, Stretch, low) : NULL;
    if (!before || !after)
        return (before ? before : after)->root;
    guint64 since_ns = time_ns > before->end_ns ? time_ns - before->end_ns : 0;
    return since_ns <= after->begin_ns - time_ns ? before->root : after->root;
}

/* The outermost outlined function of a stack, if its region was not opened in it; G_MAXUINT: there is none. */
static guint begun_at(const TndTeamStacks *teams, const TndSample *sample)
{
    for (guint frame = sample->n_frames; frame-- > 0;) {
        Kind kind = kind_of(teams, sample->frames[frame]);
        if (kind != OTHER)
            return kind == OUTLINED ? frame : G_MAXUINT;
    }
    return G_MAXUINT;
}

void tnd_team_stacks_graft(const TndTeamStacks *teams, guint row, TndSample *sample)
{
    for (guint level = 0; level < MOST_LEVELS; level++) {
        guint frame = begun_at(teams, sample);
        if (frame == G_MAXUINT)
            return;
        Place place = place_of(teams, row, sample->frames[frame]);
        const GArray *stretches = g_hash_table_lookup(teams->stretches, &place);
        if (!stretches)
            return;
        const Root *root = nearest(stretches, sample->time_ns);
        guint n = MIN(root->n_frames, TND_SAMPLES_MOST_FRAMES - (frame + 1));
        memcpy(sample->frames + frame + 1, root->frames, n * sizeof root->frames[0]);
        memcpy(sample->lines + frame + 1, root->frames + root->n_frames, n * sizeof root->frames[0]);
        sample->n_frames = frame + 1 + n;
    }
}
