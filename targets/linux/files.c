/* SPDX-License-Identifier: Apache-2.0
 *
 * Files on Linux: rings, streams, small reads.  Everything goes through syscall(): no cancellation point, and no
 * function that the program may have put in front of libc's.
 * Cost: a ring some 30 us, a write 5 us and its copy (measured, tests/bench).
 *
 * Context: system calls only.
 */
#include "runtime/target.h"
#include "runtime/thread.h"
#include "targets/linux/ring_faults.h"
#include "targets/linux/slot_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* asm-generic/mman-common.h */
#endif

/* The directory of tnd_target_hold: its path, its descriptor, and its identity, by which a reused descriptor is
 * noticed. */
static struct {
    char directory[PATH_MAX];
    int fd;
    dev_t device;
    ino_t inode;
} held = {.fd = -1};

static int sys_openat(int directory, const char *path, int flags, int mode)
{
    long fd;
    do
        fd = syscall(SYS_openat, directory, path, flags | O_CLOEXEC, mode);
    while (fd < 0 && errno == EINTR);
    return (int)fd;
}

static void sys_close(int fd)
{
    int error = errno;
    syscall(SYS_close, fd);
    errno = error;
}

/* NULL if it fails. */
static void *sys_mmap(size_t n_bytes, int flags, int fd, off_t offset)
{
    long memory = syscall(SYS_mmap, NULL, n_bytes, PROT_READ | PROT_WRITE, flags, fd, offset);
    return memory == -1 ? NULL : (void *)memory;
}

/* What the parts of threads have taken of the process's address space, and of its private memory. */
static uint64_t taken[2];

/* Takes n bytes more; false: it would be more than an eighth of the limit.  The rest is the program's: a thread's stack
 * usually has ten times as much as we need for it. */
