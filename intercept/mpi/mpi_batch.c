/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that complete several requests.  Context: mpi_message.h.
 */
#include "intercept/mpi/mpi_batch.h"

#include "intercept/mpi/mpi_fortran.h"
#include "runtime/target.h"

static _Thread_local struct {
    void *room;
    size_t n_bytes;
    bool in_use;
} kept __attribute__((tls_model("initial-exec")));

void tnd_mpi_batch_thread_end(void)
{
    if (kept.room)
        tnd_target_pages_free(kept.room, kept.n_bytes);
    kept.room = NULL;
    kept.n_bytes = 0;
}

static void *take_room(struct tnd_mpi_batch *batch, size_t n_bytes)
{
    if (kept.in_use) {
        batch->n_mapped_bytes = n_bytes;
        return batch->mapped = tnd_target_pages(n_bytes);
    }
    if (kept.n_bytes < n_bytes) {
        tnd_mpi_batch_thread_end();
        kept.room = tnd_target_pages(2 * n_bytes);
        kept.n_bytes = kept.room ? 2 * n_bytes : 0;
    }
    batch->borrowed = kept.in_use = kept.room != NULL;
    return kept.room;
}

/* Room for n requests and their statuses. */
static void take(struct tnd_mpi_batch *batch, int n)
{
    batch->n = n;
    batch->mapped = NULL;
    batch->borrowed = false;
    batch->statuses = batch->few_statuses;
    batch->requests = batch->few_requests;
    if (n > TND_MPI_FEW) {
        uint8_t *room = take_room(batch, (size_t)n * (sizeof(MPI_Status) + sizeof(MPI_Request)));
        batch->requests = room ? (MPI_Request *)(room + (size_t)n * sizeof(MPI_Status)) : NULL;
        batch->statuses = (MPI_Status *)room;
    }
}

void tnd_mpi_batch_begin(struct tnd_mpi_batch *batch, int n, const MPI_Request requests[], MPI_Status *statuses)
{
    take(batch, n);
    batch->first = 0;
    batch->fortran_statuses = NULL;
    if (statuses != MPI_STATUSES_IGNORE || !batch->requests)
        batch->statuses = statuses;
    for (int i = 0; batch->requests && i < n; i++)
        batch->requests[i] = requests[i];
}

void tnd_mpi_batch_begin_fortran(struct tnd_mpi_batch *batch, int n, const MPI_Fint requests[], const void *statuses)
{
    take(batch, n);
    batch->first = 1;
    batch->fortran_statuses = (MPI_Fint *)statuses;
    if (batch->requests && tnd_mpi_fortran_ignores_statuses(statuses))
        batch->fortran_statuses = (MPI_Fint *)batch->statuses;
    for (int i = 0; batch->requests && i < n; i++)
        batch->requests[i] = TND_MPI_FROM_FORTRAN(Request, requests[i]);
}

static const MPI_Status *status_of(struct tnd_mpi_batch *batch, int i)
{
    if (!batch->fortran_statuses)
        return &batch->statuses[i];
    tnd_mpi_fortran_read_status(batch->fortran_statuses + (size_t)i * TND_MPI_FORTRAN_STATUS, &batch->read);
    return &batch->read;
}

void tnd_mpi_batch_end(struct tnd_mpi_batch *batch)
{
    if (batch->borrowed)
        kept.in_use = false;
    else if (batch->mapped)
        tnd_target_pages_free(batch->mapped, batch->n_mapped_bytes);
}

void tnd_mpi_batch_done_one(const struct tnd_mpi_batch *batch, struct tnd_thread *thread, uint64_t time, int index,
                            const MPI_Status *status)
{
    if (batch->requests && index != MPI_UNDEFINED && index >= batch->first && index < batch->first + batch->n)
        tnd_mpi_message_done(thread, time, batch->requests[index - batch->first], status);
}

/* With MPI_ERR_IN_STATUS each status says whether its request was completed. */
static bool is_done(int result, const MPI_Status *status)
{
    return result == MPI_SUCCESS || status->MPI_ERROR != MPI_ERR_PENDING;
}

void tnd_mpi_batch_done_all(struct tnd_mpi_batch *batch, struct tnd_thread *thread, uint64_t time, int result)
{
    if (batch->requests && (result == MPI_SUCCESS || result == MPI_ERR_IN_STATUS))
        for (int i = 0; i < batch->n; i++) {
            const MPI_Status *status = status_of(batch, i);
            if (is_done(result, status))
                tnd_mpi_message_done(thread, time, batch->requests[i], status);
        }
    tnd_mpi_batch_end(batch);
}

void tnd_mpi_batch_done_some(struct tnd_mpi_batch *batch, struct tnd_thread *thread, uint64_t time, int result, int n,
                             const int indices[])
{
    if (batch->requests && n != MPI_UNDEFINED && (result == MPI_SUCCESS || result == MPI_ERR_IN_STATUS))
        for (int i = 0; i < n; i++) {
            const MPI_Status *status = status_of(batch, i);
            if (is_done(result, status))
                tnd_mpi_batch_done_one(batch, thread, time, indices[i], status);
        }
    tnd_mpi_batch_end(batch);
}
