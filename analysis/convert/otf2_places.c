/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Communicators are read from the lines after the header of the trace: "c:application:number:n:task:..." or, of two
 * groups, "i:application:number:communicator:communicator".
 */
#include "analysis/convert/otf2_places.h"

#include "analysis/trace/levels.h"
#include "analysis/trace/prv_file.h"
#include "formats/event_types.h"
#include "formats/prv_read.h"

#include <stdlib.h>
#include <string.h>

#define WORLD "MPI_COMM_WORLD"

/* A communicator; its number in the archive is its place in the list, that of its group the same + 1. */
typedef struct {
    char *name;
    guint application; /* 1-based; 0: of all of them */
    GArray *members;   /* guint64: rows of processes, by rank; NULL: it is of two groups */
    guint sides[2];    /* these groups, by the places of their communicators */
} Comm;

struct TndOtf2Places {
    TndOtf2Archive *archive;
    GArray *comms;    /* Comm */
    GHashTable *told; /* the same, by "application:number": place in the list + 1 */
    guint *worlds;    /* place of each application's; G_MAXUINT: not known yet */
    guint of_all;     /* place of that of all applications; there is none if there is one application */
    guint n_tasks;
};

static guint first_task(const TndOtf2Places *places, guint application)
{
    return tnd_levels_row_above(places->archive->trace, TND_LEVEL_THREAD,
                                tnd_trace_row(places->archive->trace, application, 1, 1), TND_LEVEL_TASK);
}

static guint n_tasks(const TndOtf2Places *places, guint application)
{
    return tnd_trace_header(places->archive->trace)->applications[application - 1].n_tasks;
}

static guint add(TndOtf2Places *places, Comm comm, gint64 number)
{
    g_array_append_val(places->comms, comm);
    if (number)
        g_hash_table_insert(places->told, g_strdup_printf("%u:%" G_GINT64_FORMAT, comm.application, number),
                            GUINT_TO_POINTER(places->comms->len));
    return places->comms->len - 1;
}

static const Comm *comm_at(const TndOtf2Places *places, guint at)
{
    return &g_array_index(places->comms, Comm, at);
}

/* The place of a communicator in the list; G_MAXUINT: the trace does not tell it. */
static guint find(const TndOtf2Places *places, guint application, gint64 number)
{
    char key[64];
    g_snprintf(key, sizeof key, "%u:%" G_GINT64_FORMAT, application, number);
    return GPOINTER_TO_UINT(g_hash_table_lookup(places->told, key)) - 1;
}

static void define_group(const TndOtf2Places *places, OTF2_GroupRef number, OTF2_GroupType type, const char *name,
                         const guint64 *members, guint n)
{
    OTF2_GlobalDefWriter_WriteGroup(places->archive->definitions, number, tnd_otf2_archive_text(places->archive, name),
                                    type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n, members);
}

static void define_comm(const TndOtf2Places *places, guint at)
{
    OTF2_GlobalDefWriter *writer = places->archive->definitions;
    const Comm *comm = comm_at(places, at);
    OTF2_StringRef name = tnd_otf2_archive_text(places->archive, comm->name);
    guint world = comm->application ? places->worlds[comm->application - 1] : at;
    if (!comm->members) {
        OTF2_GlobalDefWriter_WriteInterComm(writer, at, name, comm->sides[0] + 1, comm->sides[1] + 1, world,
                                            OTF2_COMM_FLAG_NONE);
        return;
    }
    define_group(places, at + 1, OTF2_GROUP_TYPE_COMM_GROUP, comm->name, (const guint64 *)(gpointer)comm->members->data,
                 comm->members->len);
    OTF2_GlobalDefWriter_WriteComm(writer, at, name, at + 1, at == world ? OTF2_UNDEFINED_COMM : world,
                                   OTF2_COMM_FLAG_NONE);
}

static char *comm_name(const TndOtf2Places *places, guint application, gint64 number)
{
    return tnd_trace_header(places->archive->trace)->n_applications > 1
               ? g_strdup_printf("communicator %" G_GINT64_FORMAT " of application %u", number, application)
               : g_strdup_printf("communicator %" G_GINT64_FORMAT, number);
}

