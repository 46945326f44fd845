/* SPDX-License-Identifier: Apache-2.0
 *
 * What a file is that is about to be executed, as far as it matters to a library that is to be preloaded into it: which
 * loader will load it, if any.
 *
 * Cost: some ten system calls a file, 10 us.
 *
 * Context: system calls only, no allocation, 3 KiB of stack: callable after vfork() and in a handler.  Changes
 * errno.
 */
#ifndef TND_EXECUTABLE_H
#define TND_EXECUTABLE_H

#include <stdbool.h>
#include <stddef.h>

enum tnd_executable_kind {
    TND_EXECUTABLE_FINE, /* the loader of our C library loads it; also if nothing is known of it */
    TND_EXECUTABLE_STATIC,
    TND_EXECUTABLE_LIBC,       /* of another C library, as musl */
    TND_EXECUTABLE_BITS,       /* of 32 bits where we have 64 */
    TND_EXECUTABLE_MACHINE,    /* of another processor */
    TND_EXECUTABLE_PRIVILEGED, /* set-user-id and the like: its loader preloads nothing of ours */
    TND_EXECUTABLE_APART,      /* our library cannot be read there; who looks for that says so */
};

struct tnd_executable {
    enum tnd_executable_kind kind;
    bool is_there;         /* it could be looked at */
    char interpreter[256]; /* of a script: the program that will run it; "": it is none */
    char sanitizer[48];    /* the library of a sanitizer that it links and that must be first, by its name; "": none */
    bool is_tsan;          /* it links ThreadSanitizer's */
};

/* Looks at a file as execveat(2) finds it: path relative to the directory at_fd (AT_FDCWD), or "": at_fd itself. */
void tnd_executable_look(int at_fd, const char *path, struct tnd_executable *found);

/* Whether a library is the run time of a sanitizer that refuses to run, or misses calls, if another one is loaded
 * before it; by its name or path of n bytes. */
bool tnd_executable_is_sanitizer(const char *library, size_t n);

#endif
