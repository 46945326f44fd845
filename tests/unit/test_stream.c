/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading streams: both stretches, both byte orders, what is damaged.
 */
#include "formats/pack.h"
#include "formats/rings.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static char *scratch;
static int scratch_fd;

static void set_up(void)
{
    scratch = g_dir_make_tmp("tandem-stream-XXXXXX", NULL);
    scratch_fd = open(scratch, O_RDONLY | O_DIRECTORY);
    g_assert_cmpint(scratch_fd, >=, 0);
}

static void tear_down(void)
{
    unlinkat(scratch_fd, "0.main.ring", 0);
    unlinkat(scratch_fd, "0.main.stream", 0);
    close(scratch_fd);
    g_assert_cmpint(g_rmdir(scratch), ==, 0);
    g_free(scratch);
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    char *path = g_build_filename(scratch, name, NULL);
    g_assert_true(g_file_set_contents(path, bytes, (gssize)size, NULL));
    g_free(path);
}

/* Records of 0 to 5 words, numbered; `swap`: as the other byte order has them. */
static GByteArray *make_records(unsigned n, bool swap)
{
    GByteArray *bytes = g_byte_array_new();
    for (unsigned i = 0; i < n; i++) {
        union {
            struct tnd_record record;
            uint64_t words[8];
        } room = {.record = {.time = i, .id = i ^ 0x5555, .kind = TND_RECORD_SAMPLE, .n_words = (uint8_t)(i % 6)}};
        for (unsigned k = 0; k < i % 6; k++)
            room.record.words[k] = (uint64_t)i << 32 | k;
        size_t size = tnd_record_size_bytes(&room.record);
        if (swap)
            tnd_record_swap(&room.record);
        g_byte_array_append(bytes, (const guint8 *)&room, (guint)size);
    }
    return bytes;
}

static void write_ring(struct tnd_stream_header header, bool swap, const void *data, size_t size)
{
    GByteArray *ring = g_byte_array_new();
    static const guint8 zeros[TND_STREAM_HEADER_BYTES];
    if (swap) {
        header.byte_order = GUINT32_SWAP_LE_BE(header.byte_order);
        header.version = GUINT16_SWAP_LE_BE(header.version);
        header.context = GUINT16_SWAP_LE_BE(header.context);
        header.slot = GUINT32_SWAP_LE_BE(header.slot);
        header.pid = GUINT32_SWAP_LE_BE(header.pid);
        header.ring_bytes = GUINT64_SWAP_LE_BE(header.ring_bytes);
        header.base = GUINT64_SWAP_LE_BE(header.base);
        header.published = GUINT64_SWAP_LE_BE(header.published);
        header.n_lost = GUINT64_SWAP_LE_BE(header.n_lost);
        header.stop_errno = GUINT32_SWAP_LE_BE(header.stop_errno);
        header.n_turns = GUINT32_SWAP_LE_BE(header.n_turns);
    }
    g_byte_array_append(ring, (const guint8 *)&header, sizeof header);
    g_byte_array_append(ring, zeros, (guint)(TND_STREAM_HEADER_BYTES - sizeof header));
    g_byte_array_append(ring, data, (guint)size);
    write_file("0.main.ring", ring->data, ring->len);
    g_byte_array_free(ring, TRUE);
}

static struct tnd_stream_header make_header(uint64_t base, uint64_t published)
{
    struct tnd_stream_header header = {.byte_order = TND_STREAM_BYTE_ORDER,
                                       .version = TND_RECORD_VERSION,
                                       .context = TND_CONTEXT_MAIN,
                                       .slot = 3,
                                       .pid = 4711,
                                       .ring_bytes = 65536,
                                       .base = base,
                                       .published = published,
                                       .n_lost = 5,
                                       .stop_errno = 28,
                                       .n_turns = 2};
    memcpy(header.magic, TND_STREAM_MAGIC, 8);
    return header;
}

static struct tnd_stream_reader *open_stream(void)
{
    const char *error = "untouched";
    struct tnd_stream_reader *reader = tnd_stream_open(scratch_fd, "0.main", &error);
    g_assert_cmpstr(error, ==, NULL);
    g_assert_nonnull(reader);
    return reader;
}

