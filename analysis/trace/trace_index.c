/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An index consists of a head, the bytes of the blocks, and a directory, which is used in place: for each kind the
 * entries of blocks and each row's first one; event types; texts.  The byte order is the machine's.
 */
#include "analysis/trace/trace_index.h"

#include "analysis/base/checksum.h"
#include "formats/hash.h"
#include "formats/plain_text.h"
#include "formats/regular_file.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define VERSION 3
#define BYTE_ORDER_MARK 0x01020304u
#define SAMPLE_BYTES 4096
/* Smaller traces have no index. */
#define LEAST_BYTES 65536
#define LONGEST_WAIT_MS 40

/* A part of the directory. */
typedef struct {
    guint64 offset, n_bytes;
} Part;

typedef struct {
    char magic[8];
    guint32 version, byte_order;
    guint64 file_bytes;
    TndTraceIdentity trace;
    guint64 n_rows, n_messages, end_ns, n_faults;
    Part blocks[TND_BLOCK_N], first[TND_BLOCK_N], types, comments, fault;
    Part directory; /* all parts above */
    guint64 directory_hash, head_hash;
} Head;

static const char magic[8] = "tandemIX";

gsize tnd_trace_index_head_bytes(void)
{
    return sizeof(Head);
}

char **tnd_trace_index_paths(const char *path)
{
    char *absolute = g_canonicalize_filename(path, NULL);
    char *name = g_path_get_basename(path), *key = g_compute_checksum_for_string(G_CHECKSUM_SHA256, absolute, -1);
    char *cached_name = g_strdup_printf("%s-%.16s.tvx", name, key);
    char *directory = g_build_filename(g_get_user_cache_dir(), "tandem", NULL);
    char **paths = g_new0(char *, 3);
    paths[0] = g_strconcat(path, ".tvx", NULL);
    paths[1] = g_build_filename(directory, cached_name, NULL);
    g_free(directory);
    g_free(cached_name);
    g_free(key);
    g_free(name);
    g_free(absolute);
    return paths;
}

static gboolean identify(int fd, TndTraceIdentity *identity)
{
    guint8 sample[2 * SAMPLE_BYTES] = {0};
    struct stat status;
    gboolean good = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    if (good) {
        off_t last = MAX(status.st_size - SAMPLE_BYTES, 0);
        good = pread(fd, sample, SAMPLE_BYTES, 0) >= 0 && pread(fd, sample + SAMPLE_BYTES, SAMPLE_BYTES, last) >= 0;
        *identity = (TndTraceIdentity){.size_bytes = (guint64)status.st_size,
                                       .changed_s = status.st_mtim.tv_sec,
                                       .changed_ns = status.st_mtim.tv_nsec,
                                       .hash = tnd_hash_add(TND_HASH_BEGIN, sample, sizeof sample)};
    }
    return good;
}

/* Whether the next change of a file may give it the time that it has: the kernel takes times of its ticks. */
static gboolean is_of_this_tick(const TndTraceIdentity *identity)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return identity->changed_s > now.tv_sec ||
           (identity->changed_s == now.tv_sec && identity->changed_ns >= now.tv_nsec);
}

gboolean tnd_trace_index_identify(int fd, TndTraceIdentity *identity)
{
    gboolean good = identify(fd, identity);
    for (guint ms = 0; good && is_of_this_tick(identity) && identity->size_bytes >= LEAST_BYTES && ms < LONGEST_WAIT_MS;
         ms++) {
        g_usleep(1000);
        good = identify(fd, identity);
    }
    return good;
}

static gboolean is_unchanged(int fd, const TndTraceIdentity *identity)
{
    TndTraceIdentity now;
    return identify(fd, &now) && memcmp(&now, identity, sizeof now) == 0;
}

static gboolean has_name(int fd, const char *path)
{
    struct stat ours, named;
    return fstat(fd, &ours) == 0 && stat(path, &named) == 0 && ours.st_ino == named.st_ino &&
           ours.st_dev == named.st_dev;
}

