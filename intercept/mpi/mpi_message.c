/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of MPI calls and messages.  Context: mpi_message.h.
 */
#include "intercept/mpi/mpi_message.h"

#include "sampler/callers.h"

bool tnd_mpi_message_wanted;

struct tnd_thread *tnd_mpi_message_open(uint32_t type, uint16_t value, uint64_t *time)
{
    struct tnd_thread *thread = tnd_mpi_message_wanted && !tnd_mpi_library_is_foreign ? tnd_thread_get() : NULL;
    if (thread) {
        *time = tnd_clock_ticks();
        tnd_emit_head(&thread->main, *time, TND_RECORD_ENTER, type, value);
        tnd_callers_mark(thread, *time, type);
    }
    return thread;
}

void tnd_mpi_message_leave(struct tnd_thread *thread, uint32_t type, uint64_t time)
{
    tnd_emit_head(&thread->main, time, TND_RECORD_LEAVE, type, 0);
}

uint64_t tnd_mpi_message_bytes(MPI_Count count, MPI_Datatype type)
{
    MPI_Count size_bytes = 0;
    if (count <= 0 || !type || type == tnd_mpi_library.datatype_null)
        return 0;
    tnd_mpi_library.Type_size_x(type, &size_bytes);
    return size_bytes > 0 ? (uint64_t)count * (uint64_t)size_bytes : 0;
}

static void emit(struct tnd_thread *thread, uint64_t time, uint8_t kind, uint32_t id, unsigned aux, unsigned n_words,
                 const uint64_t words[])
{
    tnd_emit_words(&thread->main, time, kind, id, (uint16_t)aux, n_words, words);
}

void tnd_mpi_message_send(struct tnd_thread *thread, uint64_t time, MPI_Count count, MPI_Datatype type, int partner,
                          int tag, MPI_Comm comm)
{
    if (partner != MPI_PROC_NULL)
        emit(thread, time, TND_RECORD_SEND, (uint32_t)tag, 0, 3,
             (uint64_t[]){TND_MPI_HANDLE(comm), tnd_mpi_message_bytes(count, type), (uint32_t)partner});
}

void tnd_mpi_message_isend(struct tnd_thread *thread, uint64_t time, MPI_Count count, MPI_Datatype type, int partner,
                           int tag, MPI_Comm comm, MPI_Request request)
{
    if (partner != MPI_PROC_NULL)
        emit(thread, time, TND_RECORD_SEND, (uint32_t)tag, 1, 4,
             (uint64_t[]){TND_MPI_HANDLE(comm), tnd_mpi_message_bytes(count, type), (uint32_t)partner,
                          TND_MPI_HANDLE(request)});
}

void tnd_mpi_message_send_init(struct tnd_thread *thread, uint64_t time, MPI_Count count, MPI_Datatype type,
                               int partner, int tag, MPI_Comm comm, MPI_Request request)
{
    if (partner != MPI_PROC_NULL)
        emit(thread, time, TND_RECORD_POST, TND_POST_SEND_INIT, (unsigned)tag & 0xffff, 4,
             (uint64_t[]){TND_MPI_HANDLE(comm), TND_MPI_HANDLE(request), tnd_mpi_message_bytes(count, type),
                          tnd_record_pair((uint32_t)partner, (uint32_t)tag)});
}

uint64_t tnd_mpi_message_status_bytes(const MPI_Status *status)
{
    MPI_Count n = 0;
    tnd_mpi_library.Get_elements_x(status, tnd_mpi_library.byte, &n);
    return n > 0 ? (uint64_t)n : 0;
}

void tnd_mpi_message_recv(struct tnd_thread *thread, uint64_t time, MPI_Comm comm, const MPI_Status *status)
{
    if (status->MPI_SOURCE != MPI_PROC_NULL)
        emit(thread, time, TND_RECORD_RECV, (uint32_t)status->MPI_TAG, 0, 3,
             (uint64_t[]){TND_MPI_HANDLE(comm), tnd_mpi_message_status_bytes(status), (uint32_t)status->MPI_SOURCE});
}

void tnd_mpi_message_post(struct tnd_thread *thread, uint64_t time, enum tnd_post what, int partner, int tag,
                          MPI_Comm comm, MPI_Request request)
{
    if (partner != MPI_PROC_NULL)
        emit(thread, time, TND_RECORD_POST, what, (unsigned)tag & 0xffff, 2,
             (uint64_t[]){TND_MPI_HANDLE(comm), TND_MPI_HANDLE(request)});
}

void tnd_mpi_message_matched(struct tnd_thread *thread, uint64_t time, int partner, int tag, MPI_Comm comm,
                             MPI_Message message)
{
    if (message != tnd_mpi_library.message_no_proc)
        emit(thread, time, TND_RECORD_POST, TND_POST_RECV, (unsigned)tag & 0xffff, 2,
             (uint64_t[]){TND_MPI_HANDLE(comm), TND_MPI_HANDLE(message)});
}

void tnd_mpi_message_rename(struct tnd_thread *thread, uint64_t time, MPI_Message message, MPI_Request request)
{
    if (message != tnd_mpi_library.message_no_proc)
        emit(thread, time, TND_RECORD_POST, TND_POST_RENAME, 0, 3,
             (uint64_t[]){0, TND_MPI_HANDLE(request), TND_MPI_HANDLE(message)});
}

void tnd_mpi_message_start(struct tnd_thread *thread, uint64_t time, int count, const MPI_Request requests[])
{
    for (int i = 0; i < count; i++)
        emit(thread, time, TND_RECORD_POST, TND_POST_START, 0, 2, (uint64_t[]){0, TND_MPI_HANDLE(requests[i])});
}

void tnd_mpi_message_start_fortran(struct tnd_thread *thread, uint64_t time, int count, const MPI_Fint requests[])
{
    for (int i = 0; i < count; i++)
        tnd_mpi_message_start(thread, time, 1, &(MPI_Request){TND_MPI_FROM_FORTRAN(Request, requests[i])});
}

void tnd_mpi_message_free(struct tnd_thread *thread, uint64_t time, MPI_Request request)
{
    if (request != tnd_mpi_library.request_null)
        emit(thread, time, TND_RECORD_POST, TND_POST_FREE, 0, 2, (uint64_t[]){0, TND_MPI_HANDLE(request)});
}

static void done(struct tnd_thread *thread, uint64_t time, uint64_t handle, const MPI_Status *status)
{
    int cancelled = 0;
    if (status->MPI_SOURCE == MPI_PROC_NULL)
        return;
    tnd_mpi_library.Test_cancelled(status, &cancelled);
    emit(thread, time, TND_RECORD_DONE, (uint32_t)status->MPI_TAG, cancelled != 0, 3,
         (uint64_t[]){handle, tnd_mpi_message_status_bytes(status), (uint32_t)status->MPI_SOURCE});
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
