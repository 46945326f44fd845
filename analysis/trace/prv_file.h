/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bytes of a trace file, plain or gzip, for tnd_prv_read; and the files that belong to it.
 *
 * What it is not: a reader of records (formats/prv_read.h).  A compressed file costs the decompressor's time.
 */
#ifndef TND_PRV_FILE_H
#define TND_PRV_FILE_H

#include <gio/gio.h>
#include <sys/types.h>

typedef struct TndPrvFile TndPrvFile;

/* NAME.prv or NAME.prv.gz; whether it is compressed is seen from its first bytes.  NULL and error otherwise. */
TndPrvFile *tnd_prv_file_open(const char *path, GError **error);
void tnd_prv_file_close(TndPrvFile *file);

/* A tnd_prv_read_bytes: file is the TndPrvFile.  -1 with errno; tnd_prv_file_error then says more. */
ssize_t tnd_prv_file_read(void *file, char *buffer, size_t size);
const GError *tnd_prv_file_error(const TndPrvFile *file);

/* Goes on at the comments that the file ends in, or at its end: what is read next may begin with the rest of a line
 * before them.  Of a compressed file, and where they begin before what has been read, it does nothing. */
void tnd_prv_file_skip_to_comments(TndPrvFile *file);

/* How much of the file on the disk has been read, 0 to 1. */
double tnd_prv_file_fraction(const TndPrvFile *file);

/* The path without its ending; NULL if it does not end in .prv or .prv.gz.  Free with g_free. */
char *tnd_prv_file_stem(const char *path);

/* The path with another ending (".pcf", ".row"); NULL if it does not end as a trace does.  Free with g_free. */
char *tnd_prv_file_beside(const char *path, const char *ending);

#endif
