/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes the run directory of one image of one process of what a board wrote.
 */
#include "cli/unpacking.h"

#include "cli/cli.h"
#include "formats/piece.h"
#include "run/attendance.h"
#include "run/rundir.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HOST "board"
#define PID 1

static void fail(GError **error, const char *path, const char *what, int number)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s%s%s", path, what, number ? ": " : "",
                number ? g_strerror(number) : "");
}

/* "lu.pieces" -> "lu" */
static char *stem_of(const char *path)
{
    char *stem = g_strdup(path), *dot = strrchr(stem, '.');
    if (dot && dot > stem && !strchr(dot, '/') && dot[-1] != '/')
        *dot = 0;
    return stem;
}

static gboolean fill(const char *path, int fd, const char *directory, GError **error)
{
    struct tnd_piece_found found;
    int dir_fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    errno = 0;
    const char *wrong = dir_fd < 0 ? "its streams cannot be made" : tnd_piece_unpack(fd, dir_fd, &found);
    if (wrong)
        fail(error, path, wrong, errno);
    else if (found.n_cut_bytes)
        tnd_cli_complain(path, "the last piece lacks %" G_GUINT64_FORMAT " bytes", (guint64)found.n_cut_bytes);
    if (!wrong)
        tnd_rundir_mark(dir_fd, TND_RUNDIR_ENDED_FILE, 0);
    if (dir_fd >= 0)
        close(dir_fd);
    return wrong == NULL;
}

static char *make(const char *path, int fd, gboolean force, GError **error)
{
    char image[300], *stem = stem_of(path), *directory;
    struct tnd_rundir *run = g_new0(struct tnd_rundir, 1);
    int number = tnd_rundir_make(stem, "host=" HOST "\npid=1\n", "", force, run);
    if (!number)
        number = tnd_attendance_make_image(run->path, HOST, PID, image);
    char *made = number ? NULL : g_strdup(run->path);
    if (number)
        fail(error, path, "no run directory can be made of it", number);
    directory = made ? g_build_filename(made, image, NULL) : NULL;
    if (made && !fill(path, fd, directory, error)) {
        tnd_rundir_remove(made);
        g_clear_pointer(&made, g_free);
    }
    g_free(directory);
    g_free(run);
    g_free(stem);
    return made;
}

char *tnd_unpacking_run(const char *path, gboolean force, GError **error)
{
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
        return NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *made = NULL;
    if (fd < 0)
        fail(error, path, "cannot be read", errno);
    else if (!tnd_piece_is(fd))
        fail(error, path, "neither a run directory nor pieces that a board wrote", 0);
    else
        made = make(path, fd, force, error);
    if (fd >= 0)
        close(fd);
    return made;
}
