/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which files are taken for a just-in-time compiler's.
 */
#include "formats/perf_map.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECOND_NS G_GUINT64_CONSTANT(1000000000)

static char *path;
static const guint64 changed_ns = 1000000 * SECOND_NS;

/* Makes the file, last changed at changed_ns. */
static void make_file(const char *text, int mode)
{
    const struct timespec times[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    g_unlink(path);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    g_assert_cmpint(g_chmod(path, mode), ==, 0);
    g_assert_cmpint(utimensat(AT_FDCWD, path, times, 0), ==, 0);
}

static gboolean opens(guint64 since_ns, guint64 until_ns)
{
    int fd = tnd_perf_map_open(getpid(), since_ns, until_ns);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static void test_content(void)
{
    char text[8];
    make_file("1 1 f\n", 0644);
    int fd = tnd_perf_map_open(getpid(), changed_ns, changed_ns);
    g_assert_cmpint(fd, >=, 0);
    g_assert_cmpint(read(fd, text, sizeof text), ==, 6);
    g_assert_cmpint(fcntl(fd, F_GETFD), ==, FD_CLOEXEC);
    close(fd);
    g_unlink(path);
    g_assert_false(opens(0, G_MAXUINT64));
}

/* A file of a process that had the pid before, or has it now. */
static void test_times(void)
{
    make_file("", 0644);
    g_assert_true(opens(changed_ns - SECOND_NS, changed_ns + SECOND_NS));
    g_assert_true(opens(changed_ns + SECOND_NS / 100, G_MAXUINT64)); /* the clocks of files are late */
    g_assert_false(opens(changed_ns + SECOND_NS, G_MAXUINT64));
    g_assert_false(opens(0, changed_ns - 1));
}

/* What others could have put there. */
static void test_trust(void)
{
    make_file("", 0666);
    g_assert_false(opens(0, G_MAXUINT64));
    make_file("", 0664);
    g_assert_true(opens(0, G_MAXUINT64));
    if (geteuid() == 0) {
        g_assert_cmpint(chown(path, 1, 1), ==, 0);
        g_assert_false(opens(0, G_MAXUINT64));
    }
    g_unlink(path);
    g_assert_cmpint(symlink("/proc/self/exe", path), ==, 0);
    g_assert_false(opens(0, G_MAXUINT64));
    g_unlink(path);
    g_assert_cmpint(mkfifo(path, 0600), ==, 0);
    g_assert_false(opens(0, G_MAXUINT64));
    g_unlink(path);
    g_assert_cmpint(g_mkdir(path, 0700), ==, 0);
    g_assert_false(opens(0, G_MAXUINT64));
    g_rmdir(path);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    path = g_strdup_printf("/tmp/perf-%d.map", (int)getpid());
    g_test_add_func("/perf_map/content", test_content);
    g_test_add_func("/perf_map/times", test_times);
    g_test_add_func("/perf_map/trust", test_trust);
    int status = g_test_run();
    g_unlink(path);
    g_free(path);
    return status;
}
