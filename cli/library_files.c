/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asking the dynamic linker.
 */
#include "cli/library_files.h"

#include "run/library_name.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>

/* What the dynamic linker says of a program; NULL: it could not be asked.  status: of waitpid; may be NULL. */
static char *ask_linker(const char *linker, const char *option, const char *program, int *status)
{
    char *words[] = {(char *)linker, (char *)option, (char *)program, NULL}, *said = NULL;
    char **environment = g_environ_unsetenv(g_environ_unsetenv(g_get_environ(), "LD_PRELOAD"), "LD_AUDIT");
    g_spawn_sync(NULL, words, environment, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &said, NULL, status, NULL);
    g_strfreev(environment);
    return said;
}

char *tnd_library_files_linked(const char *program)
{
    Dl_info linker;
    int status = 0;
    if (!dladdr((void *)getauxval(AT_BASE), &linker) || !linker.dli_fname)
        return NULL;
    /* The linker itself crashes when it lists a program without a dynamic section, and can leave a core file.  It
     * verifies one that has a section with 0, or with 2 where no linker is named, and says nothing. */
    char *said = ask_linker(linker.dli_fname, "--verify", program, &status);
    if (!said || !WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 2))
        return said;
    g_free(said);
    return ask_linker(linker.dli_fname, "--list", program, NULL);
}

static char *linker_cache(void)
{
    char *words[] = {"/sbin/ldconfig", "-p", NULL}, *list = NULL;
    g_spawn_sync(NULL, words, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &list, NULL, NULL, NULL);
    return list;
}

static void add_path(GPtrArray *paths, const char *path)
{
    char *real = realpath(path, NULL);
    if (real && !g_ptr_array_find_with_equal_func(paths, real, g_str_equal, NULL))
        g_ptr_array_add(paths, g_strdup(real));
    free(real);
}

/* Adds what the pattern means of a list with lines of "NAME => PATH" or "PATH", and perhaps an address in parentheses.
 * Frees the list. */
static void add_of_list(GPtrArray *paths, const char *pattern, char *list)
{
    char **lines = g_strsplit(list ? list : "", "\n", -1);
    for (char **line = lines; *line; line++) {
        const char *arrow = strstr(*line, " => "), *path = arrow ? arrow + strlen(" => ") : g_strchug(*line);
        char *address = strstr(*line, " (0x");
        if (address)
            *address = 0;
        if (strchr(path, '/') && tnd_library_name_means(pattern, path))
            add_path(paths, path);
    }
    g_strfreev(lines);
    g_free(list);
}

GPtrArray *tnd_library_files_find(const char *pattern, const char *program)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    glob_t found = {0};
    if (strchr(pattern, '/') && glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            add_path(paths, found.gl_pathv[i]);
    globfree(&found);
    if (!strchr(pattern, '/') && program)
        add_of_list(paths, pattern, tnd_library_files_linked(program));
    if (!strchr(pattern, '/') && !paths->len)
        add_of_list(paths, pattern, linker_cache());
    return paths;
}
