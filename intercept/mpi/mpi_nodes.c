/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes and their clocks.  Context: mpi_nodes.h.
 */
#include "intercept/mpi/mpi_nodes.h"

#include "intercept/mpi/mpi_gather.h"
#include "intercept/mpi/mpi_message.h"
#include "run/job.h"
#include "run/rank_marks.h"
#include "runtime/config.h"
#include "runtime/image.h"
#include "runtime/run.h"
#include "runtime/target.h"

enum {
    N_TRIPS = 40,
    TAG = 1,
    PATIENCE_MS = 1000, /* how long marks are waited for: a file system that nodes share may show them late */
    PAUSE_MS = 20
};

static struct {
    struct tnd_rank_mark mark;
    unsigned local_size;
    bool is_marked, has_leaders, is_apart; /* apart: there are several nodes, and all ranks are known to be traced */
    MPI_Comm leaders;                      /* one rank of each node, rank 0 first; set on these ranks only */
} nodes;

void tnd_mpi_nodes_start(void)
{
    char job[TND_JOB_KEY_MAX], text[256];
    int rank = tnd_job_rank(tnd_config_lookup);
    tnd_job_key(tnd_config_lookup, job);
    nodes.mark.size = tnd_job_size(tnd_config_lookup);
    nodes.local_size = tnd_job_local_size(tnd_config_lookup);
    if (!job[0] || rank < 0)
        return;
    nodes.mark.job = tnd_rank_marks_hash(0, job);
    nodes.mark.rank = (unsigned)rank;
    tnd_target_host(text, sizeof text);
    nodes.mark.node = tnd_rank_marks_hash(0, text);
    tnd_target_boot(text, sizeof text);
    nodes.mark.node = tnd_rank_marks_hash(nodes.mark.node, text);
}

void tnd_mpi_nodes_before(void)
{
    if (nodes.mark.job && nodes.mark.size > 1 && tnd_image_is_here())
        nodes.is_marked = tnd_rank_marks_leave(tnd_run_directory(), &nodes.mark);
}

/* Whether there are several nodes, and all ranks are known to be traced, by their marks or because of
 * --local-directory.  Leaves marks in the run directory for its last member. */
static bool may_communicate(int size)
{
    const char *path = tnd_run_directory();
    bool one_node = true;
    if (!nodes.is_marked || nodes.mark.size != (unsigned)size || !path[0])
        return false;
    unsigned n = tnd_rank_marks_count(path, &nodes.mark, &one_node);
    bool is_promised = tnd_config.local_directory[0] != 0;
    for (int waited_ms = 0;
         !is_promised && n < nodes.mark.size && nodes.local_size < nodes.mark.size && waited_ms < PATIENCE_MS;
         waited_ms += PAUSE_MS) {
        tnd_target_sleep_ms(PAUSE_MS);
        n = tnd_rank_marks_count(path, &nodes.mark, &one_node);
    }
    tnd_rank_marks_set(path, TND_RANK_MARKS_COMPLETE);
    if (n == nodes.mark.size)
        return !one_node;
    if (one_node && nodes.local_size < nodes.mark.size) {
        tnd_rank_marks_set(path, TND_RANK_MARKS_APART);
        nodes.is_apart = is_promised && n == nodes.local_size;
    }
    return nodes.is_apart;
}

/* A communicator of the first rank of each node. */
static void gather_leaders(int rank)
{
    MPI_Comm node;
    int rank_on_node = 0;
    if (tnd_mpi_library.Comm_split_type(tnd_mpi_library.comm_world, MPI_COMM_TYPE_SHARED, rank,
                                        tnd_mpi_library.info_null, &node) != MPI_SUCCESS)
        return;
    tnd_mpi_library.Comm_rank(node, &rank_on_node);
    tnd_mpi_library.Comm_free(&node);
    int error = tnd_mpi_library.Comm_split(tnd_mpi_library.comm_world, rank_on_node == 0 ? 0 : MPI_UNDEFINED, rank,
                                           &nodes.leaders);
    nodes.has_leaders = error == MPI_SUCCESS && nodes.leaders != tnd_mpi_library.comm_null;
    if (nodes.has_leaders) /* an error in our messages must not call the program's error handler */
        tnd_mpi_library.Comm_set_errhandler(nodes.leaders, tnd_mpi_library.errors_return);
}

/* Rank 0 answers each question with the time of its clock. */
static void answer(int n_leaders)
{
    for (int other = 1; other < n_leaders; other++)
        for (int i = 0; i < N_TRIPS; i++) {
            char question;
            uint64_t words[2] = {0, tnd_image.pid ? tnd_image.id : 0};
            tnd_mpi_library.Recv(&question, 1, tnd_mpi_library.byte, other, TAG, nodes.leaders, MPI_STATUS_IGNORE);
            words[0] = tnd_clock_ticks();
            tnd_mpi_library.Send(words, sizeof words, tnd_mpi_library.byte, other, TAG, nodes.leaders);
        }
}

/* The other leaders ask, and keep the answer of the shortest round trip. */
static void ask(void)
{
    uint64_t best[4] = {0, UINT64_MAX};
    for (int i = 0; i < N_TRIPS; i++) {
        char question = 0;
        uint64_t words[2];
        uint64_t before = tnd_clock_ticks();
        tnd_mpi_library.Send(&question, 1, tnd_mpi_library.byte, 0, TAG, nodes.leaders);
        int error =
            tnd_mpi_library.Recv(words, sizeof words, tnd_mpi_library.byte, 0, TAG, nodes.leaders, MPI_STATUS_IGNORE);
        uint64_t width = tnd_clock_ticks() - before;
        if (error != MPI_SUCCESS || width >= best[1])
            continue;
        best[0] = before + width / 2;
        best[1] = width;
        best[2] = words[0];
        best[3] = words[1];
    }
    struct tnd_thread *thread = tnd_mpi_message_announcer();
    if (thread && best[3])
        tnd_emit_words(&thread->main, tnd_clock_ticks(), TND_RECORD_PEER_CLOCK, 0, 0, 4, best);
}

static void compare_clocks(void)
{
    int rank = 0, size = 0;
    if (!nodes.has_leaders)
        return;
    tnd_mpi_library.Comm_rank(nodes.leaders, &rank);
    tnd_mpi_library.Comm_size(nodes.leaders, &size);
    if (rank == 0)
        answer(size);
    else
        ask();
}

void tnd_mpi_nodes_begin(int rank, int size)
{
    if (size == 1 || !may_communicate(size))
        return;
    gather_leaders(rank);
    compare_clocks();
}

void tnd_mpi_nodes_end(void)
{
    compare_clocks();
    if (nodes.is_apart)
        tnd_mpi_gather_run(nodes.leaders, nodes.has_leaders);
    nodes.is_apart = false;
    if (nodes.has_leaders)
        tnd_mpi_library.Comm_free(&nodes.leaders);
    nodes.has_leaders = false;
}
