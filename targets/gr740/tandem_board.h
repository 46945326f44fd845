/* SPDX-License-Identifier: Apache-2.0
 *
 * tandem_board.h: what a program on a board calls besides tandem.h.  A program whose `main` is wrapped
 * (tandem-wrap-flags) need not call any of it.
 *
 * Settings have the names of the environment variables of `tandem record`.  They come from the environment, which the
 * program may set itself before it starts the recording, and from `tandem_settings`, if it defines that:
 *
 *     const char *const tandem_settings[] = {"TANDEM_BUFFER=64k", "TANDEM_OUTPUT=app.pieces", NULL};
 *
 * Context: a thread of the program's.
 */
#ifndef TANDEM_BOARD_H
#define TANDEM_BOARD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the settings, reserves all memory and begins to record.  Again it does nothing. */
void tandem_board_start(void);

/* Ends the recording and writes what is left.  `exit` does it, too.  No other thread may be recording. */
void tandem_board_end(void);

/* Both may be defined by the program, together: memory for tandem's buffers, 1 MiB by default.  Aligned to 8 bytes. */
extern char tandem_pool[];
extern const size_t tandem_pool_bytes;

#ifdef __cplusplus
}
#endif

#endif
