/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the passes of a merge share.  A merge is:
 *
 *     scan      every stream once, one after another: who, where, when, names, what was lost     merge_scan.c
 *     clock     ticks of all processes to one time                                               merge_clock.c
 *     nodes     clocks of several nodes to that of one                                           merge_nodes.c
 *     rows      which process is which task, which slot which thread                             merge_rows.c
 *     names     numbers for regions, counters, images, functions of Python                       merge_names.c
 *     comms     which of the processes' communicators are one, and their members                 merge_comms.c
 *     samples   addresses to names to values                                                     merge_addresses.c
 *     tasks     a walk in time over streams with OpenMP tasks: who waited for whom               merge_tasks.c
 *     messages  a walk in time over the ranks' streams: sends meet receives                      merge_messages.c
 *     write     a walk in time over all streams, states and messages: text                       merge_write.c
 *
 * Memory: 32 KB per stream that is alive at one moment of the run, 4 KB if there are tens of thousands, and as much
 * again of one in whose row a state has more records than that; names and distinct code addresses; messages under way
 * at one moment; 64 MB of matched messages (more go to an unlinked file beside the output).  Nothing grows with the
 * length of the run.
 */
#ifndef TND_MERGE_MODEL_H
#define TND_MERGE_MODEL_H

#include "analysis/merge/base/merge_options.h"
#include "analysis/merge/base/merge_team.h"
#include "analysis/merge/base/merge_ticks.h"
#include "analysis/merge/base/run_files.h"
#include "formats/prv.h"

typedef struct {
    guint64 low, high, bias, load_ticks;
    char *path;
} TndMergeModule;

/* What a sensor of a process's node is about. */
typedef struct {
    guint32 type;
    char *cpus; /* as the kernel lists them */
} TndMergeSensor;

/* How the far side of an intercommunicator can be found. */
typedef struct {
    guint64 ticks, handle, key;
    guint32 how; /* enum tnd_link */
} TndMergeLink;

/* Somebody of a world, who may have recorded nothing; processes are named by their place among all of these. */
typedef struct {
    guint application, task; /* from 0 */
} TndMergeMember;

#define TND_MERGE_NO_MEMBER G_MAXUINT32

/* A communicator as one process has it. */
typedef struct TndMergeComm {
    guint64 handle, made_of, ticks;
    guint nth;
    gboolean is_inter, has_link;
    GArray *group;  /* of guint32: of the local group, numbers as told, from merge_comms.c on members */
    GArray *remote; /* of an intercommunicator, else NULL */
    TndMergeLink link;
    struct TndMergeProcess *process; /* with what follows: merge_comms.c */
    struct TndMergeComm *parent;
    struct TndMergeWhole *whole;
    guint32 id;                  /* in the trace; set by merge_comms.c */
    struct TndMergeOrder *order; /* merge_messages.c: of sends and receives whose turn has not come */
} TndMergeComm;

/* The threads of a stream, one after another; of their names one is told if all have it. */
typedef struct {
    guint64 n;
    guint32 last; /* number of the last one */
    gboolean have_several_names;
    char name[16], first_name[16]; /* of the last one, of those before it; "": none */
} TndMergeThreads;

typedef struct {
    const TndRunStream *file;
    guint64 n_records, n_bytes, first_ticks, last_ticks;
    guint64 n_samples, cpu_ns, sampled_ns;
    TndMergeThreads threads;
    guint32 last_cpu;                                     /* the highest number of a CPU told, from 1; 0: none */
    gboolean has_messages, has_comms, has_tasks, is_busy; /* busy: more than birth, death, samples, and waiting */
    gboolean is_own;                                      /* of a thread of the library's */
    GPtrArray *comms;                                     /* of TndMergeComm, as they come in the stream */
} TndMergeStream;

typedef struct {
    guint64 ticks;
    gboolean on;
} TndMergeSwitch;

/* The high-water mark of a thread's stack, told by another. */
typedef struct {
    guint32 thread;
    guint64 n_bytes;
} TndMergeStackMark;

