/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of MPI calls and messages.  Context: mpi_message.h.
 */
#include "intercept/mpi/mpi_message.h"

#include "runtime/counting.h"
#include "runtime/place.h"
#include "sampler/callers.h"

bool tnd_mpi_message_wanted, tnd_mpi_message_has_more;

/* The rare cases: the thread's first call, a clock that is a system call, callers, counters. */
__attribute__((noinline)) static struct tnd_thread *open_slowly(uint32_t type, uint16_t value, uint64_t *time)
{
    struct tnd_thread *thread = tnd_thread_get();
    if (thread) {
        *time = tnd_clock_ticks();
        tnd_place_note(thread, *time);
        tnd_emit_head(&thread->main, *time, TND_RECORD_ENTER, type, value);
        tnd_counting_mark(thread, *time, TND_COUNTING_MPI);
        tnd_callers_mark(thread, *time, type);
    }
    return thread;
}

struct tnd_thread *tnd_mpi_message_open(uint32_t type, uint16_t value, uint64_t *time)
{
    struct tnd_thread *thread = tnd_thread_self;
    if (__builtin_expect(!tnd_mpi_message_wanted || tnd_mpi_library_is_foreign, 0))
        return NULL;
    if (__builtin_expect(!thread || tnd_mpi_message_has_more || !tnd_clock_is_inline(), 0))
        return open_slowly(type, value, time);
    *time = tnd_clock_ticks();
    tnd_place_note(thread, *time);
    tnd_emit_head(&thread->main, *time, TND_RECORD_ENTER, type, value);
    return thread;
}

void tnd_mpi_message_leave(struct tnd_thread *thread, uint32_t type, uint64_t time)
{
    tnd_place_note(thread, time);
    tnd_emit_head(&thread->main, time, TND_RECORD_LEAVE, type, 0);
    tnd_counting_mark(thread, time, TND_COUNTING_MPI);
}

/* A cache of the sizes of predefined types: handle << 16 | size.  Their handles stay valid as long as the program runs;
 * those of derived types may be reused for other types, and are not put into it. */
#define SIZE_BITS 16
#define NO_SIZE 0xffffu
#define SIZES_BITS 6
static uint64_t sizes[1 << SIZES_BITS];

__attribute__((noinline)) static uint64_t ask_size(MPI_Datatype type, uint64_t handle, uint64_t *known)
{
    MPI_Count size_bytes = 0;
    if (tnd_mpi_library.Type_size_x(type, &size_bytes) != MPI_SUCCESS)
        return 0;
    if (__atomic_load_n(known, __ATOMIC_RELAXED) >> SIZE_BITS != handle && handle >> (64 - SIZE_BITS) == 0) {
        int n_numbers, n_addresses, n_types, combiner = MPI_UNDEFINED;
        tnd_mpi_library.Type_get_envelope(type, &n_numbers, &n_addresses, &n_types, &combiner);
        bool lasts = combiner == MPI_COMBINER_NAMED && size_bytes >= 0 && size_bytes < (MPI_Count)NO_SIZE;
        __atomic_store_n(known, handle << SIZE_BITS | (lasts ? (uint64_t)size_bytes : NO_SIZE), __ATOMIC_RELAXED);
    }
    return size_bytes > 0 ? (uint64_t)size_bytes : 0;
}

uint64_t tnd_mpi_message_bytes(MPI_Count count, MPI_Datatype type)
{
    if (count <= 0 || !type || type == tnd_mpi_library.datatype_null)
        return 0;
    uint64_t handle = TND_MPI_HANDLE(type);
    uint64_t *known = &sizes[handle * 0x9e3779b97f4a7c15u >> (64 - SIZES_BITS)]; /* Knuth's multiplier */
    uint64_t word = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (word >> SIZE_BITS == handle && (word & NO_SIZE) != NO_SIZE)
        return (uint64_t)count * (word & NO_SIZE);
    return (uint64_t)count * ask_size(type, handle, known);
}

static inline void emit(struct tnd_thread *thread, uint64_t time, uint8_t kind, uint32_t id, unsigned aux,
                        unsigned n_words, uint64_t first, uint64_t second, uint64_t third, uint64_t fourth)
{
    tnd_emit_few(&thread->main, time, kind, id, (uint16_t)aux, n_words, first, second, third, fourth);
}

void tnd_mpi_message_send(struct tnd_thread *thread, uint64_t time, MPI_Count count, MPI_Datatype type, int partner,
                          int tag, MPI_Comm comm)
{
    if (partner != MPI_PROC_NULL)
        emit(thread, time, TND_RECORD_SEND, (uint32_t)tag, 0, 3, TND_MPI_HANDLE(comm),
             tnd_mpi_message_bytes(count, type), (uint32_t)partner, 0);
}

