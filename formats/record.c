/* SPDX-License-Identifier: Apache-2.0
 *
 * Byte order of records.  Context: safe in a signal handler.
 */
#include "formats/record.h"

static uint16_t swap16(uint16_t v)
{
    return (uint16_t)(v << 8 | v >> 8);
}
static uint32_t swap32(uint32_t v)
{
    return (uint32_t)swap16((uint16_t)v) << 16 | swap16((uint16_t)(v >> 16));
}
static uint64_t swap64(uint64_t v)
{
    return (uint64_t)swap32((uint32_t)v) << 32 | swap32((uint32_t)(v >> 32));
}

unsigned tnd_record_text_word(const struct tnd_record *record)
{
    switch (record->kind) {
    case TND_RECORD_TEXT:
    case TND_RECORD_PACKED:
        return 0;
    case TND_RECORD_DEFINE:
        return 2;
    case TND_RECORD_MODULE:
        return 3;
    default:
        return record->n_words;
    }
}

void tnd_record_swap(struct tnd_record *record)
{
    record->time = swap64(record->time);
    record->id = swap32(record->id);
    record->aux = swap16(record->aux);
    unsigned n_numbers = tnd_record_text_word(record);
    for (unsigned i = 0; i < n_numbers && i < record->n_words; i++)
        record->words[i] = swap64(record->words[i]);
}
