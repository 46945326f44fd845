/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is in a run directory: images of processes and their streams, in an order that does not depend on the disk.
 */
#ifndef TND_RUN_FILES_H
#define TND_RUN_FILES_H

#include <glib.h>

typedef struct {
    char *name; /* "<slot>.main" or "<slot>.signal": what tnd_stream_open wants */
    guint slot;
    gboolean is_signal;
    guint64 size_bytes; /* on the disk, about */
} TndRunStream;

typedef struct {
    char *name;      /* "<host>.<pid>.<n>" */
    char *path;      /* of its directory */
    GArray *streams; /* of TndRunStream; by slot, main before signal */
} TndRunImage;

/* Of all streams of an image, on the disk, about. */
guint64 tnd_run_files_bytes(const TndRunImage *image);

/* Images of a run directory; of a single image's directory, that one.  By name, numbers in it as numbers.  NULL if the
 * directory cannot be read or holds no streams. */
GPtrArray *tnd_run_files_list(const char *path, GError **error);

#endif
