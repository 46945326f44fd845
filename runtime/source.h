/* SPDX-License-Identifier: Apache-2.0
 *
 * A source makes records: the sampler, MPI, OpenMP, ...  The runtime knows sources only through this table of hooks,
 * found in a section of the library, so that a source is added by adding its file to the build.
 * Any hook may be NULL.  Hooks run in the order of `rank`, lowest first; those that end something in the reverse order.
 *
 * Context: as each hook says.
 */
#ifndef TND_SOURCE_H
#define TND_SOURCE_H

#include "runtime/thread.h"

struct tnd_source {
    const char *name;
    int rank; /* sampler 100, interceptors 200 */

    /* Once per image, in the first thread, before main(): may allocate, lock, open.  False: the source stays off and
     * its other hooks are not called. */
    bool (*start)(void);

    /* In the new thread itself, once its streams are there, and before it runs the program's code.  For the first
     * thread it is called right after start.  Not in a handler; may allocate. */
    void (*thread_start)(struct tnd_thread *thread);

    /* In the thread itself, before THREAD_END is written.  No allocation. */
    void (*thread_end)(struct tnd_thread *thread);

    /* In the child of a fork(), before it runs the program's code; the child's only thread has new, empty streams and
     * thread_start follows.  System calls only. */
    void (*fork_child)(void);

    /* In the thread that calls exec, just before; and after one that failed.  System calls only. */
    void (*before_exec)(struct tnd_thread *thread);
    void (*after_failed_exec)(struct tnd_thread *thread);

    /* In the thread that ends the process (exit, _exit), while other threads may still run.  System calls only. */
    void (*stop)(void);

    /* Before stop: the process goes on without us, and nothing of ours may call the kernel in any of its threads. Other
     * threads run.  System calls only. */
    void (*leave)(void);

    /* The program is about to make a call that the kernel refuses to a process with threads; and has made it.  In its
     * thread; system calls only. */
    void (*be_alone)(bool begins);

    /* The program has switched recording (tandem_on, tandem_off).  Any thread, no allocation. */
    void (*switched)(bool on);

    /* The program has loaded or unloaded code, by dlopen or dlclose.  Any thread; may allocate, must not wait for
     * another thread, which may hold the loader's lock. */
    void (*code_changed)(void);
};

/* Puts a source into the table: at file level, once, `TND_SOURCE(my_source);`. */
#define TND_SOURCE(source)                                                                                             \
    static const struct tnd_source *const tnd_source_entry_##source                                                    \
        __attribute__((section("tnd_sources"), used, retain)) = &(source)

/* Call those hooks of all sources that are on. */
void tnd_source_start(struct tnd_thread *first); /* NULL: the first thread has no streams */
void tnd_source_thread_start(struct tnd_thread *thread);
void tnd_source_thread_end(struct tnd_thread *thread);
void tnd_source_fork_child(void);
void tnd_source_before_exec(struct tnd_thread *thread);
void tnd_source_after_failed_exec(struct tnd_thread *thread);
void tnd_source_leave(void);
void tnd_source_stop(void);
void tnd_source_be_alone(bool begins);
void tnd_source_switched(bool on);
void tnd_source_code_changed(void);

/* Whether a source that is on wants to know of code that is loaded. */
bool tnd_source_hears_code(void);

#endif
