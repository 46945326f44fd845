/* SPDX-License-Identifier: Apache-2.0
 *
 * The record: one thing that happened, in the layout that it has in a stream.
 *
 * A record is a 16-byte head and 0 to 255 words of 8 bytes, always aligned to 8.  It is written in the writer's byte
 * order; the stream's header says which, and only readers swap (tnd_record_swap).  An enter or a leave is a bare head.
 *
 * What it is not: a text format (record_text.h), or a file (stream.h).
 * Context: everything here is safe in a signal handler.
 */
#ifndef TND_RECORD_H
#define TND_RECORD_H

#include <stddef.h>
#include <stdint.h>

/* Is raised when a reader that knows the previous number could misread a stream. */
#define TND_RECORD_VERSION 4

struct tnd_record {
    uint64_t time;   /* clock ticks of the process (ns if its clock is TND_CLOCK_MONOTONIC); see TND_RECORD_CLOCK */
    uint32_t id;     /* an event type, a number, a tag: the kind says */
    uint16_t aux;    /* a small value; the kind says */
    uint8_t kind;    /* enum tnd_record_kind */
    uint8_t n_words; /* payload words that follow */
    uint64_t words[];
};

_Static_assert(sizeof(struct tnd_record) == 16, "a record head is 16 bytes");
_Static_assert(offsetof(struct tnd_record, id) == 8, "id at 8");
_Static_assert(offsetof(struct tnd_record, aux) == 12, "aux at 12");
_Static_assert(offsetof(struct tnd_record, kind) == 14, "kind at 14");
_Static_assert(offsetof(struct tnd_record, n_words) == 15, "n_words at 15");

#define TND_RECORD_MAX_WORDS 255
#define TND_RECORD_MAX_BYTES (16 + 8 * TND_RECORD_MAX_WORDS)

