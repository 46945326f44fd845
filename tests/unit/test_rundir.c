/* SPDX-License-Identifier: Apache-2.0
 *
 * The run directory: names, competitors, members; with 16 processes at a time.
 */
#include "run/attendance.h"
#include "run/rundir.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_PROCESSES 16

static char *scratch, *stem;

static void set_up(void)
{
    scratch = g_dir_make_tmp("tandem-rundir-XXXXXX", NULL);
    g_assert_nonnull(scratch);
    stem = g_build_filename(scratch, "app", NULL);
}

static void remove_all(const char *path)
{
    if (g_file_test(path, G_FILE_TEST_IS_DIR) && !g_file_test(path, G_FILE_TEST_IS_SYMLINK)) {
        GDir *dir = g_dir_open(path, 0, NULL);
        const char *name;
        while (dir && (name = g_dir_read_name(dir))) {
            char *inner = g_build_filename(path, name, NULL);
            remove_all(inner);
            g_free(inner);
        }
        if (dir)
            g_dir_close(dir);
    }
    g_remove(path);
}

static void tear_down(void)
{
    remove_all(scratch);
    g_free(scratch);
    g_free(stem);
}

static char *with_stem(const char *ending)
{
    return g_strconcat(stem, ending, NULL);
}

static unsigned n_entries(const char *path)
{
    unsigned n = 0;
    GDir *dir = g_dir_open(path, 0, NULL);
    while (g_dir_read_name(dir))
        n++;
    g_dir_close(dir);
    return n;
}

static void make(const char *job, bool force, const char *expected_ending, bool expected_created)
{
    struct tnd_rundir rundir;
    g_assert_cmpint(tnd_rundir_make(stem, "command=app\n", job, force, &rundir), ==, 0);
    char *expected = with_stem(expected_ending);
    g_assert_cmpstr(rundir.path, ==, expected);
    g_assert_cmpint(rundir.created, ==, expected_created);
    g_free(expected);
}

static void touch(const char *ending)
{
    char *path = with_stem(ending);
    g_assert_true(g_file_set_contents(path, "x", 1, NULL));
    g_free(path);
}

static void test_names(void)
{
    set_up();
    make("", false, ".tandem", true);
    make("", false, ".2.tandem", true);
    touch(".3.prv"); /* a trace does not take the name of a directory */
    make("", false, ".3.tandem", true);
    char *path = with_stem(".3.tandem"), value[64];
    struct stat status;
    g_assert_cmpint(stat(path, &status), ==, 0);
    g_assert_cmpint(status.st_mode & 07777, ==, 0700);
    g_assert_true(tnd_rundir_get(path, "command", value, sizeof value));
    g_assert_cmpstr(value, ==, "app");
    g_assert_true(tnd_rundir_get(path, "command", value, 3));
    g_assert_cmpstr(value, ==, "ap");
    g_assert_true(tnd_rundir_get(path, "job", value, sizeof value));
    g_assert_cmpstr(value, ==, "");
    g_assert_false(tnd_rundir_get(path, "comman", value, sizeof value));
    g_assert_false(tnd_rundir_get(path, "commands", value, sizeof value));
    g_free(path);
    tear_down();
}

static void test_relative(void)
{
    struct tnd_rundir rundir;
    set_up();
    char *before = g_get_current_dir();
    g_assert_cmpint(g_chdir(scratch), ==, 0);
    g_assert_cmpint(tnd_rundir_make("app", "", "", false, &rundir), ==, 0);
    char *expected = with_stem(".tandem");
    g_assert_cmpstr(rundir.path, ==, expected);
    g_free(expected);
    g_assert_cmpint(g_chdir(before), ==, 0);
    g_free(before);
    tear_down();
}

static void test_job(void)
{
    set_up();
    make("one", false, ".tandem", true);
    make("two", false, ".2.tandem", true);
    make("one", false, ".tandem", false);
    make("two", false, ".2.tandem", false);
    char *first = with_stem(".tandem"); /* a gap before ours, as after a merge elsewhere */
    remove_all(first);
    make("two", false, ".2.tandem", false);
    make("three", false, ".tandem", true);
    g_free(first);
    tear_down();
}

static void test_force(void)
{
    set_up();
    make("old", false, ".tandem", true);
    touch(".prv");
    touch(".tandem/left");
    char name[300], *path = with_stem(".tandem"), *left = with_stem(".tandem/left");
    g_assert_cmpint(tnd_attendance_make_image(path, "host", 7, name), ==, 0);
    touch(".tandem/host.7.0/0.main.ring");
    make("new", true, ".tandem", true);
    g_assert_false(g_file_test(left, G_FILE_TEST_EXISTS));
    g_assert_cmpuint(n_entries(path), ==, 1); /* run */
    make("new", true, ".tandem", false);
    g_free(path);
    g_free(left);
    tear_down();
}

