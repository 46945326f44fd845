/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sorted runs in a file and a heap over them.  About 80 bytes a message in memory up to the limit, then a window of
 * WINDOW_MESSAGES a run.
 */
#include "analysis/merge/match/merge_spill.h"

#include "analysis/base/assertion.h"
#include "analysis/base/digit_sort.h"
#include "analysis/base/unnamed_file.h"
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WINDOW_MESSAGES 1024
#define MAX_MOVES 16 /* of each message on average; with more of them, another way of sorting is quicker */

gsize tnd_merge_spill_limit_bytes = (gsize)64 << 20;

/* A sorted run in the file.  A window of what is left of it is in memory. */
struct run {
    TndMergeMessage *window;
    gsize at, n;     /* the first message in the window, and how many it has */
    off_t offset;    /* where the file has what comes after the window */
    guint64 n_after; /* how many messages come after it */
};

struct TndMergeSpill {
    char *directory;
    int fd; /* -1: there is no file yet */
    off_t end;
    GArray *messages; /* TndMergeMessage: those that are not written */
    GArray *runs;     /* struct run; once all are sorted, a heap by their first messages */
};

static int compare_numbers(guint64 a, guint64 b)
{
    return (a > b) - (a < b);
}

static int compare_messages(gconstpointer a, gconstpointer b)
{
    const TndMergeMessage *m = a, *n = b;
    if (m->logical_send != n->logical_send) /* which is so nearly always */
        return m->logical_send < n->logical_send ? -1 : 1;
    int order = compare_numbers(m->sender, n->sender);
    if (!order)
        order = compare_numbers(m->receiver, n->receiver);
    if (!order)
        order = compare_numbers(m->physical_send, n->physical_send);
    if (!order)
        order = compare_numbers(m->logical_receive, n->logical_receive);
    if (!order)
        order = compare_numbers(m->physical_receive, n->physical_receive);
    if (!order)
        order = compare_numbers((guint32)m->tag, (guint32)n->tag);
    return order ? order : compare_numbers((guint64)m->size_bytes, (guint64)n->size_bytes);
}

/* Each place gets the message that stands where `from` says; `from` is used up. */
static void move_to_places(TndMergeMessage *all, guint64 *from, gsize n)
{
    for (gsize i = 0; i < n; i++) {
        if (from[i] == i)
            continue;
        const TndMergeMessage first = all[i];
        gsize at = i;
        for (gsize next; (next = from[at]) != i; at = next) {
            all[at] = all[next];
            from[at] = at;
        }
        all[at] = first;
        from[at] = at;
    }
}

/* Sorts messages by their times; those of one time stay in the order in which they came.  FALSE: a word has too few
 * bits for that. */
static gboolean sort_by_time(GArray *messages)
{
    TndMergeMessage *all = (TndMergeMessage *)(void *)messages->data;
    guint64 first = G_MAXUINT64, last = 0;
    gboolean is_sorted = TRUE;
    for (gsize i = 0; i < messages->len; i++) {
        first = MIN(first, all[i].logical_send);
        is_sorted &= all[i].logical_send >= last;
        last = MAX(last, all[i].logical_send);
    }
    guint place_bits = tnd_digit_sort_bits(messages->len),
          time_bits = is_sorted ? 0 : tnd_digit_sort_bits(last - first);
    if (is_sorted || place_bits + time_bits > 64)
        return is_sorted;
    guint64 *words = g_new(guint64, messages->len), *others = g_new(guint64, messages->len);
    for (gsize i = 0; i < messages->len; i++)
        words[i] = (all[i].logical_send - first) << place_bits | i;
    tnd_digit_sort_run(&words, &others, messages->len, place_bits, time_bits);
    for (gsize i = 0; i < messages->len; i++)
        words[i] &= ((guint64)1 << place_bits) - 1;
    move_to_places(all, words, messages->len);
    g_free(others);
    g_free(words);
    return TRUE;
}

/* Sorts messages.  After sorting by time, what is left is the order of those of one time: each message is moved to
 * its place, unless that is too far for too many. */
static void sort_messages(GArray *messages)
{
    if (!sort_by_time(messages)) {
        g_array_sort(messages, compare_messages);
        return;
    }
    TndMergeMessage *all = (TndMergeMessage *)(void *)messages->data;
    guint64 n_moves = 0;
    for (gsize i = 1; i < messages->len && n_moves <= MAX_MOVES * (guint64)messages->len; i++) {
        gsize to = i;
        while (to && n_moves + i - to <= MAX_MOVES * (guint64)messages->len &&
               compare_messages(&all[to - 1], &all[i]) > 0)
            to--;
        if (to == i)
            continue;
        const TndMergeMessage moved = all[i];
        memmove(&all[to + 1], &all[to], (i - to) * sizeof moved);
        all[to] = moved;
        n_moves += i - to;
    }
    if (n_moves > MAX_MOVES * (guint64)messages->len)
        g_array_sort(messages, compare_messages);
}

static gboolean are_sorted(const GArray *messages)
{
    const TndMergeMessage *all = (const TndMergeMessage *)(const void *)messages->data;
    for (guint i = 1; i < messages->len; i++)
        if (compare_messages(&all[i - 1], &all[i]) > 0)
            return FALSE;
    return TRUE;
}