/* Whether a part is within the file, behind the head, and aligned for numbers. */
static gboolean is_part(const Head *head, const Part *part, guint64 n_bytes)
{
    return part->n_bytes == n_bytes && part->offset % 8 == 0 && part->offset >= sizeof(Head) &&
           part->offset <= head->file_bytes && part->n_bytes <= head->file_bytes - part->offset;
}

static gboolean is_head(const Head *head, guint64 file_bytes, const TndTraceIdentity *trace, guint n_rows)
{
    return memcmp(head->magic, magic, sizeof magic) == 0 && head->version == VERSION &&
           head->byte_order == BYTE_ORDER_MARK && head->file_bytes == file_bytes &&
           head->head_hash == tnd_hash_add(TND_HASH_BEGIN, head, offsetof(Head, head_hash)) &&
           memcmp(&head->trace, trace, sizeof *trace) == 0 && head->n_rows == n_rows && head->end_ns <= G_MAXINT64;
}

/* Whether the entries of a kind are in order, and their bytes are before the directory. */
static gboolean are_blocks(const Head *head, const guint8 *file, guint kind)
{
    const TndBlock *blocks = (const TndBlock *)(const void *)(file + head->blocks[kind].offset);
    const guint64 *first = (const guint64 *)(const void *)(file + head->first[kind].offset);
    guint64 n_blocks = head->blocks[kind].n_bytes / sizeof *blocks;
    guint64 n_rows = kind == TND_BLOCK_MESSAGES ? 1 : head->n_rows;
    guint64 n_data = head->directory.offset - sizeof(Head);
    for (guint64 row = 0; row < n_rows; row++)
        if (first[row] > first[row + 1] || first[row + 1] > n_blocks)
            return FALSE;
    for (guint64 i = 0; i < n_blocks; i++)
        if (blocks[i].offset > n_data || blocks[i].n_bytes > n_data - blocks[i].offset || blocks[i].n_records == 0 ||
            blocks[i].n_records > TND_BLOCKS_RECORDS ||
            (kind != TND_BLOCK_MESSAGES && (blocks[i].last_ns > blocks[i].end_ns || blocks[i].end_ns > head->end_ns)))
            return FALSE;
    for (guint64 row = 0; row < n_rows; row++)
        for (guint64 i = first[row] + 1; i < first[row + 1]; i++)
            if (blocks[i].first_ns < blocks[i - 1].last_ns)
                return FALSE;
    return first[0] == 0 && first[n_rows] == n_blocks;
}

static gboolean is_directory(const Head *head, const guint8 *file)
{
    if (!is_part(head, &head->directory, head->file_bytes - head->directory.offset) ||
        tnd_hash_add(TND_HASH_BEGIN, file + head->directory.offset, head->directory.n_bytes) != head->directory_hash)
        return FALSE;
    for (guint kind = 0; kind < TND_BLOCK_N; kind++) {
        guint64 n_rows = kind == TND_BLOCK_MESSAGES ? 1 : head->n_rows, n = head->blocks[kind].n_bytes;
        if (n % sizeof(TndBlock) || !is_part(head, &head->blocks[kind], n) ||
            !is_part(head, &head->first[kind], (n_rows + 1) * sizeof(guint64)) || !are_blocks(head, file, kind))
            return FALSE;
    }
    return head->types.n_bytes % sizeof(TndTraceType) == 0 && is_part(head, &head->types, head->types.n_bytes) &&
           is_part(head, &head->comments, head->comments.n_bytes) && is_part(head, &head->fault, head->fault.n_bytes);
}

static char *text_of(const guint8 *file, const Part *part)
{
    return g_strndup((const char *)file + part->offset, part->n_bytes);
}

