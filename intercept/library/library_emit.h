/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing a record where vector registers have arguments or results: what may use them is called with them saved.
 *
 * Context: library_shadow.h.
 */
#ifndef TND_LIBRARY_EMIT_H
#define TND_LIBRARY_EMIT_H

#include "intercept/library/library_shadow.h"
#include "runtime/emit.h"

struct tnd_library_record {
    struct tnd_writer *writer;
    uint64_t time, word;
    uint32_t id;
    uint16_t aux;
    uint8_t kind, n_words;
};

/* Writes the record, in the way that may use all registers. */
uint64_t tnd_library_emit_slowly(void *record);

/* A record with no payload word, or one. */
static inline void tnd_library_emit(struct tnd_writer *writer, uint64_t time, uint8_t kind, uint32_t id, uint16_t aux,
                                    uint8_t n_words, uint64_t word)
{
    if (__builtin_expect(tnd_emit_take(writer, n_words), 1)) {
        struct tnd_record *record = tnd_emit_fill(writer, time, kind, id, aux, n_words);
        if (n_words)
            record->words[0] = word;
        tnd_emit_end(writer, record);
    } else {
        struct tnd_library_record record = {writer, time, word, id, aux, kind, n_words};
        tnd_library_shadow_guarded(tnd_library_emit_slowly, &record);
    }
}

#endif
