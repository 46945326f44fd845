/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding CPython's list of audit hooks.  Context: python_audit.h.
 */
#include "intercept/python/python_audit.h"

#include "intercept/python/python_api.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* An element of the list, in all versions that we know. */
struct entry {
    struct entry *next;
    tnd_python_audit_hook *hook;
    void *data;
};

static struct entry **list; /* where CPython keeps the list's head; NULL: not found */
static tnd_python_audit_hook *added;

/* The words of CPython's global state, `_PyRuntime`. */
static void **find_runtime(size_t *n_words)
{
    void *runtime = dlsym(RTLD_DEFAULT, "_PyRuntime");
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    if (!runtime || !dladdr1(runtime, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol || info.dli_saddr != runtime)
        return NULL;
    *n_words = symbol->st_size / sizeof(void *);
    return runtime;
}

/* Whether the word is the address of our entry; it may be any number. */
static bool is_entry(void *word)
{
    struct entry entry;
    struct iovec here = {&entry, sizeof entry}, there = {word, sizeof entry};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)sizeof entry && entry.hook == added &&
           entry.data == &added;
}

bool tnd_python_audit_add(tnd_python_audit_hook *hook)
{
    size_t n_words = 0;
    void **runtime = find_runtime(&n_words);
    void **before = runtime ? malloc(n_words * sizeof *before) : NULL;
    if (before)
        memcpy(before, runtime, n_words * sizeof *before);
    added = hook;
    bool is_added = tnd_python_api.add_audit_hook(hook, &added) == 0;
    for (size_t i = 0; before && is_added && !list && i < n_words; i++)
        if (runtime[i] != before[i] && is_entry(runtime[i]))
            list = (struct entry **)&runtime[i];
    free(before);
    return is_added;
}

void tnd_python_audit_remove(void)
{
    struct entry **place = list;
    while (place && *place && (*place)->hook != added)
        place = &(*place)->next;
    if (place && *place)
        *place = (*place)->next;
}
