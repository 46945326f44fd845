/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the options of a command of Python as CPython reads them.
 */
#include "analysis/merge/read/merge_script.h"
#include "analysis/merge/read/merge_names.h"

#include <string.h>

#define MAX_ANCESTORS 64

/* The argument of an option of one letter: the rest of the word, or the next word. */
static const char *argument_of(char *const **word, const char *letter)
{
    if (letter[1] || !(*word)[1])
        return letter + 1;
    return *++*word;
}

/* Reads one word of options.  TRUE: it says what runs, and *name is its name if it has one. */
static gboolean read_options(char *const **word, const char **name)
{
    if (g_str_has_prefix(**word, "--")) {
        if (strcmp(**word, "--check-hash-based-pycs") == 0 && (*word)[1])
            ++*word;
        return FALSE;
    }
    for (const char *letter = **word + 1; *letter; letter++) {
        if (*letter == 'c')
            return TRUE;
        if (*letter == 'W' || *letter == 'X' || *letter == 'm') {
            gboolean is_module = *letter == 'm';
            const char *argument = argument_of(word, letter);
            if (!is_module || strcmp(argument, "tandem") == 0) /* the module tandem runs the script that follows */
                return FALSE;
            *name = argument;
            return TRUE;
        }
    }
    return FALSE;
}

char *tnd_merge_script_name(const char *command)
{
    char **words = g_strsplit(command, " ", -1);
    const char *name = NULL;
    char *const *word = words;
    gboolean is_known = FALSE;
    for (word = words[0] ? words + 1 : words; *word && !is_known; word++) {
        if (**word == '-')
            is_known = !(*word)[1] || read_options(&word, &name);
        else if (**word) {
            name = *word;
            is_known = TRUE;
        }
    }
    char *base = name && *name ? g_path_get_basename(name) : NULL;
    g_strfreev(words);
    return base;
}

/* python, python3, python3.11 */
static gboolean is_python(const TndMergeProcess *process)
{
    char *name = g_path_get_basename(process->executable ? process->executable : "");
    gboolean is = g_str_has_prefix(name, "python") && !name[strspn(name, "python0123456789.")];
    g_free(name);
    return is;
}

static char *script_of(const TndMerge *merge, const TndMergeProcess *process)
{
    char *name = NULL;
    for (guint i = 0; process && i < MAX_ANCESTORS && !name && is_python(process); i++) {
        const char *command = process->command ? process->command : "";
        name = tnd_merge_script_name(command);
        process = strstr(command, "from multiprocessing.") ? tnd_merge_names_parent(merge, process) : NULL;
    }
    return name;
}

static void rename_task(const TndMerge *merge, TndMergeTask *task)
{
    const TndMergeProcess *last = task->first;
    while (last->next_image)
        last = last->next_image;
    char *name = script_of(merge, last);
    if (!name)
        return;
    g_free(task->name);
    task->name = name;
}

void tnd_merge_script_run(TndMerge *merge)
{
    for (guint i = 0; i < merge->applications->len; i++) {
        const TndMergeApplication *application = merge->applications->pdata[i];
        for (guint t = 0; t < application->tasks->len && !application->is_ranked; t++)
            rename_task(merge, &g_array_index(application->tasks, TndMergeTask, t));
    }
}
