/* SPDX-License-Identifier: Apache-2.0
 *
 * The life of a process: image by image (a fork or an exec begins a new one, with a directory of its own).
 *
 * Context: as run.h says.
 */
#include "runtime/run.h"

#include "formats/event_types.h"
#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/image.h"
#include "runtime/jit.h"
#include "runtime/modules.h"
#include "runtime/names.h"
#include "runtime/root.h"
#include "runtime/sentence.h"
#include "runtime/source.h"
#include "runtime/target.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

/* How long a process that ends waits until children that it has just forked have made their directories, because
 * children that live on make the trace.  After a fork that failed the count stays too high, and one end waits this long
 * in vain. */
#define MAX_BIRTH_MS 200

static struct {
    bool is_off; /* the program has called tandem_off() */
    bool was_tried;
    int has_ended;
    bool is_closed;     /* by tnd_run_close; tnd_run_end still follows */
    uint32_t *n_unborn; /* shared with children: how many of them have no directory yet */
} run;

const char *tnd_run_directory(void)
{
    return tnd_image.pid ? tnd_root_path() : "";
}

void tnd_run_tell(const char *mark, const char *sentence)
{
    static char line[1200];
    tnd_run_note(sentence);
    if (tnd_target_mark(tnd_root_path(), mark) == 0) {
        tnd_sentence(line, sizeof line, "tandem: ", sentence, "\n", NULL);
        tnd_target_say(line);
    }
}

static void report_setting(const char *sentence)
{
    static char line[600];
    if (tnd_config_lookup("TANDEM_RUN"))
        return; /* the root or `tandem record` has reported it */
    tnd_sentence(line, sizeof line, "tandem: ", sentence, "\n", NULL);
    tnd_target_say(line);
}

