/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts calls of MPI, or of OpenMP's library, by name, knowing nothing but the names.  Preloaded before tandem's
 * library it sees the same calls of the same run, as programs that poll make another number of calls every time. NAMES
 * is a file with a line `COUNT(MPI_Send)` for each; counts go to $COUNTS.<pid> when the process ends.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COUNT(name) n_##name,
enum {
#include NAMES
    N_NAMES
};
#undef COUNT
#define COUNT(name) #name,
static const char *const names[] = {
#include NAMES
};
#undef COUNT
static unsigned long counts[N_NAMES];

/* The arguments, whatever they are, go on to the next function of this name, and so does what it returns. */
#define COUNT(name)                                                                                                    \
    void name()                                                                                                        \
    {                                                                                                                  \
        static void (*next)();                                                                                         \
        void *arguments = __builtin_apply_args();                                                                      \
        if (!next)                                                                                                     \
            next = (void (*)())dlsym(RTLD_NEXT, #name);                                                                \
        __atomic_fetch_add(&counts[n_##name], 1, __ATOMIC_RELAXED);                                                    \
        __builtin_return(__builtin_apply(next, arguments, 96));                                                        \
    }
#include NAMES

__attribute__((destructor)) static void write_counts(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.%d", getenv("COUNTS"), (int)getpid());
    FILE *file = getenv("COUNTS") ? fopen(path, "w") : NULL;
    for (int i = 0; file && i < N_NAMES; i++)
        if (counts[i])
            fprintf(file, "%s %lu\n", names[i], counts[i]);
    if (file)
        fclose(file);
}
