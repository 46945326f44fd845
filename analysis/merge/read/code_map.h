/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of code that is in no file, from a text in the format of perf's map files: a line "ADDRESS SIZE NAME" for each
 * function, in hexadecimal.  Where ranges overlap, the later line holds: a just-in-time compiler uses memory again.
 */
#ifndef TND_CODE_MAP_H
#define TND_CODE_MAP_H

#include <glib.h>

typedef struct TndCodeMap TndCodeMap;

/* text: may be NULL.  Lines that say nothing are passed over.  n log n for n lines. */
TndCodeMap *tnd_code_map_new(const char *text);
void tnd_code_map_free(TndCodeMap *map);

/* The name of the function at an address; NULL: the map has none there.  It lives as long as the map. */
const char *tnd_code_map_find(const TndCodeMap *map, guint64 address);

#endif