static void take(TndTrace *trace, const Head *head, const guint8 *file)
{
    trace->index = file;
    trace->index_bytes = head->file_bytes;
    trace->bytes = file + sizeof *head;
    for (guint kind = 0; kind < TND_BLOCK_N; kind++) {
        trace->blocks[kind] =
            (TndTraceBlocks){.blocks = (const TndBlock *)(const void *)(file + head->blocks[kind].offset),
                             .first = (const guint64 *)(const void *)(file + head->first[kind].offset)};
        trace->checked[kind] = g_malloc0(head->blocks[kind].n_bytes / sizeof(TndBlock) + 1);
    }
    trace->n_messages = head->n_messages;
    trace->end_ns = head->end_ns;
    trace->n_faults = head->n_faults;
    trace->fault = head->fault.n_bytes ? text_of(file, &head->fault) : NULL;
    trace->n_types = (guint)(head->types.n_bytes / sizeof(TndTraceType));
    trace->types = g_memdup2(file + head->types.offset, head->types.n_bytes);
    char *comments = text_of(file, &head->comments);
    tnd_plain_text_make(comments, "\n\t");
    char **lines = g_strsplit(comments, "\n", -1);
    for (guint i = 0; lines[i] && lines[i + 1]; i++) /* each line ends in a line feed */
        g_ptr_array_add(trace->comments, g_strdup(lines[i]));
    g_strfreev(lines);
    g_free(comments);
}

static gboolean open_file(TndTrace *trace, const char *path, const TndTraceIdentity *identity)
{
    struct stat status;
    int fd = tnd_regular_file_open(path);
    void *file = MAP_FAILED;
    gsize n = 0;
    if (fd >= 0 && fstat(fd, &status) == 0 && (guint64)status.st_size >= sizeof(Head)) {
        n = (gsize)status.st_size;
        file = mmap(NULL, n, PROT_READ, MAP_SHARED, fd, 0);
    }
    if (fd >= 0)
        close(fd);
    if (file == MAP_FAILED)
        return FALSE;
    const Head *head = file;
    gboolean good = is_head(head, n, identity, trace->n_threads) && is_directory(head, file);
    if (good)
        take(trace, head, file);
    else
        munmap(file, n);
    return good;
}

gboolean tnd_trace_index_open(TndTrace *trace, int fd, const TndTraceIdentity *identity)
{
    gboolean good = FALSE;
    if (!is_unchanged(fd, identity))
        return FALSE;
    char **paths = tnd_trace_index_paths(trace->path);
    for (guint i = 0; paths[i] && !good; i++)
        good = open_file(trace, paths[i], identity);
    g_strfreev(paths);
    return good;
}

static guint64 n_blocks_of(const TndTrace *trace, TndBlockKind kind)
{
    return trace->blocks[kind].first[kind == TND_BLOCK_MESSAGES ? 1 : trace->n_threads];
}

/* Whether two traces have the same blocks, at the same places. */
static gboolean are_same_blocks(const TndTrace *a, const TndTrace *b)
{
    if (a->n_threads != b->n_threads)
        return FALSE;
    for (guint kind = 0; kind < TND_BLOCK_N; kind++)
        if (n_blocks_of(a, kind) != n_blocks_of(b, kind) ||
            memcmp(a->blocks[kind].blocks, b->blocks[kind].blocks, n_blocks_of(a, kind) * sizeof(TndBlock)) != 0)
            return FALSE;
    return TRUE;
}

/* What is kept with a trace whose index is damaged. */
typedef struct {
    TndTrace *trace; /* read again; NULL: it could not be */
} Again;

static void free_again(gpointer kept)
{
    tnd_trace_free(((Again *)kept)->trace);
    g_free(kept);
}

/* The same text makes the same blocks. */
static gpointer read_again(const TndTrace *trace)
{
    Again *again = g_new0(Again, 1);
    again->trace = tnd_trace_build_anew(trace->path);
    if (again->trace && !are_same_blocks(trace, again->trace))
        g_clear_pointer(&again->trace, tnd_trace_free);
    if (!again->trace)
        g_warning("%s: its index is damaged, and the trace is not there any more: records are missing", trace->path);
    return again;
}

