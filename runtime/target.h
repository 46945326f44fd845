/* SPDX-License-Identifier: Apache-2.0
 *
 * The seam to the platform: everything that the runtime wants of an operating system, and no more.  One folder of
 * targets/ implements it; the build chooses which.
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

/* A new file of n_bytes, its space reserved, mapped shared: tnd_target_pages_free lets go of it, the file stays.  0 or
 * an errno. */
int tnd_target_ring(const char *directory, const char *name, size_t n_bytes, void **ring);

/* Writes n_bytes at offset, all of them or an errno; makes the file if need be. */
int tnd_target_write(const char *directory, const char *name, uint64_t offset, const void *bytes, size_t n_bytes);

/* Makes an empty file that must not be there yet.  0 or an errno. */
int tnd_target_mark(const char *directory, const char *name);

/* Keeps `directory` within reach although its path will lead elsewhere (a chroot is about to happen).  The one case in
 * which a descriptor stays open, as high as the limit allows; its identity is checked before each use. */
void tnd_target_hold(const char *directory);

/* Whole content of a small file (/proc ...), ended by a 0.  Bytes, or -1. */
ssize_t tnd_target_read(const char *path, char *text, size_t size);

/* Memory of the process's own: private, zero, not counted until touched; NULL if there is none. */
void *tnd_target_pages(size_t n_bytes);
void tnd_target_pages_free(void *pages, size_t n_bytes);

/* Memory that the children of a fork share; NULL if there is none. */
void *tnd_target_shared_pages(size_t n_bytes);

/* Zeroes the pages in the child of any fork, however it came to be.  False: this kernel cannot. */
bool tnd_target_wipe_on_fork(void *pages, size_t n_bytes);

/* Identity. */
pid_t tnd_target_process_id(void);
pid_t tnd_target_parent_id(void);
pid_t tnd_target_thread_id(void);
uint64_t tnd_target_random(void);
unsigned tnd_target_cpus(void);
bool tnd_target_privileged(void); /* the program has rights that its user has not: set-user-id and kin */
bool tnd_target_traced(void);     /* by a debugger or its like, now */
void tnd_target_executable(char *path, size_t size);
void tnd_target_command(char *text, size_t size); /* arguments, separated by blanks */
void tnd_target_host(char *name, size_t size);
void tnd_target_boot(char *id, size_t size);
void tnd_target_thread_name(char name[static 16]); /* of the calling thread */
void tnd_target_thread_name_of(pid_t tid, char name[static 16]);

void tnd_target_sleep_ms(unsigned ms);

/* A thread of our own, one a process: libc and the program do not know it, all signals are blocked in it, descriptors
 * that it opens are its own.  `run` may make system calls, and nothing else of libc's but what works on the bytes that
 * it is given: no allocation, no locks.  0 or an errno. */
int tnd_target_own_start(void (*run)(void), const char *name);

/* Whether it has ended, or does so within that time. */
bool tnd_target_own_ended(unsigned patience_ms);

/* In the child of a fork, which has no such thread. */
void tnd_target_own_forget(void);

/* In that thread: takes a lock that other processes want too, until the thread ends.  False: it is another's. */
bool tnd_target_own_lock(const char *directory, const char *name);

/* Whether anybody has that lock. */
bool tnd_target_own_locked(const char *directory, const char *name);

/* A process beside the program that answers, in memory that both share: this begins it.  It has copies of all that the
 * program has in memory, none of its descriptors, and is unseen by its waiting. */
struct tnd_target_beside {
    uint32_t asked, answered, is_over, has_left;
    int32_t pid; /* 0: not known yet */
};

/* Begins it, in pages of tnd_target_shared_pages: it answers at once, and whenever it is asked, by a call that may do
 * anything.  Before the program begins; takes what a fork takes.  False: there is none. */
bool tnd_target_beside_start(struct tnd_target_beside *beside, void (*answer)(struct tnd_target_beside *));

/* Waits for an answer, of what was asked last if that is not there yet.  EAGAIN: it takes longer; ESRCH: it has ended.
 */
int tnd_target_beside_ask(struct tnd_target_beside *beside, unsigned patience_ms);

void tnd_target_beside_end(struct tnd_target_beside *beside);

/* Waits while *word is what is expected, no longer than that time of CLOCK_MONOTONIC; wakes who waits. */
void tnd_target_wait(const uint32_t *word, uint32_t expected, uint64_t until_ns);
void tnd_target_wake(const uint32_t *word);

/* CPU time of the calling thread. */
uint64_t tnd_target_cpu_ns(void);

/* Stack of the calling thread; both NULL if unknown. */
void tnd_target_stack(void **low, void **high);

/* The lowest address that the calling thread's own stack can have, given where it ends; 0 if unknown.  *size_bytes: how
 * large it may become, 0 if there is no limit.  Of another thread than the first it takes libc's word: it may allocate,
 * not in a handler. */
uintptr_t tnd_target_stack_floor(uintptr_t high, uint64_t *size_bytes);

/* The lowest address of a stack, this thread's or another's, that anybody wrote something but 0 to, between floor and
 * `high`, where it ends; 0: it cannot be told.  Reads what is there, touches nothing. */
uintptr_t tnd_target_stack_touched(uintptr_t floor, uintptr_t high);

/* Where, from a thread's pointer on (__builtin_thread_pointer), the kernel keeps the number of the CPU that it runs on:
 * an int32_t, of a thread that has none yet < 0.  If it keeps none, a number that never changes.  At start. */
ptrdiff_t tnd_target_cpu_place(void);

/* The CPU that the calling thread runs on, from 0; < 0: unknown. */
int tnd_target_cpu(void);

/* Whether the calling thread runs on its alternate signal stack. */
bool tnd_target_is_on_signal_stack(void);

/* The cheapest clock that may be trusted. */
enum tnd_clock tnd_target_clock(void);

/* Blocks all signals of the calling thread that can be; gives them back. */
struct tnd_target_signals {
    uint64_t mask[2];
};
void tnd_target_block_signals(struct tnd_target_signals *before);
void tnd_target_restore_signals(const struct tnd_target_signals *before);

/* One line to where stderr went at start; nowhere if that is not open any more. */
void tnd_target_say_start(void);
void tnd_target_say(const char *line);

/* Calls back for each file that is mapped as code: at start, and after a change (false: nothing changed since the call
 * before).  Takes the loader's lock: not in a handler, not after fork. */
typedef void (*tnd_target_module_seen)(void *user_data, uint64_t low, uint64_t high, uint64_t bias, const char *path);
bool tnd_target_modules(tnd_target_module_seen seen, void *user_data);

/* Our own command, found from where this library lies; false: not there.  At start: allocates. */
bool tnd_target_tool(char *path, size_t size);

/* Runs a command and waits: without our variables and the preload list, stdin and stdout nowhere, no descriptor
 * inherited but stderr; unseen by the program's own waiting.  Its exit status, -1 if it could not be run. */
int tnd_target_run_tool(char *const arguments[]);

#endif