/* A counter that is read at records. */
typedef struct {
    guint32 id; /* set << 8 | place in it */
    guint32 type;
    char *name;
} TndMergeCounter;

/* One image of one process.  Each part is set by the pass that it names, and read by those after it. */
typedef struct TndMergeProcess {
    /* Scan: what its records say. */
    const TndRunImage *files;
    GArray *streams; /* of TndMergeStream; as files->streams */
    guint32 pid, ppid, birth, n_cpus;
    guint64 image_id, parent_image_id;
    char *host, *boot, *executable, *command;
    gboolean has_begun, has_exited, has_cancelled; /* cancelled: sends or receives */
    gboolean is_tied;                              /* its threads tell of each other's communicators and collectives */
    guint64 begin_ticks, end_ticks, flush_ticks;
    gboolean has_rank; /* with what follows, as it says */
    guint32 rank, world_size, application;
    guint64 world_key;
    guint64 rank_ticks; /* when it said so: MPI_Init was over */
    enum tnd_clock clock_kind;
    guint n_readings;
    TndMergeClockReading first_reading, last_reading;
    GArray *modules;                         /* of TndMergeModule, by when they were loaded */
    GArray *switches;                        /* of TndMergeSwitch, by time */
    GArray *links;                           /* of TndMergeLink */
    GArray *sensors;                         /* of TndMergeSensor */
    GPtrArray *region_names, *counter_names; /* by number; NULL: never defined */
    GPtrArray *python_names;                 /* as well; each a name, a newline, "file:line" */
    GPtrArray *thread_names;                 /* told by another thread, in the same way */
    GArray *python_short;                    /* guint32: numbers of those that were given up */
    GArray *stack_marks;                     /* of TndMergeStackMark */
    guint32 last_cpu;                        /* the highest number of a CPU that any thread was on, from 1; 0: none */
    GArray *counters;                        /* of TndMergeCounter */
    struct TndMergeHeap *heap;               /* merge_heap.c; NULL: not recorded */

    /* Clock. */
    TndMergeClock *clock;
    guint64 begin_ns, end_ns; /* trace time */

    /* Rows. */
    gboolean is_shown;
    struct TndMergeProcess *next_image; /* that it became by exec */
    gboolean follows;                   /* it is another's next_image */
    guint32 member, first_member;       /* its number, and that of its world's rank 0 */

    gsize buffer_bytes; /* set before the first walk: of its streams' readers, which hold no files open; 0: they do */

    /* Names. */
    guint32 *region_values, *counter_types, *python_values; /* by number */
    guint image_value;                                      /* of event TND_TYPE_IMAGE */

    /* Scan and samples. */
    struct address_table *addresses; /* merge_addresses.c */

    /* As of the moment of the walk that goes on. */
    GHashTable *comms;       /* handle -> TndMergeComm * */
    TndMergeComm *last_comm; /* that was found there; NULL: none */
    GHashTable *requests;    /* of the walk for messages: what is known of a request */
    GHashTable *persistent;  /* of the last walk: request -> its COLLECTIVE; NULL: the process has none */
} TndMergeProcess;

/* A pattern of the user's list of functions of Python's, as one image has it. */
typedef struct {
    guint32 line;
    gboolean is_met; /* by a function of that image */
    char *pattern;
} TndMergePythonWish;

/* What a function of Python's took, in all threads. */
typedef struct {
    guint64 n_enters, n_calls; /* calls: of these enters those that did not begin in what the image was forked from */
    guint64 self_ns, inclusive_ns; /* inclusive: of calls of its own within, only the outermost counts */
} TndMergePythonSum;

/* What one process measured of the clock of another, on another node (TND_RECORD_PEER_CLOCK). */
typedef struct {
    TndMergeProcess *process, *other;
    guint64 ticks, width_ticks, other_ticks, other_image_id;
} TndMergePeerClock;

/* The streams of a row: of the thread's own code, of its signal handler, and, in the row of a process's first thread,
 * of the library's own thread. */
