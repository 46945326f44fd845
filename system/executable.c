/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the heads of ELF files and scripts.  All offsets and counts in a file are only believed as far as reading
 * there succeeds, and loops over them have limits.
 *
 * Context: executable.h.
 */
#include "system/executable.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_SCRIPTS = 5, MAX_HEADERS = 20, MAX_ENTRIES = 512, ENTRIES_AT_ONCE = 16 };

/* The head of the file that this code is part of: it has our class, byte order and machine. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

static int open_at(int at_fd, const char *path, char own[static 32])
{
    if (path[0])
        return (int)syscall(SYS_openat, at_fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
    memcpy(own, "/proc/self/fd/", sizeof "/proc/self/fd/");
    char *end = own + strlen(own), digits[12];
    int n = 0;
    for (unsigned number = (unsigned)at_fd; n == 0 || number; number /= 10)
        digits[n++] = (char)('0' + number % 10);
    while (n > 0)
        *end++ = digits[--n];
    *end = 0;
    return (int)syscall(SYS_openat, AT_FDCWD, own, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
}

/* Reads up to n bytes at an offset; how many. */
static size_t read_at(int fd, uint64_t offset, void *bytes, size_t n)
{
    long got = syscall(SYS_pread64, fd, bytes, n, offset);
    return got > 0 ? (size_t)got : 0;
}

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool tnd_executable_is_sanitizer(const char *library, size_t n)
{
    static const char *const starts[] = {"libasan.so", "liblsan.so", "libubsan.so", "libhwasan.so", "libclang_rt."};
    char name[48];
    for (size_t i = 0; i < n; i++)
        if (library[i] == '/') {
            library += i + 1;
            n -= i + 1;
            i = (size_t)-1;
        }
    n = n < sizeof name ? n : sizeof name - 1;
    memcpy(name, library, n);
    name[n] = 0;
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (begins(name, starts[i]))
            return true;
    return false;
}

