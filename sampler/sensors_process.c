/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of the process, from two system calls and three small files; and huge pages and NUMA nodes, for which the
 * kernel looks at every page of the process: they are read so seldom that this takes a hundredth of the time at most.
 *
 * Context: our own thread.
 */
#include "sampler/sensors_process.h"

#include "formats/event_types.h"
#include "runtime/emit.h"
#include "runtime/run.h"
#include "sampler/sensors_numa.h"
#include "system/kernel_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Values that only grow, in the order of their event types. */
enum { MINOR_FAULTS, MAJOR_FAULTS, SWITCHES, PREEMPTIONS, READ, WRITTEN, MIGRATIONS, N_GROWING };

#define LOOK_SHARE 100 /* pages and threads are looked at in 1 / 100 of the time at most */
#define MAX_TASKS 256

struct task {
    uint64_t tid, n_migrations;
};

static struct {
    uint64_t growing[N_GROWING]; /* when they were recorded last */
    bool has_complained;
    uint64_t look_ns;             /* when pages and threads may be looked at again */
    struct task tasks[MAX_TASKS]; /* when they were looked at last */
    unsigned n_tasks;
} process;

/* The number after a word that begins a line; false: there is no such line. */
static bool find(const char *text, const char *word, uint64_t *number)
{
    const char *at = strstr(text, word);
    if (!at)
        return false;
    at += strlen(word);
    at += strspn(at, " \t:");
    *number = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        *number = *number * 10 + (uint64_t)(*at - '0');
    return true;
}

static bool read_bytes(const char *path, uint64_t *read, uint64_t *written)
{
    char text[512];
    return tnd_kernel_files_text("", path, text, sizeof text) > 0 && find(text, "rchar:", read) &&
           find(text, "wchar:", written);
}

/* Bytes read and written by calls of all threads but this one. */
static bool read_others(uint64_t values[static N_GROWING])
{
    uint64_t own_read = 0, own_written = 0;
    if (!read_bytes("/proc/self/io", &values[READ], &values[WRITTEN]))
        return false;
    if (read_bytes("/proc/thread-self/io", &own_read, &own_written)) {
        values[READ] -= own_read < values[READ] ? own_read : values[READ];
        values[WRITTEN] -= own_written < values[WRITTEN] ? own_written : values[WRITTEN];
    }
    return true;
}

static void read_growing(uint64_t values[static N_GROWING])
{
    struct rusage usage;
    memcpy(values, process.growing, N_GROWING * sizeof *values);
    if (syscall(SYS_getrusage, RUSAGE_SELF, &usage) == 0) {
        values[MINOR_FAULTS] = (uint64_t)usage.ru_minflt;
        values[MAJOR_FAULTS] = (uint64_t)usage.ru_majflt;
        values[SWITCHES] = (uint64_t)usage.ru_nvcsw;
        values[PREEMPTIONS] = (uint64_t)usage.ru_nivcsw;
    }
    if (read_others(values) || process.has_complained)
        return;
    process.has_complained = true;
    char sentence[100];
    snprintf(sentence, sizeof sentence, "bytes that the process reads and writes are not known: /proc/self/io: %s",
             strerrordesc_np(errno));
    tnd_run_note(sentence);
}

/* Bytes in huge pages; false: not known. */
static bool sum_huge(uint64_t *n_bytes)
{
    static const char *const words[] = {
        "\nAnonHugePages:", "\nShmemPmdMapped:", "\nFilePmdMapped:", "\nShared_Hugetlb:", "\nPrivate_Hugetlb:"};
    char text[2048];
    uint64_t n_kib;
    if (tnd_kernel_files_text("", "/proc/self/smaps_rollup", text, sizeof text) <= 0)
        return false;
    *n_bytes = 0;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (find(text, words[i], &n_kib))
            *n_bytes += 1024 * n_kib;
    return true;
}

/* How often a thread had migrated at the last look; n threads were looked at. */
static uint64_t before(const struct task *tasks, unsigned n, uint64_t tid)
{
    for (unsigned i = 0; i < n; i++)
        if (tasks[i].tid == tid)
            return tasks[i].n_migrations;
    return 0;
}

/* Reads how often a thread has migrated; false: unknown, or it is our own thread. */
static bool look_at_task(const char *name, struct task *task)
{
    char path[64], text[512]; /* the line is among the first */
    task->tid = 0;
    for (; *name >= '0' && *name <= '9'; name++)
        task->tid = 10 * task->tid + (uint64_t)(*name - '0');
    if (!task->tid || task->tid == (uint64_t)syscall(SYS_gettid))
        return false;
    snprintf(path, sizeof path, "/proc/self/task/%" PRIu64 "/sched", task->tid);
    return tnd_kernel_files_text("", path, text, sizeof text) > 0 && find(text, "nr_migrations", &task->n_migrations);
}

