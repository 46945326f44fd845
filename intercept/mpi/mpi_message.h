/* SPDX-License-Identifier: Apache-2.0
 *
 * What the MPI wrappers record: enter and leave, and the facts about messages that matching needs (formats/record.h).
 * No state is kept between calls: requests are recorded by their handles, and the merge follows them.
 * Cost: two clock reads a call and 3 to 20 ns (measured, tests/bench); the library is asked for a type's size only if
 * it is a derived type.
 *
 * Context: the program's calls of MPI; not for handlers.  Nothing here communicates, allocates or locks.
 */
#ifndef TND_MPI_MESSAGE_H
#define TND_MPI_MESSAGE_H

#include "intercept/mpi/mpi_library.h"
#include "runtime/emit.h"

#define TND_MPI_REAL(number, name, missing)                                                                            \
    __typeof__(name) *const tnd_real = (__typeof__(name) *)tnd_mpi_library_get(number, __builtin_return_address(0));   \
    if (!tnd_real)                                                                                                     \
    return missing

/* Whether MPI calls are to be recorded at all. */
extern bool tnd_mpi_message_wanted __attribute__((visibility("hidden")));

/* Whether more than the ENTER is recorded at a call's beginning: callers or counters. */
extern bool tnd_mpi_message_has_more __attribute__((visibility("hidden")));

struct tnd_thread *tnd_mpi_message_open(uint32_t type, uint16_t value, uint64_t *time);

/* Records ENTER, with its time in *time; NULL: nothing is recorded now. */
static inline struct tnd_thread *tnd_mpi_message_enter(uint32_t type, uint16_t value, uint64_t *time)
{
    return __builtin_expect(!tnd_thread_recording, 0) ? NULL : tnd_mpi_message_open(type, value, time);
}

/* The calling thread, for records that are written even while the program has switched recording off; NULL: it has no
 * streams. */
static inline struct tnd_thread *tnd_mpi_message_announcer(void)
{
    return tnd_thread_self ? tnd_thread_self : tnd_thread_get();
}

void tnd_mpi_message_leave(struct tnd_thread *thread, uint32_t type, uint64_t time);

/* bytes = count x size of the type; 0 if the type has none. */
uint64_t tnd_mpi_message_bytes(MPI_Count count, MPI_Datatype type);

/* Each writes one record (formats/record.h). */
void tnd_mpi_message_send(struct tnd_thread *thread, uint64_t time, MPI_Count count, MPI_Datatype type, int partner,
                          int tag, MPI_Comm comm);
void tnd_mpi_message_isend(struct tnd_thread *thread, uint64_t time, MPI_Count count, MPI_Datatype type, int partner,
                           int tag, MPI_Comm comm, MPI_Request request);
void tnd_mpi_message_send_init(struct tnd_thread *thread, uint64_t time, MPI_Count count, MPI_Datatype type,
                               int partner, int tag, MPI_Comm comm, MPI_Request request);
void tnd_mpi_message_recv(struct tnd_thread *thread, uint64_t time, MPI_Comm comm, const MPI_Status *status);
void tnd_mpi_message_post(struct tnd_thread *thread, uint64_t time, enum tnd_post what, int partner, int tag,
                          MPI_Comm comm, MPI_Request request);
void tnd_mpi_message_matched(struct tnd_thread *thread, uint64_t time, const MPI_Status *status, MPI_Comm comm,
                             MPI_Message message);
void tnd_mpi_message_rename(struct tnd_thread *thread, uint64_t time, MPI_Message message, MPI_Request request);
void tnd_mpi_message_start(struct tnd_thread *thread, uint64_t time, int count, const MPI_Request requests[]);
void tnd_mpi_message_start_fortran(struct tnd_thread *thread, uint64_t time, int count, const MPI_Fint requests[]);
void tnd_mpi_message_free(struct tnd_thread *thread, uint64_t time, MPI_Request request);
void tnd_mpi_message_done(struct tnd_thread *thread, uint64_t time, MPI_Request request, const MPI_Status *status);
void tnd_mpi_message_done_matched(struct tnd_thread *thread, uint64_t time, MPI_Message message,
                                  const MPI_Status *status);

#endif
