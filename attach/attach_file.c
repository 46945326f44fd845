/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Maps the segments of an ELF file.  A file that claims more than it has is not mapped, because a page beyond the end
 * of a file cannot be read.
 */
#include "attach/attach_file.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#endif

enum { MAX_SEGMENTS = 64 };
#define MAX_SPAN ((guint64)1 << 36)

struct head {
    Elf64_Ehdr file;
    Elf64_Phdr segments[MAX_SEGMENTS];
    guint n;
};

static gboolean is_ours(const Elf64_Ehdr *file)
{
    return memcmp(file->e_ident, ELFMAG, SELFMAG) == 0 && file->e_ident[EI_CLASS] == ELFCLASS64 &&
           file->e_machine == MACHINE && file->e_phentsize == sizeof(Elf64_Phdr) && file->e_phnum <= MAX_SEGMENTS;
}

static gboolean read_head(int fd, struct head *head)
{
    gssize n_bytes;
    if (pread(fd, &head->file, sizeof head->file, 0) != sizeof head->file || !is_ours(&head->file))
        return FALSE;
    head->n = head->file.e_phnum;
    n_bytes = (gssize)(head->n * sizeof(Elf64_Phdr));
    return pread(fd, head->segments, (gsize)n_bytes, (off_t)head->file.e_phoff) == n_bytes;
}

/* Whether a segment has no more bytes in the file than in memory, and the file has them. */
static gboolean is_whole(const Elf64_Phdr *segment, guint64 size_bytes)
{
    return segment->p_vaddr <= MAX_SPAN << 8 && segment->p_memsz <= MAX_SPAN && segment->p_filesz <= segment->p_memsz &&
           segment->p_filesz <= size_bytes && segment->p_offset <= size_bytes - segment->p_filesz;
}

/* Maps one whole segment to its place, which is within the span; FALSE: it cannot be mapped. */
static gboolean map_segment(int fd, const Elf64_Phdr *segment, guint8 *low, guint64 first)
{
    guint64 page = (guint64)sysconf(_SC_PAGESIZE), before = segment->p_vaddr % page;
    if (segment->p_offset % page != before)
        return FALSE;
    return !segment->p_filesz || mmap(low + (segment->p_vaddr - before - first), segment->p_filesz + before, PROT_READ,
                                      MAP_PRIVATE | MAP_FIXED, fd, (off_t)(segment->p_offset - before)) != MAP_FAILED;
}

/* The addresses that the file's segments have, in whole pages; one page more, so that nothing is read past the end.
 * FALSE: there are none, or one is not whole. */
static gboolean find_span(const struct head *head, guint64 size_bytes, guint64 *first, guint64 *span)
{
    guint64 page = (guint64)sysconf(_SC_PAGESIZE), last = 0;
    *first = G_MAXUINT64;
    for (guint i = 0; i < head->n; i++) {
        const Elf64_Phdr *segment = &head->segments[i];
        if (segment->p_type != PT_LOAD)
            continue;
        if (!is_whole(segment, size_bytes))
            return FALSE;
        *first = MIN(*first, segment->p_vaddr / page * page);
        last = MAX(last, segment->p_vaddr + segment->p_memsz);
    }
    *span = last > *first ? (last - *first + page - 1) / page * page + page : 0;
    return *span && *span <= MAX_SPAN;
}

static gboolean map(int fd, const struct head *head, TndAttachFile *file)
{
    struct stat facts;
    guint64 span;
    if (fstat(fd, &facts) != 0 || !find_span(head, (guint64)facts.st_size, &file->first, &span))
        return FALSE;
    guint8 *low = mmap(NULL, span, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (low == MAP_FAILED)
        return FALSE;
    file->low = low;
    file->high = low + span;
    file->is_mapped = TRUE;
    for (guint i = 0; i < head->n; i++) {
        const Elf64_Phdr *segment = &head->segments[i];
        if (segment->p_type == PT_LOAD && !map_segment(fd, segment, low, file->first))
            return FALSE;
    }
    return TRUE;
}

/* Keeps what is asked for later: segments with code, and the index. */
static void keep(TndAttachFile *file, const Elf64_Phdr *segments, guint n)
{
    file->segments = g_array_new(FALSE, FALSE, sizeof(Elf64_Phdr));
    for (guint i = 0; i < n; i++) {
        if (segments[i].p_type == PT_LOAD && segments[i].p_flags & PF_X)
            g_array_append_val(file->segments, segments[i]);
        else if (segments[i].p_type == PT_GNU_EH_FRAME && segments[i].p_vaddr >= file->first &&
                 segments[i].p_vaddr - file->first < (guint64)(file->high - file->low))
            file->index = file->low + (segments[i].p_vaddr - file->first);
    }
}

TndAttachFile *tnd_attach_file_open(const char *path)
{
    struct head head;
    TndAttachFile *file = g_new0(TndAttachFile, 1);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    gboolean is_open = fd >= 0 && read_head(fd, &head) && map(fd, &head, file);
    if (fd >= 0)
        close(fd);
    if (is_open)
        keep(file, head.segments, head.n);
    else
        g_clear_pointer(&file, tnd_attach_file_free);
    return file;
}

TndAttachFile *tnd_attach_file_of_kernel(void)
{
    const guint8 *low = (const guint8 *)getauxval(AT_SYSINFO_EHDR); /* NOLINT: an address of the kernel's */
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)(const void *)low;
    if (!low || !is_ours(head))
        return NULL;
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(const void *)(low + head->e_phoff);
    TndAttachFile *file = g_new0(TndAttachFile, 1);
    file->low = file->high = low;
    for (guint i = 0; i < head->e_phnum; i++)
        if (segments[i].p_type == PT_LOAD && segments[i].p_offset == 0) {
            file->first = segments[i].p_vaddr;
            file->high = low + segments[i].p_memsz;
        }
    keep(file, segments, head->e_phnum);
    return file;
}

void tnd_attach_file_free(TndAttachFile *file)
{
    if (!file)
        return;
    if (file->is_mapped)
        munmap((void *)file->low, (gsize)(file->high - file->low));
    if (file->segments)
        g_array_unref(file->segments);
    g_free(file);
}

gboolean tnd_attach_file_bias(const TndAttachFile *file, guint64 offset, guint64 address, guint64 *bias)
{
    guint64 page = (guint64)sysconf(_SC_PAGESIZE);
    for (guint i = 0; i < file->segments->len; i++) {
        const Elf64_Phdr *segment = &g_array_index(file->segments, Elf64_Phdr, i);
        if (offset >= segment->p_offset / page * page && offset < segment->p_offset + segment->p_filesz) {
            *bias = address - (segment->p_vaddr + offset - segment->p_offset);
            return TRUE;
        }
    }
    return FALSE;
}
