/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread of our own on Linux, made by clone() and not by libc, so that libc does not know of it: a program without
 * threads stays one without for libc (malloc without locks, __libc_single_threaded), its last pthread_exit ends the
 * process, fork() copies one thread, and no wrapper of pthread_create sees it.
 *
 * It has a block of thread-local storage of its own, zero but for the pointers that libc itself follows, and a table of
 * descriptors of its own: what it opens is not among the program's, what the program has open is not held by it.
 * Cost: a few system calls to start; pages of its stack and storage as they are touched.
 *
 * Context: system calls only.
 */
#include "runtime/target.h"
#include "runtime/thread.h"
#include "targets/linux/tsan.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define GUARD_BYTES 65536 /* at least a page, whatever its size */
#define STACK_BYTES 65536
#define STORAGE_BYTES 65536 /* room for thread-local variables of libc and other libraries, below and above ours */
#define MAX_OFFSET (16u << 20)
#define MAX_FD 65536

static struct {
    char *pages;
    size_t n_bytes;
    uint32_t tid; /* the kernel sets it to 0 when the thread has ended */
    void (*run)(void);
    const char *name;
} own;

/* The address that thread-local variables are counted from. */
static uintptr_t thread_pointer(void)
{
#if defined(__x86_64__)
    return (uintptr_t)pthread_self();
#else
    return (uintptr_t)__builtin_thread_pointer();
#endif
}

/* Bytes of thread-local storage on each side of that address: as far as variables of ours and of libc lie, and some
 * room. */
static size_t storage_bytes(void)
{
    intptr_t here = (intptr_t)thread_pointer(), first = (intptr_t)&errno - here;
    intptr_t second = (intptr_t)&tnd_thread_self - here;
    size_t far = (size_t)(first < 0 ? -first : first), other = (size_t)(second < 0 ? -second : second);
    if (other > far)
        far = other;
    return far > MAX_OFFSET ? 0 : (far + STORAGE_BYTES + 4095) & ~(size_t)4095;
}

/* Maps a guard, the stack, and the storage below and above the thread pointer. */
static void *prepare(void)
{
    size_t storage = storage_bytes();
    if (storage == 0)
        return NULL;
    if (!own.pages) {
        own.n_bytes = GUARD_BYTES + STACK_BYTES + 2 * storage;
        own.pages = tnd_target_pages(own.n_bytes);
        if (!own.pages || syscall(SYS_mprotect, own.pages, GUARD_BYTES, PROT_NONE) != 0)
            return NULL;
    } else if (syscall(SYS_madvise, own.pages, own.n_bytes, MADV_DONTNEED) != 0) { /* zero again */
        return NULL;
    }
    char *pointer = own.pages + own.n_bytes - storage;
#if defined(__x86_64__)
    ((void **)pointer)[0] = ((void **)pointer)[2] = pointer; /* what %fs:0 and pthread_self() are */
#endif
    return pointer;
}

/* Gives the thread an empty table of descriptors of its own. */
static bool leave_descriptors(void)
{
    struct rlimit limit;
    if (syscall(SYS_close_range, 0, ~0u, CLOSE_RANGE_UNSHARE) == 0)
        return true;
    if (syscall(SYS_unshare, CLONE_FILES) != 0 || syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit) != 0)
        return false;
    for (unsigned fd = 0; fd < limit.rlim_cur && fd < MAX_FD; fd++)
        syscall(SYS_close, fd);
    return true;
}

static int begin(void *unused)
{
    uselocale(LC_GLOBAL_LOCALE); /* snprintf() and the like need a locale in the thread's storage */
    syscall(SYS_prctl, PR_SET_NAME, own.name, 0, 0, 0);
    if (leave_descriptors())
        own.run();
    return 0;
}

int tnd_target_own_start(void (*run)(void), const char *name)
{
    int before = errno, error = tnd_tsan_is_here() ? ENOTSUP : EAGAIN;
    struct tnd_target_signals signals;
    void *pointer = error == ENOTSUP ? NULL : __atomic_load_n(&own.tid, __ATOMIC_ACQUIRE) == 0 ? prepare() : NULL;
    if (pointer) {
        own.run = run;
        own.name = name;
        tnd_target_block_signals(&signals);
        int flags = CLONE_VM | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |
                    CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
        int tid = clone(begin, own.pages + GUARD_BYTES + STACK_BYTES, flags, NULL, &own.tid, pointer, &own.tid);
        error = tid < 0 ? errno : 0;
        tnd_target_restore_signals(&signals);
    }
    errno = before;
    return error;
}

bool tnd_target_own_ended(unsigned patience_ms)
{
    int before = errno;
    uint64_t until_ns = tnd_clock_monotonic_ns() + (uint64_t)patience_ms * 1000000, now_ns;
    uint32_t tid;
    while ((tid = __atomic_load_n(&own.tid, __ATOMIC_ACQUIRE)) != 0 && (now_ns = tnd_clock_monotonic_ns()) < until_ns) {
        const struct timespec left = {(time_t)((until_ns - now_ns) / 1000000000),
                                      (long)((until_ns - now_ns) % 1000000000)};
        syscall(SYS_futex, &own.tid, FUTEX_WAIT, tid, &left, NULL,
                0); /* not FUTEX_WAIT_PRIVATE: the kernel wakes it without that flag */
    }
    errno = before;
    return tid == 0;
}

bool tnd_target_own_is_self(void)
{
    uint32_t tid = __atomic_load_n(&own.tid, __ATOMIC_RELAXED);
    return tid && tid == (uint32_t)tnd_target_thread_id();
}

void tnd_target_own_forget(void)
{
    own.tid = 0;
}

void tnd_target_wait(const uint32_t *word, uint32_t expected, uint64_t until_ns)
{
    int before = errno;
    const struct timespec until = {(time_t)(until_ns / 1000000000), (long)(until_ns % 1000000000)};
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected, &until, NULL, FUTEX_BITSET_MATCH_ANY);
    errno = before;
}

void tnd_target_wake(const uint32_t *word)
{
    int before = errno;
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    errno = before;
}

/* The descriptor that holds the lock; -1: the file cannot be opened; -2: another process holds the lock. */
static long take_lock(const char *directory, const char *name, int flags)
{
    long fd = -1, at = syscall(SYS_openat, AT_FDCWD, directory, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
    if (at >= 0)
        fd = syscall(SYS_openat, at, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
    syscall(SYS_close, at);
    if (fd < 0 || syscall(SYS_flock, fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    syscall(SYS_close, fd);
    return -2;
}

bool tnd_target_own_lock(const char *directory, const char *name)
{
    int before = errno;
    bool held = take_lock(directory, name, O_CREAT) >= 0;
    errno = before;
    return held;
}

bool tnd_target_own_locked(const char *directory, const char *name)
{
    int before = errno;
    long fd = take_lock(directory, name, 0);
    if (fd >= 0)
        syscall(SYS_close, fd);
    errno = before;
    return fd == -2;
}
