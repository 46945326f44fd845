/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records are copied out of the buffers into a queue, which is sorted by time.  A record comes into its buffer within
 * microseconds of its time: what is older than the begin of the round before is complete.
 */
#include "attach/attach_events.h"

#include "attach/attach_proc.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <asm/perf_regs.h>
/* In the order of the kernel's mask; their numbers in DWARF. */
#define REGISTER_MASK (((UINT64_C(1) << (PERF_REG_X86_IP + 1)) - 1) | (UINT64_C(0xff) << PERF_REG_X86_R8))
static const guint8 register_numbers[] = {0, 3, 2, 1, 4, 5, 6, 7, 16, 8, 9, 10, 11, 12, 13, 14, 15};
#elif defined(__aarch64__)
#define REGISTER_MASK ((UINT64_C(1) << 33) - 1)
static const guint8 register_numbers[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                                          17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};
#endif

G_STATIC_ASSERT(G_N_ELEMENTS(register_numbers) == TND_UNWIND_REGISTERS);

#define MOST_BUFFER_BYTES ((gsize)4 << 20)
#define LEAST_BUFFER_BYTES ((gsize)128 << 10)
#define ROUND_NS 20000000 /* no record comes later than this */

/* The events on one CPU. */
struct cpu {
    guint32 number;
    int fd; /* the event that has the buffer; -1: none */
    struct perf_event_mmap_page *page;
    gsize buffer_bytes;
};

struct item {
    guint64 time, order;
    struct perf_event_header *record;
};

struct TndAttachEvents {
    struct perf_event_attr attributes;
    struct cpu *cpus;
    guint n_cpus;
    GArray *fds;
    GHashTable *owners; /* id of an event: the thread on which it was opened */
    GHashTable *heard;  /* thread: the one whose event tells of it */
    GArray *queue;
    guint64 n_read, n_lost, round_ns;
};

/* The end of every record but samples. */
struct tail {
    guint32 pid, tid;
    guint64 time, id;
    guint32 cpu, nothing;
};

static guint64 now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (guint64)now.tv_sec * 1000000000 + (guint64)now.tv_nsec;
}