static bool take(uint64_t *of, size_t n, int resource)
{
    struct rlimit limit;
    uint64_t now = __atomic_add_fetch(of, n, __ATOMIC_RELAXED);
    if (syscall(SYS_prlimit64, 0, resource, NULL, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        now <= limit.rlim_cur / 8)
        return true;
    __atomic_sub_fetch(of, n, __ATOMIC_RELAXED);
    errno = ENOMEM;
    return false;
}

/* Maps parts of threads, as sys_mmap. */
static void *map_parts(size_t n_bytes, int flags, int fd, off_t offset)
{
    bool is_private = flags & MAP_PRIVATE;
    if (!take(&taken[0], n_bytes, RLIMIT_AS))
        return NULL;
    void *parts = is_private && !take(&taken[1], n_bytes, RLIMIT_DATA) ? NULL : sys_mmap(n_bytes, flags, fd, offset);
    if (!parts)
        __atomic_sub_fetch(&taken[0], n_bytes, __ATOMIC_RELAXED);
    return parts;
}

static bool is_held(const char *directory)
{
    struct stat about;
    return held.fd >= 0 && strcmp(directory, held.directory) == 0 && syscall(SYS_fstat, held.fd, &about) == 0 &&
           about.st_dev == held.device && about.st_ino == held.inode;
}

/* The directory's descriptor or -1; *close_it says whether it is to be closed. */
static int open_directory(const char *directory, bool *close_it)
{
    *close_it = false;
    if (is_held(directory))
        return held.fd;
    int fd = sys_openat(AT_FDCWD, directory, O_PATH | O_DIRECTORY | O_NOFOLLOW, 0);
    *close_it = fd >= 0;
    return fd;
}

static int open_file(const char *directory, const char *name, int flags)
{
    bool close_it;
    int at = open_directory(directory, &close_it);
    if (at < 0)
        return -1;
    int fd = sys_openat(at, name, flags | O_NOFOLLOW, 0600);
    if (close_it)
        sys_close(at);
    return fd;
}

/* A write past the limit of RLIMIT_FSIZE would not only fail but kill the program by a signal. */
static bool is_too_large(uint64_t end)
{
    struct rlimit limit;
    return syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
           end > limit.rlim_cur;
}

static int write_all(int fd, const char *bytes, size_t n_bytes, uint64_t offset)
{
    while (n_bytes > 0) {
        long n = syscall(SYS_pwrite64, fd, bytes, n_bytes, offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : EIO;
        bytes += n;
        offset += (uint64_t)n;
        n_bytes -= (size_t)n;
    }
    return 0;
}

/* Reserves whole pages, so that a full disk is an error here and not a SIGBUS later. */
static int reserve(int fd, size_t at, size_t n_bytes)
{
    static const char zeros[4096];
    size_t first = at & ~(size_t)(TND_MACHINE_PAGE - 1);
    size_t end = (at + n_bytes + TND_MACHINE_PAGE - 1) & ~(size_t)(TND_MACHINE_PAGE - 1);
    if (syscall(SYS_fallocate, fd, 0, (off_t)first, (off_t)(end - first)) == 0)
        return 0;
    if (errno != EOPNOTSUPP && errno != ENOSYS)
        return errno;
    for (size_t done = 0; done < n_bytes; done += sizeof zeros) {
        int error = write_all(fd, zeros, sizeof zeros, at + done);
        if (error)
            return error;
    }
    return 0;
}

static void remove_file(const char *directory, const char *name)
{
    bool close_it;
    int at = open_directory(directory, &close_it);
    if (at < 0)
        return;
    syscall(SYS_unlinkat, at, name, 0);
    if (close_it)
        sys_close(at);
}

static struct tnd_slot_parts rings; /* of all slots */

/* Rings with files of their own, the first of them: of more, a fault is not known to be ours. */
static struct {
    void *ring;
    size_t n_bytes;
} alone[64];
enum { N_ALONE = sizeof alone / sizeof *alone };

static void remember(void *ring, size_t n_bytes)
{
    for (int i = 0; i < N_ALONE; i++) {
        void *none = NULL;
        if (__atomic_compare_exchange_n(&alone[i].ring, &none, ring, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            alone[i].n_bytes = n_bytes;
            return;
        }
    }
}

/* The mappings of rings, by number; NULL: there is none of that number. */
enum { N_MAPPINGS = TND_SLOT_PARTS_MAPPINGS + N_ALONE };
static char *mapping_of_rings(uint32_t number, size_t *n_bytes)
{
    if (number < TND_SLOT_PARTS_MAPPINGS)
        return tnd_slot_parts_mapping(&rings, number, n_bytes);
    *n_bytes = alone[number - TND_SLOT_PARTS_MAPPINGS].n_bytes;
    return alone[number - TND_SLOT_PARTS_MAPPINGS].ring;
}

static bool is_in_ring(const char *address)
{
    size_t n_bytes;
    for (uint32_t i = 0; i < N_MAPPINGS; i++) {
        const char *mapping = mapping_of_rings(i, &n_bytes);
        if (mapping && address >= mapping && address < mapping + n_bytes)
            return true;
    }
    return false;
}

bool tnd_ring_faults_replace(const void *address)
{
    int flags = MAP_ANONYMOUS | MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED;
    size_t n_bytes;
    if (!is_in_ring(address))
        return false;
    tnd_thread_lose_rings();
    for (uint32_t i = 0; i < N_MAPPINGS; i++) {
        char *mapping = mapping_of_rings(i, &n_bytes);
        if (mapping && syscall(SYS_mmap, mapping, n_bytes, PROT_READ | PROT_WRITE, flags, -1, (off_t)0) == -1)
            return false;
    }
    return true;
}

/* Makes the file as long as the mapping, so that space can be reserved by touching its pages. */
static void *map_file(int fd, size_t at, size_t n_bytes)
{
    void *memory = map_parts(n_bytes, MAP_SHARED, fd, (off_t)at);
    if (memory && !is_too_large(at + n_bytes))
        syscall(SYS_fallocate, fd, 0, (off_t)(at + n_bytes - 1), (off_t)1);
    return memory;
}

static void *map_rings(const void *fd, uint32_t first, uint32_t n)
{
    return map_file(*(const int *)fd, first * rings.part_bytes, n * rings.part_bytes);
}

static size_t begin_of(const struct tnd_target_ring *where)
{
    return where->slot * where->stride_bytes + where->offset;
}

/* In the file of all slots.  What a reservation that failed has taken is given back. */
static int ring_of_slot(int fd, const struct tnd_target_ring *where, size_t n_reserved, void **ring)
{
    size_t at = begin_of(where);
    int error = reserve(fd, at, n_reserved);
    rings.part_bytes = where->stride_bytes;
    char *part = error ? NULL : tnd_slot_parts_get(&rings, where->slot, map_rings, &fd);
    if (part) {
        *ring = part + where->offset;
        return 0;
    }
    error = error ? error : errno;
    syscall(SYS_fallocate, fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)at, (off_t)n_reserved);
    return error;
}

static int ring_of_its_own(int fd, const char *directory, const struct tnd_target_ring *where, size_t n_reserved,
                           void **ring)
{
    int error = reserve(fd, 0, n_reserved);
    if (!error) {
        *ring = map_file(fd, 0, where->n_bytes);
        error = *ring ? 0 : errno;
        if (*ring)
            remember(*ring, where->n_bytes);
    }
    if (error)
        remove_file(directory, where->name);
    return error;
}

int tnd_target_ring(const char *directory, const struct tnd_target_ring *where, size_t n_reserved, void **ring)
{
    int before = errno, error = EFBIG;
    if (!is_too_large(begin_of(where) + where->n_bytes)) {
        int fd = open_file(directory, where->name, O_RDWR | O_CREAT | (where->stride_bytes ? 0 : O_EXCL));
        if (fd < 0)
            error = errno;
        else
            error = where->stride_bytes ? ring_of_slot(fd, where, n_reserved, ring)
                                        : ring_of_its_own(fd, directory, where, n_reserved, ring);
        if (fd >= 0)
            sys_close(fd);
    }
    tnd_ring_faults_start();
    errno = before;
    return error;
}

/* Touches the pages; an error where the program would be sent SIGBUS.  Since Linux 5.14. */
static int touch(char *from, size_t n_bytes)
{
    char *first = (char *)((uintptr_t)from & ~(uintptr_t)(TND_MACHINE_PAGE - 1));
    return syscall(SYS_madvise, first, n_bytes + (size_t)(from - first), MADV_POPULATE_WRITE) == 0 ? 0 : errno;
}

/* The file cannot be opened if the program has changed its user, or has too many open. */
int tnd_target_ring_reserve(const char *directory, const struct tnd_target_ring *where, size_t n_reserved, void *ring)
{
    int before = errno, error = EFBIG;
    size_t n_more = where->n_bytes - n_reserved;
    if (!is_too_large(begin_of(where) + where->n_bytes)) {
        int fd = open_file(directory, where->name, O_WRONLY);
        error = fd < 0 ? errno : reserve(fd, begin_of(where) + n_reserved, n_more);
        if (fd >= 0)
            sys_close(fd);
        else if (touch((char *)ring + n_reserved, n_more) == 0)
            error = 0;
    }
    errno = before;
    return error;
}

int tnd_target_write(const char *directory, const char *name, uint64_t offset, const void *bytes, size_t n_bytes)
{
    int before = errno, error;
    if (is_too_large(offset + n_bytes)) {
        errno = before;
        return EFBIG;
    }
    int fd = open_file(directory, name, O_WRONLY | O_CREAT);
    if (fd < 0) {
        error = errno;
    } else {
        error = write_all(fd, bytes, n_bytes, offset);
        sys_close(fd);
    }
    errno = before;
    return error;
}

int tnd_target_mark(const char *directory, const char *name)
{
    int before = errno, error = 0;
    int fd = open_file(directory, name, O_WRONLY | O_CREAT | O_EXCL);
    if (fd < 0)
        error = errno;
    else
        sys_close(fd);
    errno = before;
    return error;
}

void tnd_target_hold(const char *directory)
{
    int before = errno;
    struct rlimit limit;
    struct stat about;
    if (is_held(directory))
        return;
    int fd = sys_openat(AT_FDCWD, directory, O_PATH | O_DIRECTORY | O_NOFOLLOW, 0);
    if (fd >= 0 && syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit) == 0 && limit.rlim_cur > 64) {
        rlim_t wanted = limit.rlim_cur < 65536 ? limit.rlim_cur - 32 : 65536 - 32;
        int high = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, (int)wanted);
        if (high >= 0) {
            sys_close(fd);
            fd = high;
        }
    }
    if (fd >= 0 && syscall(SYS_fstat, fd, &about) == 0) {
        held.device = about.st_dev;
        held.inode = about.st_ino;
        strncpy(held.directory, directory, sizeof held.directory - 1);
        held.fd = fd;
    }
    errno = before;
}

