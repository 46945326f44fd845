/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A process tells these names itself, those of a just-in-time compiler as it ends.  Of one that was killed, the
 * compiler's file may still be there: then it is read here, and a merge after it is gone knows less.
 */
#include "analysis/merge/read/merge_code.h"
#include "analysis/merge/read/code_map.h"
#include "analysis/merge/read/merge_clock.h"
#include "formats/perf_map.h"

#include <unistd.h>

#define AFTER_END_NS G_GUINT64_CONSTANT(10000000000) /* a process may live on after its last record */

static char *read_file(int fd)
{
    GMappedFile *map = g_mapped_file_new_from_fd(fd, FALSE, NULL);
    char *text = map ? g_strndup(g_mapped_file_get_contents(map), g_mapped_file_get_length(map)) : NULL;
    if (map)
        g_mapped_file_unref(map);
    return text;
}

/* What the compiler's file says now, if the process ran on this node since its boot. */
static char *read_left_file(const TndMergeProcess *process)
{
    const TndMergeClockReading *begin = &process->first_reading;
    if (!process->n_readings || !process->clock || !tnd_merge_clock_is_this_boot(process->boot))
        return NULL;
    guint64 life = process->end_ticks > begin->ticks ? process->end_ticks - begin->ticks : 0;
    guint64 end_ns = begin->realtime_ns + tnd_merge_ticks_span(process->clock, life);
    int fd = tnd_perf_map_open((pid_t)process->pid, begin->realtime_ns, end_ns + AFTER_END_NS);
    if (fd < 0)
        return NULL;
    char *text = read_file(fd);
    close(fd);
    return text;
}

const char *tnd_merge_code_find(TndMergeProcess *process, guint64 address)
{
    if (!process->code_map) {
        if (!process->jit)
            process->jit = read_left_file(process);
        char *both = g_strconcat(process->vdso ? process->vdso : "", process->jit ? process->jit : "", NULL);
        process->code_map = tnd_code_map_new(both);
        g_free(both);
    }
    return tnd_code_map_find(process->code_map, address);
}