static int open_event(struct perf_event_attr *attributes, int tid, int cpu)
{
    return (int)syscall(SYS_perf_event_open, attributes, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static struct perf_event_attr make_attributes(const TndAttachEventsWish *wish)
{
    struct perf_event_attr attributes = {
        .size = sizeof attributes,
        .type = PERF_TYPE_SOFTWARE,
        .config = PERF_COUNT_SW_CPU_CLOCK,
        .sample_period = wish->period_ns,
        .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_CPU,
        .inherit = 1,
        .mmap = 1,
        .mmap2 = 1,
        .comm = 1,
        .comm_exec = 1,
        .task = 1,
        .context_switch = 1,
        .sample_id_all = 1,
        .use_clockid = 1,
        .clockid = CLOCK_MONOTONIC,
        .watermark = 1,
        .exclude_hv = 1,
    };
    if (wish->stack_bytes) {
        attributes.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
        attributes.sample_regs_user = REGISTER_MASK;
        attributes.sample_stack_user = wish->stack_bytes & ~7u;
    }
    return attributes;
}

/* Opens an event, without what happens in the kernel if this user may not see that. */
static int open_allowed(struct perf_event_attr *attributes, int tid, int cpu)
{
    int fd = open_event(attributes, tid, cpu);
    if (fd < 0 && (errno == EACCES || errno == EPERM) && !attributes->exclude_kernel) {
        attributes->exclude_kernel = 1;
        fd = open_event(attributes, tid, cpu);
        if (fd < 0) { /* it was not that */
            int error = errno;
            attributes->exclude_kernel = 0;
            errno = error;
        }
    }
    return fd;
}

int tnd_attach_events_probe(void)
{
    struct perf_event_attr attributes =
        make_attributes(&(TndAttachEventsWish){.period_ns = 10000000, .stack_bytes = 512});
    int fd = open_allowed(&attributes, 0, -1);
    if (fd < 0)
        return errno;
    close(fd);
    return 0;
}

TndAttachEvents *tnd_attach_events_new(const TndAttachEventsWish *wish)
{
    struct rlimit limit;
    TndAttachEvents *events = g_new0(TndAttachEvents, 1);
    GArray *cpus = tnd_attach_proc_cpus();
    events->attributes = make_attributes(wish);
    events->n_cpus = cpus->len;
    events->cpus = g_new0(struct cpu, cpus->len);
    for (guint i = 0; i < cpus->len; i++)
        events->cpus[i] = (struct cpu){.number = g_array_index(cpus, guint32, i), .fd = -1};
    g_array_unref(cpus);
    events->fds = g_array_new(FALSE, FALSE, sizeof(int));
    events->owners = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    events->heard = g_hash_table_new(NULL, NULL);
    events->queue = g_array_new(FALSE, FALSE, sizeof(struct item));
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    return events;
}

void tnd_attach_events_free(TndAttachEvents *events)
{
    for (guint i = 0; i < events->n_cpus; i++)
        if (events->cpus[i].page)
            munmap(events->cpus[i].page, events->cpus[i].buffer_bytes + (gsize)sysconf(_SC_PAGESIZE));
    for (guint i = 0; i < events->fds->len; i++)
        close(g_array_index(events->fds, int, i));
    for (guint i = 0; i < events->queue->len; i++)
        g_free(g_array_index(events->queue, struct item, i).record);
    g_array_unref(events->queue);
    g_array_unref(events->fds);
    g_hash_table_unref(events->owners);
    g_hash_table_unref(events->heard);
    g_free(events->cpus);
    g_free(events);
}

/* The first event on a CPU gets the buffer, as large as this user may have it; the others write there, too. */
static int give_buffer(struct cpu *cpu, int fd)
{
    if (cpu->fd >= 0)
        return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, cpu->fd) == 0 ? 0 : errno;
    for (gsize n_bytes = MOST_BUFFER_BYTES; n_bytes >= LEAST_BUFFER_BYTES && !cpu->page; n_bytes /= 2) {
        void *page = mmap(NULL, n_bytes + (gsize)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (page != MAP_FAILED) {
            cpu->page = page;
            cpu->buffer_bytes = n_bytes;
        }
    }
    cpu->fd = cpu->page ? fd : -1;
    return cpu->page ? 0 : ENOMEM;
}

static int watch_on(TndAttachEvents *events, guint32 tid, struct cpu *cpu)
{
    events->attributes.wakeup_watermark = (guint32)(cpu->page ? cpu->buffer_bytes / 4 : LEAST_BUFFER_BYTES / 4);
    int fd = open_allowed(&events->attributes, (int)tid, (int)cpu->number);
    if (fd < 0)
        return errno;
    guint64 id;
    int error = give_buffer(cpu, fd);
    if (!error && ioctl(fd, PERF_EVENT_IOC_ID, &id) != 0)
        error = errno;
    if (error && cpu->fd != fd) {
        close(fd);
        return error;
    }
    g_array_append_val(events->fds, fd);
    g_hash_table_insert(events->owners, g_memdup2(&id, sizeof id), GUINT_TO_POINTER(tid));
    return error;
}

int tnd_attach_events_watch(TndAttachEvents *events, guint32 tid)
{
    int error = 0;
    for (guint i = 0; i < events->n_cpus && (!error || error == ENODEV); i++) /* ENODEV: the CPU has gone meanwhile */
        error = watch_on(events, tid, &events->cpus[i]);
    return error == ENODEV ? 0 : error;
}

gboolean tnd_attach_events_see_kernel(const TndAttachEvents *events)
{
    return !events->attributes.exclude_kernel;
}

void tnd_attach_events_wait(TndAttachEvents *events, int most_ms)
{
    enum { PAUSE_US = 10000 };
    struct pollfd *polled = g_new0(struct pollfd, events->n_cpus);
    gboolean has_ended = FALSE;
    for (guint i = 0; i < events->n_cpus; i++)
        polled[i] = (struct pollfd){.fd = events->cpus[i].fd, .events = POLLIN};
    int n = poll(polled, events->n_cpus, most_ms);
    for (guint i = 0; n > 0 && i < events->n_cpus; i++)
        has_ended |= (polled[i].revents & (POLLHUP | POLLERR)) != 0;
    if (has_ended) /* such an event's thread has ended, and it is ready all the time */
        g_usleep(PAUSE_US);
    g_free(polled);
}

/* Copies bytes out of a buffer, which begins again at its end. */
static void copy_out(const struct cpu *cpu, guint64 at, void *to, gsize n_bytes)
{
    const char *data = (const char *)cpu->page + cpu->page->data_offset;
    gsize begin = (gsize)(at % cpu->buffer_bytes), n_first = MIN(n_bytes, cpu->buffer_bytes - begin);
    memcpy(to, data + begin, n_first);
    memcpy((char *)to + n_first, data, n_bytes - n_first);
}

/* Where the time is: a sample begins with what other records end with. */
static const struct tail *tail_of(const struct perf_event_header *record)
{
    const char *bytes = (const char *)record;
    return (const struct tail *)(const void *)(record->type == PERF_RECORD_SAMPLE
                                                   ? bytes + sizeof *record
                                                   : bytes + record->size - sizeof(struct tail));
}

static void drain(TndAttachEvents *events, struct cpu *cpu)
{
    guint64 head = __atomic_load_n(&cpu->page->data_head, __ATOMIC_ACQUIRE), at = cpu->page->data_tail;
    while (at < head) {
        struct perf_event_header header;
        copy_out(cpu, at, &header, sizeof header);
        if (header.size < sizeof header + sizeof(struct tail)) { /* never */
            at = head;
            break;
        }
        struct item item = {.order = events->n_read++, .record = g_malloc(header.size)};
        copy_out(cpu, at, item.record, header.size);
        item.time = tail_of(item.record)->time;
        g_array_append_val(events->queue, item);
        at += header.size;
    }
    __atomic_store_n(&cpu->page->data_tail, at, __ATOMIC_RELEASE);
}

static gint compare_items(gconstpointer first, gconstpointer second)
{
    const struct item *a = first, *b = second;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

/* Reads the words of a sample behind its tail. */
static void read_moment(const TndAttachEvents *events, const struct perf_event_header *record, TndAttachEvent *event)
{
    const guint64 *word = (const guint64 *)(const void *)(tail_of(record) + 1);
    if (!events->attributes.sample_stack_user || *word++ != PERF_SAMPLE_REGS_ABI_64)
        return;
    for (guint i = 0; i < G_N_ELEMENTS(register_numbers); i++)
        event->moment.registers[register_numbers[i]] = *word++;
    guint64 n_bytes = *word++;
    event->has_moment = TRUE;
    event->moment.stack = word;
    event->moment.n_bytes = n_bytes ? (gsize)word[n_bytes / 8] & ~(gsize)7 : 0;
    event->moment.is_cut = event->moment.n_bytes == n_bytes;
}

struct task {
    struct perf_event_header header;
    guint32 pid, ppid, tid, ptid;
};

struct comm {
    struct perf_event_header header;
    guint32 pid, tid;
    char name[];
};

struct map {
    struct perf_event_header header;
    guint32 pid, tid;
    guint64 low, n_bytes, offset;
    guint64 identity[3];
    guint32 protection, flags;
    char path[];
};

/* FALSE: the record is not for the caller. */
static gboolean read_record(TndAttachEvents *events, const struct perf_event_header *record, TndAttachEvent *event)
{
    const struct tail *tail = tail_of(record);
    const void *whole = record;
    *event = (TndAttachEvent){.pid = tail->pid, .tid = tail->tid, .time = tail->time, .cpu = tail->cpu};
    switch (record->type) {
    case PERF_RECORD_SAMPLE:
        event->what = TND_ATTACH_SAMPLE;
        read_moment(events, record, event);
        return TRUE;
    case PERF_RECORD_SWITCH:
        event->what = record->misc & PERF_RECORD_MISC_SWITCH_OUT ? TND_ATTACH_SWITCH_OUT : TND_ATTACH_SWITCH_IN;
        event->is_pushed = (record->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
        return TRUE;
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
        event->what = record->type == PERF_RECORD_FORK ? TND_ATTACH_BEGIN : TND_ATTACH_END;
        event->pid = ((const struct task *)whole)->pid;
        event->tid = ((const struct task *)whole)->tid;
        return TRUE;
    case PERF_RECORD_COMM:
        event->what = record->misc & PERF_RECORD_MISC_COMM_EXEC ? TND_ATTACH_EXEC : TND_ATTACH_NAME;
        event->name = ((const struct comm *)whole)->name;
        return TRUE;
    case PERF_RECORD_MMAP2: {
        const struct map *map = whole;
        event->what = TND_ATTACH_MAP;
        event->mapping = (TndAttachMapping){map->low, map->low + map->n_bytes, map->offset, map->path};
        return TRUE;
    }
    case PERF_RECORD_LOST:
    case PERF_RECORD_LOST_SAMPLES:
        events->n_lost += ((const guint64 *)(const void *)(record + 1))[record->type == PERF_RECORD_LOST];
        return FALSE;
    default:
        return FALSE;
    }
}

/* A thread that began while its process was being looked at may have inherited the events of another thread, and have
 * been given its own ones: those that are heard first are believed. */
static gboolean is_first_told(TndAttachEvents *events, const struct perf_event_header *record)
{
    const struct tail *tail = tail_of(record);
    gpointer tid = GUINT_TO_POINTER(tail->tid), owner = g_hash_table_lookup(events->owners, &tail->id), first;
    if (g_hash_table_lookup_extended(events->heard, tid, NULL, &first))
        return first == owner;
    g_hash_table_insert(events->heard, tid, owner);
    return TRUE;
}

void tnd_attach_events_read(TndAttachEvents *events, gboolean is_last, TndAttachEach each, gpointer self)
{
    guint64 began_ns = now_ns(), until_ns = MIN(events->round_ns, began_ns - ROUND_NS);
    guint n = 0;
    for (guint i = 0; i < events->n_cpus; i++)
        if (events->cpus[i].page)
            drain(events, &events->cpus[i]);
    events->round_ns = began_ns;
    g_array_sort(events->queue, compare_items);
    for (; n < events->queue->len; n++) {
        const struct item *item = &g_array_index(events->queue, struct item, n);
        TndAttachEvent event;
        if (!is_last && item->time >= until_ns)
            break;
        gboolean is_lost = item->record->type == PERF_RECORD_LOST || item->record->type == PERF_RECORD_LOST_SAMPLES;
        if ((is_lost || is_first_told(events, item->record)) && read_record(events, item->record, &event))
            each(self, &event);
        if (item->record->type == PERF_RECORD_EXIT)
            g_hash_table_remove(events->heard,
                                GUINT_TO_POINTER(((const struct task *)(const void *)item->record)->tid));
        g_free(item->record);
    }
    g_array_remove_range(events->queue, 0, n);
}

guint64 tnd_attach_events_lost(TndAttachEvents *events)
{
    guint64 n = events->n_lost;
    events->n_lost = 0;
    return n;
}
