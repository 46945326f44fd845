/* SPDX-License-Identifier: Apache-2.0
 *
 * Records as text.  What the words of a kind look like is a row of the table.
 *
 * Context: not for handlers.
 */
#include "formats/record_text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Forms of the words: d decimal, x hexadecimal, p two halves; the last one holds for those that follow. */
static const struct {
    uint8_t kind;
    const char *name, *words;
    bool signed_id;
} kinds[] = {
    {TND_RECORD_CLOCK, "clock", "d", false},
    {TND_RECORD_PROCESS, "process", "px", false},
    {TND_RECORD_PROCESS_END, "process-end", "x", false},
    {TND_RECORD_THREAD, "thread", "p", false},
    {TND_RECORD_THREAD_END, "thread-end", "d", false},
    {TND_RECORD_TEXT, "text", "x", false},
    {TND_RECORD_MODULE, "module", "x", false},
    {TND_RECORD_PEER_CLOCK, "peer-clock", "dddx", false},
    {TND_RECORD_ENTER, "enter", "x", false},
    {TND_RECORD_LEAVE, "leave", "x", false},
    {TND_RECORD_EVENT, "event", "d", false},
    {TND_RECORD_COUNTER, "counter", "d", false},
    {TND_RECORD_DEFINE, "define", "d", false},
    {TND_RECORD_SWITCH, "switch", "x", false},
    {TND_RECORD_CALLERS, "callers", "x", false},
    {TND_RECORD_CODE, "code", "x", false},
    {TND_RECORD_COUNTERS, "counters", "d", false},
    {TND_RECORD_HEAP_SITE, "heap-site", "x", false},
    {TND_RECORD_COUNTED, "counted", "d", false},
    {TND_RECORD_HEAP, "heap", "d", false},
    {TND_RECORD_SAMPLE, "sample", "x", false},
    {TND_RECORD_SAMPLING, "sampling", "dp", false},
    {TND_RECORD_WAIT, "wait", "x", false},
    {TND_RECORD_SAMPLING_COST, "sampling-cost", "d", false},
    {TND_RECORD_RANK, "rank", "px", false},
    {TND_RECORD_COMM, "comm", "xpxp", false},
    {TND_RECORD_SEND, "send", "xddx", true},
    {TND_RECORD_RECV, "recv", "xddx", true},
    {TND_RECORD_POST, "post", "xxdp", false},
    {TND_RECORD_DONE, "done", "xd", true},
    {TND_RECORD_COLLECTIVE, "collective", "xddx", true},
    {TND_RECORD_REMOTE, "remote", "xdxd", true},
    {TND_RECORD_LINK, "link", "x", false},
    {TND_RECORD_TASK, "task", "x", false},
    {TND_RECORD_PACKED, "packed", "x", false},
};

static int find(uint8_t kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].kind == kind)
            return (int)i;
    return -1;
}

const char *tnd_record_text_kind(uint8_t kind)
{
    int at = find(kind);
    return at < 0 ? NULL : kinds[at].name;
}

uint8_t tnd_record_text_find_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return kinds[i].kind;
    unsigned number;
    int length = 0;
    return sscanf(name, "kind-%3u%n", &number, &length) == 1 && name[length] == '\0' && number < 256 ? (uint8_t)number
                                                                                                     : 0;
}

static void write_word(FILE *file, char form, uint64_t word)
{
    if (form == 'd')
        fprintf(file, " %" PRId64, (int64_t)word);
    else if (form == 'p')
        fprintf(file, " %" PRIu32 ":%" PRIu32, (uint32_t)word, (uint32_t)(word >> 32));
    else
        fprintf(file, " %#" PRIx64, word);
}

/* The text without the zeros that only fill its last word. */
static void write_text(FILE *file, const char *text, size_t n_words)
{
    size_t length = 8 * n_words;
    while (length > 8 * (n_words - 1) + 1 && text[length - 1] == '\0')
        length--;
    fputs(" \"", file);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < ' ' || c == 127)
            fprintf(file, "\\x%02x", c);
        else
            fprintf(file, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
    putc('"', file);
}

void tnd_record_text_write(FILE *file, const struct tnd_record *record)
{
    tnd_record_text_write_at(file, record, record->time);
}

void tnd_record_text_write_at(FILE *file, const struct tnd_record *record, uint64_t time)
{
    int at = find(record->kind);
    const char *form = at < 0 ? "x" : kinds[at].words;
    fprintf(file, "%" PRIu64, time);
    if (at < 0)
        fprintf(file, " kind-%u", record->kind);
    else
        fprintf(file, " %s", kinds[at].name);
    if (at >= 0 && kinds[at].signed_id)
        fprintf(file, " %" PRId32 " %u", (int32_t)record->id, record->aux);
    else
        fprintf(file, " %" PRIu32 " %u", record->id, record->aux);
    unsigned text_word = tnd_record_text_word(record);
    for (unsigned i = 0; i < record->n_words && i < text_word; i++) {
        write_word(file, *form, record->words[i]);
        if (form[1])
            form++;
    }
    if (text_word < record->n_words)
        write_text(file, (const char *)&record->words[text_word], record->n_words - text_word);
}