/* Adds the migrations since the last look.  Those of a thread that has ended since are not known. */
static void add_migrations(uint64_t *sum)
{
    struct linux_dirent64 {
        uint64_t inode, offset;
        uint16_t n_bytes;
        uint8_t type;
        char name[];
    };
    _Alignas(struct linux_dirent64) char entries[4096];
    static struct task now[MAX_TASKS];
    unsigned n = 0;
    long n_bytes;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (fd >= 0 && (n_bytes = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0)
        for (long at = 0; at < n_bytes && n < MAX_TASKS;) {
            const struct linux_dirent64 *entry = (const struct linux_dirent64 *)(entries + at);
            at += entry->n_bytes;
            if (!look_at_task(entry->name, &now[n]))
                continue;
            uint64_t known = before(process.tasks, process.n_tasks, now[n].tid);
            *sum += now[n].n_migrations - (known <= now[n].n_migrations
                                               ? known
                                               : 0); /* if it is less, the thread is a new one with the same number */
            n++;
        }
    if (fd >= 0)
        syscall(SYS_close, fd);
    memcpy(process.tasks, now, n * sizeof *now);
    process.n_tasks = n;
}

struct nodes {
    bool is_known;
    uint64_t present, bytes[TND_SENSORS_NUMA_MAX];
};

/* Reads the values that take long.  False: it is too early to look again. */
static bool look(const char *root, uint64_t *n_migrations, bool *has_huge, uint64_t *n_huge, struct nodes *nodes)
{
    uint64_t begin_ns = tnd_clock_monotonic_ns();
    if (begin_ns < process.look_ns)
        return false;
    *has_huge = sum_huge(n_huge);
    nodes->is_known = tnd_sensors_numa_look(root, nodes->bytes, &nodes->present);
    add_migrations(n_migrations);
    uint64_t end_ns = tnd_clock_monotonic_ns();
    process.look_ns = end_ns + LOOK_SHARE * (end_ns - begin_ns);
    return true;
}

void tnd_sensors_process_read(struct tnd_thread *self, const char *root)
{
    char text[128];
    uint64_t values[N_GROWING], pages = 0, n_huge;
    bool has_pages = tnd_kernel_files_text("", "/proc/self/statm", text, sizeof text) > 0 && find(text, " ", &pages);
    bool has_huge = false;
    read_growing(values);
    struct nodes nodes = {.is_known = false};
    bool has_looked = look(root, &values[MIGRATIONS], &has_huge, &n_huge, &nodes);
    uint64_t now = tnd_clock_ticks();
    if (has_pages)
        tnd_emit_word(&self->main, now, TND_RECORD_EVENT, TND_TYPE_PROCESS_RESIDENT, 0,
                      pages * (uint64_t)sysconf(_SC_PAGESIZE));
    if (has_huge)
        tnd_emit_word(&self->main, now, TND_RECORD_EVENT, TND_TYPE_PROCESS_HUGE, 0, n_huge);
    if (nodes.is_known)
        tnd_sensors_numa_tell(self, root, now, nodes.bytes, nodes.present);
    for (unsigned i = 0; i < N_GROWING; i++) {
        if (i == MIGRATIONS && !(has_looked && process.n_tasks))
            continue;
        uint64_t more = values[i] > process.growing[i] ? values[i] - process.growing[i] : 0;
        tnd_emit_word(&self->main, now, TND_RECORD_EVENT, TND_TYPE_PROCESS_MINOR_FAULTS + i, 0, more);
        process.growing[i] += more;
    }
}

void tnd_sensors_process_forget(void)
{
    memset(&process, 0, sizeof process);
}

bool tnd_sensors_process_is_ours(void)
{
    char text[2048]; /* the lines are among the first */
    uint64_t n_threads, user;
    if (tnd_kernel_files_text("", "/proc/self/status", text, sizeof text) <= 0)
        return true;
    const char *state = strstr(text, "\nState:\t"), *users = strstr(text, "\nUid:\t");
    if (state && state[8] == 'Z' && find(text, "\nThreads:", &n_threads) && n_threads <= 2)
        return false;                               /* two threads, the first and ours, and the first has ended */
    users = users ? strchr(users + 6, '\t') : NULL; /* the second of its numbers is the effective user */
    if (!users || !find(users, "\t", &user) || user == (uint64_t)syscall(SYS_geteuid))
        return true;
    tnd_run_note("sensors are read no more: the program runs as another user now");
    return false;
}
