/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as the text of a record: what can be read comes back the same through text.
 */
#include "formats/record_text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    union {
        struct tnd_record record;
        uint64_t words[TND_RECORD_MAX_BYTES / 8];
    } room, copy;
    char *line = malloc(size + 1), *text = NULL;
    size_t text_size;
    if (!line)
        return 0;
    if (size)
        memcpy(line, data, size);
    line[size] = '\0';
    if (!tnd_record_text_read(line, &room.record)) {
        FILE *file = open_memstream(&text, &text_size);
        tnd_record_text_write(file, &room.record);
        fclose(file);
        if (tnd_record_text_read(text, &copy.record) || memcmp(&room, &copy, tnd_record_size_bytes(&room.record)) != 0)
            __builtin_trap();
        free(text);
    }
    free(line);
    return 0;
}