/* Loaders of C libraries that cannot load what was made for another one. */
static bool is_other_loader(const char *path)
{
    static const char *const starts[] = {"ld-musl", "ld-uClibc", "ld64-uClibc", "linker"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (begins(base_of(path), starts[i]))
            return true;
    return false;
}

/* A file's program headers, and what they lead to. */
struct image {
    int fd;
    int n;
    ElfW(Phdr) headers[MAX_HEADERS];
};

static const ElfW(Phdr) * header_of(const struct image *image, unsigned type)
{
    for (int i = 0; i < image->n; i++)
        if (image->headers[i].p_type == type)
            return &image->headers[i];
    return NULL;
}

/* Where in the file an address of its memory is; 0: nowhere. */
static uint64_t offset_of(const struct image *image, uint64_t address)
{
    for (int i = 0; i < image->n; i++) {
        const ElfW(Phdr) *header = &image->headers[i];
        if (header->p_type == PT_LOAD && address - header->p_vaddr < header->p_filesz)
            return header->p_offset + (address - header->p_vaddr);
    }
    return 0;
}

/* Calls `each` with the entries of the dynamic section until it returns true. */
static bool find_entry(const struct image *image, bool (*each)(void *self, const ElfW(Dyn) *), void *self)
{
    const ElfW(Phdr) *dynamic = header_of(image, PT_DYNAMIC);
    ElfW(Dyn) entries[ENTRIES_AT_ONCE];
    for (size_t done = 0; dynamic && done < MAX_ENTRIES; done += ENTRIES_AT_ONCE) {
        size_t n = read_at(image->fd, dynamic->p_offset + done * sizeof entries[0], entries, sizeof entries);
        for (size_t i = 0; i < n / sizeof entries[0]; i++)
            if (entries[i].d_tag == DT_NULL || each(self, &entries[i]))
                return entries[i].d_tag != DT_NULL;
        if (n < sizeof entries)
            return false;
    }
    return false;
}

static bool is_position_independent_program(void *self, const ElfW(Dyn) * entry)
{
    return entry->d_tag == DT_FLAGS_1 && entry->d_un.d_val & DF_1_PIE;
}

static bool is_string_table(void *self, const ElfW(Dyn) * entry)
{
    if (entry->d_tag == DT_STRTAB)
        *(uint64_t *)self = entry->d_un.d_ptr;
    return entry->d_tag == DT_STRTAB;
}

struct needs {
    const struct image *image;
    uint64_t strings; /* where in the file */
    struct tnd_executable *found;
};

static bool is_sanitizer_needed(void *self, const ElfW(Dyn) * entry)
{
    struct needs *needs = self;
    char name[sizeof((struct tnd_executable *)0)->sanitizer];
    if (entry->d_tag != DT_NEEDED)
        return false;
    size_t n = read_at(needs->image->fd, needs->strings + entry->d_un.d_val, name, sizeof name);
    if (!n || !memchr(name, 0, n))
        return false;
    needs->found->is_tsan |= begins(name, "libtsan.so");
    if (!tnd_executable_is_sanitizer(name, strlen(name)))
        return false;
    memcpy(needs->found->sanitizer, name, strlen(name) + 1);
    return true;
}

static void find_sanitizer(const struct image *image, struct tnd_executable *found)
{
    uint64_t address;
    if (!find_entry(image, is_string_table, &address))
        return;
    struct needs needs = {image, offset_of(image, address), found};
    if (needs.strings)
        find_entry(image, is_sanitizer_needed, &needs);
}

static enum tnd_executable_kind kind_of(const struct image *image, const char *path)
{
    char loader[128] = "";
    const ElfW(Phdr) *named = header_of(image, PT_INTERP);
    if (named) {
        read_at(image->fd, named->p_offset, loader,
                named->p_filesz < sizeof loader ? named->p_filesz : sizeof loader - 1);
        return is_other_loader(loader) ? TND_EXECUTABLE_LIBC : TND_EXECUTABLE_FINE;
    }
    if (is_other_loader(path))
        return TND_EXECUTABLE_LIBC;
    /* Without a loader's name it is static, or itself a loader. */
    bool is_loader = header_of(image, PT_DYNAMIC) && !find_entry(image, is_position_independent_program, NULL);
    return is_loader ? TND_EXECUTABLE_FINE : TND_EXECUTABLE_STATIC;
}

static bool is_privileged(int fd)
{
    struct stat about;
    char capability[64];
    if (syscall(SYS_fstat, fd, &about) != 0)
        return false;
    uid_t user = (uid_t)syscall(SYS_geteuid);
    bool is_set_user = about.st_mode & S_ISUID && about.st_uid != user;
    bool is_set_group =
        (about.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && about.st_gid != (gid_t)syscall(SYS_getegid);
    return is_set_user || is_set_group ||
           (user != 0 && syscall(SYS_fgetxattr, fd, "security.capability", capability, sizeof capability) > 0);
}

static void look_at_elf(int fd, const char *path, const ElfW(Ehdr) * head, struct tnd_executable *found)
{
    struct image image = {.fd = fd};
    if (head->e_ident[EI_CLASS] != __ehdr_start.e_ident[EI_CLASS])
        found->kind = TND_EXECUTABLE_BITS;
    else if (head->e_ident[EI_DATA] != __ehdr_start.e_ident[EI_DATA] || head->e_machine != __ehdr_start.e_machine)
        found->kind = TND_EXECUTABLE_MACHINE;
    else if (is_privileged(fd))
        found->kind = TND_EXECUTABLE_PRIVILEGED;
    else if (head->e_phentsize == sizeof image.headers[0] && (head->e_type == ET_EXEC || head->e_type == ET_DYN)) {
        size_t n = head->e_phnum < MAX_HEADERS ? head->e_phnum : MAX_HEADERS;
        image.n =
            (int)(read_at(fd, head->e_phoff, image.headers, n * sizeof image.headers[0]) / sizeof image.headers[0]);
        if (image.n > 0)
            found->kind = kind_of(&image, path);
        if (image.n > 0 && found->kind == TND_EXECUTABLE_FINE)
            find_sanitizer(&image, found);
    }
}

/* The interpreter of a script, as the kernel reads its first line; false: it names none. */
static bool take_interpreter(const char *line, struct tnd_executable *found)
{
    const char *path = line + 2 + strspn(line + 2, " \t");
    size_t n = strcspn(path, " \t\n");
    if (n == 0 || n >= sizeof found->interpreter)
        return false;
    memcpy(found->interpreter, path, n);
    found->interpreter[n] = 0;
    return true;
}

void tnd_executable_look(int at_fd, const char *path, struct tnd_executable *found)
{
    union {
        char text[256];
        ElfW(Ehdr) elf;
    } head;
    char own[32];
    *found = (struct tnd_executable){.kind = TND_EXECUTABLE_FINE};
    for (int i = 0; i < MAX_SCRIPTS; i++) {
        const char *name = i ? found->interpreter : path;
        int fd = open_at(i ? AT_FDCWD : at_fd, name, own);
        if (fd < 0)
            return;
        memset(&head, 0, sizeof head);
        size_t n = read_at(fd, 0, &head, sizeof head - 1);
        found->is_there = true;
        if (n >= sizeof head.elf && memcmp(head.text, ELFMAG, SELFMAG) == 0)
            look_at_elf(fd, name, &head.elf, found);
        syscall(SYS_close, fd);
        if (n < 3 || head.text[0] != '#' || head.text[1] != '!' || !take_interpreter(head.text, found))
            return;
    }
}