ssize_t tnd_target_read(const char *path, char *text, size_t size)
{
    int before = errno;
    ssize_t total = -1;
    int fd = sys_openat(AT_FDCWD, path, O_RDONLY, 0);
    if (fd >= 0) {
        total = 0;
        while ((size_t)total < size - 1) {
            long n = syscall(SYS_read, fd, text + total, size - 1 - (size_t)total);
            if (n < 0 && errno == EINTR)
                continue;
            if (n <= 0)
                break;
            total += n;
        }
        text[total] = 0;
        sys_close(fd);
    }
    errno = before;
    return total;
}

static void *map_pages(size_t n_bytes, int flags)
{
    int before = errno;
    void *pages = sys_mmap(n_bytes, MAP_ANONYMOUS | flags, -1, 0);
    errno = before;
    return pages;
}

void *tnd_target_pages(size_t n_bytes)
{
    return map_pages(n_bytes, MAP_PRIVATE | MAP_NORESERVE);
}

void *tnd_target_shared_pages(size_t n_bytes)
{
    return map_pages(n_bytes, MAP_SHARED);
}

void tnd_target_pages_free(void *pages, size_t n_bytes)
{
    int before = errno;
    syscall(SYS_munmap, pages, n_bytes);
    errno = before;
}

static struct tnd_slot_parts slot_pages[2]; /* by enum tnd_target_slot_use */

