/* SPDX-License-Identifier: Apache-2.0
 *
 * The first words of a mangled name, as the Itanium ABI for C++ writes it: each has its length before it.
 *
 * Context: library_name.h.
 */
#include "intercept/library/library_name.h"

#include <stdio.h>
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