/* What is there and is not a run directory of ours is left alone, with force and without. */
static void test_not_ours(void)
{
    struct tnd_rundir rundir = {.path = "untouched"};
    char *first = NULL, *elsewhere = NULL;
    set_up();
    first = with_stem(".tandem");
    elsewhere = g_build_filename(scratch, "elsewhere", NULL);
    g_assert_cmpint(g_mkdir(elsewhere, 0700), ==, 0);
    g_assert_cmpint(symlink(elsewhere, first), ==, 0);
    make("job", false, ".2.tandem", true);
    g_assert_cmpint(tnd_rundir_make(stem, "", "other", true, &rundir), ==, EEXIST);
    g_assert_cmpstr(rundir.path, ==, "untouched");
    g_assert_cmpuint(n_entries(elsewhere), ==, 0);
    g_assert_cmpint(tnd_attendance_enter(first, "a"), <, 0);
    g_remove(first);
    g_assert_cmpint(g_mkdir(first, 0700), ==, 0); /* a directory of the user's, without `run` */
    touch(".tandem/precious");
    g_assert_cmpint(tnd_rundir_make(stem, "", "other", true, &rundir), ==, EEXIST);
    g_assert_cmpuint(n_entries(first), ==, 1);
    g_assert_cmpint(chmod(first, 0755), ==, 0); /* others may enter */
    g_assert_cmpint(tnd_attendance_enter(first, "a"), ==, -EPERM);
    g_free(first);
    g_free(elsewhere);
    tear_down();
}

static void test_refused(void)
{
    struct tnd_rundir rundir;
    set_up();
    g_assert_cmpint(tnd_rundir_make("/nowhere/at/all/app", "", "", false, &rundir), ==, ENOENT);
    g_assert_cmpint(tnd_rundir_make(stem, "", "a\nb", false, &rundir), ==, EINVAL);
    g_assert_cmpint(tnd_rundir_make(scratch, "", "", false, &rundir), ==, 0);
    g_remove(rundir.path);
    remove_all(rundir.path);
    char *long_name = g_strnfill(300, 'x'), *path = g_build_filename(scratch, long_name, NULL);
    g_assert_cmpint(tnd_rundir_make(path, "", "", false, &rundir), ==, ENAMETOOLONG);
    g_assert_cmpuint(n_entries(scratch), ==, 0); /* nothing left behind */
    g_free(long_name);
    g_free(path);
    tear_down();
}

static void test_process(void)
{
    char name[300];
    set_up();
    make("", false, ".tandem", true);
    char *path = with_stem(".tandem");
    g_assert_cmpint(tnd_attendance_make_image(path, "node1.site", 42, name), ==, 0);
    g_assert_cmpstr(name, ==, "node1.site.42.0");
    g_assert_cmpint(tnd_attendance_make_image(path, "node1.site", 42, name), ==, 0);
    g_assert_cmpstr(name, ==, "node1.site.42.1");
    g_assert_cmpint(tnd_attendance_make_image(path, "../bad", 42, name), ==, 0);
    g_assert_cmpstr(name, ==, "_._bad.42.0");
    g_free(path);
    tear_down();
}

/* Processes that begin at the same moment, and what they have to say. */
struct shared {
    int n_ready, go;
    struct {
        char path[512];
        int error;
        bool created, last;
    } of[N_PROCESSES];
};

static struct shared *run_processes(void (*body)(struct shared *shared, int i))
{
    struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t children[N_PROCESSES];
    g_assert_true(shared != MAP_FAILED);
    for (int i = 0; i < N_PROCESSES; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            __atomic_add_fetch(&shared->n_ready, 1, __ATOMIC_SEQ_CST);
            while (!__atomic_load_n(&shared->go, __ATOMIC_SEQ_CST))
                usleep(100);
            body(shared, i);
            _exit(0);
        }
    }
    while (__atomic_load_n(&shared->n_ready, __ATOMIC_SEQ_CST) < N_PROCESSES)
        usleep(100);
    __atomic_store_n(&shared->go, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < N_PROCESSES; i++) {
        int status;
        g_assert_cmpint(waitpid(children[i], &status, 0), ==, children[i]);
        g_assert_cmpint(status, ==, 0);
    }
    return shared;
}

static const char *race_job;
static bool race_force;

static void race(struct shared *shared, int i)
{
    struct tnd_rundir rundir = {.path = ""};
    char job[32];
    g_snprintf(job, sizeof job, race_job, i);
    shared->of[i].error = tnd_rundir_make(stem, "", job, race_force, &rundir);
    shared->of[i].created = rundir.created;
    g_strlcpy(shared->of[i].path, rundir.path, sizeof shared->of[i].path);
}

