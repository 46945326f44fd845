/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of the process: one system call and three small files.
 *
 * Context: our own thread.
 */
#include "sampler/sensors_process.h"

#include "formats/event_types.h"
#include "formats/kernel_files.h"
#include "runtime/emit.h"
#include "runtime/run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Values that only grow, in the order of their event types. */
enum { MINOR_FAULTS, MAJOR_FAULTS, SWITCHES, PREEMPTIONS, READ, WRITTEN, N_GROWING };

static struct {
    uint64_t growing[N_GROWING]; /* when they were told last */
    bool has_complained;
} process;

/* The number after a word that begins a line; false: there is no such line. */
static bool find(const char *text, const char *word, uint64_t *number)
{
    const char *at = strstr(text, word);
    if (!at)
        return false;
    at += strlen(word);
    at += strspn(at, " \t");
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

/* Bytes by calls of all threads but this one. */
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

void tnd_sensors_process_read(struct tnd_thread *self)
{
    char text[128];
    uint64_t values[N_GROWING], pages = 0;
    bool has_pages = tnd_kernel_files_text("", "/proc/self/statm", text, sizeof text) > 0 && find(text, " ", &pages);
    read_growing(values);
    uint64_t now = tnd_clock_ticks();
    if (has_pages)
        tnd_emit_word(&self->main, now, TND_RECORD_EVENT, TND_TYPE_PROCESS_RESIDENT, 0,
                      pages * (uint64_t)sysconf(_SC_PAGESIZE));
    for (unsigned i = 0; i < N_GROWING; i++) {
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
        return false;                               /* the first thread and we: it has ended */
    users = users ? strchr(users + 6, '\t') : NULL; /* the effective one is the second */
    if (!users || !find(users, "\t", &user) || user == (uint64_t)syscall(SYS_geteuid))
        return true;
    tnd_run_note("sensors are read no more: the program runs as another user now");
    return false;
}
