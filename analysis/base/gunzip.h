/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decompresses a gzip member piece by piece.  The build chooses one of two implementations: ISA-L (gunzip_isal.c), or
 * zlib (gunzip_zlib.c) where there is no ISA-L.
 *
 * Files of several members are read by prv_file.h.  Cost: ISA-L decompresses the text of a trace three times as fast as
 * zlib (measured, tests/bench/bench_trace.c).
 */
#ifndef TND_GUNZIP_H
#define TND_GUNZIP_H

#include <glib.h>

typedef struct TndGunzip TndGunzip;

typedef enum { TND_GUNZIP_GOES_ON, TND_GUNZIP_MEMBER_ENDED, TND_GUNZIP_DAMAGED } TndGunzipResult;

TndGunzip *tnd_gunzip_new(void);
void tnd_gunzip_free(TndGunzip *gunzip);

/* Decompresses from n_from bytes into n_to, and says how many were read and written.  If it returns TND_GUNZIP_GOES_ON
 * and *n_written is less than n_to, it needs more input.  After the end of a member the next call begins another one.
 * Neither n_from nor n_to is more than G_MAXUINT32. */
TndGunzipResult tnd_gunzip_convert(TndGunzip *gunzip, const char *from, gsize n_from, char *to, gsize n_to,
                                   gsize *n_read, gsize *n_written);

#endif
