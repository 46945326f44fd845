/* SPDX-License-Identifier: Apache-2.0
 *
 * Sending and receiving the streams of a node.  Context: mpi_gather.h.
 */
#include "intercept/mpi/mpi_gather.h"

#include "formats/event_types.h"
#include "formats/rings.h"
#include "intercept/mpi/mpi_message.h"
#include "run/rank_marks.h"
#include "run/rundir.h"
#include "runtime/run.h"
#include "runtime/target.h"
#include "system/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 20, TAG = 2, MAX_TRIES = 10, FILE_BYTES = 64, IMAGE_BYTES = 300 };

#define RING_ENDING ".ring"
#define IMAGE_PATH_BYTES (TND_RUNDIR_PATH_MAX + IMAGE_BYTES)

/* Announces a file, whose bytes follow in chunks.  Without an image: there are no more files. */
struct announcement {
    char image[IMAGE_BYTES], file[FILE_BYTES];
    uint64_t n_bytes;
};

struct sender {
    MPI_Comm leaders;
    const char *image; /* whose directory is read */
    char *chunk;
};

static void send(const struct sender *sender, const void *bytes, size_t n_bytes)
{
    tnd_mpi_library.Send(bytes, (int)n_bytes, tnd_mpi_library.byte, 0, TAG, sender->leaders);
}

static void announce(const struct sender *sender, const char *file, uint64_t n_bytes)
{
    struct announcement announcement = {.n_bytes = n_bytes};
    snprintf(announcement.image, sizeof announcement.image, "%s", sender->image);
    snprintf(announcement.file, sizeof announcement.file, "%s", file);
    send(sender, &announcement, sizeof announcement);
}

