/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as a program that is looked at from outside: the registers and the top of the stack of a thread, then the
 * file of its code, with its unwind tables.  Nothing is read outside of the file and of the copied stack.
 */
#include "attach/attach_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

#define CODE ((guint64)1 << 30) /* where the file is mapped */
enum { CODE_BYTES = 1 << 20, STACK_WORDS = 32, MAX_FRAMES = 64, PAGE = 4096 };

static int fd = -1; /* of the file, which is in memory: writing it takes no time */
static char path[64];

static void write_file(const guint8 *bytes, gsize n_bytes)
{
    if (fd < 0) {
        fd = memfd_create("fuzz", 0);
        g_snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (ftruncate(fd, 0) != 0 || pwrite(fd, bytes, n_bytes, 0) != (gssize)n_bytes)
        abort();
}

static void map(TndAttachMemory *memory, guint page, guint64 low)
{
    guint64 bias;
    const TndAttachMapping mapping = {low, low + CODE_BYTES, (guint64)page * PAGE, path};
    tnd_attach_memory_map(memory, &mapping, &bias);
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    TndAttachMoment moment = {.n_bytes = STACK_WORDS * sizeof(guint64)};
    guint64 *stack, frames[MAX_FRAMES];
    const gsize before = 1 + sizeof moment.registers + moment.n_bytes;
    gboolean deeper;
    if (size < before)
        return 0;
    write_file(data + before, size - before);
    memcpy(moment.registers, data + 1, sizeof moment.registers);
    moment.registers[TND_UNWIND_PC] = CODE + moment.registers[TND_UNWIND_PC] % CODE_BYTES;
    moment.stack = stack =
        g_memdup2(data + 1 + sizeof moment.registers, moment.n_bytes); /* its own, for the sanitizer */
    TndAttachMemory *memory = tnd_attach_memory_new(1);
    map(memory, data[0] & 15, CODE);
    map(memory, data[0] >> 4, CODE + CODE_BYTES / 2);
    guint n = tnd_attach_memory_walk(memory, &moment, frames, MAX_FRAMES, &deeper);
    if (n < 1 || n > MAX_FRAMES || frames[0] != moment.registers[TND_UNWIND_PC])
        abort();
    tnd_attach_memory_free(memory);
    g_free(stack);
    return 0;
}