enum { TND_MERGE_MAIN, TND_MERGE_SIGNAL, TND_MERGE_OWN, TND_MERGE_N_STREAMS };

/* A stretch of a row's life: one slot of one image. */
typedef struct {
    TndMergeProcess *process;
    int streams[TND_MERGE_N_STREAMS]; /* indices into process->streams; -1: none */
} TndMergePart;

typedef struct {
    struct tnd_prv_place at;
    GArray *parts; /* of TndMergePart, in time */
} TndMergeRow;

/* What a process that has no row (a launcher) read of its node: in the row of the first process there that has one. */
typedef struct {
    TndMergeRow row; /* one part, with the library's own stream */
    guint host;      /* that row */
} TndMergeGuest;

typedef struct {
    char *name;
    guint node, n_threads;
    TndMergeProcess *first; /* image; NULL: a rank that left nothing */
} TndMergeTask;

typedef struct {
    GArray *tasks;      /* of TndMergeTask */
    gboolean is_ranked; /* they are ranks of MPI */
} TndMergeApplication;

/* A label of an event type or value of the user's. */
typedef struct {
    guint32 type;
    gint64 value;
    gboolean has_value;
    char *label;
} TndMergeLabel;

#define TND_MERGE_SEEN_BITS 8 /* of small caches of what the last walk looks up often */

/* The state of an event value. */
typedef struct {
    guint32 type, value, state;
} TndMergeSeenState;

/* As in TndMergeProcess, each part is set by the pass that it names. */
typedef struct {
    const TndMergeOptions *options;
    TndMergeResult *result;
    TndMergeTeam *team;
    GPtrArray *images;           /* of TndRunImage */
    guint64 n_bytes;             /* of this rank's streams */
    guint64 n_work, n_work_done; /* of progress */

    /* Scan. */
    GPtrArray *processes;  /* of TndMergeProcess that are shown or not; by name, from rows on by start */
    GArray *peer_clocks;   /* of TndMergePeerClock */
    GArray *labels;        /* of TndMergeLabel */
    GArray *python_wishes; /* of TndMergePythonWish */
    struct {
        guint clock; /* enum tnd_sampling_clock; 0: nothing sampled */
        guint64 period_ns;
    } sampling;

    /* Clock and nodes. */
    GPtrArray *clocks; /* of TndMergeClock */
    guint64 flush_ns, clock_error_ns;

    /* Rows. */
    GPtrArray *applications;                                           /* of TndMergeApplication */
    GArray *members;                                                   /* of TndMergeMember */
    GPtrArray *rows;                                                   /* of TndMergeRow */
    GPtrArray *guests;                                                 /* of TndMergeGuest, by the begin of processes */
    GPtrArray *nodes;                                                  /* names */
    GArray *node_cpus;                                                 /* of guint32 */
    char *command;                                                     /* of the process that began the run */
    guint64 begin_realtime_ns, end_ns, cpu_ns, sampled_ns, own_cpu_ns; /* own: of the library's threads */
    guint64 n_skipped_processes, n_helper_processes, n_helper_threads;

    /* Names, comms, samples. */
    GHashTable *by_image_id;                               /* guint64 * -> TndMergeProcess * */
    GPtrArray *region_names, *counter_names, *image_names; /* sorted; value or type = base + index */
    GPtrArray *python_names;                               /* as well, not shortened; value = index + 1 */
    GPtrArray *communicators;                              /* lines for the header */
    GPtrArray *function_names, *line_names;                /* sorted; value = index + 1 */

    /* Between samples and tasks. */
    guint *row_ranks; /* by row: the rank that renders it and matches its messages; a task's are of one rank */

    /* Messages and write. */
    struct TndMergeSpill *messages; /* matched */
    GHashTable *types;              /* event types that occur */
    guint32 seen_types[1 << TND_MERGE_SEEN_BITS];
    TndMergeSeenState seen_states[1 << TND_MERGE_SEEN_BITS];
    TndMergePythonSum *python_sums; /* by value */
} TndMerge;

#endif