/* Reads n_bytes at offset; bytes that are missing become zeros. */
static void read_all(int fd, char *bytes, size_t n_bytes, uint64_t offset)
{
    size_t done = 0;
    while (done < n_bytes) {
        ssize_t n = pread(fd, bytes + done, n_bytes - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    memset(bytes + done, 0, n_bytes - done);
}

/* A consistent copy of a ring, to which its thread may be writing; NULL: it changed in every attempt, or there is no
 * memory. */
static char *copy_ring(int fd, uint64_t at, struct tnd_stream_header *header, size_t *n_bytes)
{
    for (int i = 0; i < MAX_TRIES; i++) {
        struct tnd_stream_header after;
        read_all(fd, (char *)header, sizeof *header, at);
        if (memcmp(header->magic, TND_STREAM_MAGIC, sizeof header->magic) != 0 || header->published < header->base)
            return NULL;
        *n_bytes = TND_STREAM_HEADER_BYTES + (size_t)(header->published - header->base);
        char *copy = tnd_target_pages(*n_bytes);
        if (!copy)
            return NULL;
        read_all(fd, copy, *n_bytes, at);
        memcpy(copy, header, sizeof *header);
        read_all(fd, (char *)&after, sizeof after, at);
        if (after.base == header->base)
            return copy;
        tnd_target_pages_free(copy, *n_bytes);
    }
    return NULL;
}

/* Sends a stream: its ring, which lies at that place of the file, and as much of its file as the ring's header says. */
static void send_stream(const struct sender *sender, int dir_fd, int fd, uint64_t at, const char *stem)
{
    char file[FILE_BYTES];
    struct tnd_stream_header header;
    size_t n_bytes;
    char *ring = fd < 0 ? NULL : copy_ring(fd, at, &header, &n_bytes);
    if (!ring)
        return;
    snprintf(file, sizeof file, "%s" RING_ENDING, stem);
    announce(sender, file, n_bytes);
    for (size_t done = 0; done < n_bytes; done += CHUNK_BYTES)
        send(sender, ring + done, n_bytes - done < CHUNK_BYTES ? n_bytes - done : CHUNK_BYTES);
    tnd_target_pages_free(ring, n_bytes);
    if (!header.base)
        return;
    snprintf(file, sizeof file, "%s.stream", stem);
    fd = openat(dir_fd, file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    announce(sender, file, header.base);
    for (uint64_t done = 0; done < header.base; done += CHUNK_BYTES) {
        size_t n = header.base - done < CHUNK_BYTES ? (size_t)(header.base - done) : CHUNK_BYTES;
        read_all(fd, sender->chunk, n, done);
        send(sender, sender->chunk, n);
    }
    if (fd >= 0)
        close(fd);
}

/* Each gets a file of its own where it arrives. */
static void send_rings(const struct sender *sender, int dir_fd, int fd)
{
    struct tnd_rings rings;
    if (fd < 0 || !tnd_rings_read(fd, &rings))
        return;
    for (uint32_t slot = 0; slot < rings.n_slots; slot++)
        for (unsigned context = TND_CONTEXT_MAIN; context <= TND_CONTEXT_SIGNAL; context++) {
            char stem[FILE_BYTES];
            uint64_t at;
            snprintf(stem, sizeof stem, "%u.%s", slot, context == TND_CONTEXT_SIGNAL ? "signal" : "main");
            if (tnd_rings_find(fd, &rings, slot, context, &at))
                send_stream(sender, dir_fd, fd, at, stem);
        }
}

static bool send_file(void *self, int dir_fd, const char *name)
{
    char stem[FILE_BYTES];
    size_t n_stem = strlen(name) - (strlen(name) < strlen(RING_ENDING) ? 0 : strlen(RING_ENDING));
    bool has_all = strcmp(name, TND_RINGS_FILE) == 0;
    if (!has_all && (strcmp(name + n_stem, RING_ENDING) != 0 || n_stem + sizeof ".stream" > sizeof stem))
        return true;
    int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    snprintf(stem, sizeof stem, "%.*s", (int)n_stem, name);
    if (has_all)
        send_rings(self, dir_fd, fd);
    else
        send_stream(self, dir_fd, fd, 0, stem);
    if (fd >= 0)
        close(fd);
    return true;
}

/* Every directory in a run directory is an image's. */
static bool send_image(void *self, int dir_fd, const char *name)
{
    struct sender *sender = self;
    int fd = tnd_rundir_open_private(dir_fd, name);
    if (fd < 0 || strlen(name) >= IMAGE_BYTES)
        return true;
    sender->image = name;
    tnd_directory_list(fd, send_file, sender);
    close(fd);
    return true;
}

static bool mark_sent(void *self, int dir_fd, const char *name)
{
    int fd = tnd_rundir_open_private(dir_fd, name);
    if (fd >= 0) {
        tnd_rundir_mark(fd, TND_RANK_MARKS_SENT, 0);
        close(fd);
    }
    return true;
}

/* Sends this node's directory, if `wanted`; then that there are no more files. */
static void send_all(MPI_Comm leaders, bool wanted)
{
    struct sender sender = {.leaders = leaders, .image = "", .chunk = tnd_target_pages(CHUNK_BYTES)};
    const char *path = tnd_run_directory();
    int error = EIO, fd = wanted && sender.chunk ? tnd_rundir_open_private(AT_FDCWD, path) : -1;
    if (fd >= 0)
        tnd_directory_list(fd, send_image, &sender);
    sender.image = "";
    announce(&sender, "", 0);
    tnd_mpi_library.Recv(&error, sizeof error, tnd_mpi_library.byte, 0, TAG, leaders, MPI_STATUS_IGNORE);
    if (fd >= 0 && !error) {
        tnd_directory_list(fd, mark_sent, NULL);
        tnd_rank_marks_set(path, TND_RANK_MARKS_SENT);
    }
    if (fd >= 0)
        close(fd);
    if (sender.chunk)
        tnd_target_pages_free(sender.chunk, CHUNK_BYTES);
}

/* Makes a directory for an image of another node.  Its processes cannot be seen from here, so it is marked as ended. */
static int make_image(const char *name, char path[static IMAGE_PATH_BYTES])
{
    int dir_fd = tnd_rundir_open_private(AT_FDCWD, tnd_run_directory());
    if (dir_fd < 0)
        return -dir_fd;
    int error = strchr(name, '/') ? EINVAL : mkdirat(dir_fd, name, 0700) != 0 ? errno : 0;
    close(dir_fd);
    snprintf(path, IMAGE_PATH_BYTES, "%s/%s", tnd_run_directory(), name);
    if (!error)
        tnd_rank_marks_set(path, TND_RUNDIR_ENDED_FILE);
    return error;
}

/* Receives all that a leader sends, even if it cannot be written.  0 or an errno. */
static int receive_from(int leader, MPI_Comm leaders, char *chunk)
{
    static char image[IMAGE_BYTES], path[IMAGE_PATH_BYTES];
    struct announcement announcement;
    int error = 0;
    image[0] = 0;
    for (;;) {
        if (tnd_mpi_library.Recv(&announcement, sizeof announcement, tnd_mpi_library.byte, leader, TAG, leaders,
                                 MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return EIO;
        if (!announcement.image[0])
            break;
        if (!error && strcmp(image, announcement.image) != 0)
            error = make_image(announcement.image, path);
        memcpy(image, announcement.image, sizeof image);
        for (uint64_t at = 0; at < announcement.n_bytes; at += CHUNK_BYTES) {
            size_t n = announcement.n_bytes - at < CHUNK_BYTES ? (size_t)(announcement.n_bytes - at) : CHUNK_BYTES;
            if (tnd_mpi_library.Recv(chunk, (int)n, tnd_mpi_library.byte, leader, TAG, leaders, MPI_STATUS_IGNORE) !=
                MPI_SUCCESS)
                return EIO;
            if (!error)
                error = tnd_target_write(path, announcement.file, at, chunk, n);
        }
    }
    tnd_mpi_library.Send(&error, sizeof error, tnd_mpi_library.byte, leader, TAG, leaders);
    return error;
}

static void receive_all(MPI_Comm leaders)
{
    static char chunk[CHUNK_BYTES];
    int n_leaders = 0, error = 0;
    tnd_mpi_library.Comm_size(leaders, &n_leaders);
    for (int leader = 1; leader < n_leaders; leader++) {
        int of_leader = receive_from(leader, leaders, chunk);
        error = error ? error : of_leader;
    }
    if (!error)
        tnd_rank_marks_set(tnd_run_directory(), TND_RANK_MARKS_GATHERED);
}

/* Ends recording in this process, so that the streams that will be sent are complete, with the LEAVE of the present
 * call. */
static void end_recording(void)
{
    struct tnd_thread *thread = tnd_thread_recording && tnd_mpi_message_wanted ? tnd_thread_get() : NULL;
    if (thread)
        tnd_mpi_message_leave(thread, TND_TYPE_MPI_OTHER, tnd_clock_ticks());
    tnd_run_close();
}

void tnd_mpi_gather_run(MPI_Comm leaders, bool is_leader)
{
    static struct {
        char path[TND_RUNDIR_PATH_MAX], token[32];
    } place;
    int rank = 0;
    tnd_mpi_library.Comm_rank(tnd_mpi_library.comm_world, &rank);
    if (rank == 0) {
        strncpy(place.path, tnd_run_directory(), sizeof place.path - 1);
        snprintf(place.token, sizeof place.token, "token.%016" PRIx64, tnd_target_random());
        tnd_rank_marks_set(place.path, place.token);
    }
    tnd_mpi_library.Bcast(&place, sizeof place, tnd_mpi_library.byte, 0, tnd_mpi_library.comm_world);
    bool is_sent = place.path[0] && !tnd_rank_marks_is(place.path, place.token);
    if (is_sent)
        end_recording();
    tnd_mpi_library.Barrier(tnd_mpi_library.comm_world);
    if (rank == 0)
        receive_all(leaders);
    else if (is_leader)
        send_all(leaders, is_sent);
}