void tnd_mpi_message_isend(struct tnd_thread *thread, uint64_t time, MPI_Count count, MPI_Datatype type, int partner,
                           int tag, MPI_Comm comm, MPI_Request request)
{
    if (partner != MPI_PROC_NULL)
        emit(thread, time, TND_RECORD_SEND, (uint32_t)tag, 1, 4, TND_MPI_HANDLE(comm),
             tnd_mpi_message_bytes(count, type), (uint32_t)partner, TND_MPI_HANDLE(request));
}

void tnd_mpi_message_send_init(struct tnd_thread *thread, uint64_t time, MPI_Count count, MPI_Datatype type,
                               int partner, int tag, MPI_Comm comm, MPI_Request request)
{
    if (partner != MPI_PROC_NULL)
        emit(thread, time, TND_RECORD_POST, TND_POST_SEND_INIT, (unsigned)tag & 0xffff, 4, TND_MPI_HANDLE(comm),
             TND_MPI_HANDLE(request), tnd_mpi_message_bytes(count, type),
             tnd_record_pair((uint32_t)partner, (uint32_t)tag));
}

void tnd_mpi_message_recv(struct tnd_thread *thread, uint64_t time, MPI_Comm comm, const MPI_Status *status)
{
    if (status->MPI_SOURCE != MPI_PROC_NULL)
        emit(thread, time, TND_RECORD_RECV, (uint32_t)status->MPI_TAG, 0, 3, TND_MPI_HANDLE(comm),
             tnd_mpi_library_status_bytes(status), (uint32_t)status->MPI_SOURCE, 0);
}

/* The values of the wildcards differ between libraries. */
static uint64_t asked(int partner, int tag)
{
    return tnd_record_pair(partner == MPI_ANY_SOURCE ? UINT32_MAX : (uint32_t)partner,
                           tag == MPI_ANY_TAG ? UINT32_MAX : (uint32_t)tag);
}

void tnd_mpi_message_post(struct tnd_thread *thread, uint64_t time, enum tnd_post what, int partner, int tag,
                          MPI_Comm comm, MPI_Request request)
{
    if (partner != MPI_PROC_NULL)
        emit(thread, time, TND_RECORD_POST, what, (unsigned)tag & 0xffff, 3, TND_MPI_HANDLE(comm),
             TND_MPI_HANDLE(request), asked(partner, tag), 0);
}

void tnd_mpi_message_matched(struct tnd_thread *thread, uint64_t time, const MPI_Status *status, MPI_Comm comm,
                             MPI_Message message)
{
    if (message != tnd_mpi_library.message_no_proc)
        emit(thread, time, TND_RECORD_POST, TND_POST_RECV, (unsigned)status->MPI_TAG & 0xffff, 3, TND_MPI_HANDLE(comm),
             TND_MPI_HANDLE(message), asked(status->MPI_SOURCE, status->MPI_TAG), 0);
}

void tnd_mpi_message_rename(struct tnd_thread *thread, uint64_t time, MPI_Message message, MPI_Request request)
{
    if (message != tnd_mpi_library.message_no_proc)
        emit(thread, time, TND_RECORD_POST, TND_POST_RENAME, 0, 3, 0, TND_MPI_HANDLE(request), TND_MPI_HANDLE(message),
             0);
}

void tnd_mpi_message_start(struct tnd_thread *thread, uint64_t time, int count, const MPI_Request requests[])
{
    for (int i = 0; i < count; i++)
        emit(thread, time, TND_RECORD_POST, TND_POST_START, 0, 2, 0, TND_MPI_HANDLE(requests[i]), 0, 0);
}

void tnd_mpi_message_start_fortran(struct tnd_thread *thread, uint64_t time, int count, const MPI_Fint requests[])
{
    for (int i = 0; i < count; i++)
        tnd_mpi_message_start(thread, time, 1, &(MPI_Request){TND_MPI_FROM_FORTRAN(Request, requests[i])});
}

void tnd_mpi_message_free(struct tnd_thread *thread, uint64_t time, MPI_Request request)
{
    if (request != tnd_mpi_library.request_null)
        emit(thread, time, TND_RECORD_POST, TND_POST_FREE, 0, 2, 0, TND_MPI_HANDLE(request), 0, 0);
}

static void done(struct tnd_thread *thread, uint64_t time, uint64_t handle, const MPI_Status *status)
{
    if (status->MPI_SOURCE == MPI_PROC_NULL)
        return;
    emit(thread, time, TND_RECORD_DONE, (uint32_t)status->MPI_TAG, tnd_mpi_library_status_cancelled(status), 3, handle,
         tnd_mpi_library_status_bytes(status), (uint32_t)status->MPI_SOURCE, 0);
}

void tnd_mpi_message_done(struct tnd_thread *thread, uint64_t time, MPI_Request request, const MPI_Status *status)
{
    if (request != tnd_mpi_library.request_null)
        done(thread, time, TND_MPI_HANDLE(request), status);
}

void tnd_mpi_message_done_matched(struct tnd_thread *thread, uint64_t time, MPI_Message message,
                                  const MPI_Status *status)
{
    done(thread, time, TND_MPI_HANDLE(message), status);
}
