/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model of a run that the passes of a merge fill and read.  A merge is:
 *
 *     scan       reads every stream once: who, where, when, names, what was lost                read/merge_scan.c
 *     clock      ticks of all processes become one time                                         read/merge_clock.c
 *     nodes      the clocks of several nodes become that of one                                 read/merge_nodes.c
 *     rows       which process is which task, which slot is which thread                        read/merge_rows.c
 *     names      numbers for regions, counters, executables, functions of Python                read/merge_names.c
 *     comms      which of the processes' communicators are one, and who their members are       match/merge_comms.c
 *     addresses  code addresses become names, and names values                                  read/merge_addresses.c
 *     tasks      a walk in time over streams with tasks of OpenMP: which waited for which       match/merge_tasks.c
 *     messages   a walk in time over the streams of ranks: sends meet receives                  match/merge_messages.c
 *     write      a walk in time over all streams, states and messages, which become text        write/merge_write.c
 *
 * Memory: 32 KB for each stream that is alive at one moment of the run, 4 KB if there are tens of thousands, and as
 * much again for each in whose row a state has more records than that; names and distinct code addresses; the messages
 * that are under way at one moment; 64 MB of matched messages (more go to an unlinked file beside the output).  Nothing
 * grows with the length of the run.
 */
#ifndef TND_MERGE_MODEL_H
#define TND_MERGE_MODEL_H

#include "analysis/merge/base/merge_options.h"
#include "analysis/merge/base/merge_team.h"
#include "analysis/merge/base/merge_ticks.h"
#include "analysis/merge/base/run_files.h"
#include "formats/prv.h"

/* A file of code that was loaded at addresses from low up to high. */
typedef struct {
    guint64 low, high, bias, load_ticks;
    char *path;
} TndMergeModule;

/* The CPUs that a sensor of a process's node is about. */
typedef struct {
    guint32 type;
    char *cpus; /* in the kernel's notation of lists */
} TndMergeSensor;

/* What a process told by which the far side of an intercommunicator can be found. */
typedef struct {
    guint64 ticks, handle, key;
    guint32 how; /* enum tnd_link */
} TndMergeLink;

/* A member of a world.  It may have recorded nothing.  Processes are named by their numbers among all members. */
typedef struct {
    guint application, task; /* from 0 */
} TndMergeMember;

#define TND_MERGE_NO_MEMBER G_MAXUINT32

/* A communicator as one process has it. */
typedef struct TndMergeComm {
    guint64 handle, made_of, ticks;
    guint nth;
    gboolean is_inter, has_link;
    /* The groups are arrays of guint32: the numbers that the process told, from the comms pass on those of members. */
    GArray *group;  /* the local group */
    GArray *remote; /* the remote group of an intercommunicator, else NULL */
    TndMergeLink link;

    /* Set by the comms pass. */
    struct TndMergeProcess *process;
    struct TndMergeComm *parent;
    struct TndMergeWhole *whole;
    guint32 id; /* its number in the trace */

    struct TndMergeOrder *order; /* of the messages pass: sends and receives whose turn has not come */
} TndMergeComm;

/* The threads of a stream, which lived one after another.  Their name is told if all have the same. */
typedef struct {
    guint64 n;
    guint32 last; /* the number of the last thread */
    gboolean have_several_names;
    char name[16], first_name[16]; /* the name of the last thread, that of the threads before it; "": none */
} TndMergeThreads;

/* A stream of an image, summed up. */
typedef struct {
    const TndRunStream *file;
    guint64 n_records, n_bytes, first_ticks, last_ticks;
    guint64 n_samples, cpu_ns, sampled_ns;
    TndMergeThreads threads;
    guint32 last_cpu; /* the highest number of a CPU that it tells, from 1; 0: it tells none */
    gboolean has_messages, has_comms, has_tasks;
    gboolean is_busy; /* it has more than births and deaths of threads, samples and waits */
    gboolean is_own;  /* it is that of a thread of the library's */
    GPtrArray *comms; /* TndMergeComm, in the order of the stream */
} TndMergeStream;

/* The program switched recording on or off. */
typedef struct {
    guint64 ticks;
    gboolean on;
} TndMergeSwitch;

/* The most that a thread ever used of its stack, told by another thread. */
typedef struct {
    guint32 thread;
    guint64 n_bytes;
} TndMergeStackMark;

/* A counter of the processor that is read at records. */
typedef struct {
    guint32 id; /* set << 8 | its place in the set */
    guint32 type;
    char *name;
} TndMergeCounter;

