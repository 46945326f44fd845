/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decompression of xz's format, in one piece.  A build without liblzma has none.
 */
#ifndef TND_UNXZ_H
#define TND_UNXZ_H

#include <glib.h>

/* What is packed there, if that is at most max_bytes; NULL: it is more, it is damaged, or this build cannot unpack. */
GBytes *tnd_unxz(gconstpointer packed, gsize n_bytes, gsize max_bytes);

#endif
