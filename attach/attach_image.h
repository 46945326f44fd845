/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One image of a process that is looked at from outside: its directory in the run directory, with the streams that the
 * runtime would have written there (formats/record.h), and its threads.
 *
 * Times are ns of CLOCK_MONOTONIC, and never fall.  A thread that nobody has announced begins where it is first seen.
 */
#ifndef TND_ATTACH_IMAGE_H
#define TND_ATTACH_IMAGE_H

#include "attach/attach_memory.h"
#include "formats/record.h"

#include <glib.h>

typedef struct TndAttachImage TndAttachImage;

typedef struct {
    guint64 period_ns; /* of samples */
    guint depth;       /* frames of a stack, at most TND_ATTACH_IMAGE_DEPTH; 0: only the weights of samples */
    const char *note;  /* a sentence for the user, or NULL */
} TndAttachWish;

#define TND_ATTACH_IMAGE_DEPTH 128

/* Begins an image, of a program that runs already, or of what it has become by an exec.  NULL with *error. */
TndAttachImage *tnd_attach_image_new(const char *run_path, int pid, enum tnd_process_birth birth, guint64 time,
                                     const TndAttachWish *wish, GError **error);

/* Ends all threads, and the image.  FALSE with *error: something could not be written.  Frees it in any case. */
gboolean tnd_attach_image_end(TndAttachImage *image, enum tnd_process_end end, guint64 time, GError **error);

/* A thread begins; is_running: it seems to be on a CPU, or to want one, which its first event decides. */
void tnd_attach_image_begin_thread(TndAttachImage *image, guint32 tid, guint64 time, gboolean is_running);
void tnd_attach_image_end_thread(TndAttachImage *image, guint32 tid, guint64 time);
void tnd_attach_image_name_thread(TndAttachImage *image, guint32 tid, guint64 time, const char *name);

/* What the kernel tells of a thread's CPU, by which its CPU time is known. */
void tnd_attach_image_switch_in(TndAttachImage *image, guint32 tid, guint64 time);
void tnd_attach_image_switch_out(TndAttachImage *image, guint32 tid, guint64 time, gboolean is_pushed);

/* A sample.  moment NULL: it is not known where the thread was. */
void tnd_attach_image_sample(TndAttachImage *image, guint32 tid, guint64 time, guint cpu,
                             const TndAttachMoment *moment);

/* Code is mapped. */
void tnd_attach_image_map(TndAttachImage *image, guint64 time, const TndAttachMapping *mapping);

/* Samples of the process were lost. */
void tnd_attach_image_lose(TndAttachImage *image, guint64 n);

/* Writes out what there is, so that it survives us. */
void tnd_attach_image_flush(TndAttachImage *image);

guint64 tnd_attach_image_n_samples(const TndAttachImage *image);
guint tnd_attach_image_n_threads(const TndAttachImage *image);

#endif