/* Reads what make_records made; how many. */
static unsigned read_records(struct tnd_stream_reader *reader)
{
    const struct tnd_record *record;
    unsigned i = 0;
    for (; (record = tnd_stream_next(reader)); i++) {
        g_assert_cmpuint(record->time, ==, i);
        g_assert_cmpuint(record->id, ==, i ^ 0x5555);
        g_assert_cmpuint(record->n_words, ==, i % 6);
        for (unsigned k = 0; k < i % 6; k++)
            g_assert_cmphex(record->words[k], ==, (uint64_t)i << 32 | k);
    }
    g_assert_null(tnd_stream_next(reader));
    return i;
}

/* Bytes of the first n records. */
static size_t bytes_of(unsigned n)
{
    size_t size = 0;
    for (unsigned i = 0; i < n; i++)
        size += 16 + 8 * (i % 6);
    return size;
}

static guint count_descriptors(void)
{
    guint n = 0;
    GDir *all = g_dir_open("/proc/self/fd", 0, NULL);
    while (g_dir_read_name(all))
        n++;
    g_dir_close(all);
    return n;
}

/* The same records through a small buffer, and no descriptor is held. */
static void check_by_path(unsigned n)
{
    const char *error;
    char *path = g_build_filename(scratch, "0.main", NULL);
    guint n_before = count_descriptors();
    struct tnd_stream_reader *reader = tnd_stream_open_path(path, 4096, &error);
    g_assert_nonnull(reader);
    g_assert_true(n == 0 || tnd_stream_next(reader));
    g_assert_cmpuint(count_descriptors(), ==, n_before);
    tnd_stream_rewind(reader);
    g_assert_cmpuint(read_records(reader), ==, n);
    g_assert_cmpuint(tnd_stream_damaged(reader), ==, 0);
    tnd_stream_close(reader);
    g_free(path);
}

/* The next n records, of which `at` have been read before, or those up to the end. */
static unsigned read_some(struct tnd_stream_reader *reader, unsigned at, unsigned n)
{
    const struct tnd_record *record;
    for (; n && (record = tnd_stream_next(reader)); n--, at++) {
        g_assert_cmpuint(record->time, ==, at);
        g_assert_cmpuint(record->n_words, ==, at % 6);
        for (unsigned k = 0; k < at % 6; k++)
            g_assert_cmphex(record->words[k], ==, (uint64_t)at << 32 | k);
    }
    return at;
}

/* Two readers that share, one at most so many records ahead of the other, whichever; the first is closed early. */
static void check_shared(unsigned n, unsigned most_ahead, gsize buffer_bytes)
{
    const char *error;
    char *path = g_build_filename(scratch, "0.main", NULL);
    struct tnd_stream_reader *readers[2];
    readers[0] = buffer_bytes ? tnd_stream_open_path(path, buffer_bytes, &error) : open_stream();
    readers[1] = tnd_stream_share(readers[0]);
    g_assert_nonnull(readers[1]);
    unsigned at[2] = {0, 0}, step = 1;
    for (int turn = 0; at[0] < n * 3 / 4 || at[1] < n * 3 / 4; turn++) {
        int which = turn % 2;
        step = (step * 13 + 5) % (most_ahead + 1);
        if (at[which] <= at[!which])
            at[which] = read_some(readers[which], at[which], at[!which] - at[which] + step);
        g_assert_cmpuint(MAX(at[0], at[1]), <=, n);
    }
    guint64 position = tnd_stream_position(readers[1]);
    g_assert_cmpuint(position, ==, bytes_of(at[1]));
    tnd_stream_close(readers[0]);
    at[1] = read_some(readers[1], at[1], G_MAXUINT);
    g_assert_cmpuint(at[1], ==, n);
    g_assert_cmpuint(tnd_stream_damaged(readers[1]), ==, 0);
    tnd_stream_close(readers[1]);
    g_free(path);
}

