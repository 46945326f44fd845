/* SPDX-License-Identifier: Apache-2.0
 *
 * record_cat: makes the files of streams out of text, in either byte order, for goldens and tests.
 *
 *     record_cat little|big DIRECTORY < TEXT
 *     record_cat text STREAM...               back again: the records only
 *
 * The text: records (formats/record_text.h), and before them
 *     image NAME PID                  a directory DIRECTORY/NAME
 *     stream SLOT main|signal [lost=N] [errno=N] [ring=BYTES]
 *     turn                            what the stream had so far lies in its .stream file
 *     cut BYTES                       the ring claims to hold so many bytes less of what it was given
 * Blank lines and remarks (#) are skipped.  What it is not: the runtime's writer.  It ends at the first fault.
 */
#include "formats/grow.h"
#include "formats/record_text.h"
#include "formats/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <sys/stat.h>

static struct {
    const char *directory;
    bool swap;
    char image[300], path[4096];
    uint32_t pid;
    unsigned line_number;
} job;

/* The stream at hand; open if header.magic is set. */
static struct {
    struct tnd_stream_header header;
    char *bytes;
    size_t size, room;
} stream;

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "record_cat: line %u: ", job.line_number);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static void write_file(const char *ending, const void *head, size_t head_size, const char *bytes, size_t size)
{
    char path[4400];
    static const char zeros[TND_STREAM_HEADER_BYTES];
    snprintf(path, sizeof path, "%s.%s", job.path, ending);
    FILE *file = fopen(path, "wb");
    if (!file ||
        (head &&
         (fwrite(head, head_size, 1, file) != 1 || fwrite(zeros, TND_STREAM_HEADER_BYTES - head_size, 1, file) != 1)) ||
        (size && fwrite(bytes, size, 1, file) != 1) || fclose(file))
        fail("%s: %s", path, strerror(errno));
}

static void swap_header(struct tnd_stream_header *header)
{
    header->byte_order = __builtin_bswap32(header->byte_order);
    header->version = __builtin_bswap16(header->version);
    header->context = __builtin_bswap16(header->context);
    header->slot = __builtin_bswap32(header->slot);
    header->pid = __builtin_bswap32(header->pid);
    header->ring_bytes = __builtin_bswap64(header->ring_bytes);
    header->base = __builtin_bswap64(header->base);
    header->published = __builtin_bswap64(header->published);
    header->n_lost = __builtin_bswap64(header->n_lost);
    header->stop_errno = __builtin_bswap32(header->stop_errno);
    header->n_turns = __builtin_bswap32(header->n_turns);
}

static void end_stream(void)
{
    struct tnd_stream_header header = stream.header;
    if (!header.magic[0])
        return;
    size_t in_ring = stream.size - header.base;
    if (in_ring > header.ring_bytes)
        fail("%zu bytes in a ring of %" PRIu64, in_ring, header.ring_bytes);
    if (job.swap)
        swap_header(&header);
    if (stream.header.base)
        write_file("stream", NULL, 0, stream.bytes, stream.header.base);
    write_file("ring", &header, sizeof header, stream.bytes + stream.header.base, in_ring);
    free(stream.bytes);
    memset(&stream, 0, sizeof stream);
}

static void begin_image(const char *line)
{
    char path[4096];
    end_stream();
    if (sscanf(line, "image %255s %" SCNu32, job.image, &job.pid) != 2)
        fail("image NAME PID");
    snprintf(path, sizeof path, "%s/%s", job.directory, job.image);
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        fail("%s: %s", path, strerror(errno));
}