/* Without huge pages: each slot's first use of its part would take 2 MiB. */
static void *map_slots(const void *parts, uint32_t first, uint32_t n)
{
    size_t n_bytes = n * ((const struct tnd_slot_parts *)parts)->part_bytes;
    void *pages = map_parts(n_bytes, MAP_ANONYMOUS | MAP_PRIVATE | MAP_NORESERVE, -1, 0);
    if (pages && n > 1)
        syscall(SYS_madvise, pages, n_bytes, MADV_NOHUGEPAGE);
    return pages;
}

void *tnd_target_slot_pages(enum tnd_target_slot_use use, uint32_t slot, size_t n_bytes)
{
    int before = errno;
    struct tnd_slot_parts *parts = &slot_pages[use];
    parts->part_bytes = (n_bytes + TND_MACHINE_PAGE - 1) & ~(size_t)(TND_MACHINE_PAGE - 1);
    void *pages = tnd_slot_parts_get(parts, slot, map_slots, parts);
    errno = before;
    return pages;
}

void tnd_target_slots_free(void)
{
    tnd_slot_parts_free(&slot_pages[TND_TARGET_SLOT_PACK]);
    tnd_slot_parts_free(&rings);
    memset(alone, 0, sizeof alone);
    taken[0] = taken[1] = 0;
    tnd_ring_faults_fork_child();
}

bool tnd_target_wipe_on_fork(void *pages, size_t n_bytes)
{
    int before = errno;
    bool done = syscall(SYS_madvise, pages, n_bytes, MADV_WIPEONFORK) == 0;
    errno = before;
    return done;
}

void tnd_target_turning(void) {}
