/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds rings in the file of all.  Context: rings.h.
 */
#include "formats/rings.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_SLOTS 65536 /* more than a process has (runtime/machine.h) */

static bool read_header(int fd, uint64_t offset, struct tnd_stream_header *header)
{
    ssize_t n;
    do
        n = pread(fd, header, sizeof *header, (off_t)offset);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof *header && memcmp(header->magic, TND_STREAM_MAGIC, sizeof header->magic) == 0;
}

bool tnd_rings_read(int fd, struct tnd_rings *rings)
{
    struct tnd_stream_header first;
    struct stat status;
    if (!read_header(fd, 0, &first) || fstat(fd, &status) != 0)
        return false;
    if (first.byte_order != TND_STREAM_BYTE_ORDER)
        tnd_stream_swap_header(&first);
    uint64_t size = (uint64_t)status.st_size, stride = first.stride;
    if (!stride || first.ring_bytes > stride || stride - first.ring_bytes < 2 * TND_STREAM_HEADER_BYTES ||
        size / stride >= MAX_SLOTS)
        return false;
    *rings = (struct tnd_rings){stride, TND_STREAM_HEADER_BYTES + first.ring_bytes,
                                (uint32_t)(size / stride + (size % stride != 0))};
    return true;
}

bool tnd_rings_find(int fd, const struct tnd_rings *rings, uint32_t slot, enum tnd_context context, uint64_t *offset)
{
    struct tnd_stream_header header;
    *offset = slot * rings->stride_bytes + (context == TND_CONTEXT_SIGNAL ? rings->main_bytes : 0);
    return slot < rings->n_slots && read_header(fd, *offset, &header);
}
