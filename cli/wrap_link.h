/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem wrap --link`: what a program is linked with so that its calls of a static library can be recorded.
 */
#ifndef TND_WRAP_LINK_H
#define TND_WRAP_LINK_H

#include <glib.h>

/* Makes STEM.a, with a small object for each function of the archive, which the linker takes if the function is called,
 * and STEM.flags, which the compiler takes in place of the archive.  stem: NULL: libtandem-NAME in the current
 * directory.  Returns the exit status. */
int tnd_wrap_link_make(const char *archive, const char *stem, gboolean force);

#endif
