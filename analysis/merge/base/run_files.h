/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is in a run directory: images of processes and their streams, in an order that does not depend on the disk.
 */
#ifndef TND_RUN_FILES_H
#define TND_RUN_FILES_H

#include <glib.h>

typedef struct {
    char *name; /* "<slot>.main" or "<slot>.signal", as tnd_stream_open takes it */
    guint slot;
    gboolean is_signal;
    guint64 size_bytes; /* of its files on the disk, about */
} TndRunStream;

typedef struct {
    char *name;      /* "<host>.<pid>.<n>" */
    char *path;      /* the path of its directory */
    GArray *streams; /* TndRunStream, in the order of slots, main before signal */
} TndRunImage;

/* Bytes of all streams of an image on the disk, about. */
guint64 tnd_run_files_bytes(const TndRunImage *image);

/* The images of a run directory, or the one of an image's own directory, in the order of their names, in which
 * numbers compare as numbers.  NULL if the directory cannot be read or holds no streams. */
GPtrArray *tnd_run_files_list(const char *path, GError **error);

#endif
