/* SPDX-License-Identifier: Apache-2.0
 *
 * Patterns, and which names match them.  Context: python_choice.h.
 */
#include "intercept/python/python_choice.h"

#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/pattern.h"
#include "runtime/run.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pattern {
    struct pattern *next;
    unsigned line;
    bool has_met, has_dot;
    char text[];
};

static enum { LISTED, ALL, AUTO } choice;
static struct pattern *listed, *excluded;

static bool add(struct pattern **list, const char *text, size_t n, unsigned line)
{
    struct pattern *pattern = malloc(sizeof *pattern + n + 1);
    if (!pattern)
        return false;
    memcpy(pattern->text, text, n);
    pattern->text[n] = '\0';
    pattern->line = line;
    pattern->has_met = false;
    pattern->has_dot = strchr(pattern->text, '.') != NULL;
    pattern->next = *list;
    *list = pattern;
    return true;
}

static bool meets(const struct pattern *pattern, const char *name)
{
    const char *dot = strrchr(name, '.');
    return fnmatch(pattern->text, pattern->has_dot || !dot ? name : dot + 1, 0) == 0;
}

static int read_file(const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return errno;
    char *line = NULL;
    size_t size = 0;
    bool has_room = true;
    for (unsigned number = 1; has_room && getline(&line, &size, file) >= 0; number++) {
        line[strcspn(line, "#\r\n")] = '\0';
        const char *begin = line + strspn(line, " \t");
        size_t n = strcspn(begin, " \t");
        has_room = n == 0 || add(&listed, begin, n, number);
    }
    int error = ferror(file) ? EIO : has_room ? 0 : ENOMEM;
    free(line);
    fclose(file);
    return error;
}

bool tnd_python_choice_start(void)
{
    const char *which = tnd_config.python;
    if (strcmp(which, "none") == 0)
        return false;
    choice = strcmp(which, "all") == 0 ? ALL : strcmp(which, "auto") == 0 ? AUTO : LISTED;
    int error = choice == LISTED ? read_file(which) : 0;
    if (error) {
        char sentence[512];
        snprintf(sentence, sizeof sentence, "python: %.300s: %s; no function of Python's is recorded", which,
                 strerrordesc_np(error));
        tnd_run_note(sentence);
        return false;
    }
    char text[TND_PATTERN_BYTES];
    for (const char *rest = tnd_config.python_exclude; (rest = tnd_pattern_next(rest, text));)
        add(&excluded, text, strlen(text), 0);
    return true;
}

bool tnd_python_choice_is_auto(void)
{
    return choice == AUTO;
}

bool tnd_python_choice_takes(const char *name)
{
    bool takes = choice != LISTED && strncmp(name, "tandem.", 7) != 0; /* our own package */
    for (struct pattern *pattern = listed; pattern; pattern = pattern->next)
        if (meets(pattern, name))
            takes = pattern->has_met =
                true; /* goes on: each pattern that matches is marked, so that none is reported as unused */
    for (const struct pattern *pattern = excluded; pattern && takes; pattern = pattern->next)
        takes = !meets(pattern, name);
    return takes;
}

void tnd_python_choice_tell(struct tnd_thread *thread)
{
    for (const struct pattern *pattern = listed; pattern; pattern = pattern->next) {
        const uint64_t words[] = {pattern->has_met, 0};
        tnd_emit_text(&thread->main, tnd_clock_ticks(), TND_RECORD_DEFINE, pattern->line, TND_DEFINE_PYTHON_WISH, words,
                      2, pattern->text);
    }
}
