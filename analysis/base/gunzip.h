/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decompresses one gzip member, as its bytes come.  Two files implement it, of which the build takes one: with ISA-L
 * (gunzip_isal.c), or with zlib (gunzip_zlib.c) where there is no ISA-L.
 *
 * What it is not: a reader of files of several members (prv_file.h).  Cost: of a trace's text ISA-L makes three times
 * as many bytes a second as zlib (measured, tests/bench/bench_trace.c).
 */
#ifndef TND_GUNZIP_H
#define TND_GUNZIP_H

#include <glib.h>

typedef struct TndGunzip TndGunzip;

typedef enum { TND_GUNZIP_GOES_ON, TND_GUNZIP_MEMBER_ENDED, TND_GUNZIP_DAMAGED } TndGunzipResult;

TndGunzip *tnd_gunzip_new(void);
void tnd_gunzip_free(TndGunzip *gunzip);

/* Takes of the n_from bytes as many as it needs to fill the n_to, or all; says how many of each.  If the member goes on
 * and not all of the n_to were filled, it wants more.  After a member's end the next call begins another one.  Neither
 * n_from nor n_to is more than G_MAXUINT32. */
TndGunzipResult tnd_gunzip_convert(TndGunzip *gunzip, const char *from, gsize n_from, char *to, gsize n_to,
                                   gsize *n_read, gsize *n_written);

#endif
