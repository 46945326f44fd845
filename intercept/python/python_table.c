/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes of the table.  Context: python_table.h.
 */
#include "intercept/python/python_table.h"

#include <pthread.h>
#include <stdlib.h>

#define FIRST_BITS 12

struct tnd_python_table tnd_python_table;

static const struct tnd_python_place freed; /* its address stands for a code object that was freed */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t n_used; /* places that are not empty */

static size_t size(void)
{
    return (size_t)1 << (64 - tnd_python_table.shift);
}

static size_t next(size_t at)
{
    return (at + 1) & (size() - 1);
}

static size_t home(const void *code)
{
    return (uint64_t)(uintptr_t)code * 0x9e3779b97f4a7c15u >> tnd_python_table.shift;
}

/* The place of a code object, or an empty one. */
static size_t find(const void *code)
{
    size_t at = home(code);
    while (tnd_python_table.places[at].code && tnd_python_table.places[at].code != code)
        at = next(at);
    return at;
}

static void put(struct tnd_python_place *place, const void *code, struct tnd_python_function *function)
{
    place->function = function;
    __atomic_store_n(&place->code, code, __ATOMIC_RELEASE);
}

static bool grow(unsigned bits)
{
    const struct tnd_python_place *old = tnd_python_table.places;
    size_t n_old = old ? size() : 0, mask = ((size_t)1 << bits) - 1;
    struct tnd_python_place *places = calloc(mask + 1, sizeof *places);
    if (!places)
        return false;
    n_used = 0;
    for (size_t i = 0; i < n_old; i++) {
        if (!old[i].code || old[i].code == &freed)
            continue;
        size_t at = (uint64_t)(uintptr_t)old[i].code * 0x9e3779b97f4a7c15u >> (64 - bits);
        while (places[at].code)
            at = (at + 1) & mask;
        places[at] = old[i];
        n_used++;
    }
    __atomic_store_n(&tnd_python_table.places, places, __ATOMIC_RELEASE);
    __atomic_store_n(&tnd_python_table.shift, 64 - bits, __ATOMIC_RELEASE);
    return true;
}

struct tnd_python_function *tnd_python_table_find(const void *code)
{
    pthread_mutex_lock(&lock);
    const struct tnd_python_place *place = &tnd_python_table.places[find(code)];
    struct tnd_python_function *function = place->code ? place->function : NULL;
    pthread_mutex_unlock(&lock);
    return function;
}

void tnd_python_table_add(const void *code, struct tnd_python_function *function)
{
    pthread_mutex_lock(&lock);
    if (n_used < size() / 2 || grow(65 - tnd_python_table.shift)) {
        struct tnd_python_place *place = &tnd_python_table.places[find(code)];
        n_used += place->code == NULL;
        put(place, code, function);
    }
    pthread_mutex_unlock(&lock);
}

/* A search ends at an empty place, so that freed places before an empty one become empty, too. */
void tnd_python_table_remove(const void *code)
{
    pthread_mutex_lock(&lock);
    struct tnd_python_place *places = tnd_python_table.places;
    size_t at = find(code);
    if (places[at].code)
        __atomic_store_n(&places[at].code, &freed, __ATOMIC_RELEASE);
    if (!places[next(at)].code)
        for (; places[at].code == &freed; at = (at - 1) & (size() - 1)) {
            __atomic_store_n(&places[at].code, NULL, __ATOMIC_RELEASE);
            n_used--;
        }
    pthread_mutex_unlock(&lock);
}

bool tnd_python_table_start(void)
{
    return grow(FIRST_BITS);
}

void tnd_python_table_fork_child(void)
{
    static const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
    lock = unlocked;
}