static void take_intra(TndOtf2Places *places, guint application, gint64 number, char *const *tasks, guint n)
{
    GArray *members = g_array_new(FALSE, FALSE, sizeof(guint64));
    gboolean is_world = n == n_tasks(places, application);
    for (guint i = 0; i < n; i++) {
        guint64 task = g_ascii_strtoull(tasks[i], NULL, 10);
        guint64 member = first_task(places, application) + task - 1;
        if (task - 1 < n_tasks(places, application))
            g_array_append_val(members, member);
        is_world = is_world && task == i + 1;
    }
    /* That of all processes is called so by the first of its like. */
    is_world = is_world && places->worlds[application - 1] == G_MAXUINT;
    Comm comm = {is_world ? g_strdup(WORLD) : comm_name(places, application, number), application, members, {0}};
    guint at = add(places, comm, number);
    if (is_world)
        places->worlds[application - 1] = at;
}

static void take_inter(TndOtf2Places *places, guint application, gint64 number, char *const *sides)
{
    guint a = find(places, application, g_ascii_strtoll(sides[0], NULL, 10)),
          b = find(places, application, g_ascii_strtoll(sides[1], NULL, 10));
    if (a != G_MAXUINT && b != G_MAXUINT)
        add(places, (Comm){comm_name(places, application, number), application, NULL, {a, b}}, number);
}

static bool take_line(void *self, const char *line, size_t length)
{
    TndOtf2Places *places = self;
    char *text = g_strndup(line, length), **fields = g_strsplit(text, ":", -1);
    guint n = g_strv_length(fields);
    guint64 application = n > 4 ? g_ascii_strtoull(fields[1], NULL, 10) : 0;
    if (application - 1 < tnd_trace_header(places->archive->trace)->n_applications) {
        gint64 number = g_ascii_strtoll(fields[2], NULL, 10);
        if (g_ascii_tolower(*text) == 'c')
            take_intra(places, (guint)application, number, fields + 4, n - 4);
        else
            take_inter(places, (guint)application, number, fields + 3);
    }
    g_strfreev(fields);
    g_free(text);
    return true;
}

static bool stop(void *self, const struct tnd_prv_parser *parser, const char *bytes, size_t size)
{
    (void)self, (void)parser, (void)bytes, (void)size;
    return false;
}

static gboolean read_communicators(TndOtf2Places *places, GError **error)
{
    static const struct tnd_prv_visitor visitor = {.communicator = take_line, .lines = stop};
    TndPrvFile *file = tnd_prv_file_open(tnd_trace_path(places->archive->trace), error);
    if (!file)
        return FALSE;
    tnd_prv_read(tnd_prv_file_read, file, &visitor, places);
    tnd_prv_file_close(file);
    return TRUE;
}

/* Adds one that the trace does not tell: of all processes of an application, or of all applications (0). */
static guint add_all(TndOtf2Places *places, guint application, const char *name)
{
    GArray *members = g_array_new(FALSE, FALSE, sizeof(guint64));
    guint begin = application ? first_task(places, application) : 0,
          n = application ? n_tasks(places, application) : places->n_tasks;
    for (guint64 task = begin; task < begin + n; task++)
        g_array_append_val(members, task);
    return add(places, (Comm){g_strdup(name), application, members, {0}}, 0);
}