static void test_shared(void)
{
    static const unsigned most_ahead[] = {1, 50, 700, 3000, 15000};
    set_up();
    GByteArray *bytes = make_records(20000, false);
    size_t base = bytes_of(19000);
    write_ring(make_header(base, bytes->len), false, bytes->data + base, bytes->len - base);
    write_file("0.main.stream", bytes->data, base);
    guint n_before = count_descriptors();
    for (unsigned i = 0; i < G_N_ELEMENTS(most_ahead); i++) {
        check_shared(20000, most_ahead[i], 0);
        check_shared(20000, most_ahead[i], 4096);
    }
    g_assert_cmpuint(count_descriptors(), ==, n_before);
    g_byte_array_free(bytes, TRUE);
    tear_down();
}

static void check_sound(unsigned n, unsigned n_in_file, bool swap, size_t surplus)
{
    set_up();
    GByteArray *bytes = make_records(n, swap);
    size_t base = bytes_of(n_in_file);
    write_ring(make_header(base, bytes->len), swap, bytes->data + base, bytes->len - base);
    if (base)
        write_file("0.main.stream", bytes->data, base + surplus);
    struct tnd_stream_reader *reader = open_stream();
    const struct tnd_stream_header *header = tnd_stream_header(reader);
    g_assert_cmpuint(header->slot, ==, 3);
    g_assert_cmpuint(header->pid, ==, 4711);
    g_assert_cmpuint(header->n_lost, ==, 5);
    g_assert_cmpuint(header->stop_errno, ==, 28);
    for (int round = 0; round < 2; round++) {
        g_assert_cmpuint(read_records(reader), ==, n);
        g_assert_cmpuint(tnd_stream_damaged(reader), ==, 0);
        tnd_stream_rewind(reader);
    }
    tnd_stream_close(reader);
    check_by_path(n);
    g_byte_array_free(bytes, TRUE);
    tear_down();
}

static void test_sound(void)
{
    for (int swap = 0; swap < 2; swap++) {
        check_sound(0, 0, swap, 0);
        check_sound(1, 0, swap, 0);
        check_sound(1000, 0, swap, 0);
        check_sound(1000, 1000, swap, 0);
        check_sound(20000, 19000, swap, 0);
        check_sound(2000, 1000, swap, 100); /* killed while it wrote the ring out */
    }
}

/* Damage: `at` bytes into the stream something is written over; n records are read, the rest is counted. */
static void check_damaged(size_t in_file, size_t file_size, size_t at, uint64_t word, unsigned expected)
{
    set_up();
    GByteArray *bytes = make_records(1000, false);
    size_t base = bytes_of((unsigned)in_file);
    if (at != SIZE_MAX)
        memcpy(bytes->data + at, &word, sizeof word);
    write_ring(make_header(base, bytes->len), false, bytes->data + base, bytes->len - base);
    if (base)
        write_file("0.main.stream", bytes->data, MIN(file_size, base));
    struct tnd_stream_reader *reader = open_stream();
    g_assert_cmpuint(read_records(reader), ==, expected);
    g_assert_cmpuint(tnd_stream_damaged(reader), ==, bytes->len - bytes_of(expected));
    tnd_stream_rewind(reader);
    g_assert_cmpuint(read_records(reader), ==, expected);
    tnd_stream_close(reader);
    g_byte_array_free(bytes, TRUE);
    tear_down();
}

static void test_damaged(void)
{
    check_damaged(0, 0, bytes_of(500) + 8, 0, 500);                      /* no kind, in the ring */
    check_damaged(600, SIZE_MAX, bytes_of(500) + 8, 0, 500);             /* in the file */
    check_damaged(600, bytes_of(500) + 5, SIZE_MAX, 0, 500);             /* the file is too short */
    check_damaged(600, 0, SIZE_MAX, 0, 0);                               /* and empty */
    check_damaged(0, 0, bytes_of(999) + 8, UINT64_C(0xff20) << 48, 999); /* longer than what is left */
}

enum { N_PACKED = 30 };