/* Two 32-bit values in one payload word: the first in the low half. */
static inline uint64_t tnd_record_pair(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

/* How the ticks of a process run. */
enum tnd_clock {
    TND_CLOCK_MONOTONIC = 0, /* ticks are ns of CLOCK_MONOTONIC */
    TND_CLOCK_TSC = 1,       /* x86 invariant time-stamp counter */
    TND_CLOCK_CNTVCT = 2,    /* arm64 virtual counter */
    TND_CLOCK_CYCLES = 3,    /* another free-running counter of the target */
};

/*
 * Kinds.  `w[n]` is payload word n; "text" is bytes, zero-padded to a whole word, their length in aux.
 * In a stream: records of one writer in the order in which they were written; `time` never falls within a stream, but
 * for that of an event which a handler of the program's interrupted between reading the clock and taking the writer. A
 * stream belongs to a slot; a slot is used by one thread after another, each announced by THREAD and ended by
 * THREAD_END in the slot's main stream AND in its signal stream.
 */
enum tnd_record_kind {
    /* Frame: who, where, when. */
    TND_RECORD_CLOCK = 1,   /* id: enum tnd_clock; w[0] CLOCK_MONOTONIC ns, w[1] CLOCK_REALTIME ns, both at `time` */
    TND_RECORD_PROCESS = 2, /* id: pid; aux: enum tnd_process_birth; w[0] pair(ppid, number of CPUs), w[1] hash of the
                             * parent's image id (0: none known), w[2] this image's id (random).  First record of slot
                             * 0's main stream; CLOCK follows, then TEXTs */
    TND_RECORD_PROCESS_END = 3, /* id: enum tnd_process_end; aux: exit status where known.  A CLOCK precedes it */
    TND_RECORD_THREAD = 4,      /* id: the thread's number in its process, 0 = the first; aux: its
                                 * enum tnd_thread_kind; w[0] pair(tid, slot) */
    TND_RECORD_THREAD_END = 5,  /* id: the thread's number; w[0] its CPU time in ns since THREAD (0: unknown) */
    TND_RECORD_TEXT = 6,        /* id: enum tnd_text_role; text.  A long text continues in further TEXTs of its role */
    TND_RECORD_MODULE = 7,      /* id: 0 loaded, 1 unloaded; w[0] lowest address, w[1] past the highest, w[2] what to
                                 * subtract from an address to get the file's (load bias); w[3..] text: path */
    TND_RECORD_PAD = 8,         /* nothing: fills the end of a ring that is written out, so that the file is written in
                                 * whole rings, which costs less.  Readers pass over it */
    TND_RECORD_PEER_CLOCK = 9,  /* The clock of another node at one moment, by the shortest of several round trips.
                                 * w[0] own ticks at its middle; w[1] its length in own ticks, which twice bounds the
                                 * error; w[2] ticks of the other at that moment; w[3] the other's image id */

    /* What the program does. */
    TND_RECORD_ENTER = 16,   /* id: event type; aux: value (> 0); w[0], seldom there: 1, of what began before the image
                              * did, in the one that it was forked from */
    TND_RECORD_LEAVE = 17,   /* id: event type.  Ends the innermost ENTER or CODE of the type; aux: the value that holds
                              * then, mostly 0; w[0], of FLUSH only: ns of CPU time that it took */
    TND_RECORD_EVENT = 18,   /* id: event type; w[0] value (int64), or no payload and the value (0 to 65535) in aux */
    TND_RECORD_COUNTER = 19, /* id: number of a DEFINE (role counter); w[0] value (int64) */
    TND_RECORD_DEFINE = 20,  /* id: number in its role, from 1; aux: enum tnd_define_role; w[0]: see the role; w[1]
                              * length of the text in bytes; w[2..] text */
    TND_RECORD_SWITCH = 21,  /* id: 1 recording on, 0 off, by the program's wish */
    TND_RECORD_CALLERS = 22, /* Who made a call, with the time of its ENTER and after it.  id: that ENTER's event type;
                              * aux: levels asked for, of which inlined functions take theirs afterwards; w[0..] return
                              * addresses in the program, innermost first: w[0] is the call's own */
    TND_RECORD_CODE = 23,    /* Code of the program's begins to run (an outlined region, a task): an ENTER of event type
                              * `id` whose value is the function that has w[0], an address; that of type `id` + 100
                              * is its line */
    TND_RECORD_COUNTERS = 24,  /* Right after an ENTER, LEAVE, CODE, TASK or SAMPLE, with its time, or at the thread's
                                * begin and end.  id: number of the set that counts, from 1; aux: enum
                                * tnd_counters_flag; w[0..]: what each counter of the set has counted in this thread so
                                * far, in the order of their DEFINEs (role counted).  Only differences between two
                                * records of a thread that no TND_COUNTERS_BEGIN parts mean anything, whichever of the
                                * thread's two streams they are in */
    TND_RECORD_HEAP_SITE = 25, /* Who allocates: id: number of the stack, from 1; w[0..] return addresses, innermost
                                * first */
    TND_RECORD_HEAP = 26,      /* What the stack of number `id` has, so far: the last one counts.  w[0] live bytes; w[1]
                                * live blocks; w[2] bytes and w[3] blocks that it ever allocated; w[4] bytes and w[5]
                                * blocks that were live when the heap was largest.  id 0: of the process: w[0] live
                                * bytes; w[1] number of the stack that made the heap largest, or 0; w[2] and w[3] as
                                * above; w[4] bytes then; w[5] bytes allocated to one block of which the stack is kept:
                                * 0: all are, all bits set: none */

    TND_RECORD_COUNTED = 27, /* Calls that were counted instead of recorded.  id: event type; aux: value; w[0] how many
                              * there were in this thread since the record of this kind, type and value before; w[1] ns
                              * that they took together */

    /* What a timer saw. */
    TND_RECORD_SAMPLE = 32, /* id: weight, ns of CPU time since the thread's sample before (saturates); aux: flags,
                             * enum tnd_sample_flag, and TND_SAMPLE_COMMON; w[0..] the stack, innermost first, and
                             * after it as many outermost frames of the stream's SAMPLE before as aux says.  The first
                             * frame is the interrupted instruction, the others are return addresses; one with
                             * TND_SAMPLE_PYTHON is no address, but the number of a function of Python's, which stands
                             * there for the interpreter's frames that ran it */
    TND_RECORD_SAMPLING =
        33,               /* id: enum tnd_sampling_clock in use; w[0] period asked, ns or counts; w[1] pair(errno of the
                           * first refusal that led here or 0, stack depth asked).  Signal stream, after THREAD */
    TND_RECORD_WAIT = 34, /* A call that waited ends.  id: ns of CPU time since the thread's sample before (saturates);
                           * aux: 0 or TND_SAMPLE_PREEMPTED, about the time before the call, and TND_SAMPLE_COMMON;
                           * w[0..] the stack as of a SAMPLE, which begins with the function called; then ticks that the
                           * call took, and ns that the thread waited since its WAIT before */
    TND_RECORD_SAMPLING_COST = 35, /* What samples took of the thread.  id: how many there are since the record of this
                                    * kind before; w[0] ns that the kernel takes for one signal of the clock, w[1] ns
                                    * that those samples took in all, with signals that gave none.  After SAMPLING, and
                                    * at the end; a thread that was killed has only the former */

    /*
     * Message passing.  The facts as the process saw them; matching is done afterwards.  A communicator and a request
     * are named by their handle's 64 bits, which the library uses again once they are freed.
     *
     * SEND to REMOTE stand between the ENTER and the LEAVE of their call and belong to the innermost ENTER that is
     * open.  What a call begins (SEND, POST, COLLECTIVE, REMOTE) happens at that ENTER, what it completes (RECV, DONE)
     * at its LEAVE; the record's own time is one or the other and says nothing more. Nothing is written for a partner
     * that is MPI_PROC_NULL or for a null request.  Messages of one sender, receiver, communicator and tag are received
     * in the order of the ENTERs that began them on both sides: a receive's place in that order is its RECV's ENTER or
     * its POST, not its DONE.
     */
    TND_RECORD_RANK = 48, /* id: rank in MPI_COMM_WORLD; w[0] pair(size of the world, number of the application in it);
                           * w[1] key of the world: equal in its processes, different in other worlds (0: not known) */
    TND_RECORD_COMM = 49, /* A communicator, told once it exists, by every member.  id: how many communicators of
                           * exactly this group (these two groups, whichever way round) this process told of before
                           * that were made of the same one; aux: enum tnd_comm_flag; w[0] handle; w[1] pair(size of
                           * the group, rank in it or 0xffffffff); w[2] handle of the communicator that it was made of
                           * (0: of none that all its members had); w[3..] members of the group in order, two a word
                           * (odd: 0xffffffff at the end).  A member is its rank in MPI_COMM_WORLD; if it is of another
                           * world, TND_COMM_STRANGER plus its place in w[2]'s groups, the remote one first; if that
                           * is not known either, 0xffffffff: LINK tells.  An intercommunicator tells its local
                           * group first, then the remote one, to which the ranks of its SENDs, RECVs and DONEs refer.
                           * COMM_WORLD and COMM_SELF are told like any other, at MPI_Init */
    TND_RECORD_SEND = 50, /* id: tag (int32); aux: 1 if its request is w[3], which DONE or POST 4 will name; w[0]
                           * communicator; w[1] bytes; w[2] partner's rank in it */
    TND_RECORD_RECV = 51, /* a blocking receive that is complete; as SEND, aux 0; partner and tag are the real ones,
                           * never wildcards */
    TND_RECORD_POST = 52, /* id: enum tnd_post; aux: low bits of the tag asked for; w[0] communicator (0: as before);
                           * w[1] request; for some: see there */
    TND_RECORD_DONE = 53, /* id: tag (int32) of the status; aux: 1 if cancelled; w[0] request; w[1] bytes; w[2] source's
                           * rank.  A request may be a send's (then only `aux` and w[0] count), a collective's, an
                           * inactive persistent one's or otherwise unknown (then it means nothing).  Sends that were
                           * complete at once may share one handle: DONE is for the oldest */
    TND_RECORD_COLLECTIVE = 54, /* id: root's rank, or enum tnd_root; w[0] communicator; w[1] bytes sent; w[2] bytes
                                 * received: by this process, to and from all members, itself included.  aux: 1 if it
                                 * is persistent, made here, and happens at each POST 3 of its request, w[3] */
    TND_RECORD_LINK = 55, /* The far side of an intercommunicator, of which this process told before, to another world.
                           * id: enum tnd_link; w[0] its handle; w[1] a key that the other side's LINK has too.  One
                           * member of each side is enough */
    TND_RECORD_REMOTE = 56, /* a call to one target of a window.  id: rank of the target among the window's; aux: 1 if
                             * it moves data, with w[1] to w[3]; w[0] window; w[1] bytes; w[2] address of the origin's
                             * data; w[3] displacement in the target as the program gave it.  Holds until the LEAVE */

    /* Tasks, as OpenMP has them.  What each phase adds stands at enum tnd_task_phase. */
    TND_RECORD_TASK = 64, /* id: number of the task in its process, from 1; aux: enum tnd_task_phase */

    TND_RECORD_PACKED = 128, /* Some SAMPLEs and WAITs, as bytes (formats/pack.h); the time is that of the first.
                              * aux: enum tnd_packed_flag.  Readers of streams hand out what is in it instead */
};

enum tnd_packed_flag {
    TND_PACKED_RESET = 1, /* numbers that were given before mean nothing from here on */
    TND_PACKED_FIRST = 2, /* the thread has no sample before */
};

enum tnd_counters_flag {
    TND_COUNTERS_BEGIN =
        1, /* the set begins to count, or goes on after a pause: there is no difference to the value before */
};
enum tnd_process_birth { TND_BIRTH_START = 0, TND_BIRTH_FORK = 1, TND_BIRTH_EXEC = 2 };
enum tnd_thread_kind {
    TND_THREAD_PROGRAM = 0,
    TND_THREAD_OWN = 1, /* a thread of ours, which the program does not know.  It has no row: its events are about the
                         * process, and are put into the row of the process's first thread.  Its number is not that of a
                         * thread of the program's */
};
enum tnd_process_end { TND_END_EXIT = 0, TND_END_QUICK = 1 /* _exit and kin */, TND_END_EXEC = 2 };
enum tnd_comm_flag {
    TND_COMM_CONTINUES = 1, /* the group goes on in a further COMM */
    TND_COMM_INTER = 2,     /* of an intercommunicator */
    TND_COMM_REMOTE = 4,    /* its remote group */
};
#define TND_COMM_STRANGER 0x80000000u
enum tnd_link {
    TND_LINK_SPAWN = 0,   /* to those whom this process spawned; they are one whole world */
    TND_LINK_PARENT = 1,  /* to those who spawned this one's world */
    TND_LINK_ACCEPT = 2,  /* of MPI_Comm_accept, by its root: the key is a hash of the port's name */
    TND_LINK_CONNECT = 3, /* of MPI_Comm_connect, in the same way */
    TND_LINK_JOIN = 4,    /* of MPI_Comm_join: the key is a hash of the socket's two addresses */
};
enum tnd_root {
    TND_ROOT_NONE = 0xffffffff,      /* a call without one */
    TND_ROOT_NEIGHBOUR = 0xfffffffe, /* of an intercommunicator: the root is another process of this group, so the call
                                        moves no data here */
    TND_ROOT_SELF = 0xfffffffc,      /* of an intercommunicator: this process */
};
enum tnd_post {
    TND_POST_RECV = 0,      /* receive posted, or message matched by a probe (w[1] is then the message's handle).  w[2]
                             * pair(partner, tag) asked for, 0xffffffff: any; of a probe those that there were */
    TND_POST_RECV_INIT = 1, /* persistent receive made.  w[2] as above */
    TND_POST_SEND_INIT = 2, /* persistent send made.  w[2] bytes; w[3] pair(partner, tag) */
    TND_POST_START = 3,     /* persistent request started */
    TND_POST_FREE = 4,      /* request freed by the program, perhaps while active */
    TND_POST_RENAME = 5,    /* the receive that was POSTed as w[2] is now request w[1] */
};
/* A task that is created may have to wait for earlier children of its creator, for those that named the same address,
 * by the rules of OpenMP.  The merge finds out for which.  A number belongs to a task (CREATE) or to an implicit task
 * (the part of a region that one thread runs), which only creates others. */
enum tnd_task_phase {
    TND_TASK_CREATE = 0, /* w[0] an address in its function; w[1] pair(creator's number, enum tnd_task_flag).  Also a
                          * CODE of type OPENMP_TASK_CREATED, whose LEAVE follows, unless it is TND_TASK_WAIT */
    TND_TASK_DEPEND = 1, /* after its CREATE, perhaps repeated: each word is an address << 4 | enum tnd_task_depend */
    TND_TASK_BEGIN = 2,  /* this thread begins it.  w[0] an address in its function; w[1], for one that was not CREATEd,
                          * as there.  Also a CODE of type OPENMP_TASK, which END and SUSPEND leave */
    TND_TASK_SUSPEND = 3, /* it stops here, before its end, and may go on in another thread */
    TND_TASK_RESUME = 4,  /* it goes on here.  w[0] as at BEGIN */
    TND_TASK_END = 5,     /* its code has ended: its successors may begin, unless it is detached */
    TND_TASK_FULFIL = 6,  /* the event of a detached task is fulfilled: with both this and END it is complete.  id 0:
                           * of the task whose handle is w[0] */
    TND_TASK_HANDLE = 7,  /* w[0] is the task's from here until it is complete; told more than once */
};
enum tnd_task_flag {
    TND_TASK_INCLUDED = 1, /* run at once by its creator: `if`, `final`, or a team of one */
    TND_TASK_FINAL = 2,
    TND_TASK_UNTIED = 4,
    TND_TASK_DETACHED = 8,
    TND_TASK_LOOP = 16, /* made by a taskloop, whose number is that of the creator */
    TND_TASK_WAIT = 32, /* no code of its own: a taskwait with depend, which its creator waits for */
};
enum tnd_task_depend {
    TND_DEPEND_IN = 1,
    TND_DEPEND_OUT = 2, /* out, inout */
    TND_DEPEND_MUTEXINOUTSET = 3,
    TND_DEPEND_INOUTSET = 4,
    TND_DEPEND_ALL = 5, /* omp_all_memory; no address */
};
enum tnd_text_role {
    TND_TEXT_EXECUTABLE = 1,  /* path of the program's file */
    TND_TEXT_COMMAND = 2,     /* arguments, separated by blanks */
    TND_TEXT_HOST = 3,        /* node name */
    TND_TEXT_BOOT = 4,        /* boot id: equal means the same clock */
    TND_TEXT_THREAD_NAME = 5, /* of the thread that the stream belongs to now */
    TND_TEXT_NOTE = 6,        /* a sentence for the user: what was refused, what was lost */
    TND_TEXT_PROGRAM = 7,     /* what was executed, if it has another name than the program's file: a link, a script */
    TND_TEXT_VDSO = 8,        /* functions of the kernel's module [vdso]: a line "ADDRESS SIZE NAME" each, in hex */
    TND_TEXT_JIT = 9,         /* functions of a just-in-time compiler, likewise (formats/perf_map.h), at the end */
    TND_TEXT_N,
};
enum tnd_define_role {
    TND_DEFINE_REGION = 1,  /* a region of the user's, by name.  w[0] 0 */
    TND_DEFINE_COUNTER = 2, /* a counter-like value, by name.  w[0] 0 */
    TND_DEFINE_TYPE = 3,    /* label of an event type of the user's.  id: the type; w[0] 0 */
    TND_DEFINE_VALUE = 4,   /* label of a value.  id: the type; w[0] the value */
    TND_DEFINE_PYTHON = 5,  /* a function of Python's, the value of an ENTER.  Text: its name after its module's and a
                             * dot, a newline, its file, a colon, its first line (0: it is one of C).  w[0] 0 */
    TND_DEFINE_PYTHON_WISH = 6,  /* a pattern of the user's list of functions, at the end.  id: its line in the list;
                                  * w[0] 1 if a function of this image was of it */
    TND_DEFINE_THREAD = 7,       /* name of a thread that lives on, told by another.  id: its number; w[0] 0 */
    TND_DEFINE_PYTHON_SHORT = 8, /* the function of Python's that has this number is not recorded from now on: its calls
                                  * are too short to be worth it.  w[0] 0, no text */
    TND_DEFINE_COUNTED = 9,      /* a counter of a set.  id: set << 8 | place in it; w[0] its event type.  Text: its
                                  * name, a newline, what it counts */
    TND_DEFINE_STACK = 13, /* high-water mark of a thread's stack, told by another as the process ends.  id: its number;
                            * w[0] bytes; no text */
    TND_DEFINE_LIBRARY = 14, /* a function of a wrapped library, the value of an ENTER.  Text: its symbol, a newline,
                              * the name of the library's file.  w[0] 0 */
    TND_DEFINE_LIBRARY_WISH = 15, /* a library that is to be wrapped.  id: its place in the user's list, from 1; w[0]: 0
                                   * nothing like it is loaded, 1 it is, 2 and functions of it are called from
                                   * elsewhere; text: the pattern.  The highest of an image counts */
    TND_DEFINE_SENSOR = 11, /* what a sensor is about.  id: its event type; w[0] 0; text: the CPUs, as the kernel lists
                             * them (0-3,8); none: the whole node */
};
#define TND_SAMPLE_PYTHON (UINT64_C(1) << 63)
#define TND_SAMPLE_COMMON(n_frames) ((uint16_t)((n_frames) << 8))
#define TND_SAMPLE_N_COMMON(aux) ((unsigned)(aux) >> 8)
/* Below 256. */
enum tnd_sample_flag {
    TND_SAMPLE_TRUNCATED = 1, /* the stack was deeper than asked for */
    TND_SAMPLE_LATE = 2,      /* stands for more than one period: the signal could not be delivered in time */
    TND_SAMPLE_REST = 4,      /* no sample: what the thread used after its last one, counted where that one was (no
                               * frames: there was none).  With it the weights of a thread are its CPU time */
    TND_SAMPLE_PREEMPTED = 8, /* if the thread was off its CPU since the sample or wait before, others had it */
};
enum tnd_sampling_clock {
    TND_SAMPLING_PERF = 1,      /* perf_event cpu-clock of the thread */
    TND_SAMPLING_MONOTONIC = 2, /* monotonic timer of the thread, quiet while it sleeps */
    TND_SAMPLING_CPU = 3,       /* CPU-time timer of the thread */
    TND_SAMPLING_ITIMER = 4,    /* setitimer(ITIMER_PROF) of the process */
    TND_SAMPLING_FAKE = 5,      /* tests: a sample for each signal that is queued with a certain value */
    TND_SAMPLING_EVENT = 6,     /* another perf_event of the thread; the period is in its counts */
    TND_SAMPLING_PAPI = 7,      /* one of PAPI's counters; likewise */
    TND_SAMPLING_BOARD = 8,     /* a timer of the hardware that interrupts a processor (targets/gr740) */
};

/* Puts a record of a writer with the other byte order into this machine's order, in place.  n_words is a byte and is
 * right before and after; the caller has checked that 16 + 8 * n_words bytes are there.  Texts are left as bytes. */
void tnd_record_swap(struct tnd_record *record);

/* Bytes that the record occupies. */
static inline size_t tnd_record_size_bytes(const struct tnd_record *record)
{
    return sizeof *record + 8 * (size_t)record->n_words;
}

/* The value of an ENTER, an EVENT or a COUNTER. */
static inline int64_t tnd_record_value(const struct tnd_record *record)
{
    return record->n_words > 0 ? (int64_t)record->words[0] : record->aux;
}

/* First payload word that holds text rather than numbers, per kind; n_words if none. */
unsigned tnd_record_text_word(const struct tnd_record *record);

#endif
