/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which process and thread is shown in which row. In an MPI run rank r of an application is its task r + 1, and
 * processes without a rank are left out unless asked for; without MPI every process is a task of one application, but
 * for those that Python's multiprocessing keeps for itself. Images of one pid that became each other by exec are one
 * task. Slots are threads. Everything is numbered by what it says of itself, never by the order in which directories
 * are read.
 */
#include "analysis/merge/read/merge_rows.h"
#include "analysis/merge/base/merge_note.h"
#include "analysis/merge/base/merge_ticks.h"
#include "analysis/merge/read/merge_clock.h"

#include <string.h>

#define HELPER_SHARE 20           /* a helper's CPU time is less than 1/20 of its life */
#define PARAVER_MAX_THREADS 65535 /* of the usual build, by its source */

/* By begin, then by name, so that equal begins are in order, too. */
static int compare_starts(gconstpointer a, gconstpointer b)
{
    const TndMergeProcess *p = *(TndMergeProcess *const *)a, *q = *(TndMergeProcess *const *)b;
    if (p->begin_ns != q->begin_ns)
        return p->begin_ns < q->begin_ns ? -1 : 1;
    return strverscmp(p->files->name, q->files->name);
}

/* Links each image to the one that it became by exec, which is the next image of its pid unless it said that it
 * exited. */
static void link_images(TndMerge *merge)
{
    GHashTable *latest = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < merge->processes->len; i++) {
        TndMergeProcess *image = merge->processes->pdata[i];
        char *key = g_strdup_printf("%u %s %s", image->pid, image->host, image->boot);
        TndMergeProcess *before = g_hash_table_lookup(latest, key);
        if (before && !before->has_exited && image->birth != TND_BIRTH_FORK) {
            before->next_image = image;
            image->follows = TRUE;
        }
        g_hash_table_replace(latest, key, image);
    }
    g_hash_table_unref(latest);
}

/* The image of a task that has a rank; NULL if none has. */
static TndMergeProcess *ranked_image(TndMergeProcess *first)
{
    while (first && !first->has_rank)
        first = first->next_image;
    return first;
}

/* The processes of one COMM_WORLD. */
struct world {
    guint64 key;
    guint32 size;
    struct place {
        TndMergeProcess *first; /* the first image of the rank; NULL: the rank left nothing */
        guint32 application;
    } * ranks;
};

static void free_world(gpointer data)
{
    g_free(((struct world *)data)->ranks);
    g_free(data);
}

static TndMergeApplication *add_application(TndMerge *merge)
{
    TndMergeApplication *application = g_new0(TndMergeApplication, 1);
    application->tasks = g_array_new(FALSE, TRUE, sizeof(TndMergeTask));
    g_ptr_array_add(merge->applications, application);
    return application;
}

/* Puts a rank into a world of its key and size; a second process of the same rank (one mpirun after another) begins a
 * further world. */
static void place_rank(GPtrArray *worlds, TndMergeProcess *first, const TndMergeProcess *ranked)
{
    if (ranked->world_size == 0 || ranked->rank >= ranked->world_size || ranked->world_size > 1u << 20)
        return;
    struct world *world = NULL;
    for (guint i = 0; i < worlds->len && !world; i++) {
        struct world *other = worlds->pdata[i];
        if (other->key == ranked->world_key && other->size == ranked->world_size && !other->ranks[ranked->rank].first)
            world = other;
    }
    if (!world) {
        world = g_new0(struct world, 1);
        world->key = ranked->world_key;
        world->size = ranked->world_size;
        world->ranks = g_new0(struct place, world->size);
        g_ptr_array_add(worlds, world);
    }
    world->ranks[ranked->rank] = (struct place){first, ranked->application};
}

/* Programs have stretches of ranks, so a rank that left nothing ran the program of the ranks before it, or else after
 * it. */
static void guess_applications(struct world *world)
{
    guint32 application = 0;
    for (guint32 rank = world->size; rank-- > 0;)
        if (world->ranks[rank].first)
            application = world->ranks[rank].application;
    for (guint32 rank = 0; rank < world->size; rank++) {
        struct place *place = &world->ranks[rank];
        application = place->application = place->first ? place->application : application;
    }
}

