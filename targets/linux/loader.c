/* SPDX-License-Identifier: Apache-2.0
 *
 * Which files' code is mapped, on Linux, by the loader's list of objects; and where the `tandem` command lies.
 *
 * Context: takes the loader's lock; not in a handler, not after fork.
 */
#include "runtime/target.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

struct visit {
    tnd_target_module_seen seen;
    void *user_data;
    bool asked; /* `changed` is known */
    bool changed;
};

static unsigned long long n_adds, n_subs;

static int visit_one(struct dl_phdr_info *info, size_t size, void *data)
{
    struct visit *visit = data;
    if (!visit->asked) {
        visit->asked = true;
        visit->changed = info->dlpi_adds != n_adds || info->dlpi_subs != n_subs;
        n_adds = info->dlpi_adds;
        n_subs = info->dlpi_subs;
    }
    if (!visit->changed)
        return 1;
    uint64_t low = UINT64_MAX, high = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD)
            continue;
        uint64_t begin = info->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;
        low = begin < low ? begin : low;
        high = end > high ? end : high;
    }
    if (low >= high)
        return 0;
    char path[PATH_MAX];
    if (getauxval(AT_SYSINFO_EHDR) == low)
        snprintf(path, sizeof path, "[vdso]");
    else if (info->dlpi_name && info->dlpi_name[0] == '/')
        snprintf(path, sizeof path, "%s", info->dlpi_name);
    else if (!info->dlpi_name || !info->dlpi_name[0])
        tnd_target_executable(path, sizeof path);
    else if (!strchr(info->dlpi_name, '/') || !realpath(info->dlpi_name, path))
        snprintf(path, sizeof path, "[%s]", info->dlpi_name); /* it is not there any more */
    visit->seen(visit->user_data, low, high, info->dlpi_addr, path);
    return 0;
}

bool tnd_target_modules(tnd_target_module_seen seen, void *user_data)
{
    int before = errno;
    struct visit visit = {seen, user_data, false, false};
    dl_iterate_phdr(visit_one, &visit);
    errno = before;
    return visit.changed;
}

bool tnd_target_tool(char *path, size_t size)
{
    /* From a library directory, with and without Debian's extra level, and from the build tree. */
    static const char *const places[] = {"../bin/tandem", "../../bin/tandem", "cli/tandem"};
    int before = errno;
    bool found = false;
    Dl_info about;
    char library[PATH_MAX];
    if (dladdr((void *)tnd_target_tool, &about) && about.dli_fname && realpath(about.dli_fname, library)) {
        *strrchr(library, '/') = 0;
        for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++) {
            int n = snprintf(path, size, "%s/%s", library, places[i]);
            found = n > 0 && (size_t)n < size && access(path, X_OK) == 0;
        }
    }
    errno = before;
    return found;
}