/* A number of at most `bits` bits, perhaps negative; blanks before it are skipped. */
static bool read_number(const char **at, unsigned bits, uint64_t *number)
{
    char *end;
    while (isblank((unsigned char)**at))
        ++*at;
    bool negative = **at == '-';
    if (!isdigit((unsigned char)(*at)[negative]))
        return false;
    errno = 0;
    uint64_t magnitude = strtoull(*at + negative, &end, strncmp(*at + negative, "0x", 2) == 0 ? 16 : 10);
    uint64_t most = UINT64_MAX >> (64 - bits);
    if (errno || (negative ? magnitude > most / 2 + 1 : magnitude > most))
        return false;
    *number = (negative ? 0 - magnitude : magnitude) & most;
    *at = end;
    return true;
}

static bool read_word(const char **at, uint64_t *word)
{
    uint64_t high;
    if (!read_number(at, 64, word))
        return false;
    if (**at != ':')
        return true;
    ++*at;
    if (*word > UINT32_MAX || !read_number(at, 32, &high))
        return false;
    *word = tnd_record_pair((uint32_t)*word, (uint32_t)high);
    return true;
}

/* One character of a text; false at its closing quote, or if it is not right. */
static bool read_character(const char **at, char *c)
{
    if (**at == '"' || **at == '\0')
        return false;
    if (**at != '\\') {
        *c = *(*at)++;
        return true;
    }
    const char *escaped = *at + 1;
    if (*escaped == '"' || *escaped == '\\') {
        *c = *escaped;
        *at += 2;
        return true;
    }
    if (*escaped != 'x' || !isxdigit((unsigned char)escaped[1]) || !isxdigit((unsigned char)escaped[2]))
        return false;
    char digits[3] = {escaped[1], escaped[2], '\0'};
    *c = (char)strtoul(digits, NULL, 16);
    *at += 4;
    return true;
}

static const char *read_text(const char **at, struct tnd_record *record)
{
    char *text = (char *)&record->words[record->n_words];
    size_t room = 8 * (size_t)(TND_RECORD_MAX_WORDS - record->n_words), length = 0;
    char c;
    ++*at;
    while (read_character(at, &c)) {
        if (length == room)
            return "a text that is too long";
        text[length++] = c;
    }
    if (**at != '"')
        return "a text that does not end, or an unknown \\";
    ++*at;
    size_t n_words = (length + 7) / 8;
    memset(text + length, 0, 8 * n_words - length);
    record->n_words = (uint8_t)(record->n_words + n_words);
    return NULL;
}

static bool at_end(const char **at)
{
    while (isspace((unsigned char)**at))
        ++*at;
    return **at == '\0' || **at == '#';
}

/* text_word: where the kind's text begins; TND_RECORD_MAX_WORDS if it has none. */
static const char *read_words(const char *at, unsigned text_word, struct tnd_record *record)
{
    while (!at_end(&at)) {
        if (*at == '"') {
            if (record->n_words != text_word || text_word == TND_RECORD_MAX_WORDS)
                return "a text where the kind has none";
            const char *fault = read_text(&at, record);
            return fault ? fault : at_end(&at) ? NULL : "something after the text";
        }
        if (record->n_words == text_word)
            return text_word == TND_RECORD_MAX_WORDS ? "more than 255 words" : "a number where the kind has text";
        if (!read_word(&at, &record->words[record->n_words]))
            return "a word that is not a number";
        record->n_words++;
    }
    return NULL;
}

const char *tnd_record_text_read(const char *line, struct tnd_record *record)
{
    char kind[32];
    int length = 0;
    uint64_t time, id, aux;
    if (!read_number(&line, 64, &time))
        return "no time";
    if (sscanf(line, " %31s%n", kind, &length) != 1 || !(record->kind = tnd_record_text_find_kind(kind)))
        return "an unknown kind";
    line += length;
    if (!read_number(&line, 32, &id))
        return "no id";
    if (!read_number(&line, 16, &aux))
        return "no small value";
    record->time = time;
    record->id = (uint32_t)id;
    record->aux = (uint16_t)aux;
    record->n_words = TND_RECORD_MAX_WORDS;
    unsigned text_word = tnd_record_text_word(record);
    record->n_words = 0;
    return read_words(line, text_word, record);
}