/* Makes an application of the ranks of a world that ran one program; returns the number of the next program,
 * G_MAXUINT64: there is none. */
static guint64 place_program(TndMerge *merge, const struct world *world, guint64 number, guint32 first_member)
{
    guint64 next = G_MAXUINT64;
    TndMergeApplication *application = add_application(merge);
    application->is_ranked = TRUE;
    for (guint32 rank = 0; rank < world->size; rank++) {
        const struct place *place = &world->ranks[rank];
        if (place->application > number)
            next = MIN(next, place->application);
        if (place->application != number)
            continue;
        TndMergeTask task = {.first = place->first, .name = g_strdup_printf("rank %u", rank)};
        g_array_index(merge->members, TndMergeMember, first_member + rank) =
            (TndMergeMember){merge->applications->len - 1, application->tasks->len};
        g_array_append_val(application->tasks, task);
        for (TndMergeProcess *image = place->first; image; image = image->next_image) {
            image->first_member = first_member;
            image->member = first_member + rank;
        }
    }
    return next;
}

static void place_world(TndMerge *merge, struct world *world)
{
    guint32 first_member = merge->members->len;
    guint64 number = G_MAXUINT64;
    g_array_set_size(merge->members, first_member + world->size);
    guess_applications(world);
    for (guint32 rank = 0; rank < world->size; rank++)
        number = MIN(number, world->ranks[rank].application);
    while (number != G_MAXUINT64)
        number = place_program(merge, world, number, first_member);
}

static const TndMergeProcess *last_image(const TndMergeProcess *first)
{
    while (first->next_image)
        first = first->next_image;
    return first;
}

static void add_task(TndMergeApplication *application, TndMergeProcess *first)
{
    const TndMergeProcess *last = last_image(first);
    const char *path = last->program ? last->program : last->executable;
    TndMergeTask task = {.first = first, .name = g_path_get_basename(path ? path : last->files->name)};
    g_array_append_val(application->tasks, task);
}

/* Whether this is a process that Python's multiprocessing starts to clean up after the program, or to fork workers
 * for it.  The workers have the same command, but are forked. */
static gboolean is_python_helper(const TndMergeProcess *first)
{
    static const char *const commands[] = {"from multiprocessing.resource_tracker import main",
                                           "from multiprocessing.semaphore_tracker import main",
                                           "from multiprocessing.forkserver import main"};
    const TndMergeProcess *last = last_image(first);
    gboolean is_helper = FALSE;
    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++)
        is_helper |= last->birth != TND_BIRTH_FORK && last->command && strstr(last->command, commands[i]);
    return is_helper;
}

static void place_processes(TndMerge *merge)
{
    GPtrArray *worlds = g_ptr_array_new_with_free_func(free_world);
    gboolean is_mpi = FALSE;
    for (guint i = 0; i < merge->processes->len; i++) {
        TndMergeProcess *process = merge->processes->pdata[i];
        TndMergeProcess *ranked = process->follows ? NULL : ranked_image(process);
        if (ranked) /* the images before, of a child of the launcher's, are no part of the rank */
            place_rank(worlds, merge->options->all_processes ? process : ranked, ranked);
        is_mpi |= ranked != NULL;
    }
    for (guint i = 0; i < worlds->len; i++)
        place_world(merge, worlds->pdata[i]);
    g_ptr_array_unref(worlds);
    TndMergeApplication *others = NULL;
    for (guint i = 0; i < merge->processes->len; i++) {
        TndMergeProcess *process = merge->processes->pdata[i];
        if (process->follows || ranked_image(process))
            continue;
        if (is_mpi && !merge->options->all_processes) {
            merge->n_skipped_processes++;
            continue;
        }
        if (!merge->options->all_processes && is_python_helper(process)) {
            merge->n_helper_processes++;
            continue;
        }
        if (!others)
            others = add_application(merge);
        add_task(others, process);
    }
}

