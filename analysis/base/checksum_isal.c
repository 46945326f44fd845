/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checksum by ISA-L.
 */
#include "analysis/base/checksum.h"

#include <isa-l/crc.h>

guint32 tnd_checksum_of(const guint8 *bytes, guint32 n)
{
    return crc32_gzip_refl(0, bytes, n);
}