/* One image of one process.  Each part is set by the pass that it names, and read by the passes after that one. */
typedef struct TndMergeProcess {
    /* Scan: what the image's records say. */
    const TndRunImage *files;
    GArray *streams; /* TndMergeStream, in the order of files->streams */
    guint32 pid, ppid, birth, n_cpus;
    guint64 image_id, parent_image_id;
    char *host, *boot, *executable, *command;
    char *program; /* what was executed; NULL: it has the name of the executable */
    char *vdso;    /* functions of the kernel's module, as read/code_map.h reads them; NULL: not told */
    char *jit;     /* those of a just-in-time compiler */
    gboolean has_begun, has_exited;
    gboolean has_cancelled; /* it cancelled a send or a receive */
    gboolean is_tied;       /* its threads tell of each other's communicators and collectives */
    guint64 begin_ticks, end_ticks;
    gboolean has_rank; /* the next four are what it says of its rank */
    guint32 rank, world_size, application;
    guint64 world_key;
    guint64 rank_ticks; /* when it said so, which is when MPI_Init was over */
    enum tnd_clock clock_kind;
    guint n_readings;
    TndMergeClockReading first_reading, last_reading;
    GArray *modules;  /* TndMergeModule, in the order in which they were loaded */
    GArray *switches; /* TndMergeSwitch, in the order of time */
    GArray *links;    /* TndMergeLink */
    GArray *sensors;  /* TndMergeSensor */
    /* Names by the numbers that the process gave them; NULL for a number that it never defined. */
    GPtrArray *region_names, *counter_names;
    GPtrArray *python_names;   /* each is a name, a newline, "file:line" */
    GPtrArray *library_names;  /* each is a name, a newline, the library's file */
    GPtrArray *thread_names;   /* that another thread told */
    GArray *python_short;      /* guint32: the numbers of functions that were too short to go on recording them */
    GArray *stack_marks;       /* TndMergeStackMark */
    guint32 last_cpu;          /* the highest number of a CPU that any thread was on, from 1; 0: none is known */
    GArray *counters;          /* TndMergeCounter */
    struct TndMergeHeap *heap; /* of merge_heap.c; NULL: the heap was not recorded */

    /* Clock. */
    TndMergeClock *clock;
    guint64 begin_ns, end_ns; /* in the trace's time */

    /* Rows. */
    gboolean is_shown;
    struct TndMergeProcess *next_image; /* the image that it became by exec */
    gboolean follows;                   /* it is the next_image of another one */
    guint32 member, first_member;       /* its number among all members, and that of its world's rank 0 */

    /* Before the first walk: bytes of the buffer of each of its streams' readers, which then hold no files open; 0:
     * they hold them open. */
    gsize buffer_bytes;

    /* Names.  Arrays by the process's own numbers. */
    guint32 *region_values, *counter_types, *python_values, *library_values;
    guint image_value; /* of its events of type TND_TYPE_IMAGE */

    /* Scan and addresses. */
    struct address_table *addresses; /* of merge_addresses.c */
    struct TndCodeMap *code_map;     /* names of code that is in no file; NULL: no address was sought in it */

    /* As it is at the moment of the walk that goes on. */
    GHashTable *comms;       /* handle -> TndMergeComm * */
    TndMergeComm *last_comm; /* the last one that was found there; NULL: none */
    GHashTable *requests;    /* of the messages pass: handle -> what is known of a request */
    GHashTable *persistent;  /* of the write pass: handle of a request -> its COLLECTIVE; NULL: the process has none */
} TndMergeProcess;

/* A pattern of the user's list of functions of Python, as one image read it. */
typedef struct {
    guint32 line;
    gboolean is_met; /* a function of that image has such a name */
    char *pattern;
} TndMergePythonWish;

/* A library that the user asked for, as one image has it. */
typedef struct {
    guint32 number; /* its place in the list */
    guint32 state;  /* w[0] of TND_DEFINE_LIBRARY_WISH */
    char *pattern;
} TndMergeLibraryWish;

/* How long a function of Python, or of a wrapped library, ran, in all threads. */
typedef struct {
    guint64 n_enters;
    guint64 n_calls;      /* the enters that are no leftover of the image that this one was forked from */
    guint64 self_ns;      /* in the function itself */
    guint64 inclusive_ns; /* and in what it called; of calls within calls of its own, the outermost one counts */
    guint64 n_counted;    /* further calls, which were counted instead of recorded */
    guint64 counted_ns;   /* of these; it is in the time of their callers, too */
} TndMergeFunctionSum;

/* Calls that were counted instead of recorded. */
typedef struct {
    guint64 n, time_ns;
} TndMergeCounted;

/* What one process measured of the clock of another one, on another node (TND_RECORD_PEER_CLOCK). */
typedef struct {
    TndMergeProcess *process, *other;
    guint64 ticks, width_ticks, other_ticks, other_image_id;
} TndMergePeerClock;

