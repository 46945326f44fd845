/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads /proc and the list of CPUs.
 */
#include "attach/attach_proc.h"

#include "system/kernel_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_BYTES = 64 << 10 };

/* A file of the process, or of one of its threads, whose text may have zeros in it. */
static char *read_text(int pid, const char *name, int *length)
{
    char *path = g_strdup_printf("/proc/%d/%s", pid, name), *text = g_malloc0(TEXT_BYTES);
    *length = tnd_kernel_files_text("", path, text, TEXT_BYTES);
    g_free(path);
    return text;
}

static gint compare(gconstpointer a, gconstpointer b)
{
    guint32 first = *(const guint32 *)a, second = *(const guint32 *)b;
    return first < second ? -1 : first > second;
}

GArray *tnd_attach_proc_threads(int pid)
{
    GArray *tids = g_array_new(FALSE, FALSE, sizeof(guint32));
    char *path = g_strdup_printf("/proc/%d/task", pid);
    GDir *directory = g_dir_open(path, 0, NULL);
    for (const char *name; directory && (name = g_dir_read_name(directory));) {
        guint32 tid = (guint32)strtoul(name, NULL, 10);
        g_array_append_val(tids, tid);
    }
    if (directory)
        g_dir_close(directory);
    g_array_sort(tids, compare);
    g_free(path);
    return tids;
}

/* The line of `stat` after the name, which may contain anything. */
static char *read_stat(int pid, int tid)
{
    char *name = g_strdup_printf("task/%d/stat", tid);
    int length;
    char *text = read_text(pid, name, &length), *end = length > 0 ? strrchr(text, ')') : NULL;
    char *rest = end && strlen(end) > 2 ? g_strdup(end + 2) : NULL;
    g_free(text);
    g_free(name);
    return rest;
}

char tnd_attach_proc_state(int pid, int tid)
{
    char *rest = read_stat(pid, tid), state = rest ? rest[0] : 0;
    g_free(rest);
    return state;
}

guint64 tnd_attach_proc_begin_ns(int pid)
{
    enum { AFTER_STATE = 19 }; /* fields from the state to the time at which it began */
    struct timespec boot, now;
    char *rest = read_stat(pid, pid), **fields = g_strsplit(rest ? rest : "", " ", AFTER_STATE + 2);
    guint64 begin_ns = 0;
    if (g_strv_length(fields) > AFTER_STATE && clock_gettime(CLOCK_BOOTTIME, &boot) == 0 &&
        clock_gettime(CLOCK_REALTIME, &now) == 0) {
        guint64 tick_ns = 1000000000 / (guint64)sysconf(_SC_CLK_TCK);
        guint64 age_ns = (guint64)boot.tv_sec * 1000000000 - g_ascii_strtoull(fields[AFTER_STATE], NULL, 10) * tick_ns;
        begin_ns = (guint64)now.tv_sec * 1000000000 - age_ns;
    }
    g_strfreev(fields);
    g_free(rest);
    return begin_ns;
}

char *tnd_attach_proc_thread_name(int pid, int tid)
{
    char *name = g_strdup_printf("task/%d/comm", tid);
    int length;
    char *text = read_text(pid, name, &length);
    g_free(name);
    return text;
}

char *tnd_attach_proc_executable(int pid)
{
    char *path = g_strdup_printf("/proc/%d/exe", pid), *target = g_file_read_link(path, NULL);
    g_free(path);
    return target ? target : g_strdup("");
}

char *tnd_attach_proc_command(int pid)
{
    int length;
    char *text = read_text(pid, "cmdline", &length);
    for (int i = 0; i + 1 < length; i++)
        if (!text[i])
            text[i] = ' ';
    return text;
}

char *tnd_attach_proc_boot(void)
{
    char *text = g_malloc0(64);
    tnd_kernel_files_text("", "/proc/sys/kernel/random/boot_id", text, 64);
    return text;
}

gint64 tnd_attach_proc_status(int pid, const char *name)
{
    int length;
    char *text = read_text(pid ? pid : getpid(), "status", &length);
    char *wanted = g_strconcat("\n", name, NULL), *at = length > 0 ? strstr(text, wanted) : NULL;
    gint64 number = at ? g_ascii_strtoll(at + strlen(wanted), NULL, 10) : -1;
    g_free(wanted);
    g_free(text);
    return number;
}

struct visit {
    void (*each)(gpointer self, const TndAttachMapping *mapping);
    gpointer self;
};

/* "55d0-55d9 r-xp 00002000 fe:01 1234   /usr/bin/cat" */
static void take_line(void *self, const char *line)
{
    const struct visit *visit = self;
    TndAttachMapping mapping = {.path = ""};
    char rights[5];
    int n = 0;
    if (sscanf(line, "%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x %4s %" G_GINT64_MODIFIER "x %*s %*s %n",
               &mapping.low, &mapping.high, rights, &mapping.offset, &n) < 4 ||
        rights[2] != 'x')
        return;
    mapping.path = line + n;
    visit->each(visit->self, &mapping);
}

gboolean tnd_attach_proc_mappings(int pid, void (*each)(gpointer self, const TndAttachMapping *mapping), gpointer self)
{
    struct visit visit = {each, self};
    char *path = g_strdup_printf("/proc/%d/maps", pid);
    gboolean is_read = tnd_kernel_files_lines("", path, take_line, &visit);
    g_free(path);
    return is_read;
}

GArray *tnd_attach_proc_cpus(void)
{
    char text[4096];
    GArray *cpus = g_array_new(FALSE, FALSE, sizeof(guint32));
    if (tnd_kernel_files_text("", "/sys/devices/system/cpu/online", text, sizeof text) <= 0)
        snprintf(text, sizeof text, "0-%ld", sysconf(_SC_NPROCESSORS_ONLN) - 1);
    char **ranges = g_strsplit(text, ",", -1);
    for (char **range = ranges; *range; range++) {
        const char *dash = strchr(*range, '-');
        guint32 cpu = (guint32)strtoul(*range, NULL, 10);
        guint32 last = dash ? (guint32)strtoul(dash + 1, NULL, 10) : cpu;
        for (; cpu <= last; cpu++)
            g_array_append_val(cpus, cpu);
    }
    g_strfreev(ranges);
    return cpus;
}
