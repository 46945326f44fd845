/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel's small files (/proc, /sys), below a root directory: "" for the machine's own; a test may have a tree of
 * files instead.
 * Cost: three system calls a file, and the time of the driver behind it.
 *
 * Context: system calls only, no allocation; not in a handler.
 */
#ifndef TND_KERNEL_FILES_H
#define TND_KERNEL_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a file's text, cut to size, without its last newline, with a 0 at the end.  Its length, or -1 with errno. */
int tnd_kernel_files_text(const char *root, const char *path, char *text, size_t size);

/* Calls `take` with each line of a file, without its newline; a line longer than 16 KiB comes in pieces.  False with
 * errno. */
bool tnd_kernel_files_lines(const char *root, const char *path, void (*take)(void *self, const char *line), void *self);

/* Reads a file that holds one whole number.  0; an errno; ERANGE: it holds no number, or one that is too large. */
int tnd_kernel_files_number(const char *root, const char *path, int64_t *value);

/* The numbers between `before` and `after` in the names of a directory's entries, in ascending order. */
#define TND_KERNEL_FILES_NUMBERS 256
struct tnd_kernel_numbers {
    const char *before, *after;
    unsigned n, at[TND_KERNEL_FILES_NUMBERS];
};
void tnd_kernel_files_numbers(const char *root, const char *directory, struct tnd_kernel_numbers *numbers);

/* The number between `before` and `after`, if the text consists of these three; else false. */
bool tnd_kernel_files_number_in(const char *text, const char *before, const char *after, unsigned *number);

/* The CPUs of a package, or of a core of it (core >= 0), as the kernel lists them: "0-3,8".  The lowest, or -1. */
int tnd_kernel_files_cpus(const char *root, unsigned package, int core, char *list, size_t size);

#endif
