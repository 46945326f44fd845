/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading descriptions: one declaration a line.
 */
#include "cli/library_description.h"

#include <fnmatch.h>
#include <gio/gio.h>
#include <string.h>

#define SUFFIX ".library"

static void free_function(void *data)
{
    TndDescribedFunction *function = data;
    tnd_prototype_free(function->prototype);
    g_strfreev(function->values);
    g_free(function);
}

void tnd_library_description_free(TndDescription *description)
{
    g_free(description->path);
    g_strfreev(description->libraries);
    g_strfreev(description->defaults);
    g_ptr_array_unref(description->functions);
    g_free(description);
}

/* The names behind the prototype: "; : n, return". */
static char **read_values(const char *line)
{
    const char *end = strrchr(line, ';');
    const char *colon = end ? strchr(end, ':') : NULL;
    if (!colon)
        return NULL;
    char *names = g_strdup(colon + 1);
    char **values = g_strsplit_set(g_strstrip(names), ", ", -1);
    g_free(names);
    return values;
}

/* Takes the words behind the first one into a list, which may have some already. */
static void take_words(char ***list, const char *line)
{
    GStrvBuilder *builder = g_strv_builder_new();
    char **words = g_strsplit_set(strchr(line, ' ') + 1, " ", -1);
    if (*list)
        g_strv_builder_addv(builder, (const char **)*list);
    for (guint i = 0; words[i]; i++)
        if (*words[i])
            g_strv_builder_add(builder, words[i]);
    g_strfreev(words);
    g_strfreev(*list);
    *list = g_strv_builder_end(builder);
    g_strv_builder_unref(builder);
}

static gboolean read_line(TndDescription *description, GHashTable *types, char *line, GError **error)
{
    g_strstrip(line);
    if (!*line || *line == '#')
        return TRUE;
    char ***list = g_str_has_prefix(line, "library ")   ? &description->libraries
                   : g_str_has_prefix(line, "default ") ? &description->defaults
                                                        : NULL;
    if (list) {
        take_words(list, line);
        return TRUE;
    }
    if (!strchr(line, ';')) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "\"%s\" does not end in ;", line);
        return FALSE;
    }
    GError *fault = NULL;
    TndPrototype *prototype = tnd_prototype_read(line, types, &fault);
    if (fault)
        g_propagate_error(error, fault);
    if (!prototype)
        return !fault;
    TndDescribedFunction *function = g_new(TndDescribedFunction, 1);
    *function = (TndDescribedFunction){prototype, read_values(line)};
    g_ptr_array_add(description->functions, function);
    return TRUE;
}

TndDescription *tnd_library_description_read(const char *path, GError **error)
{
    char *text;
    if (!g_file_get_contents(path, &text, NULL, error))
        return NULL;
    TndDescription *description = g_new0(TndDescription, 1);
    GHashTable *types = tnd_prototype_types();
    char **lines = g_strsplit(text, "\n", -1);
    description->path = g_strdup(path);
    description->libraries = g_new0(char *, 1);
    description->functions = g_ptr_array_new_with_free_func(free_function);
    for (guint i = 0; description && lines[i]; i++)
        if (!read_line(description, types, lines[i], error)) {
            g_prefix_error(error, "%s:%u: ", path, i + 1);
            tnd_library_description_free(description);
            description = NULL;
        }
    g_strfreev(lines);
    g_hash_table_unref(types);
    g_free(text);
    return description;
}

static void add_directory(GPtrArray *paths, const char *directory)
{
    GDir *dir = g_dir_open(directory, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir)))
        if (g_str_has_suffix(name, SUFFIX))
            g_ptr_array_add(paths, g_build_filename(directory, name, NULL));
    if (dir)
        g_dir_close(dir);
}

static char *directory_in(const char *configuration)
{
    return g_build_filename(configuration, "tandem", "libraries", NULL);
}

char *tnd_library_description_directory(gboolean is_of_site)
{
    const char *const *site = g_get_system_config_dirs();
    return directory_in(is_of_site && *site ? *site : g_get_user_config_dir());
}

static gboolean lies_in(const char *path, const char *configuration)
{
    char *directory = g_path_get_dirname(path), *other = directory_in(configuration);
    gboolean lies = strcmp(directory, other) == 0;
    g_free(directory);
    g_free(other);
    return lies;
}

const char *tnd_library_description_whose(const char *path)
{
    if (lies_in(path, g_get_user_config_dir()))
        return "yours";
    for (const char *const *site = g_get_system_config_dirs(); *site; site++)
        if (lies_in(path, *site))
            return "the site's";
    return "tandem's";
}

static void add_installed(GPtrArray *paths)
{
    static const char *const beside[] = {"../share/tandem/libraries", "../data/libraries"};
    char *program = g_file_read_link("/proc/self/exe", NULL);
    char *own = program ? g_path_get_dirname(program) : NULL;
    guint n_before = paths->len;
    for (guint i = 0; own && paths->len == n_before && i < G_N_ELEMENTS(beside); i++) {
        char *directory = g_build_filename(own, beside[i], NULL);
        add_directory(paths, directory);
        g_free(directory);
    }
    if (paths->len == n_before)
        add_directory(paths, TND_DESCRIPTIONS_DIRECTORY);
    g_free(own);
    g_free(program);
}

GPtrArray *tnd_library_description_paths(void)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    char *user = tnd_library_description_directory(FALSE);
    add_directory(paths, user);
    for (const char *const *site = g_get_system_config_dirs(); *site; site++) {
        char *directory = directory_in(*site);
        add_directory(paths, directory);
        g_free(directory);
    }
    add_installed(paths);
    g_free(user);
    return paths;
}

gboolean tnd_library_description_is_of(const TndDescription *description, const char *name)
{
    char *stem = g_path_get_basename(name), *ending = strstr(stem, ".so");
    if (ending)
        *ending = 0;
    const char *bare = g_str_has_prefix(stem, "lib") && (ending || strchr(name, '/')) ? stem + 3 : stem;
    gboolean is = FALSE;
    for (guint i = 0; description->libraries[i] && !is; i++)
        is = fnmatch(bare, description->libraries[i], 0) == 0 || fnmatch(description->libraries[i], bare, 0) == 0;
    g_free(stem);
    return is;
}