/* Races; counts the makers and the different directories. */
static void check_race(const char *job, bool force, unsigned n_directories)
{
    set_up();
    if (force)
        make("before", false, ".tandem", true);
    race_job = job;
    race_force = force;
    struct shared *shared = run_processes(race);
    GHashTable *paths = g_hash_table_new(g_str_hash, g_str_equal);
    unsigned n_created = 0;
    for (int i = 0; i < N_PROCESSES; i++) {
        g_assert_cmpint(shared->of[i].error, ==, 0);
        n_created += shared->of[i].created;
        g_hash_table_add(paths, shared->of[i].path);
    }
    g_assert_cmpuint(n_created, ==, n_directories);
    g_assert_cmpuint(g_hash_table_size(paths), ==, n_directories);
    g_assert_cmpuint(n_entries(scratch), ==, n_directories); /* nothing half-made is left */
    g_hash_table_destroy(paths);
    munmap(shared, sizeof *shared);
    tear_down();
}

static void test_race(void)
{
    for (int round = 0; round < 10; round++) {
        check_race("same", false, 1);
        check_race("job%d", false, N_PROCESSES);
        check_race("", false, N_PROCESSES);
        check_race("same", true, 1);
    }
}

static unsigned race_expected;

static void join_and_leave(struct shared *shared, int i)
{
    char key[16], *path = with_stem(".tandem");
    g_snprintf(key, sizeof key, "%d", i);
    int fd = tnd_attendance_enter(path, key);
    if (fd < 0)
        _exit(1);
    if (i == 0)
        usleep(1000);
    if (tnd_rundir_has(AT_FDCWD, with_stem(".tandem/left"))) /* the last one has left while this one is there */
        _exit(1);
    shared->of[i].last = tnd_attendance_leave(path, fd, race_expected);
}

static void test_leave_race(void)
{
    for (int round = 0; round < 60; round++) {
        set_up();
        make("", false, ".tandem", true);
        race_expected = N_PROCESSES;
        struct shared *shared = run_processes(join_and_leave);
        unsigned n_last = 0;
        for (int i = 0; i < N_PROCESSES; i++)
            n_last += shared->of[i].last;
        g_assert_cmpuint(n_last, ==, 1);
        munmap(shared, sizeof *shared);
        tear_down();
    }
}

static void test_leave(void)
{
    set_up();
    make("", false, ".tandem", true);
    char *path = with_stem(".tandem");
    int a = tnd_attendance_enter(path, "a"), b = tnd_attendance_enter(path, "b");
    g_assert_cmpint(a, >=, 0);
    g_assert_cmpint(b, >=, 0);
    g_assert_cmpint(fcntl(a, F_GETFD), ==, FD_CLOEXEC);
    g_assert_false(tnd_attendance_leave(path, a, 0)); /* b is alive */
    g_assert_false(tnd_attendance_leave(path, b, 3)); /* a third is to come */
    int c = tnd_attendance_enter(path, "c");
    g_assert_true(tnd_attendance_leave(path, c, 3));
    int d = tnd_attendance_enter(path, "d");
    g_assert_false(tnd_attendance_leave(path, d, 0)); /* only one is ever the last */
    g_assert_cmpint(fcntl(d, F_GETFD), ==, -1);
    g_free(path);
    tear_down();
}

/* A member that was killed is no longer waited for; a child that holds its parent's lock's descriptor does not count.
 */
static void test_leave_dead(void)
{
    int pipe_fds[2];
    char byte;
    set_up();
    make("", false, ".tandem", true);
    char *path = with_stem(".tandem");
    int a = tnd_attendance_enter(path, "a");
    g_assert_cmpint(pipe(pipe_fds), ==, 0);
    pid_t victim = fork();
    if (victim == 0) {
        close(a);
        if (tnd_attendance_enter(path, "victim") < 0 || write(pipe_fds[1], "x", 1) != 1)
            _exit(1);
        pause();
        _exit(0);
    }
    pid_t idler = fork();
    if (idler == 0) {
        pause();
        _exit(0);
    }
    g_assert_cmpint(read(pipe_fds[0], &byte, 1), ==, 1);
    int b = tnd_attendance_enter(path, "b");
    g_assert_false(tnd_attendance_leave(path, b, 0));
    kill(victim, SIGKILL);
    waitpid(victim, NULL, 0);
    int c = tnd_attendance_enter(path, "c");
    g_assert_false(tnd_attendance_leave(path, a, 0)); /* c */
    g_assert_true(tnd_attendance_leave(path, c, 0));
    kill(idler, SIGKILL);
    waitpid(idler, NULL, 0);
    close(pipe_fds[0]);
    close(pipe_fds[1]);
    g_free(path);
    tear_down();
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rundir/names", test_names);
    g_test_add_func("/rundir/relative", test_relative);
    g_test_add_func("/rundir/job", test_job);
    g_test_add_func("/rundir/force", test_force);
    g_test_add_func("/rundir/not-ours", test_not_ours);
    g_test_add_func("/rundir/refused", test_refused);
    g_test_add_func("/rundir/process", test_process);
    g_test_add_func("/rundir/race", test_race);
    g_test_add_func("/rundir/leave", test_leave);
    g_test_add_func("/rundir/leave-dead", test_leave_dead);
    g_test_add_func("/rundir/leave-race", test_leave_race);
    return g_test_run();
}
