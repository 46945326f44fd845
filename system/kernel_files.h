/* SPDX-License-Identifier: Apache-2.0
 *
 * Small files in which the kernel says what it knows, below a root: "" is the machine's own, a test may have a tree of
 * files instead.
 * Cost: three system calls a file, and what the driver behind it takes.
 *
 * Context: system calls only, no allocation; not in a handler.
 */
#ifndef TND_KERNEL_FILES_H
#define TND_KERNEL_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The file's text, ended by a 0, without the last line's end, cut to size.  Its bytes, or -1 and errno. */
int tnd_kernel_files_text(const char *root, const char *path, char *text, size_t size);

/* Each line of a file of any length, without its end; pieces of one that is longer than 16 KiB.  False: and errno. */
bool tnd_kernel_files_lines(const char *root, const char *path, void (*take)(void *self, const char *line), void *self);

/* A file that holds one whole number.  0; an errno; ERANGE: it holds none, or one too large. */
int tnd_kernel_files_number(const char *root, const char *path, int64_t *value);

/* Numbers that stand between `before` and `after` in the names of a directory's entries, ascending. */
#define TND_KERNEL_FILES_NUMBERS 256
struct tnd_kernel_numbers {
    const char *before, *after;
    unsigned n, at[TND_KERNEL_FILES_NUMBERS];
};
void tnd_kernel_files_numbers(const char *root, const char *directory, struct tnd_kernel_numbers *numbers);

/* The number that is all there is between `before` and `after` in the text; false: that is not how the text is. */
bool tnd_kernel_files_number_in(const char *text, const char *before, const char *after, unsigned *number);

/* The CPUs of a package, or of a core of it (core >= 0), as the kernel lists them: "0-3,8".  The lowest, or -1. */
int tnd_kernel_files_cpus(const char *root, unsigned package, int core, char *list, size_t size);

#endif
