/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writes a file and reads it, and says how many bytes it wrote and how many it got. */
#include <stdio.h>

int main(void)
{
    static char block[5000];
    FILE *file = tmpfile();
    unsigned long written = 0, got = 0;
    if (!file)
        return 1;
    for (size_t n = 1; n <= sizeof block / 4; n += 7)
        fwrite(block, 4, n, file);
    fflush(file);
    written = (unsigned long)ftell(file);
    rewind(file);
    for (size_t n; (n = fread(block, 1, 999, file)) > 0;)
        got += n;
    printf("%lu %lu\n", written, got);
    fclose(file);
    return 0;
}
