/* SPDX-License-Identifier: Apache-2.0
 *
 * Which MPI calls are recorded (settings `mpi-local`, `mpi-functions`, `mpi-exclude`).
 *
 * Calls that only ask or change something of their own process, and take less than TND_MPI_CHOICE_WORTH_NS, are counted
 * instead of recorded: a program that asks MPI_Wtime all the time would have a trace of nothing else.  A call that is
 * excluded is not recorded; one that tests whether something has come is, if it has, as its messages would be missing
 * otherwise.  What is known only when a call ends is recorded then, with the times of its begin and end.
 * How often each was counted, and how long it took in all, is written when the thread ends, and after each
 * TND_MPI_CHOICE_TOLD calls in between, so that a process that is killed loses no more than these.
 *
 * Cost of a call that is counted: two clock reads and 6 ns (tests/bench).  16 bytes for each call that a thread counts,
 * in pages of its own.
 * Context: as mpi_message.h.
 */
#ifndef TND_MPI_CHOICE_H
#define TND_MPI_CHOICE_H

#include "formats/event_types.h"
#include "intercept/mpi/mpi_message.h"

/* A record takes 32 bytes of the ring, and some 70 bytes of the trace. */
#define TND_MPI_CHOICE_WORTH_NS 1000
#define TND_MPI_CHOICE_TOLD 4096

/* What a call is, as calls.tsv says. */
enum tnd_mpi_nature { TND_MPI_IS_PLAIN, TND_MPI_IS_LOCAL, TND_MPI_IS_TEST };

/* Generated: all calls of the header. */
struct tnd_mpi_choice_call {
    const char *name;
    uint16_t value;
    uint8_t nature;
};
extern const struct tnd_mpi_choice_call tnd_mpi_choice_calls[] __attribute__((visibility("hidden")));
extern const unsigned tnd_mpi_choice_n_calls __attribute__((visibility("hidden")));

/* How a call of this value is recorded.  Set at start. */
enum tnd_mpi_choice { TND_MPI_RECORDED, TND_MPI_COUNTED_IF_SHORT, TND_MPI_COUNTED_IF_IN_VAIN, TND_MPI_EXCLUDED };
extern uint8_t tnd_mpi_choice[TND_EVENT_MPI_VALUES] __attribute__((visibility("hidden")));

/* A call whose ENTER may come late. */
struct tnd_mpi_late {
    uint64_t begin;
    const uint8_t *next; /* of the writer at the begin */
};

/* A call begins that is recorded or not, whatever comes of it: records ENTER; NULL: it is not recorded. */
static inline struct tnd_thread *tnd_mpi_choice_enter(uint32_t type, uint16_t value, uint64_t *time)
{
    return __builtin_expect(tnd_mpi_choice[value] != TND_MPI_RECORDED, 0) ? NULL
                                                                          : tnd_mpi_message_enter(type, value, time);
}

/* A call begins of which that is known only later.  NULL: nothing is recorded now. */
struct tnd_thread *tnd_mpi_choice_begin(uint32_t type, uint16_t value, struct tnd_mpi_late *late);

/* It has ended at `now`, and has found something or not.  True: its ENTER has been recorded, and the LEAVE must follow.
 * False: it is counted. */
bool tnd_mpi_choice_tells(struct tnd_thread *thread, uint32_t type, uint16_t value, const struct tnd_mpi_late *late,
                          uint64_t now, bool has_found);

/* Reads the settings. */
void tnd_mpi_choice_start(void);

/* Writes what the thread has counted: at its end. */
void tnd_mpi_choice_thread_end(struct tnd_thread *thread);

/* Writes what all threads have counted, into the streams of the thread that ends the process. */
void tnd_mpi_choice_stop(void);

/* In the child of a fork: it has counted nothing. */
void tnd_mpi_choice_fork_child(void);

#endif
