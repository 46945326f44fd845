/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All threads meet twice in an exchange. Between the two meetings each thread copies the bytes that the others have
 * laid out for it.
 */
#include "analysis/merge/base/merge_threads.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <unistd.h>

/* What the threads of a team share. */
struct table {
    GMutex mutex;
    GCond all_here;
    guint n_here, n_meetings;
    GByteArray *const **given; /* by rank, what it gives */
};

struct thread {
    TndMergeTeam team; /* stands first, because the functions of its table are given a pointer to it */
    struct table *table;
    TndMergeThreadsWork work;
    gpointer data;
    GThread *handle;
    int fd;
};

static void meet(struct table *table, guint n_ranks)
{
    g_mutex_lock(&table->mutex);
    guint meeting = table->n_meetings;
    if (++table->n_here == n_ranks) {
        table->n_here = 0;
        table->n_meetings++;
        g_cond_broadcast(&table->all_here);
    }
    while (meeting == table->n_meetings)
        g_cond_wait(&table->all_here, &table->mutex);
    g_mutex_unlock(&table->mutex);
}

static void exchange(TndMergeTeam *team, GByteArray *const *give, GByteArray *take, gsize *begins)
{
    struct table *table = ((struct thread *)team)->table;
    table->given[team->rank] = give;
    meet(table, team->n_ranks);
    g_byte_array_set_size(take, 0);
    for (guint rank = 0; rank < team->n_ranks; rank++) {
        const GByteArray *given = table->given[rank][team->rank];
        begins[rank] = take->len;
        g_byte_array_append(take, given->data, given->len);
    }
    begins[team->n_ranks] = take->len;
    meet(table, team->n_ranks);
}

static gboolean fail(GError **error, const char *path)
{
    int reason = errno;
    g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(reason), "%s: %s", path, g_strerror(reason));
    return FALSE;
}

static gboolean open_file(TndMergeTeam *team, const char *path, GError **error)
{
    struct thread *thread = (struct thread *)team;
    thread->fd = open(path, O_WRONLY | O_CLOEXEC);
    return thread->fd >= 0 || fail(error, path);
}

static gboolean write_at(TndMergeTeam *team, const void *bytes, gsize n_bytes, guint64 offset, GError **error)
{
    const char *at = bytes;
    for (ssize_t n; n_bytes; at += n, n_bytes -= (gsize)n, offset += (guint64)n) {
        n = pwrite(((struct thread *)team)->fd, at, n_bytes, (off_t)offset);
        if (n < 0 && errno != EINTR)
            return fail(error, "writing the trace");
        n = MAX(n, 0);
    }
    return TRUE;
}

static gboolean close_file(TndMergeTeam *team, GError **error)
{
    struct thread *thread = (struct thread *)team;
    int fd = thread->fd;
    thread->fd = -1;
    return fd < 0 || close(fd) == 0 || fail(error, "writing the trace");
}

static gpointer run_thread(gpointer data)
{
    struct thread *thread = data;
    thread->work(&thread->team, thread->data);
    return NULL;
}

void tnd_merge_threads_run(guint n_ranks, TndMergeThreadsWork work, gpointer *data)
{
    struct table table = {.given = g_new0(GByteArray *const *, n_ranks)};
    struct thread *threads = g_new0(struct thread, n_ranks);
    g_mutex_init(&table.mutex);
    g_cond_init(&table.all_here);
    for (guint rank = 0; rank < n_ranks; rank++) {
        threads[rank] = (struct thread){
            .team = {rank, n_ranks, TRUE, exchange, open_file, write_at, close_file},
            .table = &table,
            .work = work,
            .data = data[rank],
            .fd = -1,
        };
        if (rank)
            threads[rank].handle = g_thread_new("merge", run_thread, &threads[rank]);
    }
    run_thread(&threads[0]);
    for (guint rank = 1; rank < n_ranks; rank++)
        g_thread_join(threads[rank].handle);
    g_cond_clear(&table.all_here);
    g_mutex_clear(&table.mutex);
    g_free(threads);
    g_free(table.given);
}
