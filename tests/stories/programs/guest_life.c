/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that end, or give something up, while threads compute.  guest_life WAY:
 *
 *     exec         executes true(1), with four threads that compute
 *     kill, errno, strict   gives up calls of the kernel: what is called nevertheless kills, is refused, ...
 *     all          the same for all of its threads
 *     open         gives up calls that recording does not need
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sum;
static int n_begun;

static void *compute_for_ever(void *unused)
{
    __atomic_fetch_add(&n_begun, 1, __ATOMIC_RELEASE);
    for (;;)
        sum++;
    return unused;
}

static void begin_threads(int n)
{
    pthread_t thread;
    for (int i = 0; i < n; i++)
        pthread_create(&thread, NULL, compute_for_ever, NULL);
    while (__atomic_load_n(&n_begun, __ATOMIC_ACQUIRE) < n)
        usleep(1000);
    usleep(20000);
}

static int execute(void)
{
    begin_threads(4);
    execl("/bin/true", "true", (char *)NULL);
    return 1;
}

#define NUMBER BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define LET(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE(number)                                                                                                 \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

static int give_up(const char *way)
{
    struct sock_filter few[] = {
        NUMBER,
        LET(SYS_write),
        LET(SYS_rt_sigreturn),
        LET(SYS_exit_group),
        LET(SYS_exit),
        BPF_STMT(BPF_RET | BPF_K, strcmp(way, "errno") == 0 ? SECCOMP_RET_ERRNO | EPERM : SECCOMP_RET_KILL_PROCESS)};
    struct sock_filter most[] = {NUMBER, REFUSE(SYS_ptrace), REFUSE(SYS_mount),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof few / sizeof *few, few};
    if (strcmp(way, "open") == 0)
        program = (struct sock_fprog){sizeof most / sizeof *most, most};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (strcmp(way, "strict") == 0)
        return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    if (strcmp(way, "all") == 0)
        return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int in_sandbox(const char *way)
{
    begin_threads(strcmp(way, "strict") == 0 ? 0 : 2);
    if (give_up(way) != 0)
        return perror(way), 2;
    for (volatile long i = 0; i < 200000000; i++) {
    }
    if (write(1, "worked\n", 7) != 7)
        return 3;
    if (strcmp(way, "strict") == 0)
        syscall(SYS_exit, 4); /* exit_group is given up, too */
    _exit(4);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    return strcmp(way, "exec") == 0 ? execute() : in_sandbox(way);
}