static guint node_of(TndMerge *merge, const TndMergeProcess *process)
{
    const char *host = process->host ? process->host : "unknown";
    guint node;
    if (!g_ptr_array_find_with_equal_func(merge->nodes, host, g_str_equal, &node)) {
        node = merge->nodes->len;
        g_ptr_array_add(merge->nodes, g_strdup(host));
        guint32 none = 1; /* a node without CPUs crashes Paraver */
        g_array_append_val(merge->node_cpus, none);
    }
    guint32 *n_cpus = &g_array_index(merge->node_cpus, guint32, node);
    *n_cpus = MAX(*n_cpus, MAX(process->n_cpus, process->last_cpu)); /* numbers may have gaps */
    return node + 1;
}

guint32 tnd_merge_rows_first_cpu(const TndMerge *merge, const TndMergeRow *row)
{
    const TndMergeApplication *application = merge->applications->pdata[row->at.application - 1];
    guint node = g_array_index(application->tasks, TndMergeTask, row->at.task - 1).node;
    guint32 first = 1;
    for (guint i = 0; i + 1 < node; i++)
        first += g_array_index(merge->node_cpus, guint32, i);
    return first;
}

static int compare_guints(gconstpointer a, gconstpointer b)
{
    guint x = *(const guint *)a, y = *(const guint *)b;
    return (x > y) - (x < y);
}

