/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Descriptions of libraries (NAME.library, docs/libraries.md): which functions they have, with their prototypes, and
 * which arguments and results are worth recording.
 */
#ifndef TND_LIBRARY_DESCRIPTION_H
#define TND_LIBRARY_DESCRIPTION_H

#include "cli/prototype.h"

typedef struct {
    TndPrototype *prototype;
    char **values; /* names of parameters, and "return"; NULL: none */
} TndDescribedFunction;

typedef struct {
    char *path;
    char **libraries;     /* names without lib and .so, with * and ? */
    char **defaults;      /* functions that are recorded by default, with * and ?; NULL: all that the library has */
    GPtrArray *functions; /* TndDescribedFunction * */
} TndDescription;

/* Reads a file.  NULL: an error, which says the line. */
TndDescription *tnd_library_description_read(const char *path, GError **error);
void tnd_library_description_free(TndDescription *description);

/* Paths of all descriptions: those of the user, those of the site, and those that were installed with tandem.  Free
 * with g_ptr_array_unref. */
GPtrArray *tnd_library_description_paths(void);

/* Which of them a path is of: "yours", "the site's", "tandem's". */
const char *tnd_library_description_whose(const char *path);

/* The directory of the user's descriptions, or of the site's ($XDG_CONFIG_DIRS, the first of them).  It may not exist.
 * Free with g_free. */
char *tnd_library_description_directory(gboolean is_of_site);

/* Whether the description is of a library that the name means, as --library takes it. */
gboolean tnd_library_description_is_of(const TndDescription *description, const char *name);

#endif