static void tell_text(struct tnd_writer *writer, enum tnd_text_role role, const char *text)
{
    tnd_emit_text(writer, tnd_clock_ticks(), TND_RECORD_TEXT, role, 0, NULL, 0, text);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Writes what a process's first stream begins with. */
static void describe(struct tnd_writer *writer)
{
    char text[PATH_MAX];
    const char *program = tnd_target_program();
    uint64_t now = tnd_clock_ticks();
    int cpu = tnd_target_cpu();
    tnd_emit_words(writer, now, TND_RECORD_PROCESS, (uint32_t)tnd_image.pid, tnd_image.birth, 3,
                   (uint64_t[]){tnd_record_pair((uint32_t)tnd_target_parent_id(), tnd_target_cpus()),
                                tnd_image.parent_id, tnd_image.id});
    if (cpu >= 0)
        tnd_emit_head(writer, now, TND_RECORD_EVENT, TND_TYPE_CPU, (uint16_t)(cpu + 1));
    tnd_emit_clock(writer);
    tnd_target_executable(text, sizeof text);
    tell_text(writer, TND_TEXT_EXECUTABLE, text);
    if (program && strcmp(base_name(program), base_name(text)) != 0)
        tell_text(writer, TND_TEXT_PROGRAM, program);
    tnd_target_command(text, sizeof text);
    tell_text(writer, TND_TEXT_COMMAND, text);
    tnd_target_host(text, sizeof text);
    tell_text(writer, TND_TEXT_HOST, text);
    tnd_target_boot(text, sizeof text);
    tell_text(writer, TND_TEXT_BOOT, text);
    tnd_modules_tell(writer);
    tnd_target_vdso(text, sizeof text);
    if (text[0])
        tell_text(writer, TND_TEXT_VDSO, text);
    tnd_names_tell(writer);
}

/* A new image, and its first thread. */
static bool begin_image(enum tnd_process_birth birth)
{
    run.has_ended = 0;
    tnd_jit_begin();
    return tnd_image_begin(birth) && tnd_thread_start(describe) && tnd_thread_adopt() != NULL;
}

static void before_fork(void)
{
    if (tnd_image.pid != 0 && !run.has_ended && run.n_unborn)
        __atomic_fetch_add(run.n_unborn, 1, __ATOMIC_RELAXED);
}

static void wait_for_unborn(void)
{
    for (int waited_ms = 0; run.n_unborn && waited_ms < MAX_BIRTH_MS; waited_ms++) {
        if (__atomic_load_n(run.n_unborn, __ATOMIC_RELAXED) == 0)
            return;
        tnd_target_sleep_ms(1);
    }
}

static void after_fork_in_child(void)
{
    if (tnd_image.pid == 0 || run.has_ended)
        return;
    int before = errno;
    tnd_thread_recording = 0;
    tnd_thread_forget();
    tnd_modules_fork_child();
    tnd_names_fork_child();
    tnd_root_fork_child();
    tnd_image.parent_id = tnd_image.id;
    tnd_source_fork_child();
    if (begin_image(TND_BIRTH_FORK))
        tnd_thread_recording = !run.is_off;
    else
        tnd_image.pid = 0;
    if (run.n_unborn)
        __atomic_fetch_sub(run.n_unborn, 1, __ATOMIC_RELAXED);
    errno = before;
}

void tnd_run_start(void)
{
    int before = errno;
    if (run.was_tried || tnd_target_privileged())
        return;
    run.was_tried = true;
    tnd_target_say_start();
    tnd_config_start(report_setting);
    tnd_clock_start();
    int error = tnd_root_start();
    if (error > 0) {
        tnd_root_trouble("making the run's directory", error);
        tnd_root_refuse();
    }
    if (error == 0) {
        tnd_image.parent_id = tnd_root_parent_image();
        tnd_modules_look();
        if (begin_image(TND_BIRTH_START)) {
            run.n_unborn = tnd_target_shared_pages(sizeof *run.n_unborn);
            pthread_atfork(before_fork, NULL, after_fork_in_child);
            tnd_thread_recording = 1;
            tnd_source_start(tnd_thread_self);
            if (!tnd_config.record)
                tnd_run_switch(false);
        } else {
            tnd_image.pid = 0;
        }
    }
    errno = before;
}

/* Writes a CLOCK and PROCESS_END to the calling thread's stream. */
static void tell_end(struct tnd_thread *self, enum tnd_process_end how, int status)
{
    self->main.owner = self->main.stepped_over = 0;
    tnd_emit_settle(&self->main);
    tnd_thread_tell_names(&self->main);
    tnd_jit_tell(&self->main);
    uint64_t now = tnd_emit_clock(&self->main);
    tnd_emit_head(&self->main, now, TND_RECORD_PROCESS_END, how, (uint16_t)status);
}

static void close_streams(enum tnd_process_end how, int status)
{
    tnd_modules_look_at_end();
    tnd_source_stop();
    tnd_thread_recording = 0;
    if (tnd_thread_refused() > 0) {
        char sentence[64], digits[TND_SENTENCE_NUMBER_BYTES];
        tnd_sentence(sentence, sizeof sentence, tnd_sentence_number(digits, tnd_thread_refused()),
                     " threads could not be recorded", NULL);
        tnd_run_note(sentence);
    }
    if (!tnd_thread_has_rings())
        tnd_root_trouble("writing records", EIO);
    struct tnd_thread *self = tnd_thread_last();
    if (self)
        tell_end(self, how, status & 0xff);
}

void tnd_run_close(void)
{
    if (!tnd_image_is_here() || __atomic_exchange_n(&run.has_ended, 1, __ATOMIC_ACQ_REL))
        return;
    int before = errno;
    close_streams(TND_END_EXIT, 0);
    run.is_closed = true;
    errno = before;
}

void tnd_run_end(enum tnd_process_end how, int status)
{
    if (!tnd_image_is_here())
        return;
    bool was_closed = __atomic_exchange_n(&run.is_closed, false, __ATOMIC_ACQ_REL);
    if (!was_closed && __atomic_exchange_n(&run.has_ended, 1, __ATOMIC_ACQ_REL))
        return;
    int before = errno;
    if (!was_closed)
        close_streams(how, status);
    wait_for_unborn();
    tnd_root_end(tnd_image_directory(), how == TND_END_EXIT);
    errno = before;
}

void tnd_run_leave(void)
{
    if (!tnd_image_is_here() || run.has_ended)
        return;
    tnd_source_leave();
    tnd_run_end(TND_END_QUICK, 0);
    tnd_root_refuse();
    tnd_image.pid = 0; /* what asks whether this is our process need not ask the kernel */
}

void tnd_run_before_exec(void)
{
    if (!tnd_image_is_here() || run.has_ended)
        return;
    int before = errno;
    struct tnd_thread *self = tnd_thread_self;
    if (self) {
        tnd_source_before_exec(self);
        tell_end(self, TND_END_EXEC, 0);
    }
    errno = before;
}

void tnd_run_after_failed_exec(void)
{
    if (!tnd_image_is_here() || run.has_ended)
        return;
    int before = errno;
    if (tnd_thread_self)
        tnd_source_after_failed_exec(tnd_thread_self);
    errno = before;
}

void tnd_run_note(const char *sentence)
{
    struct tnd_thread *self = tnd_thread_self;
    if (self)
        tell_text(&self->main, TND_TEXT_NOTE, sentence);
}

bool tnd_run_is_off(void)
{
    return run.is_off && !run.has_ended && tnd_image_is_here();
}

void tnd_run_switch(bool on)
{
    if (!tnd_image_is_here() || run.has_ended || run.is_off == !on)
        return;
    struct tnd_thread *self = tnd_thread_self;
    run.is_off = !on;
    if (!on)
        tnd_thread_recording = 0;
    tnd_source_switched(on);
    if (self)
        tnd_emit_head(&self->main, tnd_clock_ticks(), TND_RECORD_SWITCH, on, 0);
    if (on)
        tnd_thread_recording = tnd_thread_has_rings();
}
