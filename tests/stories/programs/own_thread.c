/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ways to notice, outlive or upset a thread that the program did not make.  own_thread MODE: prints what it saw.
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int count(const char *directory)
{
    int n = 0;
    DIR *entries = opendir(directory);
    while (entries && readdir(entries))
        n++;
    if (entries)
        closedir(entries);
    return n - 2;
}

static void rest(int ms)
{
    usleep((useconds_t)ms * 1000);
}

static void *live_on(void *unused)
{
    rest(200);
    puts("the last thread ends");
    return unused;
}

/* Descriptors, libc's word on threads, the other end of a pipe. */
static void look(void)
{
    int ends[2];
    char byte;
    rest(100);
    printf("%d descriptors, single threaded %d\n", count("/proc/self/fd"), __libc_single_threaded != 0);
    if (pipe(ends) != 0)
        exit(9);
    rest(100);
    close(ends[1]);
    printf("end of the pipe: %zd\n", read(ends[0], &byte, 1));
}

/* Until the node's sensors are read here: somebody holds their lock in the run's directory. */
static void await_sensors(void)
{
    char path[4096] = "";
    const char *run = getenv("TANDEM_RUN");
    snprintf(path, sizeof path, "%.*s", run ? (int)strcspn(run, ":") : 0, run ? run : "");
    for (int found = 0; run && !found; rest(10)) {
        DIR *entries = opendir(path);
        for (struct dirent *entry; entries && !found && (entry = readdir(entries));)
            found = strncmp(entry->d_name, "sensors.", 8) == 0;
        if (entries)
            closedir(entries);
    }
}

static void fork_one(int parent_ms, int child_ms)
{
    pid_t child = fork();
    rest(child == 0 ? child_ms : parent_ms);
    if (child == 0)
        exit(7);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    int status = 0;
    pthread_t thread;
    if (strcmp(mode, "look") == 0) {
        look();
    } else if (strcmp(mode, "rest") == 0) {
        rest(argc > 2 ? atoi(argv[2]) : 300);
    } else if (strcmp(mode, "tasks") == 0) {
        rest(100);
        printf("%d tasks\n", count("/proc/self/task"));
    } else if (strcmp(mode, "pthread_exit") == 0) {
        pthread_create(&thread, NULL, live_on, NULL);
        pthread_exit(NULL);
    } else if (strcmp(mode, "raw_exit") == 0) {
        rest(100);
        syscall(SYS_exit, 0);
    } else if (strcmp(mode, "fork") == 0) {
        fork_one(300, 300);
        wait(&status);
    } else if (strcmp(mode, "orphan") == 0) {
        await_sensors();
        fork_one(300, 3000);
    } else if (strcmp(mode, "exec") == 0) {
        rest(200);
        execl(argv[0], argv[0], "rest", (char *)NULL);
    } else if (strcmp(mode, "exec_fails") == 0) {
        rest(200);
        execl("/nowhere/to/be/found", "x", (char *)NULL);
        rest(200);
    } else if (strcmp(mode, "close_all") == 0) {
        rest(100);
        closefrom(3);
        rest(200);
    } else if (strcmp(mode, "drop") == 0) {
        rest(100);
        status = setuid(65534);
        rest(1600);
    } else {
        return 8;
    }
    printf("done, %d\n", WEXITSTATUS(status));
    return 5;
}