/* n records of N_PACKED samples each, another record between them; times count what is to be read. */
static GByteArray *make_packed(guint64 n, bool swap)
{
    GByteArray *bytes = g_byte_array_new();
    struct tnd_pack *pack = g_new0(struct tnd_pack, 1);
    struct tnd_record *room = g_malloc(TND_RECORD_MAX_BYTES);
    for (guint64 i = 0, time = 0; i < n; i++, time++) {
        *room = (struct tnd_record){.time = time, .kind = TND_RECORD_PACKED, .n_words = TND_RECORD_MAX_WORDS};
        memset(room->words, 0, 8 * TND_RECORD_MAX_WORDS);
        pack->time = time;
        for (guint8 *at = (guint8 *)room->words, k = 0; k < N_PACKED; k++, time++) {
            const guint64 frames[] = {4096 + time % 7, 65536 + k};
            const struct tnd_pack_entry entry = {.time = time, .id = (guint32)time ^ 1, .kind = TND_RECORD_SAMPLE};
            at += tnd_pack_put(pack, at, &entry, frames, 2);
        }
        const struct tnd_record other = {.time = time, .id = (guint32)time ^ 1, .kind = TND_RECORD_EVENT};
        struct tnd_record *records[] = {room, memcpy(g_malloc(sizeof other), &other, sizeof other)};
        for (int k = 0; k < 2; k++) {
            size_t size = tnd_record_size_bytes(records[k]);
            if (swap)
                tnd_record_swap(records[k]);
            g_byte_array_append(bytes, (const guint8 *)records[k], (guint)size);
        }
        g_free(records[1]);
    }
    g_free(room);
    g_free(pack);
    return bytes;
}

static guint64 read_packed(struct tnd_stream_reader *reader, guint64 at, guint64 n)
{
    const struct tnd_record *record;
    for (; n && (record = tnd_stream_next(reader)); n--, at++) {
        g_assert_cmpuint(record->time, ==, at);
        g_assert_cmpuint(record->id, ==, at ^ 1);
        g_assert_cmpuint(record->kind, ==, at % (N_PACKED + 1) == N_PACKED ? TND_RECORD_EVENT : TND_RECORD_SAMPLE);
        if (record->kind == TND_RECORD_SAMPLE)
            g_assert_cmphex(record->words[0], ==, 4096 + at % 7);
    }
    return at;
}

static void check_packed(bool swap)
{
    guint64 n = 170, n_bytes = TND_RECORD_MAX_BYTES + sizeof(struct tnd_record), n_all = n * (N_PACKED + 1);
    set_up();
    GByteArray *bytes = make_packed(n, swap);
    gsize base = 150 * n_bytes;
    write_file("0.main.stream", bytes->data, base);
    write_ring(make_header(base, bytes->len), swap, bytes->data + base, bytes->len - base);
    struct tnd_stream_reader *reader = open_stream(), *other;
    for (int round = 0; round < 2; round++, tnd_stream_rewind(reader))
        g_assert_cmpuint(read_packed(reader, 0, G_MAXUINT), ==, n_all);
    guint64 at = read_packed(reader, 0, 40); /* amid a record */
    other = tnd_stream_share(reader);
    g_assert_true(!other == swap);
    for (guint64 k = 7; other && at < n_all; at += k, k = (k * 13 + 5) % 900) {
        read_packed(reader, at, k);
        read_packed(other, at, k);
    }
    tnd_stream_close(reader);
    tnd_stream_close(other);
    bytes->data[base + 16] = 1; /* no entry begins so */
    write_ring(make_header(base, bytes->len), swap, bytes->data + base, bytes->len - base);
    reader = open_stream();
    g_assert_cmpuint(read_packed(reader, 0, G_MAXUINT), ==, 150 * (N_PACKED + 1));
    g_assert_cmpuint(tnd_stream_damaged(reader), ==, 20 * n_bytes - sizeof(struct tnd_record));
    tnd_stream_close(reader);
    g_byte_array_free(bytes, TRUE);
    tear_down();
}

static void test_packed(void)
{
    check_packed(false);
    check_packed(true);
}

