/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a .pcf and as a .row; what is read and written again must read without a fault.
 */
#include "formats/pcf.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count(void *self, uint64_t line_number, const char *what)
{
    if (!line_number || !what[0])
        __builtin_trap();
    ++*(unsigned *)self;
}

static FILE *open_bytes(const void *data, size_t size)
{
    FILE *file = tmpfile();
    if (!file || (size && fwrite(data, size, 1, file) != 1))
        abort();
    rewind(file);
    return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned n_faults = 0;
    FILE *file = open_bytes(data, size), *copy = tmpfile();
    struct tnd_pcf *pcf = tnd_pcf_read(file, count, &n_faults);
    if (!copy || !tnd_pcf_write(pcf, copy))
        abort();
    rewind(copy);
    struct tnd_pcf *again = tnd_pcf_read(copy, NULL, NULL);
    if (again->n_types != pcf->n_types || again->n_states != pcf->n_states)
        __builtin_trap();
    tnd_pcf_free(again);
    tnd_pcf_free(pcf);
    rewind(file);
    struct tnd_row *row = tnd_row_read(file, count, &n_faults);
    fclose(copy);
    copy = tmpfile();
    if (!copy || !tnd_row_write(row, copy))
        abort();
    tnd_row_free(row);
    fclose(copy);
    fclose(file);
    return 0;
}
