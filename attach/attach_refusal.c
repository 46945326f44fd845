/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asks /proc, and tries perf_event_open on this process itself, so that what the machine forbids is told from what this
 * one process forbids.
 */
#include "attach/attach_refusal.h"

#include "attach/attach_events.h"
#include "attach/attach_proc.h"
#include "system/kernel_files.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define INSTEAD "`tandem record` needs no permission, but has to start the program"

static void ignore(gpointer self, const TndAttachMapping *mapping) {}

static gboolean is_of_32_bits(int pid)
{
    guchar head[EI_NIDENT] = {0};
    char *path = g_strdup_printf("/proc/%d/exe", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    gboolean is = fd >= 0 && read(fd, head, sizeof head) == sizeof head && memcmp(head, ELFMAG, SELFMAG) == 0 &&
                  head[EI_CLASS] == ELFCLASS32;
    if (fd >= 0)
        close(fd);
    g_free(path);
    return is;
}

static char *name_owner(int pid)
{
    gint64 uid = tnd_attach_proc_status(pid, "Uid:");
    const struct passwd *owner = uid >= 0 ? getpwuid((uid_t)uid) : NULL;
    return owner ? g_strdup(owner->pw_name) : g_strdup_printf("%" G_GINT64_FORMAT, uid);
}

static char *explain_closed(int pid)
{
    char *owner = name_owner(pid), *sentence;
    if (tnd_attach_proc_status(pid, "Uid:") != (gint64)getuid())
        sentence = g_strdup_printf("belongs to the user %s: attach as that user or as root", owner);
    else
        sentence = g_strdup_printf("may not be looked at, although it is yours: it has rights that you do not have, is "
                                   "in a namespace, or protects itself (PR_SET_DUMPABLE)%s",
                                   geteuid() ? ": attach as root" : "; root needs CAP_SYS_PTRACE for it");
    g_free(owner);
    return sentence;
}

/* What speaks against the process itself. */
static char *find_about_process(int pid)
{
    gint64 leader = tnd_attach_proc_status(pid, "Tgid:");
    if (leader < 0)
        return g_strdup(pid > 0 && kill(pid, 0) != 0 && errno == EPERM ? "belongs to another user: attach as root"
                                                                       : "there is no such process");
    if (leader != pid)
        return g_strdup_printf("is a thread of the process %" G_GINT64_FORMAT ": attach to that one", leader);
    if (tnd_attach_proc_state(pid, pid) == 'Z' && tnd_attach_proc_status(pid, "Threads:") <= 1)
        return g_strdup("has ended, and only waits for its parent");
    char *command = tnd_attach_proc_command(pid), *file = tnd_attach_proc_executable(pid);
    gboolean is_kernels = !command[0] && !file[0] && tnd_attach_proc_status(pid, "VmSize:") < 0;
    g_free(command);
    g_free(file);
    if (is_kernels)
        return g_strdup("is a thread of the kernel");
    if (!tnd_attach_proc_mappings(pid, ignore, NULL))
        return explain_closed(pid);
    return is_of_32_bits(pid) ? g_strdup("is a program of 32 bits, whose stacks are not read") : NULL;
}

char *tnd_attach_refusal_find(int pid)
{
    char *sentence = find_about_process(pid);
    int error = sentence ? 0 : tnd_attach_events_probe();
    return error ? tnd_attach_refusal_explain(error) : sentence;
}

char *tnd_attach_refusal_explain(int error)
{
    int64_t paranoid = -1;
    gboolean is_filtered = tnd_attach_proc_status(0, "Seccomp:") == 2;
    tnd_kernel_files_number("", "/proc/sys/kernel/perf_event_paranoid", &paranoid);
    if ((error == EPERM || error == ENOSYS) && is_filtered)
        return g_strdup("perf_event_open is forbidden by a filter (seccomp), as containers have: allow it there, or "
                        "attach from outside of the container; " INSTEAD);
    if (error == ENOSYS || error == ENOENT || error == EOPNOTSUPP)
        return g_strdup("this kernel has no perf events; " INSTEAD);
    if ((error == EACCES || error == EPERM) && paranoid > 2)
        return g_strdup_printf("the kernel keeps perf events from ordinary users (kernel.perf_event_paranoid is "
                               "%" G_GINT64_FORMAT
                               "): attach as root, or, as root, `sysctl kernel.perf_event_paranoid=2`; " INSTEAD,
                               (gint64)paranoid);
    if (error == EMFILE || error == ENFILE)
        return g_strdup("there are not enough descriptors, one for each thread and CPU: raise `ulimit -n`");
    if (error == ENOMEM)
        return g_strdup("there is no room for the kernel's buffers, one for each CPU: raise `ulimit -l`, or, as root, "
                        "kernel.perf_event_mlock_kb; or end other users of perf events");
    return g_strdup_printf("perf_event_open refuses it: %s; " INSTEAD, g_strerror(error));
}
