/* SPDX-License-Identifier: Apache-2.0
 *
 * Trying functions and counting calls.  Compiled without vector registers.  Context: library_counted.h.
 */
#include "intercept/library/library_counted.h"

#include "formats/event_types.h"
#include "runtime/emit.h"

enum { WAITS = 256 /* calls between two questions for the clock's rate, while it is not known */ };

uint64_t tnd_library_counted_worth;

static uint64_t find_worth(void *nothing)
{
    const uint64_t many = UINT64_C(1) << 30;
    uint64_t ns = tnd_clock_ns(many);
    return ns ? many * TND_LIBRARY_WORTH_NS / ns : 0;
}

/* Threads that try a function at the same time may lose tries of each other, which only makes it a few more. */
void tnd_library_counted_try(struct tnd_library_function *function, uint64_t ticks)
{
    uint64_t worth = __atomic_load_n(&tnd_library_counted_worth, __ATOMIC_RELAXED);
    uint16_t n_tried = __atomic_load_n(&function->n_tried, __ATOMIC_RELAXED) + 1;
    uint16_t n_short = __atomic_load_n(&function->n_short, __ATOMIC_RELAXED) + (ticks < worth);
    if (!worth && n_tried >= WAITS) {
        __atomic_store_n(&tnd_library_counted_worth, tnd_library_shadow_guarded(find_worth, NULL), __ATOMIC_RELAXED);
        n_tried = 0;
    }
    if (n_tried >= TND_LIBRARY_TRIES)
        __atomic_store_n(&function->nature, 10 * n_short >= 9 * n_tried ? TND_LIBRARY_COUNTED : TND_LIBRARY_RECORDED,
                         __ATOMIC_RELAXED);
    __atomic_store_n(&function->n_tried, n_tried, __ATOMIC_RELAXED);
    __atomic_store_n(&function->n_short, n_short, __ATOMIC_RELAXED);
}

static void write_one(struct tnd_writer *writer, uint32_t number, struct tnd_library_counted *counted)
{
    tnd_emit_words(writer, tnd_clock_ticks(), TND_RECORD_COUNTED, TND_TYPE_LIBRARY_FUNCTION, (uint16_t)number, 2,
                   (uint64_t[]){counted->n, tnd_clock_ns(counted->ticks)});
    *counted = (struct tnd_library_counted){0, 0};
}

struct telling {
    struct tnd_writer *writer;
    const struct tnd_library_function *function;
    struct tnd_library_counted *counted;
};

static uint64_t write_guarded(void *data)
{
    const struct telling *telling = data;
    write_one(telling->writer, telling->function->number, telling->counted);
    return 0;
}

bool tnd_library_counted_tells(struct tnd_thread *thread, const struct tnd_library_entry *entry, uint64_t ticks)
{
    const struct tnd_library_function *function = entry->function;
    if (__builtin_expect(ticks >= tnd_library_counted_worth, 0) && thread->main.next == entry->next)
        return true;
    struct tnd_library_shadow *shadow = tnd_library_shadow ? tnd_library_shadow : entry->shadow;
    struct tnd_library_counted *counted = &shadow->counted[function->index];
    counted->n++;
    counted->ticks += ticks;
    if (__builtin_expect(counted->n >= TND_LIBRARY_TOLD, 0))
        tnd_library_shadow_guarded(write_guarded, &(struct telling){&thread->main, function, counted});
    return false;
}

void tnd_library_counted_write(struct tnd_writer *writer, struct tnd_library_shadow *shadow)
{
    for (uint32_t i = 0; i < tnd_library_n_functions; i++)
        if (tnd_library_functions[i].nature == TND_LIBRARY_COUNTED && shadow->counted[i].n)
            write_one(writer, tnd_library_functions[i].number, &shadow->counted[i]);
}

void tnd_library_counted_forget(struct tnd_library_shadow *shadow)
{
    for (uint32_t i = 0; i < tnd_library_n_functions; i++)
        if (tnd_library_functions[i].nature == TND_LIBRARY_COUNTED && shadow->counted[i].n)
            shadow->counted[i] = (struct tnd_library_counted){0, 0};
}
