/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes the streams.  The weight of a sample is the CPU time that the thread used since the one before, by the times
 * at which the kernel gave it a CPU and took it away.  When a thread has waited for long, a WAIT says since when; it
 * has no stack, because nobody looked at the thread when it began to wait.
 */
#include "attach/attach_image.h"

#include "attach/attach_proc.h"
#include "attach/attach_stream.h"
#include "formats/event_types.h"
#include "formats/perf_map.h"
#include "run/attendance.h"
#include "run/rundir.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LONG_WAIT_NS 1000000 /* at most a thousand records a second of each thread */
enum { MAX_JIT_BYTES = 64 << 20 };

/* A place that is used by one thread after another, and its streams. */
struct slot {
    guint number;
    TndAttachStream *streams[2]; /* by context */
    guint n_frames;              /* of the last sample; from the outside inwards */
    guint64 frames[TND_ATTACH_IMAGE_DEPTH];
};

struct thread {
    guint32 tid, number;
    struct slot *slot;
    gboolean is_settled; /* whether it is on a CPU is known, and was not only guessed */
    gboolean is_on;
    guint64 since_ns; /* on, or off */
    guint64 begin_ns;
    guint64 cpu_ns;       /* until since_ns */
    guint64 accounted_ns; /* of that, by its samples */
    guint cpu;            /* the last one that was told, plus 1 */
    gboolean waits;       /* it is off because it waits, not because others have its CPU */
    gboolean has_waited;  /* so it was, some time since the last record that told its CPU time */
    guint64 waited_ns;    /* since its last WAIT */
};

struct TndAttachImage {
    int pid, dir_fd;
    char *directory;
    TndAttachMemory *memory;
    TndAttachWish wish;
    GPtrArray *slots, *free_slots;
    GHashTable *threads; /* tid: struct thread */
    guint n_born;
    guint64 n_samples, time;
    GError *error; /* the first that happened */
};

static void put(struct slot *slot, enum tnd_context context, const struct tnd_record *head, const guint64 *words)
{
    tnd_attach_stream_put(slot->streams[context], head, words);
}

static void put_both(struct slot *slot, const struct tnd_record *head, const guint64 *words)
{
    put(slot, TND_CONTEXT_MAIN, head, words);
    put(slot, TND_CONTEXT_SIGNAL, head, words);
}

static void put_text(TndAttachStream *stream, guint64 time, enum tnd_text_role role, char *text)
{
    if (text[0])
        tnd_attach_stream_text(stream, time, role, text, strlen(text));
    g_free(text);
}

/* The two clocks at a time of the first one. */
static void put_clock(TndAttachStream *stream, guint64 time)
{
    struct timespec monotonic, real;
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    clock_gettime(CLOCK_REALTIME, &real);
    guint64 since_ns = (guint64)monotonic.tv_sec * 1000000000 + (guint64)monotonic.tv_nsec - time;
    const guint64 words[] = {time, (guint64)real.tv_sec * 1000000000 + (guint64)real.tv_nsec - since_ns};
    const struct tnd_record head = {time, TND_CLOCK_MONOTONIC, 0, TND_RECORD_CLOCK, 2};
    tnd_attach_stream_put(stream, &head, words);
}

/* Times never fall: events of several CPUs are in order, but for the clocks' error. */
static guint64 settle_time(TndAttachImage *image, guint64 time)
{
    image->time = MAX(image->time, time);
    return image->time;
}

/* Keeps the first error. */
static GError **error_of(TndAttachImage *image)
{
    return image->error ? NULL : &image->error;
}

static void free_slot(TndAttachImage *image, struct slot *slot)
{
    for (guint i = 0; i < G_N_ELEMENTS(slot->streams); i++)
        if (slot->streams[i])
            tnd_attach_stream_close(slot->streams[i], error_of(image));
    g_free(slot);
}

