/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An archive that is replaced is moved aside first, so that there is always a whole one at the place, or none.
 */
#include "analysis/convert/archive_directory.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

static gboolean fail(GError **error, const char *path, const char *reason)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", path, reason);
    return FALSE;
}

/* A name for a directory beside the path, and the directory; NULL and errno.  Free with g_free. */
static char *make_beside(const char *path)
{
    char *whole = g_canonicalize_filename(path, NULL);
    char *folder = g_path_get_dirname(whole), *name = g_path_get_basename(whole);
    char *hidden = g_strdup_printf("%s/.%s.XXXXXX", folder, name);
    g_free(whole);
    g_free(folder);
    g_free(name);
    if (g_mkdtemp_full(hidden, 0777))
        return hidden;
    int reason = errno;
    g_free(hidden);
    errno = reason;
    return NULL;
}

/* Whether what stands at the place may be replaced: nothing, an empty directory, or one that has the anchor, "x.y", and
 * nothing but files called x.* and a directory x. */
static gboolean may_replace(const char *path, const char *anchor)
{
    GStatBuf status;
    if (g_lstat(path, &status) != 0)
        return TRUE;
    GDir *directory = S_ISDIR(status.st_mode) ? g_dir_open(path, 0, NULL) : NULL;
    char *stem = g_strndup(anchor, strcspn(anchor, "."));
    gboolean has_anchor = FALSE, has_other = FALSE, is_empty = TRUE;
    for (const char *name; directory && (name = g_dir_read_name(directory)); is_empty = FALSE) {
        has_anchor = has_anchor || strcmp(name, anchor) == 0;
        has_other = has_other || strncmp(name, stem, strcspn(name, ".")) != 0;
    }
    gboolean may = directory && (is_empty || (has_anchor && !has_other));
    if (directory)
        g_dir_close(directory);
    g_free(stem);
    return may;
}

char *tnd_archive_directory_begin(const char *path, const char *anchor, GError **error)
{
    char *made = NULL;
    if (!may_replace(path, anchor))
        fail(error, path, "exists, and is not such an archive alone: give another --output, or delete it");
    else if (!(made = make_beside(path)))
        fail(error, path, g_strerror(errno));
    return made;
}

void tnd_archive_directory_delete(const char *made)
{
    GStatBuf status;
    GDir *directory = g_lstat(made, &status) == 0 && S_ISDIR(status.st_mode) ? g_dir_open(made, 0, NULL) : NULL;
    for (const char *name; directory && (name = g_dir_read_name(directory));) {
        char *path = g_build_filename(made, name, NULL);
        tnd_archive_directory_delete(path);
        g_free(path);
    }
    if (directory)
        g_dir_close(directory);
    g_remove(made);
}

gboolean tnd_archive_directory_finish(const char *made, const char *path, GError **error)
{
    char *aside = g_file_test(path, G_FILE_TEST_EXISTS) ? make_beside(path) : NULL;
    gboolean is_aside = aside && g_rename(path, aside) == 0;
    gboolean good = (!aside || is_aside) && g_rename(made, path) == 0;
    if (!good)
        fail(error, path, g_strerror(errno));
    if (!good && is_aside)
        g_rename(aside, path);
    tnd_archive_directory_delete(good && aside ? aside : made);
    g_free(aside);
    return good;
}
