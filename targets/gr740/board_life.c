/* SPDX-License-Identifier: Apache-2.0
 *
 * A board has one program, which is one process and one file that holds all code, and it is a run by itself: what the
 * runtime asks of runs, images and modules has short answers here.
 *
 * Context: runtime/root.h, image.h, modules.h, jit.h, target.h.
 */
#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/image.h"
#include "runtime/jit.h"
#include "runtime/modules.h"
#include "runtime/root.h"
#include "runtime/run.h"
#include "runtime/sentence.h"
#include "runtime/target.h"
#include "targets/gr740/board.h"
#include "targets/gr740/board_sampling.h"
#include "targets/gr740/tandem_board.h"

#include <stdlib.h>
#include <string.h>

#define PROCESS 1 /* its number */

struct tnd_image tnd_image;
uint64_t tnd_modules_generation;

static void say(const char *sentence)
{
    char line[600];
    tnd_sentence(line, sizeof line, "tandem: ", sentence, "\n", NULL);
    tnd_target_say(line);
}

int tnd_root_start(void)
{
#define READ(kind, field, name, default_, takes)                                                                       \
    TND_CONFIG_READ(&tnd_board_settings.field, kind, name, "", default_, takes, say);
    TND_BOARD_SETTING_TABLE(READ)
    if (tnd_board_output_start())
        return 0;
    say("the pool is too small; not recording");
    return -1;
}

void tnd_root_refuse(void) {}

const char *tnd_root_path(void)
{
    return "board";
}

uint64_t tnd_root_parent_image(void)
{
    return 0;
}

void tnd_root_fork_child(void) {}

void tnd_root_trouble(const char *what, int error)
{
    static char has_said;
    char sentence[200], digits[TND_SENTENCE_NUMBER_BYTES];
    if (__atomic_test_and_set(&has_said, __ATOMIC_RELAXED))
        return;
    tnd_sentence(sentence, sizeof sentence, what, ": error ", tnd_sentence_number(digits, (uint32_t)error),
                 "; not recording", NULL);
    say(sentence);
}

void tnd_root_end(const char *image_path, bool will_flush)
{
    int error = tnd_board_output_end();
    if (error)
        tnd_root_trouble("writing records", error);
}

bool tnd_image_begin(enum tnd_process_birth birth)
{
    tnd_image.id = tnd_target_random();
    tnd_image.birth = birth;
    tnd_image.pid = PROCESS;
    return true;
}

const char *tnd_image_directory(void)
{
    return "";
}

bool tnd_image_is_here(void)
{
    return tnd_image.pid != 0;
}

void tnd_jit_begin(void) {}

void tnd_jit_tell(struct tnd_writer *writer) {}

void tnd_modules_look(void) {}

void tnd_modules_look_at_end(void) {}

void tnd_modules_fork_child(void) {}

/* All addresses are of the program's file, as they are in it. */
void tnd_modules_tell(struct tnd_writer *writer)
{
    const uint64_t words[] = {0, UINT32_MAX, 0};
    tnd_emit_text(writer, tnd_clock_ticks(), TND_RECORD_MODULE, 0, 0, words, 3, tnd_board_settings.program);
}

pid_t tnd_target_process_id(void)
{
    return PROCESS;
}

pid_t tnd_target_parent_id(void)
{
    return 0;
}

bool tnd_target_privileged(void)
{
    return false;
}

void tnd_target_executable(char *path, size_t size)
{
    tnd_sentence(path, size, tnd_board_settings.program, NULL);
}

const char *tnd_target_program(void)
{
    return NULL;
}

void tnd_target_command(char *text, size_t size)
{
    tnd_target_executable(text, size);
}

void tnd_target_host(char *name, size_t size)
{
    tnd_sentence(name, size, "gr740", NULL);
}

void tnd_target_boot(char *id, size_t size)
{
    id[0] = 0;
}

void tnd_target_vdso(char *text, size_t size)
{
    text[0] = 0;
}

void tnd_target_thread_name(char name[static 16])
{
    strncpy(name, tnd_board_settings.program, 15);
    name[15] = 0;
}

void tnd_target_thread_name_of(pid_t tid, char name[static 16])
{
    name[0] = 0;
}

void *tnd_target_shared_pages(size_t n_bytes)
{
    return NULL;
}

void tnd_target_slots_free(void) {}

bool tnd_target_wipe_on_fork(void *pages, size_t n_bytes)
{
    return false;
}

int tnd_target_mark(const char *directory, const char *name)
{
    return 0;
}

bool tnd_target_is_on_signal_stack(void)
{
    return false;
}

enum tnd_clock tnd_target_clock(void)
{
    return TND_CLOCK_MONOTONIC;
}

void tnd_target_say_start(void) {}

/* Parts that nothing else of a program needs to name. */
static const void *const parts[] __attribute__((used, retain)) = {
    (const void *)&tnd_board_sampling_take,
    (const void *)&tnd_board_sensors_tick,
    (const void *)&tnd_board_counters_source,
#ifdef __rtems__
    (const void *)&tnd_board_rtems_source,
#endif
};

static void end(void)
{
    tnd_run_end(TND_END_EXIT, 0);
}

void tandem_board_start(void)
{
    static bool was_started;
    if (was_started)
        return;
    was_started = true;
    tnd_run_start();
    atexit(end);
}

void tandem_board_end(void)
{
    end();
}
