/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies the file in pieces that each fill a record.  Context: jit.h.
 */
#include "runtime/jit.h"

#include "formats/perf_map.h"
#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/image.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { PIECE_BYTES = 8 * TND_RECORD_MAX_WORDS, MAX_BYTES = 64 << 20 };

static uint64_t begin_ns;

void tnd_jit_begin(void)
{
    begin_ns = tnd_clock_realtime_ns();
}

/* Bytes that were read: less than a piece only at the file's end. */
static size_t read_piece(int fd, char *piece)
{
    size_t n_read = 0;
    while (n_read < PIECE_BYTES) {
        ssize_t n = read(fd, piece + n_read, PIECE_BYTES - n_read);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        n_read += (size_t)n;
    }
    return n_read;
}

/* Apart, so that its piece is not on the stack where there is no such file: the stack may be that of a handler. */
__attribute__((noinline)) static void tell_file(int fd, struct tnd_writer *writer)
{
    char piece[PIECE_BYTES + 1];
    for (size_t done = 0, n = PIECE_BYTES; n == PIECE_BYTES && done < MAX_BYTES; done += n) {
        n = read_piece(fd, piece);
        for (char *zero; (zero = memchr(piece, 0, n));)
            *zero = '?';
        piece[n] = 0;
        if (n > 0)
            tnd_emit_text(writer, tnd_clock_ticks(), TND_RECORD_TEXT, TND_TEXT_JIT, 0, NULL, 0, piece);
    }
}

void tnd_jit_tell(struct tnd_writer *writer)
{
    int fd = tnd_config.sampling_period_ns ? tnd_perf_map_open(tnd_image.pid, begin_ns, UINT64_MAX) : -1;
    if (fd < 0)
        return;
    tell_file(fd, writer);
    close(fd);
}
