/* SPDX-License-Identifier: Apache-2.0
 *
 * Options of Python's command line, as `python3 --help` has them: -m, -c, -W and -X take a value, in the same word or
 * in the next one; all others are letters that may stand together.
 *
 * Context: program_name.h.
 */
#include "run/program_name.h"

#include "run/rundir.h"
#include "system/kernel_files.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MAX_WORDS 64
#define ENDING ".py"

/* How many of the n bytes of a text a name may have: at most `most`, and no part of a character, if that is UTF-8. */
static size_t cut(const char *text, size_t n, size_t most)
{
    size_t at = most;
    if (n <= most)
        return n;
    while (at > 0 && most - at < 4 && ((unsigned char)text[at] & 0xc0) == 0x80)
        at--;
    return most - at < 4 ? at : most;
}

/* The last part of a path, without ".py"; false: none that can be a file's name, or one that would be hidden. */
static bool take_base(const char *path, char *name, size_t size)
{
    size_t n = strlen(path), begin;
    while (n > 0 && path[n - 1] == '/')
        n--;
    for (begin = n; begin > 0 && path[begin - 1] != '/';)
        begin--;
    while (begin < n && path[begin] == '-') /* a shell at login has one before its name */
        begin++;
    if (n - begin > strlen(ENDING) && strncmp(path + n - strlen(ENDING), ENDING, strlen(ENDING)) == 0)
        n -= strlen(ENDING);
    n = cut(path + begin, n - begin, size <= TND_RUNDIR_STEM_MAX ? size - 1 : TND_RUNDIR_STEM_MAX);
    snprintf(name, size, "%.*s", (int)n, path + begin);
    return name[0] && name[0] != '.';
}

/* python3, python3.11, pypy3. */
static bool is_python(const char *name)
{
    size_t n = strncmp(name, "python", 6) == 0 ? 6 : strncmp(name, "pypy", 4) == 0 ? 4 : 0;
    return n > 0 && name[n + strspn(name + n, "0123456789.")] == 0;
}

/* NULL: a command, or what is read from the standard input. */
static const char *script_of(char *const *word)
{
    for (; *word; word++) {
        const char *letter = *word + 1;
        if (**word != '-')
            return *word;
        if (!*letter)
            return NULL;
        letter += *letter == '-' ? strlen(letter) : strcspn(letter, "mcWX");
        if (*letter == 'c')
            return NULL;
        if (*letter && !letter[1] && !*++word)
            return NULL;
        if (*letter == 'm')
            return letter[1] ? letter + 1 : *word;
    }
    return NULL;
}

void tnd_program_name(const char *program, char *const *arguments, char *name, size_t size)
{
    if (!take_base(program, name, size) && !name[0])
        snprintf(name, size, "program");
    const char *script = is_python(name) ? script_of(arguments) : NULL;
    if (script && !take_base(script, name, size))
        take_base(program, name, size);
}

void tnd_program_name_of_process(pid_t pid, const char *program, char *name, size_t size)
{
    char path[40], text[4096], *words[MAX_WORDS];
    int n_words = 0;
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
    int n = tnd_kernel_files_text("", path, text, sizeof text);
    for (char *at = text; at < text + n && n_words + 1 < MAX_WORDS; at += strlen(at) + 1)
        words[n_words++] = at;
    words[n_words] = NULL;
    tnd_program_name(program, words + (n_words > 0), name, size);
}