static void define_machine(const TndOtf2Places *places)
{
    TndOtf2Archive *archive = places->archive;
    const TndTrace *trace = archive->trace;
    OTF2_StringRef machine = tnd_otf2_archive_text(archive, "machine"),
                   node_text = tnd_otf2_archive_text(archive, "node");
    OTF2_GlobalDefWriter_WriteSystemTreeNode(archive->definitions, 0, machine, machine,
                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (guint node = 1; node <= tnd_trace_header(trace)->n_nodes; node++) {
        OTF2_StringRef name = tnd_otf2_archive_text(archive, tnd_trace_node_name(trace, node));
        OTF2_GlobalDefWriter_WriteSystemTreeNode(archive->definitions, node, name, node_text, 0);
        OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(archive->definitions, node,
                                                       OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
    }
}

static void define_processes(const TndOtf2Places *places)
{
    TndOtf2Archive *archive = places->archive;
    for (guint task = 0; task < places->n_tasks; task++) {
        guint first;
        tnd_levels_rows_below(archive->trace, TND_LEVEL_TASK, task, &first);
        char *name = tnd_levels_row_name(archive->trace, TND_LEVEL_TASK, task);
        OTF2_GlobalDefWriter_WriteLocationGroup(
            archive->definitions, task, tnd_otf2_archive_text(archive, name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
            tnd_trace_thread(archive->trace, first)->node, OTF2_UNDEFINED_LOCATION_GROUP);
        g_free(name);
    }
}

TndOtf2Places *tnd_otf2_places_new(TndOtf2Archive *archive, GError **error)
{
    guint n_applications = tnd_trace_header(archive->trace)->n_applications;
    TndOtf2Places *places = g_new0(TndOtf2Places, 1);
    places->archive = archive;
    places->n_tasks = tnd_levels_n_rows(archive->trace, TND_LEVEL_TASK);
    places->comms = g_array_new(FALSE, FALSE, sizeof(Comm));
    places->told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    places->worlds = g_new0(guint, n_applications);
    define_machine(places);
    define_processes(places);
    for (guint i = 0; i < n_applications; i++)
        places->worlds[i] = G_MAXUINT;
    if (!read_communicators(places, error)) {
        tnd_otf2_places_free(places);
        return NULL;
    }
    gboolean is_mpi =
        tnd_trace_n_messages(archive->trace) || tnd_trace_n_events_of(archive->trace, TND_TYPE_MPI_COLLECTIVE);
    for (guint i = 0; i < n_applications && is_mpi; i++)
        if (places->worlds[i] == G_MAXUINT)
            places->worlds[i] = add_all(places, i + 1, WORLD);
    if (n_applications > 1 && is_mpi)
        places->of_all = add_all(places, 0, "all processes");
    return places;
}

void tnd_otf2_places_finish(const TndOtf2Places *places)
{
    /* A process is a rank by its first thread. */
    guint64 *firsts = g_new0(guint64, places->n_tasks);
    for (guint task = 0; task < places->n_tasks; task++) {
        guint first;
        tnd_levels_rows_below(places->archive->trace, TND_LEVEL_TASK, task, &first);
        firsts[task] = first;
    }
    define_group(places, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, "", firsts, places->n_tasks);
    for (guint at = 0; at < places->comms->len; at++)
        define_comm(places, at);
    g_free(firsts);
}

void tnd_otf2_places_free(TndOtf2Places *places)
{
    for (guint i = 0; i < places->comms->len; i++) {
        g_free(comm_at(places, i)->name);
        if (comm_at(places, i)->members)
            g_array_unref(comm_at(places, i)->members);
    }
    g_array_unref(places->comms);
    g_hash_table_unref(places->told);
    g_free(places->worlds);
    g_free(places);
}

void tnd_otf2_places_thread(const TndOtf2Places *places, guint row, guint64 n_events)
{
    const TndTrace *trace = places->archive->trace;
    OTF2_GlobalDefWriter_WriteLocation(
        places->archive->definitions, row, tnd_otf2_archive_text(places->archive, tnd_trace_thread(trace, row)->name),
        OTF2_LOCATION_TYPE_CPU_THREAD, n_events, tnd_levels_row_above(trace, TND_LEVEL_THREAD, row, TND_LEVEL_TASK));
}

OTF2_CommRef tnd_otf2_places_world(const TndOtf2Places *places, guint row, guint partner, guint32 *rank)
{
    const TndThread *mine = tnd_trace_thread(places->archive->trace, row),
                    *theirs = tnd_trace_thread(places->archive->trace, partner);
    gboolean is_ours = mine->application == theirs->application;
    *rank = theirs->task - 1 + (is_ours ? 0 : first_task(places, theirs->application));
    return is_ours ? places->worlds[mine->application - 1] : places->of_all;
}

/* The rank of a process in a communicator; OTF2_UNDEFINED_UINT32: it is not in it. */
static guint32 rank_of(const Comm *comm, guint64 task)
{
    const GArray *members = comm->members;
    guint64 guess = members->len ? task - g_array_index(members, guint64, 0) : 0;
    if (guess < members->len && g_array_index(members, guint64, guess) == task)
        return (guint32)guess;
    for (guint32 rank = 0; rank < members->len; rank++)
        if (g_array_index(members, guint64, rank) == task)
            return rank;
    return OTF2_UNDEFINED_UINT32;
}

OTF2_CommRef tnd_otf2_places_communicator(const TndOtf2Places *places, guint row, gint64 number, guint root,
                                          guint32 *rank)
{
    const TndTrace *trace = places->archive->trace;
    const TndThread *thread = tnd_trace_thread(trace, row);
    guint at = find(places, thread->application, number);
    if (at == G_MAXUINT)
        at = places->worlds[thread->application - 1];
    *rank = OTF2_COLLECTIVE_ROOT_NONE;
    if (root != G_MAXUINT && comm_at(places, at)->members)
        *rank = rank_of(comm_at(places, at), tnd_levels_row_above(trace, TND_LEVEL_THREAD, root, TND_LEVEL_TASK));
    else if (root == row) /* in a communicator of two groups */
        *rank = OTF2_COLLECTIVE_ROOT_SELF;
    return at;
}
