/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface to the operating system: all the functions that the runtime needs of it.  One folder of targets/
 * implements them; the build chooses which.
 *
 * Context: unless it says otherwise, a function makes system calls only: after fork and in a handler too.  None of them
 * is a cancellation point, changes errno, or can be replaced by a function of the program's with the same name.
 */
#ifndef TND_TARGET_H
#define TND_TARGET_H

#include "formats/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Files.  `directory` is absolute, `name` has no slash; neither may be a symbolic link.  No descriptor stays open. */

/* Where a ring is to be. */
struct tnd_target_ring {
    const char *name; /* of the file */
    size_t
        stride_bytes; /* in a file of all slots: from a slot's rings to the next slot's; 0: a new file for this ring */
    uint32_t slot;
    size_t offset; /* in the slot's part of the file of all */
    size_t n_bytes;
};

/* Maps that part of the file, shared: zeros.  On the disk, space is reserved for its first n_reserved bytes: to touch
 * others may kill the program.  tnd_target_pages_free unmaps a ring with a file of its own, tnd_target_slots_free the
 * others; the file stays.  0 or an errno. */
int tnd_target_ring(const char *directory, const struct tnd_target_ring *where, size_t n_reserved, void **ring);

/* Reserves space for all of it, by the memory's pages if the file cannot be opened now.  0 or an errno. */
int tnd_target_ring_reserve(const char *directory, const struct tnd_target_ring *where, size_t n_reserved, void *ring);

/* Writes n_bytes at offset, all of them or an errno; makes the file if need be.  EAGAIN, on a board: not from here, but
 * somebody else will write them. */
int tnd_target_write(const char *directory, const char *name, uint64_t offset, const void *bytes, size_t n_bytes);

/* A thread takes the slow path of a record, because its ring is full or because an interrupt asked for that (a lower
 * limit of the writer): a board writes out what interrupts have recorded. */
void tnd_target_turning(void);

/* Makes an empty file, which must not exist yet.  0 or an errno. */
int tnd_target_mark(const char *directory, const char *name);

/* Keeps `directory` open, because its path is about to lead elsewhere (a chroot).  This is the one case in which a
 * descriptor stays open; its number is as high as the limit allows, and it is checked before each use that it is still
 * that directory. */
void tnd_target_hold(const char *directory);

/* Whole content of a small file (/proc ...), ended by a 0.  Bytes, or -1. */
ssize_t tnd_target_read(const char *path, char *text, size_t size);

/* Private pages of zeros, which take no memory until they are touched; NULL if there are none. */
void *tnd_target_pages(size_t n_bytes);
void tnd_target_pages_free(void *pages, size_t n_bytes);

/* The pages that a slot of the threads has for a use, in one mapping with those of others: the same n_bytes for each,
 * zeros at first, which take no memory until they are touched.  NULL if there are none. */
enum tnd_target_slot_use { TND_TARGET_SLOT_PACK, TND_TARGET_SLOT_STACK };
void *tnd_target_slot_pages(enum tnd_target_slot_use use, uint32_t slot, size_t n_bytes);

/* Unmaps the packs of all slots, and the rings in the file of all; not the stacks: the caller may run on one. */
void tnd_target_slots_free(void);

/* Memory that the children of a fork share; NULL if there is none. */
void *tnd_target_shared_pages(size_t n_bytes);

/* Zeroes the pages in the child of any fork, however it came to be.  False: this kernel cannot. */
bool tnd_target_wipe_on_fork(void *pages, size_t n_bytes);

/* What our sources call syscall(): the build renames it, because that name is interposed. */
long tnd_target_syscall(long number, ...);

/* The program is about to have the kernel refuse it calls: an operation of seccomp(2), and its filter (struct
 * sock_fprog).  Recording ends here if it is one that our own calls do not pass.  In the program's call. */
void tnd_target_filtering(unsigned operation, const void *program);

/* Identity. */
pid_t tnd_target_process_id(void);
pid_t tnd_target_parent_id(void);
pid_t tnd_target_thread_id(void);
uint64_t tnd_target_random(void);
unsigned tnd_target_cpus(void);
bool tnd_target_privileged(void); /* the program has rights that its user does not have: set-user-id and the like */
bool tnd_target_traced(void);     /* by a debugger or the like, now */
void tnd_target_executable(char *path, size_t size);

/* What was executed, as exec was told: a link to that file or a script, maybe; NULL if that is no path of a file. */
const char *tnd_target_program(void);
void tnd_target_command(char *text, size_t size); /* arguments, separated by blanks */
void tnd_target_host(char *name, size_t size);
void tnd_target_boot(char *id, size_t size);
void tnd_target_thread_name(char name[static 16]); /* of the calling thread */
void tnd_target_thread_name_of(pid_t tid, char name[static 16]);

void tnd_target_sleep_ms(unsigned ms);

/* Starts a thread of our own, at most one in a process: libc and the program do not know it, all signals are blocked in
 * it, and its table of descriptors is its own.  `run` may make system calls and call those functions of libc that only
 * work on the bytes they are given: no allocation, no locks, and no read() or the like, whose wrappers may take the
 * loader's lock.  0 or an errno. */
int tnd_target_own_start(void (*run)(void), const char *name);

