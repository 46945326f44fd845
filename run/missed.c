/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of the ledger's files: "missed.", a kind's key, and a program's name.  Context: missed.h.
 */
#include "run/missed.h"

#include "system/executable.h"

#include <string.h>

#define START "missed."
#define IS_SAME(name) _Static_assert((int)TND_MISSED_##name == (int)TND_EXECUTABLE_##name, "they are in one order")
IS_SAME(STATIC);
IS_SAME(LIBC);
IS_SAME(BITS);
IS_SAME(MACHINE);
IS_SAME(PRIVILEGED);
IS_SAME(APART);

static const struct {
    const char *key, *reason, *cure;
} kinds[TND_MISSED_KINDS] = {
#define KIND(kind, key, what, cure) [TND_MISSED_##kind] = {key, what, cure},
    TND_MISSED_TABLE(KIND)};

/* Appends a text; what is no letter that a line can have becomes "?". */
static char *append(char *to, const char *end, const char *text)
{
    for (; *text && to < end; text++)
        *to++ = (unsigned char)*text < ' ' || *text == 127 ? '?' : *text;
    *to = 0;
    return to;
}

void tnd_missed_file(enum tnd_missed kind, const char *program, char name[static TND_MISSED_NAME_MAX])
{
    const char *slash = strrchr(program, '/'), *end = name + TND_MISSED_NAME_MAX - 1;
    char *to = append(name, end, START);
    to = append(to, end, kinds[kind].key);
    to = append(to, end, ".");
    append(to, end, slash ? slash + 1 : program);
}

const char *tnd_missed_program(const char *file, enum tnd_missed *kind)
{
    if (strncmp(file, START, strlen(START)) != 0)
        return NULL;
    file += strlen(START);
    for (int i = TND_MISSED_NONE + 1; i < TND_MISSED_KINDS; i++) {
        size_t n = strlen(kinds[i].key);
        if (strncmp(file, kinds[i].key, n) == 0 && file[n] == '.' && file[n + 1]) {
            *kind = (enum tnd_missed)i;
            return file + n + 1;
        }
    }
    return NULL;
}

const char *tnd_missed_reason(enum tnd_missed kind)
{
    return kinds[kind].reason;
}

const char *tnd_missed_cure(enum tnd_missed kind)
{
    return kinds[kind].cure;
}
