/* SPDX-License-Identifier: GPL-3.0-or-later
 * short_calls WAY: calls short_functions.c in two threads, and in a child; how often is said in its story. */
#include <pthread.h>
#include <setjmp.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void s_short(void);
void s_long(int us);
void s_mixed(int is_long);
void s_calls(void (*function)(int), int argument);
int s_value(int n);

static __thread jmp_buf back;

static void leave(int is_meant)
{
    if (is_meant)
        longjmp(back, 1);
}

static void call(void)
{
    for (int i = 0; i < 50000; i++)
        s_short();
    for (int i = 0; i < 5000; i++) {
        int is_long = i == 3000 || i == 4000;
        if (is_long)
            s_long(2); /* marks the call in the trace */
        s_mixed(is_long);
    }
    for (int i = 0; i < 1500; i++)
        s_long(2);
    for (int i = 0; i < 3000; i++)
        if (!setjmp(back))
            s_calls(leave, i % 3 == 0);
    for (int i = 0; i < 3000; i++)
        s_value(i);
}

static void *run(void *nothing)
{
    call();
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    call();
    if (argc > 1 && strcmp(argv[1], "early") == 0)
        _exit(0);
    pthread_join(thread, NULL);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 100; i++)
            s_short();
        return 0;
    }
    waitpid(child, NULL, 0);
    return 0;
}
