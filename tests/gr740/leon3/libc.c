/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What tandem calls of a C library, for a program without one: Debian's is compiled for another processor.  Other
 * functions of strings are in tests/gr740/plain_string.c.
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
