/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the kernel's files.  Entries of directories are handled in the order of the numbers in their names, because
 * the order of the directory is arbitrary.
 *
 * Files are opened, read and closed by system calls, not by libc's functions: those may be wrapped, by our library
 * among others, and what a wrapper does (dlsym() takes the loader's lock) must not happen in a thread that libc does
 * not know.
 *
 * Context: system calls only, no allocation; not in a handler.
 */
#include "system/kernel_files.h"

#include "system/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CPUS "/sys/devices/system/cpu/"
#define MAX_DIGITS 6
#define LINES_BYTES 16384

static int open_below(const char *root, const char *path, int flags)
{
    char whole[PATH_MAX];
    if ((size_t)snprintf(whole, sizeof whole, "%s%s", root, path) < sizeof whole)
        return (int)syscall(SYS_openat, AT_FDCWD, whole, O_RDONLY | O_CLOEXEC | flags, 0);
    errno = ENAMETOOLONG;
    return -1;
}

int tnd_kernel_files_text(const char *root, const char *path, char *text, size_t size)
{
    int fd = open_below(root, path, 0);
    if (fd < 0)
        return -1;
    size_t n = 0;
    ssize_t got = 0;
    while (n < size - 1 && ((got = syscall(SYS_read, fd, text + n, size - 1 - n)) > 0 || (got < 0 && errno == EINTR)))
        n += got > 0 ? (size_t)got : 0;
    int error = got < 0 ? errno : 0;
    syscall(SYS_close, fd);
    if (n > 0 && text[n - 1] == '\n')
        n--;
    text[n] = 0;
    errno = error;
    return error ? -1 : (int)n;
}

/* Hands over the lines that are complete, and a piece if the buffer is full.  What is left is moved to the buffer's
 * begin; its length. */
static size_t take_lines(char text[static LINES_BYTES + 1], size_t n, void (*take)(void *, const char *), void *self)
{
    char *at = text;
    text[n] = 0;
    for (char *end; (end = memchr(at, '\n', (size_t)(text + n - at))); at = end + 1) {
        *end = 0;
        take(self, at);
    }
    size_t left = (size_t)(text + n - at);
    if (left == LINES_BYTES) {
        take(self, at);
        return 0;
    }
    memmove(text, at, left);
    return left;
}

bool tnd_kernel_files_lines(const char *root, const char *path, void (*take)(void *self, const char *line), void *self)
{
    char text[LINES_BYTES + 1];
    size_t n = 0;
    ssize_t got = 1;
    int fd = open_below(root, path, 0);
    while (fd >= 0 && got != 0) {
        got = syscall(SYS_read, fd, text + n, LINES_BYTES - n);
        if (got < 0 && errno != EINTR)
            break;
        n = got > 0 ? take_lines(text, n + (size_t)got, take, self) : n;
    }
    int error = errno;
    if (fd >= 0)
        syscall(SYS_close, fd);
    text[n] = 0;
    if (n > 0 && got == 0)
        take(self, text);
    errno = error;
    return got == 0;
}

static bool parse(const char *text, int64_t *value)
{
    bool is_negative = *text == '-';
    int64_t number = 0;
    text += is_negative;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || number > (INT64_MAX - 9) / 10)
            return false;
        number = number * 10 + (*text - '0');
    }
    *value = is_negative ? -number : number;
    return true;
}

int tnd_kernel_files_number(const char *root, const char *path, int64_t *value)
{
    char text[32];
    if (tnd_kernel_files_text(root, path, text, sizeof text) < 0)
        return errno;
    return parse(text, value) ? 0 : ERANGE;
}

bool tnd_kernel_files_number_in(const char *text, const char *before, const char *after, unsigned *number)
{
    size_t n_before = strlen(before), n_digits = 0;
    unsigned value = 0;
    if (strncmp(text, before, n_before) != 0)
        return false;
    for (text += n_before; *text >= '0' && *text <= '9' && n_digits < MAX_DIGITS; text++, n_digits++)
        value = value * 10 + (unsigned)(*text - '0');
    if (n_digits == 0 || strcmp(text, after) != 0)
        return false;
    *number = value;
    return true;
}

static bool add_number(void *self, int dir_fd, const char *name)
{
    struct tnd_kernel_numbers *numbers = self;
    unsigned number, at = numbers->n;
    (void)dir_fd;
    if (!tnd_kernel_files_number_in(name, numbers->before, numbers->after, &number))
        return true;
    for (; at > 0 && numbers->at[at - 1] > number; at--)
        numbers->at[at] = numbers->at[at - 1];
    numbers->at[at] = number;
    return ++numbers->n < TND_KERNEL_FILES_NUMBERS;
}

void tnd_kernel_files_numbers(const char *root, const char *directory, struct tnd_kernel_numbers *numbers)
{
    numbers->n = 0;
    int fd = open_below(root, directory, O_DIRECTORY);
    if (fd < 0)
        return;
    tnd_directory_list(fd, add_number, numbers);
    syscall(SYS_close, fd);
}

/* A list of CPUs that is being written. */
struct list {
    char *text;
    size_t size, n;
    int first, begin, last; /* -1: none yet; begin to last: the range that is not written yet */
};

static void end_stretch(struct list *list)
{
    if (list->last < 0)
        return;
    char stretch[32];
    int n = list->begin == list->last
                ? snprintf(stretch, sizeof stretch, "%s%d", list->n ? "," : "", list->begin)
                : snprintf(stretch, sizeof stretch, "%s%d-%d", list->n ? "," : "", list->begin, list->last);
    if (list->n + (size_t)n < list->size) {
        strcpy(list->text + list->n, stretch);
        list->n += (size_t)n;
    }
}

static void add_cpu(struct list *list, int cpu)
{
    if (list->last < 0 || cpu != list->last + 1) {
        end_stretch(list);
        list->begin = cpu;
    }
    list->last = cpu;
    list->first = list->first < 0 ? cpu : list->first;
}

/* Whether a file of a CPU's topology holds that number. */
static bool says(const char *root, unsigned cpu, const char *what, int64_t wanted)
{
    char path[96];
    int64_t value;
    snprintf(path, sizeof path, CPUS "cpu%u/topology/%s", cpu, what);
    return tnd_kernel_files_number(root, path, &value) == 0 && value == wanted;
}

int tnd_kernel_files_cpus(const char *root, unsigned package, int core, char *text, size_t size)
{
    struct tnd_kernel_numbers cpus = {.before = "cpu", .after = ""};
    struct list list = {.text = text, .size = size, .first = -1, .last = -1};
    tnd_kernel_files_numbers(root, CPUS, &cpus);
    text[0] = 0;
    for (unsigned i = 0; i < cpus.n; i++)
        if (says(root, cpus.at[i], "physical_package_id", package) &&
            (core < 0 || says(root, cpus.at[i], "core_id", core)))
            add_cpu(&list, (int)cpus.at[i]);
    end_stretch(&list);
    return list.first;
}