static void check_refused(struct tnd_stream_header header, const char *expected)
{
    const char *error = NULL;
    set_up();
    write_ring(header, false, "", 0);
    g_assert_null(tnd_stream_open(scratch_fd, "0.main", &error));
    g_assert_cmpstr(error, ==, expected);
    tear_down();
}

static void test_refused(void)
{
    const char *error = NULL;
    struct tnd_stream_header header = make_header(0, 0);
    header.magic[7] = '\r'; /* a text-mode copy */
    check_refused(header, "not a stream of tandem's");
    header = make_header(0, 0);
    header.byte_order = 0x02010403;
    check_refused(header, "a stream in an unknown byte order");
    header = make_header(0, 0);
    header.version++;
    check_refused(header, "a stream of another version of tandem");
    check_refused(make_header(16, 0), "a stream whose header contradicts itself");
    check_refused(make_header(0, 65544), "a stream whose header contradicts itself");
    set_up();
    g_assert_null(tnd_stream_open(scratch_fd, "0.main", &error));
    g_assert_cmpstr(error, ==, "cannot be opened");
    write_file("0.main.ring", "tandem\r\n", 8);
    g_assert_null(tnd_stream_open(scratch_fd, "0.main", &error));
    g_assert_cmpstr(error, ==, "too short for a stream's header");
    tear_down();
}

/* The file of all slots, with the main ring of slot 0 and the signal ring of slot 2. */
static void write_rings(uint64_t stride, bool swap, const GByteArray *records)
{
    struct tnd_stream_header headers[] = {make_header(0, 0), make_header(0, records->len)};
    gsize places[] = {0, 2 * 81920 + TND_STREAM_HEADER_BYTES + 65536}, size = places[1] + 16384;
    guint8 *bytes = g_malloc0(size);
    for (int i = 0; i < 2; i++) {
        headers[i].stride = stride;
        if (swap)
            tnd_stream_swap_header(&headers[i]);
        memcpy(bytes + places[i], &headers[i], sizeof headers[i]);
    }
    memcpy(bytes + places[1] + TND_STREAM_HEADER_BYTES, records->data, records->len);
    write_file(TND_RINGS_FILE, bytes, size);
    g_free(bytes);
}

static void check_rings(const char *name, guint n_expected)
{
    const char *error;
    char *path = g_build_filename(scratch, name, NULL);
    struct tnd_stream_reader *readers[] = {tnd_stream_open(scratch_fd, name, &error),
                                           tnd_stream_open_path(path, 4096, &error)};
    for (int i = 0; i < 2; i++) {
        g_assert_nonnull(readers[i]);
        g_assert_cmpuint(read_records(readers[i]), ==, n_expected);
        tnd_stream_close(readers[i]);
    }
    g_free(path);
}

static void check_no_ring(const char *name)
{
    const char *error = NULL;
    g_assert_null(tnd_stream_open(scratch_fd, name, &error));
    g_assert_cmpstr(error, ==, "cannot be opened");
    g_assert_cmpint(errno, ==, ENOENT);
}

static void test_rings(void)
{
    for (int swap = 0; swap < 2; swap++) {
        GByteArray *records = make_records(200, swap);
        set_up();
        write_rings(81920, swap, records);
        check_rings("0.main", 0);
        check_rings("2.signal", 200);
        static const char *const others[] = {"0.signal", "2.main", "3.main", "4294967297.main", "2.signa", ".signal"};
        for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
            check_no_ring(others[i]);
        write_rings(TND_STREAM_HEADER_BYTES, swap, records);
        check_no_ring("2.signal");
        write_rings(0, swap, records);
        check_no_ring("0.main");
        unlinkat(scratch_fd, TND_RINGS_FILE, 0);
        tear_down();
        g_byte_array_unref(records);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/stream/sound", test_sound);
    g_test_add_func("/stream/shared", test_shared);
    g_test_add_func("/stream/damaged", test_damaged);
    g_test_add_func("/stream/packed", test_packed);
    g_test_add_func("/stream/refused", test_refused);
    g_test_add_func("/stream/rings", test_rings);
    return g_test_run();
}