static struct slot *take_slot(TndAttachImage *image)
{
    if (image->free_slots->len)
        return g_ptr_array_steal_index(image->free_slots, image->free_slots->len - 1);
    struct slot *slot = g_new0(struct slot, 1);
    slot->number = image->slots->len;
    for (guint i = 0; i < G_N_ELEMENTS(slot->streams); i++) {
        slot->streams[i] = tnd_attach_stream_new(image->dir_fd, slot->number, i, (guint)image->pid, error_of(image));
        if (!slot->streams[i]) {
            free_slot(image, slot);
            return NULL;
        }
    }
    g_ptr_array_add(image->slots, slot);
    return slot;
}

/* What the process is, where its first stream begins. */
static void describe(TndAttachImage *image, enum tnd_process_birth birth)
{
    TndAttachStream *stream = ((struct slot *)image->slots->pdata[0])->streams[TND_CONTEXT_MAIN];
    const guint64 words[] = {
        tnd_record_pair((guint32)tnd_attach_proc_status(image->pid, "PPid:"), g_get_num_processors()), 0,
        (guint64)g_random_int() << 32 | g_random_int()};
    const struct tnd_record head = {image->time, (guint32)image->pid, (guint16)birth, TND_RECORD_PROCESS, 3};
    tnd_attach_stream_put(stream, &head, words);
    put_clock(stream, image->time);
    put_text(stream, image->time, TND_TEXT_EXECUTABLE, tnd_attach_proc_executable(image->pid));
    put_text(stream, image->time, TND_TEXT_COMMAND, tnd_attach_proc_command(image->pid));
    put_text(stream, image->time, TND_TEXT_HOST, g_strdup(g_get_host_name()));
    put_text(stream, image->time, TND_TEXT_BOOT, tnd_attach_proc_boot());
    put_text(stream, image->time, TND_TEXT_NOTE, g_strdup(image->wish.note ? image->wish.note : ""));
}

