/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is after the last end of a line is no line.
 */
#include "analysis/reports/source_file.h"

#include "formats/event_types.h"

#include <gio/gio.h>
#include <sys/stat.h>

static GPtrArray *folders_of(const TndTrace *trace, const char *folder)
{
    GPtrArray *folders = g_ptr_array_new_with_free_func(g_free);
    const struct tnd_pcf_type *images = tnd_pcf_type(tnd_trace_pcf(trace), TND_TYPE_IMAGE);
    if (folder)
        g_ptr_array_add(folders, g_strdup(folder));
    g_ptr_array_add(folders, g_path_get_dirname(tnd_trace_path(trace)));
    for (gsize i = 0; images && i < images->n_values; i++)
        if (g_path_is_absolute(images->values[i].label))
            g_ptr_array_add(folders, g_path_get_dirname(images->values[i].label));
    g_ptr_array_add(folders, g_strdup("."));
    g_ptr_array_add(folders, NULL);
    return folders;
}

/* As the trace says, or one of its name in a folder of the list (NULL at the end).  NULL: there is none. */
static char *find_file(const char *file, const char *const *folders)
{
    if (g_path_is_absolute(file) && g_file_test(file, G_FILE_TEST_IS_REGULAR))
        return g_strdup(file);
    char *name = g_path_get_basename(file), *found = NULL;
    for (; *folders && !found; folders++) {
        char *path = g_build_filename(*folders, name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
            found = g_steal_pointer(&path);
        g_free(path);
    }
    g_free(name);
    return found;
}

static gboolean is_newer(const char *path, const char *than)
{
    struct stat file, trace;
    return stat(path, &file) == 0 && stat(than, &trace) == 0 && file.st_mtime > trace.st_mtime;
}

TndSourceFile *tnd_source_file_read(const TndTrace *trace, const char *file, const char *folder, GError **error)
{
    GPtrArray *folders = folders_of(trace, folder);
    char *path = find_file(file, (const char *const *)folders->pdata), *text;
    TndSourceFile *source = NULL;
    g_ptr_array_unref(folders);
    if (!path) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s: not found", file);
    } else if (g_file_get_contents(path, &text, NULL, error)) {
        source = g_new(TndSourceFile, 1);
        *source = (TndSourceFile){g_strdup(path), g_strsplit(text, "\n", -1), 0, is_newer(path, tnd_trace_path(trace))};
        source->n_lines = g_strv_length(source->lines);
        if (source->n_lines && !*source->lines[source->n_lines - 1])
            source->n_lines--;
        g_free(text);
    }
    g_free(path);
    return source;
}

void tnd_source_file_free(TndSourceFile *source)
{
    if (!source)
        return;
    g_strfreev(source->lines);
    g_free(source->path);
    g_free(source);
}
