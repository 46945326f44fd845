/* SPDX-License-Identifier: Apache-2.0
 *
 * The image of this process.  Context: image.h.
 */
#include "runtime/image.h"

#include "run/attendance.h"
#include "run/rundir.h"
#include "runtime/root.h"
#include "runtime/target.h"

#include <stdio.h>
#include <string.h>

struct tnd_image tnd_image;

static char directory[TND_RUNDIR_PATH_MAX + 304];

bool tnd_image_begin(enum tnd_process_birth birth)
{
    char host[256], name[300];
    pid_t pid = tnd_target_process_id();
    tnd_target_host(host, sizeof host);
    int error = tnd_attendance_make_image(tnd_root_path(), host, pid, name);
    if (error) {
        tnd_root_trouble("making a directory in it", error);
        return false;
    }
    snprintf(directory, sizeof directory, "%s/%s", tnd_root_path(), name);
    tnd_image.id = tnd_target_random();
    tnd_image.birth = birth == TND_BIRTH_START && strcmp(strrchr(name, '.'), ".0") != 0 ? TND_BIRTH_EXEC : birth;
    tnd_image.pid = pid;
    tnd_root_set_image(tnd_image.id);
    return true;
}

const char *tnd_image_directory(void)
{
    return directory;
}

bool tnd_image_is_here(void)
{
    return tnd_image.pid != 0 && tnd_image.pid == tnd_target_process_id();
}
