/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a stream's two files: the first two bytes say how much of the rest is the .ring.
 */
#include "formats/record_text.h"
#include "formats/stream.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char directory[] = "/tmp/tandem-fuzz-XXXXXX";
static int directory_fd = -1;

static void write_file(const char *name, const uint8_t *data, size_t size)
{
    int fd = openat(directory_fd, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
}

static void remove_files(void)
{
    unlinkat(directory_fd, "0.main.ring", 0);
    unlinkat(directory_fd, "0.main.stream", 0);
    rmdir(directory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (directory_fd < 0) {
        if (!mkdtemp(directory))
            abort();
        directory_fd = open(directory, O_RDONLY | O_DIRECTORY);
        atexit(remove_files);
    }
    if (size < 2)
        return 0;
    size_t in_ring = data[0] * 256u + data[1];
    size -= 2;
    if (in_ring > size)
        in_ring = size;
    write_file("0.main.ring", data + 2, in_ring);
    write_file("0.main.stream", data + 2 + in_ring, size - in_ring);
    const char *error;
    struct tnd_stream_reader *reader = tnd_stream_open(directory_fd, "0.main", &error);
    if (!reader)
        return error[0] ? 0 : -1;
    const struct tnd_record *record;
    uint64_t n_bytes = 0; /* of records that are in the stream as they are: others were packed */
    while ((record = tnd_stream_next(reader)))
        if (record->kind != TND_RECORD_SAMPLE && record->kind != TND_RECORD_WAIT)
            n_bytes += tnd_record_size_bytes(record);
    uint64_t published = tnd_stream_header(reader)->published; /* records, PADs that are not handed out, and the rest */
    if (tnd_stream_position(reader) != published || n_bytes + tnd_stream_damaged(reader) > published)
        __builtin_trap();
    tnd_stream_close(reader);
    return 0;
}
