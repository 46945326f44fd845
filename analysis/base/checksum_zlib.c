/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checksum by zlib.
 */
#include "analysis/base/checksum.h"

#include <zlib.h>

guint32 tnd_checksum_of(const guint8 *bytes, guint32 n)
{
    return (guint32)crc32(0, bytes, n);
}
