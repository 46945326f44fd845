/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory of the own process.  Objects are found by the C library's _dl_find_object, which takes no lock.
 *
 * Context: unwind_memory.h.
 */
#include "unwind/unwind_memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

bool tnd_unwind_memory_object(uint64_t pc, struct tnd_unwind_object *object)
{
    struct dl_find_object found;
    if (_dl_find_object((void *)pc, &found) != 0 || !found.dlfo_eh_frame)
        return false;
    *object = (struct tnd_unwind_object){found.dlfo_map_start, found.dlfo_map_end, found.dlfo_eh_frame, 0};
    return true;
}

bool tnd_unwind_memory_load(uint64_t address, uint64_t *value)
{
    /* A timer that does not exist, which the kernel looks for only after it has read what to set it to. */
    int before = errno;
    bool readable = address && syscall(SYS_timer_settime, -1, 0, address, NULL) != 0 && errno == EINVAL;
    errno = before;
    if (readable)
        *value = *(const uint64_t *)address;
    return readable;
}