/* The first of an image's streams, which are in the order of slots, that are of this slot or a later one. */
static guint find_slot(const TndMergeProcess *image, guint slot)
{
    guint low = 0, high = image->streams->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(image->streams, TndMergeStream, middle).file->slot < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A slot's stream; NULL: the image has no more of them. */
static const TndMergeStream *stream_of_slot(const TndMergeProcess *image, guint i, guint slot)
{
    if (i == image->streams->len)
        return NULL;
    const TndMergeStream *stream = &g_array_index(image->streams, TndMergeStream, i);
    return stream->file->slot == slot ? stream : NULL;
}

/* A thread that MPI keeps for itself: it was born before MPI_Init was over, sleeps nearly all the time, and nothing but
 * samples and waits for locks was ever recorded in it. */
static gboolean is_helper(const TndMergeTask *task, guint slot)
{
    gboolean is_ranked = FALSE;
    for (const TndMergeProcess *image = task->first; image; image = image->next_image) {
        is_ranked |= image->has_rank;
        const TndMergeStream *stream;
        for (guint i = find_slot(image, slot); (stream = stream_of_slot(image, i, slot)); i++) {
            guint64 life_ns = tnd_merge_ticks_span(image->clock, image->end_ticks - stream->first_ticks);
            gboolean is_late = image->has_rank && stream->first_ticks > image->rank_ticks;
            guint64 cpu_ns = MAX(stream->cpu_ns, stream->sampled_ns);
            if (stream->is_busy || is_late || cpu_ns > life_ns / HELPER_SHARE)
                return FALSE;
        }
    }
    return is_ranked && slot != 0;
}

/* Slots that any image of the task used, ascending. */
static GArray *slots_of(TndMerge *merge, const TndMergeTask *task)
{
    GArray *slots = g_array_new(FALSE, FALSE, sizeof(guint));
    for (TndMergeProcess *image = task->first; image; image = image->next_image)
        for (guint i = 0; i < image->streams->len; i++) {
            const TndMergeStream *stream = &g_array_index(image->streams, TndMergeStream, i);
            if (!stream->is_own)
                g_array_append_val(slots, stream->file->slot);
        }
    g_array_sort(slots, compare_guints);
    guint n = 0, before = G_MAXUINT;
    for (guint i = 0; i < slots->len; i++) {
        guint slot = g_array_index(slots, guint, i);
        gboolean is_new = slot != before;
        before = slot;
        if (!is_new)
            continue;
        if (!merge->options->all_processes && is_helper(task, slot))
            merge->n_helper_threads++;
        else
            g_array_index(slots, guint, n++) = slot;
    }
    g_array_set_size(slots, MAX(n, 1));
    if (!n)
        g_array_index(slots, guint, 0) = 0;
    return slots;
}

/* The index of the stream of the library's own thread; -1: there is none. */
static int find_own(const TndMergeProcess *image)
{
    int own = -1;
    for (guint i = 0; i < image->streams->len; i++) {
        const TndMergeStream *stream = &g_array_index(image->streams, TndMergeStream, i);
        if (stream->is_own && stream->n_records)
            own = (int)i;
    }
    return own;
}

static TndMergeRow *new_row(const TndMergeTask *task, guint slot, gboolean is_first)
{
    TndMergeRow *row = g_new0(TndMergeRow, 1);
    row->parts = g_array_new(FALSE, FALSE, sizeof(TndMergePart));
    for (TndMergeProcess *image = task->first; image; image = image->next_image) {
        TndMergePart part = {image, {-1, -1, is_first ? find_own(image) : -1}};
        const TndMergeStream *stream;
        for (guint i = find_slot(image, slot); (stream = stream_of_slot(image, i, slot)); i++)
            if (stream->n_records && !stream->is_own)
                part.streams[stream->file->is_signal ? TND_MERGE_SIGNAL : TND_MERGE_MAIN] = (int)i;
        if (part.streams[TND_MERGE_MAIN] >= 0 || part.streams[TND_MERGE_SIGNAL] >= 0)
            g_array_append_val(row->parts, part);
    }
    return row;
}

static void make_rows(TndMerge *merge, guint application_index)
{
    TndMergeApplication *application = merge->applications->pdata[application_index];
    for (guint t = 0; t < application->tasks->len; t++) {
        TndMergeTask *task = &g_array_index(application->tasks, TndMergeTask, t);
        if (task->first)
            merge->result->n_processes++;
        else
            tnd_merge_note(merge, "%s of application %u left nothing", task->name, application_index + 1);
        task->node = 1; /* a rank that left nothing is said to have been on the first node */
        for (TndMergeProcess *image = task->first; image; image = image->next_image) {
            task->node = node_of(merge, image);
            image->is_shown = TRUE;
        }
        GArray *slots = slots_of(merge, task);
        task->n_threads = slots->len;
        for (guint i = 0; i < slots->len; i++) {
            TndMergeRow *row = new_row(task, g_array_index(slots, guint, i), i == 0);
            row->at = (struct tnd_prv_place){0, application_index + 1, t + 1, i + 1};
            g_ptr_array_add(merge->rows, row);
        }
        g_array_unref(slots);
    }
}

/* The first row of the node of this name; G_MAXUINT: no row is on that node. */
static guint host_row(const TndMerge *merge, const char *host)
{
    guint node, i = 0;
    if (!host || !g_ptr_array_find_with_equal_func(merge->nodes, host, g_str_equal, &node))
        return G_MAXUINT;
    for (; i < merge->rows->len; i++) {
        const struct tnd_prv_place *at = &((const TndMergeRow *)merge->rows->pdata[i])->at;
        const TndMergeApplication *application = merge->applications->pdata[at->application - 1];
        if (g_array_index(application->tasks, TndMergeTask, at->task - 1).node == node + 1)
            return i;
    }
    return G_MAXUINT;
}

static void make_guests(TndMerge *merge)
{
    for (guint i = 0; i < merge->processes->len; i++) {
        TndMergeProcess *process = merge->processes->pdata[i];
        TndMergePart part = {process, {-1, -1, -1}};
        for (guint j = 0; j < process->streams->len && !process->is_shown; j++) {
            const TndMergeStream *stream = &g_array_index(process->streams, TndMergeStream, j);
            if (stream->is_own && stream->n_records)
                part.streams[TND_MERGE_OWN] = (int)j;
        }
        guint host = part.streams[TND_MERGE_OWN] >= 0 ? host_row(merge, process->host) : G_MAXUINT;
        if (host == G_MAXUINT)
            continue;
        TndMergeGuest *guest = g_new0(TndMergeGuest, 1);
        guest->host = host;
        guest->row.at = ((const TndMergeRow *)merge->rows->pdata[host])->at;
        guest->row.parts = g_array_new(FALSE, FALSE, sizeof(TndMergePart));
        g_array_append_val(guest->row.parts, part);
        g_ptr_array_add(merge->guests, guest);
    }
}

/* Sums up what the streams of the rows held. */
static void count_shown(TndMerge *merge)
{
    for (guint i = 0; i < merge->rows->len; i++) {
        const TndMergeRow *row = merge->rows->pdata[i];
        for (guint j = 0; j < row->parts->len; j++) {
            const TndMergePart *part = &g_array_index(row->parts, TndMergePart, j);
            for (guint which = 0; which < TND_MERGE_N_STREAMS; which++) {
                int index = part->streams[which];
                if (index < 0)
                    continue;
                const TndMergeStream *stream = &g_array_index(part->process->streams, TndMergeStream, index);
                merge->result->n_records += stream->n_records;
                merge->result->n_samples += stream->n_samples;
                merge->sampled_ns += stream->sampled_ns;
                if (which == TND_MERGE_OWN) {
                    merge->own_cpu_ns += stream->cpu_ns;
                    continue;
                }
                /* Signal streams are of the same threads.  If an exec or a crash kept these from telling their CPU
                 * time, samples tell it. */
                if (which) {
                    merge->cpu_ns += stream->cpu_ns ? 0 : stream->sampled_ns;
                    continue;
                }
                merge->cpu_ns += stream->cpu_ns;
                /* The thread that called exec is the first of the new image. */
                merge->result->n_threads += stream->threads.n - (j > 0 && row->at.thread == 1 && stream->threads.n);
            }
        }
    }
}

/* The trace's zero is the begin of the first process that is shown. */
static void set_zero(TndMerge *merge)
{
    gint64 zero = G_MAXINT64;
    for (guint i = 0; i < merge->rows->len; i++) {
        const TndMergeRow *row = merge->rows->pdata[i];
        for (guint j = 0; j < row->parts->len; j++)
            zero = MIN(zero, (gint64)g_array_index(row->parts, TndMergePart, j).process->begin_ns);
    }
    merge->begin_realtime_ns = (guint64)zero;
    tnd_merge_clock_set_zero(merge, zero);
    for (guint i = 0; i < merge->rows->len; i++) {
        const TndMergeRow *row = merge->rows->pdata[i];
        for (guint j = 0; j < row->parts->len; j++)
            merge->end_ns = MAX(merge->end_ns, g_array_index(row->parts, TndMergePart, j).process->end_ns);
    }
    merge->end_ns = MAX(merge->end_ns, 1);
}

static void note_left_out(TndMerge *merge, guint64 n, const char *one, const char *many)
{
    if (n)
        tnd_merge_note(merge, "%" G_GUINT64_FORMAT " %s left out (`tandem merge --all-processes` shows all)", n,
                       n == 1 ? one : many);
}

void tnd_merge_rows_run(TndMerge *merge)
{
    g_ptr_array_sort(merge->processes, compare_starts);
    const TndMergeProcess *root = merge->processes->pdata[0];
    merge->command = g_strdup(root->command);
    link_images(merge);
    place_processes(merge);
    for (guint i = 0; i < merge->applications->len; i++)
        make_rows(merge, i);
    make_guests(merge);
    set_zero(merge);
    count_shown(merge);
    note_left_out(merge, merge->n_helper_threads, "thread that MPI keeps for itself",
                  "threads that MPI keeps for itself");
    note_left_out(merge, merge->n_helper_processes, "process that Python's multiprocessing keeps for itself",
                  "processes that Python's multiprocessing keeps for itself");
    note_left_out(merge, merge->n_skipped_processes, "process without a rank", "processes without a rank");
    if (merge->rows->len > PARAVER_MAX_THREADS)
        tnd_merge_note(merge, "%u threads: Paraver itself shows %u at most", merge->rows->len, PARAVER_MAX_THREADS);
}
