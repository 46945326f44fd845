/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes of one-sided calls and of files.  Context: mpi_message.h.
 */
#include "intercept/mpi/mpi_bytes.h"

#include "formats/event_types.h"
#include "intercept/mpi/mpi_message.h"

void tnd_mpi_bytes_remote(struct tnd_thread *thread, uint64_t time, int target, MPI_Win window, MPI_Count count,
                          MPI_Datatype type, const void *origin, MPI_Aint displacement)
{
    if (target != MPI_PROC_NULL)
        tnd_emit_few(&thread->main, time, TND_RECORD_REMOTE, (uint32_t)target, 1, 4, TND_MPI_HANDLE(window),
                     tnd_mpi_message_bytes(count, type), (uint64_t)(uintptr_t)origin, (uint64_t)displacement);
}

void tnd_mpi_bytes_target(struct tnd_thread *thread, uint64_t time, int target, MPI_Win window)
{
    if (target != MPI_PROC_NULL)
        tnd_emit_word(&thread->main, time, TND_RECORD_REMOTE, (uint32_t)target, 0, TND_MPI_HANDLE(window));
}

static void event(struct tnd_thread *thread, uint64_t time, uint32_t type, uint64_t value)
{
    tnd_emit_word(&thread->main, time, TND_RECORD_EVENT, type, 0, value);
}

void tnd_mpi_bytes_asked(struct tnd_thread *thread, uint64_t time, MPI_Count count, MPI_Datatype type)
{
    event(thread, time, TND_TYPE_MPI_IO_SIZE, tnd_mpi_message_bytes(count, type));
}

void tnd_mpi_bytes_asked_end(struct tnd_thread *thread, uint64_t time)
{
    event(thread, time, TND_TYPE_MPI_IO_SIZE, 0);
}

void tnd_mpi_bytes_moved(struct tnd_thread *thread, uint64_t time, const MPI_Status *status)
{
    event(thread, time, TND_TYPE_MPI_IO_MOVED, tnd_mpi_library_status_bytes(status));
}
