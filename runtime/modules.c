/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of modules, in reserved address space, so that an entry never moves.  An entry whose file is unloaded is
 * marked so and stays.
 *
 * Context: as modules.h says.
 */
#include "runtime/modules.h"

#include "runtime/emit.h"
#include "runtime/target.h"

#include <string.h>

#define MAX_MODULES 4096
#define PATH_BYTES ((size_t)1 << 20)

struct module {
    uint64_t low, high, bias;
    const char *path;
    bool loaded, seen;
};

static struct {
    struct module *modules; /* an array; their paths follow it */
    char *path_next, *path_end;
    uint32_t n;
    bool is_forked; /* this process is the child of a fork */
    bool expects;   /* and the program has loaded something since */
    char busy;      /* one thread looks at a time; another that comes meanwhile does not look */
} table;

uint64_t tnd_modules_generation;

static void tell(struct tnd_writer *writer, const struct module *module)
{
    const uint64_t words[] = {module->low, module->high, module->bias};
    tnd_emit_text(writer, tnd_clock_ticks(), TND_RECORD_MODULE, module->loaded ? 0 : 1, 0, words, 3, module->path);
}

static const char *keep_path(const char *path)
{
    size_t n = strlen(path) + 1;
    if (n > (size_t)(table.path_end - table.path_next))
        return "";
    char *kept = memcpy(table.path_next, path, n);
    table.path_next += n;
    return kept;
}

static void seen(void *user_data, uint64_t low, uint64_t high, uint64_t bias, const char *path)
{
    struct tnd_writer *writer = user_data;
    for (uint32_t i = 0; i < table.n; i++) {
        struct module *module = &table.modules[i];
        if (module->low == low && module->high == high && strcmp(module->path, path) == 0) {
            module->seen = true;
            if (!module->loaded) {
                module->loaded = true;
                if (writer)
                    tell(writer, module);
            }
            return;
        }
    }
    if (table.n == MAX_MODULES)
        return;
    struct module *module = &table.modules[table.n];
    *module = (struct module){low, high, bias, keep_path(path), true, true};
    __atomic_store_n(&table.n, table.n + 1, __ATOMIC_RELEASE);
    if (writer)
        tell(writer, module);
}

static bool prepare(void)
{
    if (!table.modules) {
        char *pages = tnd_target_pages(MAX_MODULES * sizeof *table.modules + PATH_BYTES);
        if (!pages)
            return false;
        table.modules = (struct module *)pages;
        table.path_next = pages + MAX_MODULES * sizeof *table.modules;
        table.path_end = table.path_next + PATH_BYTES;
    }
    return true;
}

void tnd_modules_look(void)
{
    struct tnd_thread *self = tnd_thread_self;
    struct tnd_writer *writer = self ? &self->main : NULL;
    if (__atomic_test_and_set(&table.busy, __ATOMIC_ACQUIRE))
        return;
    if (prepare()) {
        for (uint32_t i = 0; i < table.n; i++)
            table.modules[i].seen = false;
        if (tnd_target_modules(seen, writer)) {
            tnd_modules_change(); /* the C library may have loaded or unloaded something without calling dlopen */
            for (uint32_t i = 0; i < table.n; i++) {
                struct module *module = &table.modules[i];
                if (module->seen || !module->loaded)
                    continue;
                module->loaded = false;
                if (writer)
                    tell(writer, module);
            }
        }
    }
    __atomic_clear(&table.busy, __ATOMIC_RELEASE);
}

void tnd_modules_expect(void)
{
    table.expects = true;
}

void tnd_modules_look_at_end(void)
{
    if (!table.is_forked || table.expects)
        tnd_modules_look();
}

void tnd_modules_tell(struct tnd_writer *writer)
{
    uint32_t n = __atomic_load_n(&table.n, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < n; i++)
        if (table.modules[i].loaded)
            tell(writer, &table.modules[i]);
}

void tnd_modules_fork_child(void)
{
    __atomic_clear(&table.busy, __ATOMIC_RELEASE);
    table.is_forked = true;
    table.expects = false;
}
