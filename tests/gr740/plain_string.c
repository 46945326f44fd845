/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of <string.h>, byte by byte.  A program without a C library has no others.  Those of Debian's for this
 * processor compare and copy with the upper halves of registers, which the emulator loses at each signal
 * (registers_model.h): a strcmp that was interrupted said that equal names differ.
 */
#include <stdint.h>
#include <string.h>

/* Without it the compiler makes calls of these functions out of their loops. */
#pragma GCC optimize("no-tree-loop-distribute-patterns")

void *memset(void *to, int value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((char *)to)[i] = (char)value;
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((char *)to)[i] = ((const char *)from)[i];
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    if ((uintptr_t)to <= (uintptr_t)from)
        return memcpy(to, from, n);
    while (n-- > 0)
        ((char *)to)[n] = ((const char *)from)[n];
    return to;
}

size_t strlen(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

int strncmp(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i] || !a[i])
            return (unsigned char)a[i] - (unsigned char)b[i];
    return 0;
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, SIZE_MAX);
}

char *strchr(const char *text, int wanted)
{
    for (; *text != (char)wanted; text++)
        if (!*text)
            return NULL;
    return (char *)text;
}

char *strrchr(const char *text, int wanted)
{
    char *found = NULL;
    do
        found = *text == (char)wanted ? (char *)text : found;
    while (*text++);
    return found;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    memset(to + i, 0, n - i);
    return to;
}

size_t strcspn(const char *text, const char *reject)
{
    size_t n = 0;
    while (text[n] && !strchr(reject, text[n]))
        n++;
    return n;
}

size_t strspn(const char *text, const char *accept)
{
    size_t n = 0;
    while (text[n] && strchr(accept, text[n]))
        n++;
    return n;
}
