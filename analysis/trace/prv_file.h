/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the bytes of a trace file, plain or gzip, for tnd_prv_read, which reads records; and finds the names of the
 * files that belong to it.
 *
 * Cost: that of read(), and of the decompressor for a compressed file.
 */
#ifndef TND_PRV_FILE_H
#define TND_PRV_FILE_H

#include <gio/gio.h>
#include <sys/types.h>

typedef struct TndPrvFile TndPrvFile;

/* Opens NAME.prv or NAME.prv.gz.  Its first bytes say whether it is compressed.  NULL and error: it failed, or the name
 * is another one. */
TndPrvFile *tnd_prv_file_open(const char *path, GError **error);
void tnd_prv_file_close(TndPrvFile *file);

/* The descriptor that is read. */
int tnd_prv_file_descriptor(const TndPrvFile *file);

/* A tnd_prv_read_bytes whose file is the TndPrvFile.  -1 and errno: it failed; tnd_prv_file_error then says more. */
ssize_t tnd_prv_file_read(void *file, char *buffer, size_t size);
const GError *tnd_prv_file_error(const TndPrvFile *file);

/* Skips to the comments at the end of the file, or to its end.  The next bytes may begin with the rest of the line
 * before them.  It does nothing if the file is compressed, or if the comments begin before the present position. */
void tnd_prv_file_skip_to_comments(TndPrvFile *file);

/* How much of the file on the disk has been read, 0 to 1. */
double tnd_prv_file_fraction(const TndPrvFile *file);

/* The path without its ending; NULL if it does not end in .prv or .prv.gz.  Free with g_free. */
char *tnd_prv_file_stem(const char *path);

/* The path of the file with another ending (".pcf", ".row") that belongs to a trace; NULL if the path does not end in
 * .prv or .prv.gz.  Free with g_free. */
char *tnd_prv_file_companion(const char *path, const char *ending);

#endif
