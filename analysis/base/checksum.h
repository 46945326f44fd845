/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A checksum of bytes: the CRC-32 of gzip, by ISA-L, or by zlib where there is no ISA-L.
 */
#ifndef TND_CHECKSUM_H
#define TND_CHECKSUM_H

#include <glib.h>

guint32 tnd_checksum_of(const guint8 *bytes, guint32 n);

#endif
