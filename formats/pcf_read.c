/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a .pcf, line by line, as the real loader does.
 *
 * Context: not for handlers; allocates.
 */
#include "formats/grow.h"
#include "formats/pcf.h"

#include <errno.h>
#include <limits.h>

enum section { NONE, IGNORED, STATES, COLOURS, TYPES, VALUES };

struct reader {
    struct tnd_pcf *pcf;
    enum section section;
    uint32_t *block; /* the types of the EVENT_TYPE block at hand */
    size_t n_block;
    uint64_t line_number;
    void (*fault)(void *self, uint64_t line_number, const char *what);
    void *self;
};

static const struct {
    const char *title;
    enum section section;
} sections[] = {
    {"DEFAULT_OPTIONS", IGNORED}, {"DEFAULT_SEMANTIC", IGNORED},
    {"GRADIENT_COLOR", IGNORED},  {"GRADIENT_NAMES", IGNORED},
    {"STATES", STATES},           {"STATES_COLOR", COLOURS},
    {"EVENT_TYPE", TYPES},
};

static void fault(const struct reader *reader, const char *what)
{
    if (reader->fault)
        reader->fault(reader->self, reader->line_number, what);
}

/* A number and the blanks after it; false if there is none, or if it runs into something else. */
static bool take_number(char **at, long long *number)
{
    char *end;
    errno = 0;
    *number = strtoll(*at, &end, 10);
    if (end == *at || errno || (*end && *end != ' '))
        return false;
    while (*end == ' ')
        end++;
    *at = end;
    return true;
}

/* Whether the rest of a line is a label: it has a character that is not blank. */
static bool is_label(const char *line)
{
    while (*line && (unsigned char)*line <= ' ')
        line++;
    return *line != '\0';
}

static void read_state(struct reader *reader, char *line)
{
    long long state;
    if (take_number(&line, &state) && is_label(line))
        tnd_pcf_set_state(reader->pcf, state, line);
    else
        fault(reader, "not a state (number label)");
}

static void read_colour(struct reader *reader, char *line)
{
    long long index;
    unsigned r, g, b;
    char close;
    if (!take_number(&line, &index) || sscanf(line, "{ %3u , %3u , %3u %c", &r, &g, &b, &close) != 4 || close != '}' ||
        r > 255 || g > 255 || b > 255)
        fault(reader, "not a colour (number {r,g,b})");
    else if (index < 0 || index >= TND_PCF_MAX_COLOURS)
        fault(reader, "a colour for a number out of range");
    else
        tnd_pcf_set_colour(reader->pcf, (uint32_t)index,
                           (struct tnd_pcf_colour){(uint8_t)r, (uint8_t)g, (uint8_t)b, true});
}

static void read_precision(struct reader *reader, char *number)
{
    long long precision;
    if (!take_number(&number, &precision) || precision < 0 || precision > 18) {
        fault(reader, "not a precision (PRECISION number)");
        return;
    }
    for (size_t i = 0; i < reader->n_block; i++)
        tnd_pcf_set_precision(reader->pcf, reader->block[i], (int)precision);
}

static void read_type(struct reader *reader, char *line)
{
    long long gradient, type;
    if (!take_number(&line, &gradient) || !take_number(&line, &type) || !is_label(line) || type < 0 ||
        type > UINT32_MAX) {
        fault(reader, "not an event type (gradient type label)");
        return;
    }
    if (type > INT_MAX)
        fault(reader, "Paraver has no labels for types above 2147483647");
    tnd_pcf_set_type(reader->pcf, (uint32_t)type, line);
    reader->block = tnd_grow_by_one(reader->block, reader->n_block, sizeof *reader->block);
    reader->block[reader->n_block++] = (uint32_t)type;
}

static void read_value(struct reader *reader, char *line)
{
    long long value;
    if (!take_number(&line, &value) || !is_label(line)) {
        fault(reader, "not a value (number label)");
        return;
    }
    if (!reader->n_block)
        fault(reader, "a value that no event type stands before");
    else if (value > INT_MAX || value < INT_MIN)
        fault(reader, "Paraver has no labels for values beyond 32 bits");
    for (size_t i = 0; i < reader->n_block; i++)
        tnd_pcf_set_value(reader->pcf, reader->block[i], value, line);
}

static bool read_title(struct reader *reader, const char *line)
{
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (strcmp(line, sections[i].title) == 0) {
            reader->section = sections[i].section;
            reader->n_block = 0;
            free(reader->block);
            reader->block = NULL;
            return true;
        }
    return false;
}

static void read_line(struct reader *reader, char *line)
{
    if (*line == '\0' || *line == '#' || read_title(reader, line))
        return;
    switch (reader->section) {
    case NONE:
        fault(reader, "outside any section");
        return;
    case IGNORED:
        return;
    case STATES:
        read_state(reader, line);
        return;
    case COLOURS:
        read_colour(reader, line);
        return;
    case TYPES:
    case VALUES:
        if (strncmp(line, "PRECISION ", 10) == 0)
            read_precision(reader, line + 10);
        else if (reader->section == VALUES)
            read_value(reader, line);
        else if (strcmp(line, "VALUES") == 0)
            reader->section = VALUES;
        else
            read_type(reader, line);
        return;
    }
}

/* Without blanks at both ends, and with its tabs as blanks; *crlf: the line ended in CR LF. */
static char *trim(char *line, size_t length, bool *crlf)
{
    if (length && line[length - 1] == '\n')
        length--;
    *crlf = length && line[length - 1] == '\r';
    length -= *crlf;
    while (length && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    line[length] = '\0';
    for (size_t i = 0; i < length; i++)
        if (line[i] == '\t')
            line[i] = ' ';
    return line + strspn(line, " ");
}

struct tnd_pcf *tnd_pcf_read(FILE *file, void (*fault_function)(void *self, uint64_t line_number, const char *what),
                             void *self)
{
    struct reader reader = {.pcf = tnd_pcf_new(), .fault = fault_function, .self = self};
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    bool crlf, crlf_told = false;
    while ((length = getline(&line, &size, file)) >= 0) {
        reader.line_number++;
        char *text = trim(line, (size_t)length, &crlf);
        if (crlf && !crlf_told) {
            fault(&reader, "lines end in CR LF: Paraver reads no label of such a file");
            crlf_told = true;
        }
        read_line(&reader, text);
    }
    free(line);
    free(reader.block);
    return reader.pcf;
}
