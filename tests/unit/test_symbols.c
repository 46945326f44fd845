/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of this very program's code, of the C library's, and of what cannot be read.
 */
#include "analysis/merge/read/symbols.h"

#include <dlfcn.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* tests/unit/nameless.c */
int (*nameless(int which))(int);

/* Where an address of this process is: file and offset in it. */
static guint64 offset_of(gconstpointer address, const char **path)
{
    Dl_info info;
    g_assert_cmpint(dladdr(address, &info), !=, 0);
    *path = strchr(info.dli_fname, '/') ? info.dli_fname : "/proc/self/exe";
    return (guint64)((guintptr)address - (guintptr)info.dli_fbase); /* position-independent: the bias is the base */
}

static int __attribute__((noinline)) sought(int n)
{
    return n ? sought(n - 1) + 1 : __LINE__;
}
enum { AFTER_SOUGHT = __LINE__ };

static void test_own(void)
{
    TndSymbols *symbols = tnd_symbols_new();
    const char *path;
    guint64 offset = offset_of((gconstpointer)(guintptr)sought, &path);
    const TndSymbol *symbol = tnd_symbols_find(symbols, path, offset);
    g_assert_cmpstr(symbol->function, ==, "sought");
    g_assert_nonnull(symbol->file);
    g_assert_true(g_str_has_suffix(symbol->file, "test_symbols.c"));
    g_assert_cmpuint(symbol->line, >, AFTER_SOUGHT - 6);
    g_assert_cmpuint(symbol->line, <, AFTER_SOUGHT);
    g_assert_true(tnd_symbols_find(symbols, path, offset) == symbol);
    tnd_symbols_free(symbols);
}

/* A stripped library: exported functions have names, and what stands between them is not given to them. */
static void test_library(void)
{
    TndSymbols *symbols = tnd_symbols_new();
    const char *path;
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD); /* its own, not a sanitizer's in front of it */
    g_assert_nonnull(libc);
    guint64 offset = offset_of(dlsym(libc, "qsort"), &path);
    dlclose(libc);
    const TndSymbol *symbol = tnd_symbols_find(symbols, path, offset + 1);
    g_assert_cmpstr(symbol->function, ==, "qsort");
    g_assert_true(g_str_has_prefix(symbol->module, "libc"));
    g_assert_null(tnd_symbols_find(symbols, path, 1)->function);
    g_assert_null(tnd_symbols_find(symbols, path, G_GUINT64_CONSTANT(1) << 40)->function);
    tnd_symbols_free(symbols);
}

/* Code without a symbol is named by where its function begins, which the unwind tables know. */
static void test_nameless(void)
{
    TndSymbols *symbols = tnd_symbols_new();
    const char *path;
    for (int which = 0; which < 2; which++) {
        guint64 begin = offset_of((gconstpointer)(guintptr)nameless(which), &path);
        char *name = g_path_get_basename(path);
        char *expected = g_strdup_printf("%s+0x%" G_GINT64_MODIFIER "x", name, begin);
        g_assert_cmpstr(tnd_symbols_find(symbols, path, begin)->function, ==, expected);
        g_assert_cmpstr(tnd_symbols_find(symbols, path, begin + 5)->function, ==, expected);
        g_free(expected);
        g_free(name);
    }
    g_assert_cmpstr(tnd_symbols_find(symbols, path, offset_of((gconstpointer)(guintptr)nameless, &path))->function, ==,
                    "nameless");
    tnd_symbols_free(symbols);
}

/* A symbol answers for its own bytes only; where it does not say how many, as far as other code is known. */
static void test_borders(void)
{
    TndSymbols *symbols = tnd_symbols_new();
    const char *path;
    guint64 begin = offset_of(dlsym(RTLD_DEFAULT, "nameless_sizeless"), &path), nameless_begin = begin + 16;
    char *name = g_path_get_basename(path);
    char *place = g_strdup_printf("%s+0x%" G_GINT64_MODIFIER "x", name, nameless_begin);
    const struct {
        guint64 offset;
        const char *function;
    } expected[] = {
        {begin, "nameless_sizeless"},
        {begin + 15, "nameless_sizeless"},
        {nameless_begin, place},
        {begin + 31, place},
        {begin + 32, NULL},
        {begin + 47, NULL},
        {begin + 48, "nameless_short"},
        {begin + 55, "nameless_short"},
        {begin + 56, NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++)
        g_assert_cmpstr(tnd_symbols_find(symbols, path, expected[i].offset)->function, ==, expected[i].function);
    g_free(place);
    g_free(name);
    tnd_symbols_free(symbols);
}

static void test_unreadable(void)
{
    static const char *const paths[] = {"/nonexistent/libx.so", "/proc/self/cmdline", "/", "[vdso]"};
    static const char *const modules[] = {"libx.so", "cmdline", "/", "[vdso]"};
    TndSymbols *symbols = tnd_symbols_new();
    for (guint i = 0; i < G_N_ELEMENTS(paths); i++) {
        const TndSymbol *symbol = tnd_symbols_find(symbols, paths[i], 4096);
        g_assert_null(symbol->function);
        g_assert_null(symbol->file);
        g_assert_cmpstr(symbol->module, ==, modules[i]);
    }
    tnd_symbols_free(symbols);
}

/* A library with a link to a debug file, which was there then. */
static char *link_debug_file(const char *directory, const char *debug_path)
{
    const char *nameless_path;
    (void)offset_of((gconstpointer)(guintptr)nameless, &nameless_path);
    char *path = g_build_filename(directory, "libnameless.so", NULL),
         *link = g_strconcat("--add-gnu-debuglink=", debug_path, NULL);
    char *words[] = {"objcopy", link, (char *)nameless_path, path, NULL};
    gint status;
    g_assert_true(g_file_set_contents(debug_path, "anything", -1, NULL));
    g_assert_true(g_spawn_sync(NULL, words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
    g_assert_cmpint(status, ==, 0);
    g_assert_cmpint(g_remove(debug_path), ==, 0);
    g_free(link);
    return path;
}

/* Modules and debug files that nobody should open: nothing is waited for. */
static void test_no_files(void)
{
    char *directory = g_dir_make_tmp("tandem-symbols-XXXXXX", NULL), *pipe = g_build_filename(directory, "pipe", NULL);
    char *linked = link_debug_file(directory, pipe);
    const char *const paths[] = {pipe, "/dev/tty", "/dev/zero", directory}, *path;
    TndSymbols *symbols = tnd_symbols_new();
    g_assert_cmpint(mkfifo(pipe, 0600), ==, 0);
    alarm(20); /* instead of waiting for ever */
    for (guint i = 0; i < G_N_ELEMENTS(paths); i++)
        g_assert_null(tnd_symbols_find(symbols, paths[i], 4096)->function);
    guint64 offset = offset_of((gconstpointer)(guintptr)nameless, &path);
    g_assert_cmpstr(tnd_symbols_find(symbols, linked, offset)->function, ==, "nameless");
    alarm(0);
    tnd_symbols_free(symbols);
    g_remove(linked);
    g_remove(pipe);
    g_rmdir(directory);
    g_free(linked);
    g_free(pipe);
    g_free(directory);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/symbols/own", test_own);
    g_test_add_func("/symbols/library", test_library);
    g_test_add_func("/symbols/nameless", test_nameless);
    g_test_add_func("/symbols/borders", test_borders);
    g_test_add_func("/symbols/unreadable", test_unreadable);
    g_test_add_func("/symbols/no-files", test_no_files);
    return g_test_run();
}
