/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a fuzz target over every file of a corpus, without libFuzzer: `fuzz_x DIRECTORY`.  One line of TAP a file.  It
 * proves that what was once found stays fixed; it looks for nothing new (that is `./dev fuzz`).
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The whole file, exactly as large as it is, so that a sanitizer sees a read beyond its end. */
static uint8_t *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    uint8_t *data = malloc(length > 0 ? (size_t)length : 1);
    *size = data ? fread(data, 1, (size_t)length, file) : 0;
    fclose(file);
    return data;
}

static void replay(const char *directory, const char *name, int number)
{
    char path[4096];
    size_t size;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    uint8_t *data = read_whole(path, &size);
    if (data)
        LLVMFuzzerTestOneInput(data, size);
    printf("%s %d - %s\n", data ? "ok" : "not ok", number, name);
    fflush(stdout);
    free(data);
}

int main(int argc, char **argv)
{
    struct dirent **entries;
    int n_entries = argc == 2 ? scandir(argv[1], &entries, NULL, alphasort) : -1;
    if (n_entries < 0) {
        fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
        return 2;
    }
    int n_run = 0;
    for (int i = 0; i < n_entries; i++) {
        if (entries[i]->d_name[0] != '.')
            replay(argv[1], entries[i]->d_name, ++n_run);
        free(entries[i]);
    }
    free(entries);
    printf("1..%d\n", n_run);
    return n_run == 0;
}
