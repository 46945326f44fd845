/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lists a run directory. Only names and sizes of files are read.
 */
#include "analysis/merge/base/run_files.h"

#include "formats/rings.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RING_ENDING ".ring"

static void clear_stream(gpointer data)
{
    g_free(((TndRunStream *)data)->name);
}

static void free_image(gpointer data)
{
    TndRunImage *image = data;
    g_free(image->name);
    g_free(image->path);
    g_array_unref(image->streams);
    g_free(image);
}

/* "<slot>.<context>.ring"; FALSE for any other name. */
static gboolean parse_ring_name(const char *name, TndRunStream *stream)
{
    if (!g_ascii_isdigit(name[0]))
        return FALSE;
    char *rest;
    stream->slot = (guint)strtoul(name, &rest, 10);
    stream->is_signal = strcmp(rest, ".signal" RING_ENDING) == 0;
    return stream->is_signal || strcmp(rest, ".main" RING_ENDING) == 0;
}

static guint64 file_size(const char *directory, const char *name, const char *ending)
{
    char *path = g_strconcat(directory, "/", name, ending, NULL);
    struct stat status;
    guint64 size = stat(path, &status) == 0 ? (guint64)status.st_size : 0;
    g_free(path);
    return size;
}

static int compare_streams(gconstpointer a, gconstpointer b)
{
    const TndRunStream *s = a, *t = b;
    if (s->slot != t->slot)
        return s->slot < t->slot ? -1 : 1;
    return s->is_signal - t->is_signal;
}

/* Numbers within a name compare as numbers: host.9.0 before host.10.0. */
static int compare_images(gconstpointer a, gconstpointer b)
{
    const TndRunImage *const *i = a, *const *j = b;
    return strverscmp((*i)->name, (*j)->name);
}

/* Adds the streams whose rings are in the file of all. */
static void add_rings(TndRunImage *image)
{
    char *path = g_build_filename(image->path, TND_RINGS_FILE, NULL);
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct tnd_rings rings = {0};
    if (fd >= 0 && !tnd_rings_read(fd, &rings))
        rings.n_slots = 0;
    for (guint i = 0; i < 2 * rings.n_slots; i++) {
        TndRunStream stream = {.slot = i / 2, .is_signal = i % 2};
        guint64 offset;
        if (!tnd_rings_find(fd, &rings, stream.slot, stream.is_signal ? TND_CONTEXT_SIGNAL : TND_CONTEXT_MAIN, &offset))
            continue;
        stream.name = g_strdup_printf("%u.%s", stream.slot, stream.is_signal ? "signal" : "main");
        stream.size_bytes = file_size(image->path, stream.name, ".stream") +
                            (stream.is_signal ? rings.stride_bytes - rings.main_bytes : rings.main_bytes);
        g_array_append_val(image->streams, stream);
    }
    if (fd >= 0)
        close(fd);
    g_free(path);
}

/* The image in this directory; NULL if it holds no streams. */
static TndRunImage *read_image(const char *path)
{
    GDir *directory = g_dir_open(path, 0, NULL);
    if (!directory)
        return NULL;
    TndRunImage *image = g_new0(TndRunImage, 1);
    image->path = g_strdup(path);
    image->name = g_path_get_basename(path);
    image->streams = g_array_new(FALSE, FALSE, sizeof(TndRunStream));
    g_array_set_clear_func(image->streams, clear_stream);
    const char *name;
    while ((name = g_dir_read_name(directory))) {
        TndRunStream stream;
        if (!parse_ring_name(name, &stream))
            continue;
        stream.name = g_strndup(name, strlen(name) - strlen(RING_ENDING));
        stream.size_bytes = file_size(path, stream.name, ".stream") + file_size(path, stream.name, RING_ENDING);
        g_array_append_val(image->streams, stream);
    }
    g_dir_close(directory);
    add_rings(image);
    g_array_sort(image->streams, compare_streams);
    if (image->streams->len == 0)
        g_clear_pointer(&image, free_image);
    return image;
}

guint64 tnd_run_files_bytes(const TndRunImage *image)
{
    guint64 n_bytes = 0;
    for (guint i = 0; i < image->streams->len; i++)
        n_bytes += g_array_index(image->streams, TndRunStream, i).size_bytes;
    return n_bytes;
}

GPtrArray *tnd_run_files_list(const char *path, GError **error)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        int reason = errno;
        g_set_error(error, G_IO_ERROR, g_io_error_from_errno(reason), "%s: %s", path, g_strerror(reason));
        return NULL;
    }
    close(fd);
    GDir *directory = g_dir_open(path, 0, error);
    if (!directory)
        return NULL;
    GPtrArray *images = g_ptr_array_new_with_free_func(free_image);
    TndRunImage *image = read_image(path);
    if (image)
        g_ptr_array_add(images, image);
    const char *name;
    while (!image && (name = g_dir_read_name(directory))) {
        char *child = g_build_filename(path, name, NULL);
        TndRunImage *found = g_file_test(child, G_FILE_TEST_IS_DIR) ? read_image(child) : NULL;
        if (found)
            g_ptr_array_add(images, found);
        g_free(child);
    }
    g_dir_close(directory);
    if (images->len == 0) {
        g_ptr_array_unref(images);
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s: no process left a stream here", path);
        return NULL;
    }
    g_ptr_array_sort(images, compare_images);
    return images;
}