/* Whether that thread has ended, or ends within that time. */
bool tnd_target_own_ended(unsigned patience_ms);

/* Whether the calling thread is that thread. */
bool tnd_target_own_is_self(void);

/* In the child of a fork, which has no such thread. */
void tnd_target_own_forget(void);

/* In that thread: takes a lock that other processes want too, and holds it until the thread ends.  False: another
 * process has it. */
bool tnd_target_own_lock(const char *directory, const char *name);

/* Whether some process holds that lock. */
bool tnd_target_own_locked(const char *directory, const char *name);

/* A helper: a process of ours that answers questions of the program's process, through memory that both share, which
 * begins with this.  It has a copy of the program's memory and none of its descriptors; the program's wait() never sees
 * it. */
struct tnd_target_helper {
    uint32_t asked, answered, is_over, has_left;
    int32_t pid; /* 0: not known yet */
};

/* Starts the helper; *helper lies in pages of tnd_target_shared_pages.  It calls `answer`, which may do anything, once
 * at its start and once for every question.  Before the program begins; takes as long as a fork.  False: it could not
 * be started. */
bool tnd_target_helper_start(struct tnd_target_helper *helper, void (*answer)(struct tnd_target_helper *));

/* Asks, unless a question is still unanswered, and waits for the answer.  0; EAGAIN: the answer takes longer than that;
 * ESRCH: the helper has ended.
 */
int tnd_target_helper_ask(struct tnd_target_helper *helper, unsigned patience_ms);

void tnd_target_helper_end(struct tnd_target_helper *helper);

/* Waits while *word is `expected`, at most until that time of CLOCK_MONOTONIC; and wakes a thread that waits so. */
void tnd_target_wait(const uint32_t *word, uint32_t expected, uint64_t until_ns);
void tnd_target_wake(const uint32_t *word);

/* CPU time of the calling thread; 0 if unknown. */
uint64_t tnd_target_cpu_ns(void);

/* Stack of the calling thread; both NULL if unknown. */
void tnd_target_stack(void **low, void **high);

/* The lowest address that the calling thread's own stack can have, given where it ends; 0 if unknown.  *size_bytes: how
 * large it may become, 0 if there is no limit.  For another thread than the first it asks libc: may allocate, not in a
 * handler. */
uintptr_t tnd_target_stack_floor(uintptr_t high, uint64_t *size_bytes);

/* The lowest address of a stack, this thread's or another's, between `floor` and its end `high`, where a value other
 * than 0 was ever written; 0: unknown.  Reads only pages that exist, and makes none. */
uintptr_t tnd_target_stack_touched(uintptr_t floor, uintptr_t high);

/* Offset from the thread pointer (__builtin_thread_pointer) of the int32_t in which the kernel keeps the number of the
 * CPU that the thread runs on, < 0 before the first one.  If this kernel keeps none: of a number that never changes.
 * At start. */
ptrdiff_t tnd_target_cpu_place(void);

/* The CPU that the calling thread runs on, from 0; < 0: unknown. */
int tnd_target_cpu(void);

/* Whether the calling thread runs on its alternate signal stack. */
bool tnd_target_is_on_signal_stack(void);

/* The cheapest clock that may be trusted. */
enum tnd_clock tnd_target_clock(void);

/* Of a board: ns since its start, or of the day as far as it knows.  Elsewhere the C library is asked. */
uint64_t tnd_target_clock_ns(bool is_of_day);

/* Blocks all signals of the calling thread that can be blocked, but SIGBUS, which a write to a ring may bring; restores
 * the mask as it was before. */
struct tnd_target_signals {
    uint64_t mask[2];
};
void tnd_target_block_signals(struct tnd_target_signals *before);
void tnd_target_restore_signals(const struct tnd_target_signals *before);

/* What sigaction does for SIGBUS, whose handler is ours: to the program it looks as if there were none.  Not on a
 * board. */
struct sigaction;
int tnd_target_fault_action(const struct sigaction *action, struct sigaction *old);

/* Writes one line to the file that stderr was at start; nothing if stderr is another file by now. */
void tnd_target_say_start(void);
void tnd_target_say(const char *line);

/* Calls `seen` for each file that is mapped as code, if any was loaded or unloaded since the call before; false: none
 * was.  Takes the loader's lock: not in a handler, not after fork. */
typedef void (*tnd_target_module_seen)(void *user_data, uint64_t low, uint64_t high, uint64_t bias, const char *path);
bool tnd_target_modules(tnd_target_module_seen seen, void *user_data);

/* The functions of the vDSO, the code that the kernel maps into each process: lines of perf's map files, "ADDRESS SIZE
 * NAME" in hexadecimal, as many as fit; "" if there is none.  Reads memory only. */
void tnd_target_vdso(char *text, size_t size);

/* Path of the `tandem` command, found from where this library lies; false: it is not there.  At start: allocates. */
bool tnd_target_tool(char *path, size_t size);

/* Runs a command and waits for it.  It inherits neither our variables nor LD_PRELOAD, and of the descriptors only
 * stderr; its stdin and stdout are /dev/null; the program's wait() never sees it.  Its exit status, -1 if it could not
 * be run. */
int tnd_target_run_tool(char *const arguments[]);

#endif
