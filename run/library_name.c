/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of libraries' files; the first words of a mangled name, as the Itanium ABI for C++ writes it: each has its
 * length before it.
 *
 * Context: library_name.h.
 */
#include "run/library_name.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One part of a mangled name, appended; NULL: it ends here, or is of another kind. */
static const char *add_part(const char *mangled, char *name, size_t size, const char *last, size_t n_last)
{
    size_t used = strlen(name), n = 0;
    const char *colons = used ? "::" : "";
    if (*mangled >= '1' && *mangled <= '9') {
        while (*mangled >= '0' && *mangled <= '9' && n < size)
            n = 10 * n + (size_t)(*mangled++ - '0');
        if (n >= size || strnlen(mangled, n) < n)
            return NULL;
        snprintf(name + used, size - used, "%s%.*s", colons, (int)n, mangled);
        return mangled + n;
    }
    if (used && *mangled >= 'a' && *mangled <= 'z') {
        snprintf(name + used, size - used, "::operator");
        return NULL;
    }
    bool is_destructor = mangled[0] == 'D';
    if (!n_last || (mangled[0] != 'C' && !is_destructor) || mangled[1] < '0' || mangled[1] > '5')
        return NULL;
    snprintf(name + used, size - used, "%s%s%.*s", colons, is_destructor ? "~" : "", (int)n_last, last);
    return mangled + 2;
}

bool tnd_library_name_plain(const char *symbol, char *name, size_t size)
{
    name[0] = 0;
    if (strncmp(symbol, "_Z", 2) != 0)
        return false;
    const char *at = symbol + 2, *last = at;
    size_t n_last = 0;
    bool is_nested = *at == 'N';
    at += is_nested;
    while (is_nested && strchr("KVRO", *at) && *at)
        at++;
    if (strncmp(at, "St", 2) == 0) {
        snprintf(name, size, "std");
        at += 2;
    }
    do {
        const char *next = add_part(at, name, size, last, n_last);
        if (!next)
            break;
        last = at + strspn(at, "0123456789");
        n_last = (size_t)(next - last);
        at = next;
    } while (is_nested);
    return name[0] != 0;
}

/* Whether both are paths of the same file. */
static bool is_same_file(const char *a, const char *b)
{
    char real_a[PATH_MAX], real_b[PATH_MAX];
    return realpath(a, real_a) && realpath(b, real_b) && strcmp(real_a, real_b) == 0;
}

bool tnd_library_name_means(const char *pattern, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char with_version[NAME_MAX + 1], stem[NAME_MAX + 1];
    if (strchr(pattern, '/'))
        return fnmatch(pattern, path, 0) == 0 || is_same_file(pattern, path);
    snprintf(with_version, sizeof with_version, "%s.*", pattern);
    snprintf(stem, sizeof stem, "%s", name);
    char *ending = strstr(stem, ".so");
    size_t length = strlen(stem);
    if (!ending && length > 2 && strcmp(stem + length - 2, ".a") == 0)
        ending = stem + length - 2;
    if (ending)
        *ending = 0;
    const char *bare = strncmp(stem, "lib", 3) == 0 ? stem + 3 : stem;
    return fnmatch(pattern, name, 0) == 0 || (strstr(pattern, ".so") && fnmatch(with_version, name, 0) == 0) ||
           (ending && (fnmatch(pattern, bare, 0) == 0 || fnmatch(pattern, stem, 0) == 0));
}

/* Never wrapped: functions that return twice, that depend on the address they return to, that have a calling convention
 * of their own, or that leave the stack for another one. */
static const char never[][24] = {
    "*setjmp*",        "vfork",
    "__vfork",         "clone",
    "__clone",         "getcontext",
    "setcontext",      "makecontext",
    "swapcontext",     "jump_fcontext",
    "ontop_fcontext",  "dlopen",
    "dlmopen",         "dlsym",
    "dlvsym",          "dlinfo",
    "dlerror",         "dlclose",
    "__tls_get_addr",  "mcount",
    "_mcount",         "__fentry__",
    "__morestack*",    "_init",
    "_fini",           "__libc_start_main",
    "__gmon_start__",  "_ITM_*",
    "_dl_*",           "__x86_indirect_*",
    "__cyg_profile_*", "backtrace",
    "_Unwind_*",       "__cxa_throw",
    "__cxa_rethrow",   "__cxa_finalize",
    "__gxx_*",
};

/* As fnmatch, for a pattern with a * at its ends only: there are many symbols. */
static bool is_like(const char *symbol, const char *pattern)
{
    size_t n = strlen(pattern);
    char inner[sizeof never[0]];
    if (pattern[n - 1] != '*')
        return strcmp(symbol, pattern) == 0;
    if (pattern[0] != '*')
        return strncmp(symbol, pattern, n - 1) == 0;
    snprintf(inner, sizeof inner, "%.*s", (int)n - 2, pattern + 1);
    return strstr(symbol, inner) != NULL;
}

bool tnd_library_name_is_left_alone(const char *symbol)
{
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (is_like(symbol, never[i]))
            return true;
    return false;
}