static void begin_stream(const char *line)
{
    char context[8];
    struct tnd_stream_header *header = &stream.header;
    uint32_t slot;
    end_stream();
    if (!job.image[0] || sscanf(line, "stream %" SCNu32 " %7s", &slot, context) != 2 ||
        (strcmp(context, "main") != 0 && strcmp(context, "signal") != 0))
        fail("stream SLOT main|signal, after an image");
    memcpy(header->magic, TND_STREAM_MAGIC, sizeof header->magic);
    header->byte_order = TND_STREAM_BYTE_ORDER;
    header->version = TND_RECORD_VERSION;
    header->context = strcmp(context, "main") == 0 ? TND_CONTEXT_MAIN : TND_CONTEXT_SIGNAL;
    header->slot = slot;
    header->pid = job.pid;
    const char *ring = strstr(line, " ring="), *lost = strstr(line, " lost="), *error = strstr(line, " errno=");
    header->ring_bytes = ring ? strtoull(ring + 6, NULL, 0) : 65536;
    header->n_lost = lost ? strtoull(lost + 6, NULL, 0) : 0;
    header->stop_errno = error ? (uint32_t)strtoul(error + 7, NULL, 0) : 0;
    snprintf(job.path, sizeof job.path, "%s/%s/%" PRIu32 ".%s", job.directory, job.image, slot, context);
}

static void add_record(const char *line)
{
    union {
        struct tnd_record record;
        uint64_t words[TND_RECORD_MAX_BYTES / 8];
    } room;
    const char *fault = tnd_record_text_read(line, &room.record);
    if (fault)
        fail("%s", fault);
    if (!stream.header.magic[0])
        fail("a record before any stream");
    size_t size = tnd_record_size_bytes(&room.record);
    if (job.swap)
        tnd_record_swap(&room.record);
    if (stream.size + size > stream.room) {
        stream.room = 2 * (stream.size + size);
        stream.bytes = tnd_grow_memory(stream.bytes, stream.room, 1);
    }
    memcpy(stream.bytes + stream.size, &room, size);
    stream.header.published = stream.size += size;
}

static void take_line(const char *line)
{
    uint64_t bytes;
    line += strspn(line, " \t");
    if (*line == '\0' || *line == '\n' || *line == '#')
        return;
    if (*line >= '0' && *line <= '9') {
        add_record(line);
    } else if (strncmp(line, "image ", 6) == 0) {
        begin_image(line);
    } else if (strncmp(line, "stream ", 7) == 0) {
        begin_stream(line);
    } else if (strncmp(line, "turn", 4) == 0) {
        stream.header.base = stream.size;
        stream.header.n_turns++;
    } else if (sscanf(line, "cut %" SCNu64, &bytes) == 1 && bytes <= stream.size) {
        stream.header.published = stream.size - bytes;
    } else {
        fail("neither a record nor image, stream, turn, cut");
    }
}

/* Prints a stream, DIRECTORY/SLOT.CONTEXT; its number of damaged bytes if there are any. */
static void print_stream(const char *path)
{
    const char *error;
    const struct tnd_record *record;
    struct tnd_stream_reader *reader = tnd_stream_open(AT_FDCWD, path, &error);
    if (!reader)
        fail("%s: %s", path, error);
    while ((record = tnd_stream_next(reader))) {
        tnd_record_text_write(stdout, record);
        putchar('\n');
    }
    if (tnd_stream_damaged(reader))
        printf("damaged %" PRIu64 "\n", tnd_stream_damaged(reader));
    tnd_stream_close(reader);
}

int main(int argc, char **argv)
{
    for (int i = 2; i < argc && strcmp(argv[1], "text") == 0; i++)
        print_stream(argv[i]);
    if (argc > 1 && strcmp(argv[1], "text") == 0)
        return 0;
    bool big = argc == 3 && strcmp(argv[1], "big") == 0;
    if (argc != 3 || (!big && strcmp(argv[1], "little") != 0)) {
        fputs("record_cat little|big DIRECTORY < TEXT, or record_cat text STREAM...\n", stderr);
        return 2;
    }
    job.directory = argv[2];
    job.swap = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) >= 0) {
        job.line_number++;
        take_line(line);
    }
    end_stream();
    free(line);
    return 0;
}
