/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loaded before a program (LD_PRELOAD): calls its main function once for each command that it is sent, so that a test
 * that asks a program a thousand questions starts one process.  tests/resident.py is the other side.
 *
 * $CALLS_MAIN has two descriptors.  From the first comes the size of a command in bytes, a line; then its words, each
 * ended by a zero byte, before them the directory to be in.  To the second goes what main returned, a line.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_WORDS 256
#define STATUS_NOT_CALLED 127

typedef int Main(int, char **, char **);
typedef int Start(Main *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static Main *program;

static int call(char *name, char *directory, const char *end, char **environment)
{
    char *words[MAX_WORDS + 1] = {name};
    int n_words = 1;
    for (char *word = directory + strlen(directory) + 1; word < end && n_words < MAX_WORDS; word += strlen(word) + 1)
        words[n_words++] = word;
    if (n_words == MAX_WORDS || chdir(directory) != 0)
        return STATUS_NOT_CALLED;
    int status = program(n_words, words, environment);
    fflush(NULL);
    return status;
}

static int call_again_and_again(int argc, char **argv, char **environment)
{
    int from, to;
    const char *ours = getenv("CALLS_MAIN");
    if (argc != 1 || !ours || sscanf(ours, "%d %d", &from, &to) != 2)
        return STATUS_NOT_CALLED;
    fcntl(from, F_SETFD, FD_CLOEXEC);
    fcntl(to, F_SETFD, FD_CLOEXEC);
    unsetenv("CALLS_MAIN");
    unsetenv("LD_PRELOAD");
    FILE *commands = fdopen(from, "r");
    char line[32], *command = NULL;
    while (commands && fgets(line, sizeof line, commands)) {
        size_t size = strtoul(line, NULL, 10);
        command = realloc(command, size);
        if (!command || fread(command, 1, size, commands) != size)
            return STATUS_NOT_CALLED;
        dprintf(to, "%d\n", call(argv[0], command, command + size, environment));
    }
    free(command);
    if (commands)
        fclose(commands);
    return 0;
}

/* The C library's, which the start of a program calls with the program's main function. */
int __libc_start_main(Main *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end);

int __libc_start_main(Main *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end)
{
    program = main;
    Start *start = (Start *)dlsym(RTLD_NEXT, "__libc_start_main");
    return start(call_again_and_again, argc, argv, init, fini, rtld_fini, stack_end);
}
