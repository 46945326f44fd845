/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of a trace's objects (.row).
 *
 * Context: not for handlers; allocates.
 */
#include "formats/grow.h"
#include "formats/pcf.h"
#include "formats/plain_text.h"

static const char *const level_names[TND_ROW_N_LEVELS] = {"WORKLOAD", "APPL", "TASK", "THREAD",
                                                          "SYSTEM",   "NODE", "CPU"};

struct tnd_row *tnd_row_new(void)
{
    struct tnd_row *row = tnd_grow_memory(NULL, 1, sizeof *row);
    *row = (struct tnd_row){0};
    return row;
}

void tnd_row_free(struct tnd_row *row)
{
    if (!row)
        return;
    for (int level = 0; level < TND_ROW_N_LEVELS; level++) {
        for (size_t i = 0; i < row->n_names[level]; i++)
            free(row->names[level][i]);
        free(row->names[level]);
    }
    free(row);
}

void tnd_row_add(struct tnd_row *row, enum tnd_row_level level, const char *name)
{
    size_t n = row->n_names[level];
    row->names[level] = tnd_grow_by_one(row->names[level], n, sizeof *row->names[level]);
    row->names[level][n] = tnd_grow_text(name);
    tnd_plain_text_make(row->names[level][n], "");
    row->n_names[level] = n + 1;
}

const char *tnd_row_name(const struct tnd_row *row, enum tnd_row_level level, size_t index)
{
    const char *name = row && index < row->n_names[level] ? row->names[level][index] : NULL;
    return name && *name ? name : NULL;
}

/* "LEVEL <name> SIZE <n>", single blanks between the words; the loader looks at the second and the fourth. */
static bool parse_level(const char *line, enum tnd_row_level *level, unsigned long long *size)
{
    const char *name = strchr(line, ' ');
    if (!name)
        return false;
    const char *word = strchr(++name, ' ');
    if (!word)
        return false;
    size_t length = (size_t)(word - name);
    const char *number = strchr(word + 1, ' ');
    if (!number || number[1] < '0' || number[1] > '9')
        return false;
    for (int i = 0; i < TND_ROW_N_LEVELS; i++)
        if (strlen(level_names[i]) == length && memcmp(level_names[i], name, length) == 0) {
            *level = (enum tnd_row_level)i;
            *size = strtoull(number + 1, NULL, 10);
            return true;
        }
    return false;
}

struct tnd_row *tnd_row_read(FILE *file, void (*fault)(void *self, uint64_t line_number, const char *what), void *self)
{
    struct tnd_row *row = tnd_row_new();
    enum tnd_row_level level = TND_ROW_WORKLOAD;
    unsigned long long n_left = 0;
    uint64_t line_number = 0;
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    while ((length = getline(&line, &size, file)) >= 0) {
        line_number++;
        while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
            line[--length] = '\0';
        if (n_left) {
            n_left--;
            if (fault && strncmp(line, "LEVEL ", 6) == 0)
                fault(self, line_number, "a level begins before the names of the one before it are complete");
            tnd_row_add(row, level, line);
        } else if (line[0] != '\0' && line[0] != '#' && !parse_level(line, &level, &n_left) && fault) {
            fault(self, line_number, "neither a level (LEVEL name SIZE n) nor one of the names announced: skipped");
        }
    }
    if (n_left && fault)
        fault(self, line_number, "fewer names than announced");
    free(line);
    return row;
}

bool tnd_row_write(const struct tnd_row *row, FILE *file)
{
    bool first = true;
    for (int level = 0; level < TND_ROW_N_LEVELS; level++) {
        if (!row->n_names[level])
            continue;
        fprintf(file, "%sLEVEL %s SIZE %zu\n", first ? "" : "\n", level_names[level], row->n_names[level]);
        first = false;
        for (size_t i = 0; i < row->n_names[level]; i++) {
            for (const char *at = row->names[level][i]; *at; at++)
                putc(*at == '\n' || *at == '\r' ? ' ' : *at, file);
            putc('\n', file);
        }
    }
    return !fflush(file) && !ferror(file);
}