TndMergeSpill *tnd_merge_spill_new(const char *directory)
{
    TndMergeSpill *spill = g_new0(TndMergeSpill, 1);
    spill->directory = g_strdup(directory);
    spill->fd = -1;
    spill->messages = g_array_new(FALSE, FALSE, sizeof(TndMergeMessage));
    spill->runs = g_array_new(FALSE, FALSE, sizeof(struct run));
    return spill;
}

void tnd_merge_spill_free(TndMergeSpill *spill)
{
    if (!spill)
        return;
    for (guint i = 0; i < spill->runs->len; i++)
        if (spill->fd >= 0)
            g_free(g_array_index(spill->runs, struct run, i).window);
    if (spill->fd >= 0)
        close(spill->fd);
    g_array_unref(spill->runs);
    g_array_unref(spill->messages);
    g_free(spill->directory);
    g_free(spill);
}

static gboolean fail(const TndMergeSpill *spill, GError **error)
{
    int reason = errno;
    g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(reason), "%s: a file for messages: %s", spill->directory,
                g_strerror(reason));
    return FALSE;
}

static gboolean write_run(TndMergeSpill *spill, GError **error)
{
    if (spill->fd < 0 && (spill->fd = tnd_unnamed_file_open(spill->directory)) < 0)
        return fail(spill, error);
    sort_messages(spill->messages);
    tnd_assert(are_sorted(spill->messages));
    struct run run = {.offset = spill->end, .n_after = spill->messages->len};
    const char *bytes = spill->messages->data;
    gsize left = spill->messages->len * sizeof(TndMergeMessage);
    while (left) {
        ssize_t n = pwrite(spill->fd, bytes, left, spill->end);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(spill, error);
        bytes += n;
        left -= (gsize)n;
        spill->end += n;
    }
    g_array_append_val(spill->runs, run);
    g_array_set_size(spill->messages, 0);
    return TRUE;
}

gboolean tnd_merge_spill_add(TndMergeSpill *spill, const TndMergeMessage *message, GError **error)
{
    g_array_append_vals(spill->messages, message, 1);
    return spill->messages->len * sizeof *message < tnd_merge_spill_limit_bytes || write_run(spill, error);
}

/* Reads the run's next window, which is empty if the run is at its end. */
static gboolean read_window(TndMergeSpill *spill, struct run *run, GError **error)
{
    gsize wanted = MIN(run->n_after, WINDOW_MESSAGES) * sizeof(TndMergeMessage), n_read = 0;
    while (n_read < wanted) {
        ssize_t n = pread(spill->fd, (char *)run->window + n_read, wanted - n_read, run->offset + (off_t)n_read);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            errno = n < 0 ? errno : EIO;
            return fail(spill, error);
        }
        n_read += (gsize)n;
    }
    run->at = 0;
    run->n = wanted / sizeof(TndMergeMessage);
    run->n_after -= run->n;
    run->offset += (off_t)wanted;
    return TRUE;
}

static const TndMergeMessage *first_of(const struct run *run)
{
    return &run->window[run->at];
}

static void sift_down(GArray *runs, guint at)
{
    struct run *all = (struct run *)(void *)runs->data;
    for (;;) {
        guint least = at;
        for (guint child = 2 * at + 1; child <= 2 * at + 2 && child < runs->len; child++)
            if (compare_messages(first_of(&all[child]), first_of(&all[least])) < 0)
                least = child;
        if (least == at)
            return;
        struct run run = all[at];
        all[at] = all[least];
        all[least] = run;
        at = least;
    }
}

gboolean tnd_merge_spill_sort(TndMergeSpill *spill, GError **error)
{
    if (spill->fd < 0) { /* there is no file: all messages are one run, which is in memory as a whole */
        sort_messages(spill->messages);
        tnd_assert(are_sorted(spill->messages));
        struct run run = {.window = (TndMergeMessage *)(void *)spill->messages->data, .n = spill->messages->len};
        if (run.n)
            g_array_append_val(spill->runs, run);
        return TRUE;
    }
    if (spill->messages->len && !write_run(spill, error))
        return FALSE;
    for (guint i = 0; i < spill->runs->len; i++) {
        struct run *run = &g_array_index(spill->runs, struct run, i);
        run->window = g_new(TndMergeMessage, WINDOW_MESSAGES);
        if (!read_window(spill, run, error))
            return FALSE;
    }
    for (guint i = spill->runs->len / 2; i-- > 0;)
        sift_down(spill->runs, i);
    return TRUE;
}

const TndMergeMessage *tnd_merge_spill_first(TndMergeSpill *spill)
{
    return spill->runs->len ? first_of(&g_array_index(spill->runs, struct run, 0)) : NULL;
}

gboolean tnd_merge_spill_drop_first(TndMergeSpill *spill, GError **error)
{
    struct run *run = &g_array_index(spill->runs, struct run, 0);
    const TndMergeMessage dropped = *first_of(run);
    if (++run->at == run->n) {
        if (run->n_after) {
            if (!read_window(spill, run, error))
                return FALSE;
        } else {
            if (spill->fd >= 0)
                g_free(run->window);
            *run = g_array_index(spill->runs, struct run, spill->runs->len - 1);
            g_array_set_size(spill->runs, spill->runs->len - 1);
        }
    }
    if (spill->runs->len)
        sift_down(spill->runs, 0);
    tnd_assert(!spill->runs->len || compare_messages(&dropped, tnd_merge_spill_first(spill)) <= 0);
    return TRUE;
}
