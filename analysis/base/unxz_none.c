/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For builds without liblzma.
 */
#include "analysis/base/unxz.h"

GBytes *tnd_unxz(gconstpointer packed, gsize n_bytes, gsize max_bytes)
{
    return NULL;
}
