/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that is made in memory, as a just-in-time compiler does: jit END.  One function runs a third of the time,
 * another one two thirds, and /tmp/perf-PID.map tells what they are called; the pid is printed.  END:
 *
 *     exit, kill   how the process ends
 *     silent       no file; exit
 *     gone         the file is gone at the end
 *     child        a child runs the code once more
 *     exec         the process goes on as `jit silent`
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void function(int n);

/* In a section of its own, whose begin and end the linker knows; needs nothing outside it. */
extern const char __start_text_pattern[], __stop_text_pattern[];
__attribute__((noinline, section("text_pattern"))) static void pattern(int n)
{
    for (volatile int i = 0; i < n; i++) {
    }
}

enum { PART = 4096 };

static void spin(char *code)
{
    for (int i = 0; i < 200; i++) {
        ((function *)(void *)code)(1000000);
        ((function *)(void *)(code + PART))(2000000);
    }
}

int main(int argc, char **argv)
{
    const char *end = argc > 1 ? argv[1] : "exit";
    char path[64];
    size_t size = (size_t)(__stop_text_pattern - __start_text_pattern);
    char *code = mmap(NULL, 2 * PART, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED || size > PART)
        return 1;
    memcpy(code, (const void *)pattern, size);
    memcpy(code + PART, (const void *)pattern, size);
    __builtin___clear_cache(code, code + 2 * PART);
    printf("%d\n", (int)getpid());
    fflush(stdout);
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    if (strcmp(end, "silent") != 0) {
        FILE *map = fopen(path, "w");
        for (int i = 0; i < 100; i++)
            fprintf(map, "%lx %x some other function, %d\n", 4096ul * (unsigned long)(i + 1), 64, i);
        fprintf(map, "%lx %zx made one\n%lx %zx made::two(int)\n", (unsigned long)code, size,
                (unsigned long)(code + PART), size);
        fclose(map);
    }
    spin(code);
    if (strcmp(end, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(end, "gone") == 0)
        unlink(path);
    if (strcmp(end, "exec") == 0)
        execl("/proc/self/exe", argv[0], "silent", (char *)NULL);
    if (strcmp(end, "child") == 0 && fork() == 0)
        spin(code);
    else
        wait(NULL);
    return 0;
}
