/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * refusing WHAT[,WHAT...] COMMAND...: runs a command on a machine that refuses some of its system calls with EPERM, by
 * a filter (seccomp), as containers do.
 *
 *     perf         perf_event_open
 *     namespaces   unshare, setns, and clone with a new namespace
 *     mounts       mount, umount2, pivot_root: FUSE, too
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAMESPACES                                                                                                     \
    (CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWCGROUP)

enum { MOST = 64 };
static struct sock_filter filter[MOST];
static unsigned short n;

static void add(struct sock_filter one)
{
    filter[n++] = one;
}

static void refuse(unsigned number)
{
    add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
    add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
}

/* clone with one of the flags in its first argument; clone3, whose flags are in memory, is said not to be there. */
static void refuse_clone(void)
{
    add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1));
    add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
    add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4));
    add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])));
    add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (unsigned)NAMESPACES, 0, 1));
    add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
    add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
}

static int add_all(const char *what)
{
    if (strcmp(what, "perf") == 0) {
        refuse(SYS_perf_event_open);
    } else if (strcmp(what, "namespaces") == 0) {
        refuse(SYS_unshare);
        refuse(SYS_setns);
        refuse_clone();
    } else if (strcmp(what, "mounts") == 0) {
        refuse(SYS_mount);
        refuse(SYS_umount2);
        refuse(SYS_pivot_root);
    } else {
        fprintf(stderr, "refusing: knows no %s\n", what);
        return -1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
    for (char *what = strtok(argv[1], ","); what; what = strtok(NULL, ","))
        if (add_all(what) != 0)
            return 2;
    add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    const struct sock_fprog program = {n, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("refusing");
        return 1;
    }
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 127;
}