/* The streams of a row: that of the thread's own code, that of its signal handler, and, in the row of a process's first
 * thread, that of the library's own thread. */
enum { TND_MERGE_MAIN, TND_MERGE_SIGNAL, TND_MERGE_OWN, TND_MERGE_N_STREAMS };

/* A stretch of a row's life: one slot of one image. */
typedef struct {
    TndMergeProcess *process;
    int streams[TND_MERGE_N_STREAMS]; /* indices into process->streams; -1: there is none */
} TndMergePart;

/* A row of the trace: a thread, or threads that had one slot after each other. */
typedef struct {
    struct tnd_prv_place at;
    GArray *parts; /* TndMergePart, in the order of time */
} TndMergeRow;

/* A process that has no row itself (a launcher) but read sensors of its node: its events stand in another one's row. */
typedef struct {
    TndMergeRow row; /* with one part, which has the library's own stream */
    guint host;      /* the first row of that node */
} TndMergeGuest;

typedef struct {
    char *name;
    guint node, n_threads;
    TndMergeProcess *first; /* its first image; NULL: a rank that left nothing */
} TndMergeTask;

typedef struct {
    GArray *tasks;      /* TndMergeTask */
    gboolean is_ranked; /* its tasks are ranks of MPI */
} TndMergeApplication;

/* The user's label of an event type, or of a value of it. */
typedef struct {
    guint32 type;
    gint64 value;
    gboolean has_value;
    char *label;
} TndMergeLabel;

/* The write pass keeps what it looks up often in small tables of so many bits. */
#define TND_MERGE_SEEN_BITS 8

/* The state that a value of an event type stands for. */
typedef struct {
    guint32 type, value, state;
} TndMergeSeenState;

/* The run.  As in TndMergeProcess, each part is set by the pass that it names. */
typedef struct {
    const TndMergeOptions *options;
    TndMergeResult *result;
    TndMergeTeam *team;
    GPtrArray *images;           /* TndRunImage */
    guint64 n_bytes;             /* of this rank's share of the streams */
    guint64 n_work, n_work_done; /* of merge_progress.h */

    /* Scan. */
    GPtrArray *processes;   /* TndMergeProcess, shown or not; in the order of names, from the rows pass on of begins */
    GArray *peer_clocks;    /* TndMergePeerClock */
    GArray *labels;         /* TndMergeLabel */
    GArray *python_wishes;  /* TndMergePythonWish */
    GArray *library_wishes; /* TndMergeLibraryWish */
    struct {
        guint clock; /* enum tnd_sampling_clock; 0: nothing was sampled */
        guint64 period_ns;
        guint64 took_ns; /* of all threads */
    } sampling;

    /* Clock and nodes. */
    GPtrArray *clocks; /* TndMergeClock */
    guint64 flush_ns, clock_error_ns;

    /* Rows. */
    GPtrArray *applications; /* TndMergeApplication */
    GArray *members;         /* TndMergeMember */
    GPtrArray *rows;         /* TndMergeRow */
    GPtrArray *guests;       /* TndMergeGuest, in the order of their processes' begins */
    GPtrArray *nodes;        /* names of nodes */
    GArray *node_cpus;       /* guint32: how many CPUs each node has */
    char *command;           /* of the process that began the run */
    guint64 begin_realtime_ns, end_ns, cpu_ns, sampled_ns;
    guint64 own_cpu_ns; /* CPU time of the library's own threads */
    guint64 n_skipped_processes, n_helper_processes, n_helper_threads;

    /* Names, comms, addresses.  Names are sorted; a name's value, or event type, is its index plus a constant. */
    GHashTable *by_image_id; /* guint64 * -> TndMergeProcess * */
    GPtrArray *region_names, *counter_names, *image_names;
    GPtrArray *python_names;                /* with what follows the names; value = index + 1 */
    GPtrArray *library_names;               /* with the library's file; value = index + 1 */
    GPtrArray *library_files;               /* value = index + 1 */
    guint32 *library_file_of;               /* by values of functions: the value of the library */
    GPtrArray *communicators;               /* lines for the trace's header */
    GPtrArray *function_names, *line_names; /* value = index + 1 */

    /* Between addresses and tasks. */
    guint *row_ranks; /* for each row the rank that renders it and matches its messages; a task's rows have one rank */

    /* Messages and write. */
    struct TndMergeSpill *messages; /* those that are matched */
    GHashTable *types;              /* the event types that occur */
    guint32 seen_types[1 << TND_MERGE_SEEN_BITS];
    TndMergeSeenState seen_states[1 << TND_MERGE_SEEN_BITS];
    TndMergeFunctionSum *python_sums, *library_sums; /* by values of functions */
    TndMergeCounted *counted_calls;                  /* by type and value (merge_counted.h) */
} TndMerge;

#endif
