/* SPDX-License-Identifier: Apache-2.0
 *
 * What a just-in-time compiler in this process calls its code: taken from the file that it writes for perf, as the
 * image ends, because later the file may be gone or that of another process.
 *
 * Context: system calls only.
 */
#ifndef TND_JIT_H
#define TND_JIT_H

#include "runtime/thread.h"

/* An image begins: files that were written before it are not its own. */
void tnd_jit_begin(void);

/* Writes the file as TEXTs, if there is one.  1 ms for each MB. */
void tnd_jit_tell(struct tnd_writer *writer);

#endif
