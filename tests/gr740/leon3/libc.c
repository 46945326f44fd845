/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of a C library that tandem calls, for a program without one: Debian's is compiled for another
 * processor. Compiled with -ffreestanding -fno-tree-loop-distribute-patterns, so that none of them becomes a call of
 * itself.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int *__errno_location(void)
{
    static int number;
    return &number;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    char *at = to;
    for (const char *p = from; n > 0; n--)
        *at++ = *p++;
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    char *at = to;
    const char *p = from;
    if (at <= p)
        return memcpy(to, from, n);
    while (n-- > 0)
        at[n] = p[n];
    return to;
}

void *memset(void *to, int value, size_t n)
{
    for (char *at = to; n > 0; n--)
        *at++ = (char)value;
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
    for (; n > 0; n--, a++, b++)
        if (*a != *b || !*a)
            return (unsigned char)*a - (unsigned char)*b;
    return 0;
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, SIZE_MAX);
}

char *stpcpy(char *restrict to, const char *restrict from)
{
    while ((*to = *from++))
        to++;
    return to;
}

char *strcpy(char *restrict to, const char *restrict from)
{
    stpcpy(to, from);
    return to;
}

char *strcat(char *restrict to, const char *restrict from)
{
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = *from ? *from++ : 0;
    return to;
}

char *strrchr(const char *text, int letter)
{
    const char *found = NULL;
    for (;; text++) {
        if (*text == (char)letter)
            found = text;
        if (!*text)
            return (char *)(uintptr_t)found;
    }
}

char *strchr(const char *text, int letter)
{
    for (;; text++) {
        if (*text == (char)letter)
            return (char *)(uintptr_t)text;
        if (!*text)
            return NULL;
    }
}

size_t strspn(const char *text, const char *of)
{
    size_t n = 0;
    while (text[n] && strchr(of, text[n]))
        n++;
    return n;
}

size_t strcspn(const char *text, const char *of)
{
    size_t n = 0;
    while (text[n] && !strchr(of, text[n]))
        n++;
    return n;
}

char *strdup(const char *text)
{
    static char room[4096];
    static size_t n_used;
    size_t n = strlen(text) + 1;
    char *kept = n <= sizeof room - n_used ? room + n_used : NULL;
    if (kept)
        n_used += n;
    return kept ? memcpy(kept, text, n) : NULL;
}

char *getenv(const char *name)
{
    return NULL;
}

int atexit(void (*function)(void))
{
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    return 0;
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    return 1;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
    return 1;
}

int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void))
{
    return 1;
}

/* What a compiler calls for what the processor has no instruction for. */
uint64_t __fixunsdfdi(double number);

uint64_t __fixunsdfdi(double number)
{
    uint32_t high = (uint32_t)(number / 4294967296.0);
    return (uint64_t)high << 32 | (uint32_t)(number - (double)high * 4294967296.0);
}