static gboolean is_sound(const guint8 *bytes, const TndBlock *block)
{
    return tnd_checksum_of(bytes + block->offset, block->n_bytes) == block->sum;
}

const guint8 *tnd_trace_index_block(const TndTrace *trace, TndBlockKind kind, const TndBlock *block)
{
    guint8 *checked = &trace->checked[kind][block - trace->blocks[kind].blocks];
    if (__atomic_load_n(checked, __ATOMIC_RELAXED))
        return trace->bytes + block->offset;
    if (is_sound(trace->bytes, block)) {
        __atomic_store_n(checked, TRUE, __ATOMIC_RELAXED);
        return trace->bytes + block->offset;
    }
    const Again *again = tnd_trace_keep(trace, TND_TRACE_READ_AGAIN, read_again, free_again);
    return again->trace ? again->trace->bytes + block->offset : NULL;
}

void tnd_trace_index_close(TndTrace *trace)
{
    for (guint kind = 0; kind < TND_BLOCK_N; kind++)
        g_clear_pointer(&trace->checked[kind], g_free);
    if (trace->index)
        munmap((void *)trace->index, trace->index_bytes);
    trace->index = NULL;
}

static Part add_part(GByteArray *directory, guint64 offset, gconstpointer bytes, gsize n)
{
    static const guint8 padding[8];
    Part part = {offset + directory->len, n};
    if (n > 0)
        g_byte_array_append(directory, bytes, (guint)n);
    g_byte_array_append(directory, padding, (guint)(-n % 8));
    return part;
}

static Part add_comments(GByteArray *directory, guint64 offset, const GPtrArray *comments)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < comments->len && comments->pdata[i]; i++)
        g_string_append_printf(text, "%s\n", (const char *)comments->pdata[i]);
    Part part = add_part(directory, offset, text->str, text->len);
    g_string_free(text, TRUE);
    return part;
}

void tnd_trace_index_write(const TndTrace *trace, TndTraceStore *store, int fd, const TndTraceIdentity *identity)
{
    static const guint8 padding[8];
    Head head = {.version = VERSION,
                 .byte_order = BYTE_ORDER_MARK,
                 .trace = *identity,
                 .n_rows = trace->n_threads,
                 .n_messages = trace->n_messages,
                 .end_ns = trace->end_ns,
                 .n_faults = trace->n_faults};
    memcpy(head.magic, magic, sizeof magic);
    guint64 n_data = tnd_trace_store_add(store, NULL, 0);
    tnd_trace_store_add(store, padding, -(n_data + sizeof head) % 8);
    guint64 offset = sizeof head + tnd_trace_store_add(store, NULL, 0);
    GByteArray *directory = g_byte_array_new();
    for (guint kind = 0; kind < TND_BLOCK_N; kind++) {
        const TndTraceBlocks *blocks = &trace->blocks[kind];
        guint n_rows = kind == TND_BLOCK_MESSAGES ? 1 : trace->n_threads;
        head.first[kind] = add_part(directory, offset, blocks->first, (n_rows + 1) * sizeof *blocks->first);
        head.blocks[kind] = add_part(directory, offset, blocks->blocks, blocks->first[n_rows] * sizeof *blocks->blocks);
    }
    head.types = add_part(directory, offset, trace->types, trace->n_types * sizeof *trace->types);
    head.comments = add_comments(directory, offset, trace->comments);
    head.fault = add_part(directory, offset, trace->fault, trace->fault ? strlen(trace->fault) : 0);
    head.directory = (Part){offset, directory->len};
    head.directory_hash = tnd_hash_add(TND_HASH_BEGIN, directory->data, directory->len);
    head.file_bytes = offset + directory->len;
    head.head_hash = tnd_hash_add(TND_HASH_BEGIN, &head, offsetof(Head, head_hash));
    tnd_trace_store_add(store, directory->data, directory->len);
    g_byte_array_unref(directory);
    if (is_unchanged(fd, identity) && has_name(fd, trace->path))
        (void)tnd_trace_store_publish(store, &head);
}
