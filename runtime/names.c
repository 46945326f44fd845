/* SPDX-License-Identifier: Apache-2.0
 *
 * One table in reserved memory: entries in the order of their definition, found by a hash of what distinguishes them
 * (role and name, or role, id and word).  Cost of a definition that is known: a hash and a comparison.
 *
 * Context: as names.h says.
 */
#include "runtime/names.h"

#include "formats/hash.h"
#include "runtime/emit.h"
#include "runtime/image.h"
#include "runtime/machine.h"
#include "runtime/target.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#define MAX_ENTRIES TND_MACHINE_NAMES
#define N_BUCKETS (2 * MAX_ENTRIES)
#define TEXT_BYTES TND_MACHINE_TEXT_BYTES
#define MAX_NUMBER 65535 /* a region is the 16-bit value of an ENTER */

struct entry {
    uint64_t hash, word;
    uint32_t id;
    uint16_t role;
    const char *text;
};

static struct {
    struct entry *entries;
    uint32_t *buckets; /* entry + 1 */
    char *text_next, *text_end;
    uint32_t n;
    uint32_t last_number[TND_DEFINE_LIBRARY_WISH + 1]; /* per role */
} table;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool prepare(void)
{
    if (table.entries)
        return true;
    size_t n_entries = MAX_ENTRIES * sizeof *table.entries, n_buckets = N_BUCKETS * sizeof *table.buckets;
    char *pages = tnd_target_pages(n_entries + n_buckets + TEXT_BYTES);
    if (!pages)
        return false;
    table.buckets = (uint32_t *)(pages + n_entries);
    table.text_next = pages + n_entries + n_buckets;
    table.text_end = table.text_next + TEXT_BYTES;
    table.entries = (struct entry *)pages;
    return true;
}

static void tell(struct tnd_writer *writer, const struct entry *entry)
{
    const uint64_t words[] = {entry->word, 0};
    tnd_emit_text(writer, tnd_clock_ticks(), TND_RECORD_DEFINE, entry->id, entry->role, words, 2, entry->text);
}

/* The entry, made if it is new (NULL: no room).  With id 0 the entry gets the next number of its role and is found by
 * its name. */
static const struct entry *find(enum tnd_define_role role, uint32_t id, uint64_t word, const char *text)
{
    uint64_t hash = tnd_hash_add(TND_HASH_BEGIN, &role, sizeof role);
    hash = tnd_hash_add(hash, &id, sizeof id);
    hash = id ? tnd_hash_add(hash, &word, sizeof word) : tnd_hash_add(hash, text, strlen(text));
    uint32_t bucket = (uint32_t)(hash % N_BUCKETS);
    for (; table.buckets[bucket]; bucket = (bucket + 1) % N_BUCKETS) {
        const struct entry *entry = &table.entries[table.buckets[bucket] - 1];
        if (entry->hash == hash && entry->role == role && (id ? entry->id == id : strcmp(entry->text, text) == 0))
            return entry;
    }
    size_t n_text = strlen(text) + 1;
    if (table.n == MAX_ENTRIES || n_text > (size_t)(table.text_end - table.text_next) ||
        (!id && table.last_number[role] == MAX_NUMBER))
        return NULL;
    struct entry *entry = &table.entries[table.n];
    *entry = (struct entry){hash, word, id ? id : ++table.last_number[role], role, table.text_next};
    memcpy(table.text_next, text, n_text);
    table.text_next += n_text;
    table.buckets[bucket] = table.n + 1;
    __atomic_store_n(&table.n, table.n + 1, __ATOMIC_RELEASE);
    struct tnd_thread *self = tnd_thread_self ? tnd_thread_self : tnd_thread_adopt();
    if (self)
        tell(&self->main, entry);
    return entry;
}

static uint32_t define(enum tnd_define_role role, uint32_t id, uint64_t word, const char *text)
{
    uint32_t number = 0;
    int before = errno;
    if (tnd_image_is_here() && text) {
        pthread_mutex_lock(&lock);
        const struct entry *entry = prepare() ? find(role, id, word, text) : NULL;
        number = entry ? entry->id : 0;
        pthread_mutex_unlock(&lock);
    }
    errno = before;
    return number;
}

uint32_t tnd_names_number(enum tnd_define_role role, const char *name)
{
    return define(role, 0, 0, name);
}

void tnd_names_define(enum tnd_define_role role, uint32_t id, uint64_t word, const char *text)
{
    if (id)
        define(role, id, word, text);
}

void tnd_names_tell(struct tnd_writer *writer)
{
    uint32_t n = __atomic_load_n(&table.n, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < n; i++)
        tell(writer, &table.entries[i]);
}

void tnd_names_fork_child(void)
{
    static const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
    lock = unlocked;
}