TndAttachImage *tnd_attach_image_new(const char *run_path, int pid, enum tnd_process_birth birth, guint64 time,
                                     const TndAttachWish *wish, GError **error)
{
    char name[300];
    int number = tnd_attendance_make_image(run_path, g_get_host_name(), pid, name);
    TndAttachImage *image = g_new0(TndAttachImage, 1);
    *image = (TndAttachImage){.pid = pid, .wish = *wish, .time = time};
    image->directory = number ? NULL : g_build_filename(run_path, name, NULL);
    image->dir_fd = number ? -1 : open(image->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    image->memory = tnd_attach_memory_new(pid);
    image->slots = g_ptr_array_new();
    image->free_slots = g_ptr_array_new();
    image->threads = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    struct slot *first = image->dir_fd < 0 ? NULL : take_slot(image);
    if (first) {
        g_ptr_array_add(image->free_slots, first);
        describe(image, birth);
        return image;
    }
    if (!image->error)
        g_set_error(&image->error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: no directory can be made in it: %s", run_path,
                    g_strerror(number ? number : errno));
    tnd_attach_image_end(image, TND_END_EXIT, time, error);
    return NULL;
}

static guint64 cpu_ns_at(const struct thread *thread, guint64 time)
{
    return thread->cpu_ns + (thread->is_on && time > thread->since_ns ? time - thread->since_ns : 0);
}

/* How many of the outermost of n frames, innermost first, are those of the sample before, which these become. */
static guint take_frames(struct slot *slot, const guint64 *frames, guint n)
{
    guint n_common = 0;
    while (n_common < MIN(n, slot->n_frames) && slot->frames[n_common] == frames[n - 1 - n_common])
        n_common++;
    for (guint i = n_common; i < n; i++)
        slot->frames[i] = frames[n - 1 - i];
    slot->n_frames = n;
    return n_common;
}

static guint64 unaccounted_ns(const struct thread *thread, guint64 time)
{
    return MIN(cpu_ns_at(thread, time) - thread->accounted_ns, G_MAXUINT32);
}

/* Whether others had the CPU when the thread was off it, since the last record that told its CPU time. */
static guint take_pushed(struct thread *thread)
{
    guint flag = thread->has_waited ? 0 : TND_SAMPLE_PREEMPTED;
    thread->has_waited = FALSE;
    return flag;
}

static void put_sample(struct thread *thread, guint64 time, guint flags, const guint64 *frames, guint n)
{
    guint n_common = take_frames(thread->slot, frames, n);
    guint64 weight_ns = unaccounted_ns(thread, time);
    flags |= TND_SAMPLE_COMMON(n_common) | take_pushed(thread);
    const struct tnd_record head = {time, (guint32)weight_ns, (guint16)flags, TND_RECORD_SAMPLE,
                                    (guint8)(n - n_common)};
    put(thread->slot, TND_CONTEXT_SIGNAL, &head, frames);
    thread->accounted_ns += weight_ns;
}

/* What the thread used after its last sample. */
static void put_rest(struct thread *thread, guint64 time)
{
    guint flags = TND_SAMPLE_REST | TND_SAMPLE_COMMON(thread->slot->n_frames) | take_pushed(thread);
    const struct tnd_record head = {time, (guint32)unaccounted_ns(thread, time), (guint16)flags, TND_RECORD_SAMPLE, 0};
    put(thread->slot, TND_CONTEXT_SIGNAL, &head, NULL);
}

/* A thread that is off its CPU gets it back. */
static void end_wait(struct thread *thread, guint64 time)
{
    guint64 off_ns = time > thread->since_ns ? time - thread->since_ns : 0;
    if (!thread->waits)
        return;
    thread->waited_ns += off_ns;
    if (off_ns < LONG_WAIT_NS) {
        thread->has_waited = TRUE;
        return;
    }
    const guint64 words[] = {off_ns, thread->waited_ns};
    const struct tnd_record head = {time, (guint32)unaccounted_ns(thread, time), (guint16)take_pushed(thread),
                                    TND_RECORD_WAIT, 2};
    put(thread->slot, TND_CONTEXT_SIGNAL, &head, words);
    thread->waited_ns = 0;
}

static void tell_cpu(struct thread *thread, guint64 time, guint cpu)
{
    if (thread->cpu == cpu + 1)
        return;
    thread->cpu = cpu + 1;
    const struct tnd_record head = {time, TND_TYPE_CPU, (guint16)thread->cpu, TND_RECORD_EVENT, 0};
    put(thread->slot, TND_CONTEXT_SIGNAL, &head, NULL);
}

/* Its first event says whether the thread was on a CPU before it. */
static void settle(struct thread *thread, gboolean was_on)
{
    if (!thread->is_settled)
        thread->is_on = was_on;
    thread->is_settled = TRUE;
}

static struct thread *begin_thread(TndAttachImage *image, guint32 tid, guint64 time, gboolean is_running)
{
    struct slot *slot = take_slot(image);
    if (!slot)
        return NULL;
    struct thread *thread = g_new0(struct thread, 1);
    *thread = (struct thread){.tid = tid, .number = image->n_born++, .slot = slot, .is_on = is_running, .waits = TRUE};
    thread->since_ns = thread->begin_ns = time;
    slot->n_frames = 0;
    const guint64 words[] = {tnd_record_pair(tid, slot->number)};
    const struct tnd_record head = {time, thread->number, TND_THREAD_PROGRAM, TND_RECORD_THREAD, 1};
    put_both(slot, &head, words);
    const guint64 clock[] = {image->wish.period_ns, tnd_record_pair(0, image->wish.depth)};
    const struct tnd_record sampling = {time, TND_SAMPLING_PERF, 0, TND_RECORD_SAMPLING, 2};
    put(slot, TND_CONTEXT_SIGNAL, &sampling, clock);
    g_hash_table_insert(image->threads, GUINT_TO_POINTER(tid), thread);
    char *name = tnd_attach_proc_thread_name(image->pid, (int)tid);
    put_text(slot->streams[TND_CONTEXT_MAIN], time, TND_TEXT_THREAD_NAME, name);
    return thread;
}

/* NULL: it cannot be recorded. */
static struct thread *find_thread(TndAttachImage *image, guint32 tid, guint64 time)
{
    struct thread *thread = g_hash_table_lookup(image->threads, GUINT_TO_POINTER(tid));
    return thread ? thread : begin_thread(image, tid, time, FALSE);
}

void tnd_attach_image_begin_thread(TndAttachImage *image, guint32 tid, guint64 time, gboolean is_running)
{
    time = settle_time(image, time);
    if (!g_hash_table_contains(image->threads, GUINT_TO_POINTER(tid)))
        begin_thread(image, tid, time, is_running);
}

static void finish_thread(struct thread *thread, guint64 time)
{
    if (!thread->is_on)
        end_wait(thread, time);
    put_rest(thread, time);
    const guint64 words[] = {cpu_ns_at(thread, time)};
    const struct tnd_record head = {time, thread->number, 0, TND_RECORD_THREAD_END, 1};
    put_both(thread->slot, &head, words);
}

void tnd_attach_image_end_thread(TndAttachImage *image, guint32 tid, guint64 time)
{
    struct thread *thread = g_hash_table_lookup(image->threads, GUINT_TO_POINTER(tid));
    if (!thread)
        return;
    settle(thread, TRUE);
    finish_thread(thread, settle_time(image, time));
    g_ptr_array_add(image->free_slots, thread->slot);
    g_hash_table_remove(image->threads, GUINT_TO_POINTER(tid));
}

void tnd_attach_image_name_thread(TndAttachImage *image, guint32 tid, guint64 time, const char *name)
{
    time = settle_time(image, time);
    struct thread *thread = find_thread(image, tid, time);
    if (thread)
        put_text(thread->slot->streams[TND_CONTEXT_MAIN], time, TND_TEXT_THREAD_NAME, g_strdup(name));
}

void tnd_attach_image_switch_in(TndAttachImage *image, guint32 tid, guint64 time)
{
    time = settle_time(image, time);
    struct thread *thread = find_thread(image, tid, time);
    if (!thread)
        return;
    settle(thread, FALSE);
    if (thread->is_on) /* that it went off was lost */
        return;
    end_wait(thread, time);
    thread->is_on = TRUE;
    thread->since_ns = time;
}

void tnd_attach_image_switch_out(TndAttachImage *image, guint32 tid, guint64 time, gboolean is_pushed)
{
    time = settle_time(image, time);
    struct thread *thread = find_thread(image, tid, time);
    if (!thread)
        return;
    settle(thread, TRUE);
    if (!thread->is_on)
        return;
    thread->cpu_ns = cpu_ns_at(thread, time);
    thread->is_on = FALSE;
    thread->since_ns = time;
    thread->waits = !is_pushed;
}

void tnd_attach_image_sample(TndAttachImage *image, guint32 tid, guint64 time, guint cpu, const TndAttachMoment *moment)
{
    time = settle_time(image, time);
    struct thread *thread = find_thread(image, tid, time);
    if (!thread)
        return;
    settle(thread, TRUE);
    if (!thread->is_on) { /* that it went on was lost */
        thread->is_on = TRUE;
        thread->since_ns = time;
    }
    guint64 frames[TND_ATTACH_IMAGE_DEPTH];
    gboolean deeper = FALSE;
    guint n = moment && image->wish.depth
                  ? tnd_attach_memory_walk(image->memory, moment, frames, image->wish.depth, &deeper)
                  : 0;
    guint64 weight_ns = unaccounted_ns(thread, time);
    guint flags =
        (deeper ? TND_SAMPLE_TRUNCATED : 0) | (weight_ns > image->wish.period_ns * 3 / 2 ? TND_SAMPLE_LATE : 0);
    tell_cpu(thread, time, cpu);
    put_sample(thread, time, flags, frames, n);
    image->n_samples++;
}

void tnd_attach_image_map(TndAttachImage *image, guint64 time, const TndAttachMapping *mapping)
{
    guint64 bias;
    if (!tnd_attach_memory_map(image->memory, mapping, &bias))
        return;
    struct slot *first = image->slots->pdata[0];
    const guint64 words[] = {mapping->low, mapping->high, bias};
    tnd_attach_stream_module(first->streams[TND_CONTEXT_MAIN], settle_time(image, time), words, mapping->path);
}

void tnd_attach_image_lose(TndAttachImage *image, guint64 n)
{
    struct slot *first = image->slots->pdata[0];
    tnd_attach_stream_lose(first->streams[TND_CONTEXT_SIGNAL], n);
}

void tnd_attach_image_flush(TndAttachImage *image)
{
    for (guint i = 0; i < image->slots->len; i++) {
        const struct slot *slot = image->slots->pdata[i];
        tnd_attach_stream_flush(slot->streams[TND_CONTEXT_MAIN]);
        tnd_attach_stream_flush(slot->streams[TND_CONTEXT_SIGNAL]);
    }
}

guint64 tnd_attach_image_n_samples(const TndAttachImage *image)
{
    return image->n_samples;
}

guint tnd_attach_image_n_threads(const TndAttachImage *image)
{
    return g_hash_table_size(image->threads);
}

/* What a just-in-time compiler calls its code. */
static void put_names_of_jit(TndAttachImage *image, TndAttachStream *stream)
{
    int fd = tnd_perf_map_open(image->pid, tnd_attach_proc_begin_ns(image->pid), G_MAXUINT64);
    if (fd < 0)
        return;
    GByteArray *bytes = g_byte_array_new();
    guint8 piece[8192];
    for (gssize n; bytes->len < MAX_JIT_BYTES && (n = read(fd, piece, sizeof piece)) > 0;)
        g_byte_array_append(bytes, piece, (guint)n);
    close(fd);
    if (bytes->len)
        tnd_attach_stream_text(stream, image->time, TND_TEXT_JIT, (const char *)bytes->data, bytes->len);
    g_byte_array_unref(bytes);
}

static void end_streams(TndAttachImage *image, enum tnd_process_end end)
{
    GHashTableIter iter;
    gpointer thread;
    g_hash_table_iter_init(&iter, image->threads);
    while (g_hash_table_iter_next(&iter, NULL, &thread))
        finish_thread(thread, image->time);
    TndAttachStream *stream = ((struct slot *)image->slots->pdata[0])->streams[TND_CONTEXT_MAIN];
    put_names_of_jit(image, stream);
    put_clock(stream, image->time);
    const struct tnd_record head = {image->time, end, 0, TND_RECORD_PROCESS_END, 0};
    tnd_attach_stream_put(stream, &head, NULL);
}

gboolean tnd_attach_image_end(TndAttachImage *image, enum tnd_process_end end, guint64 time, GError **error)
{
    settle_time(image, time);
    if (image->slots->len)
        end_streams(image, end);
    for (guint i = 0; i < image->slots->len; i++)
        free_slot(image, image->slots->pdata[i]);
    if (image->dir_fd >= 0) {
        tnd_rundir_mark(image->dir_fd, TND_RUNDIR_ENDED_FILE, 0);
        close(image->dir_fd);
    }
    gboolean is_fine = image->error == NULL;
    if (!is_fine)
        g_propagate_error(error, image->error);
    g_ptr_array_unref(image->slots);
    g_ptr_array_unref(image->free_slots);
    g_hash_table_unref(image->threads);
    tnd_attach_memory_free(image->memory);
    g_free(image->directory);
    g_free(image);
    return is_fine;
}
