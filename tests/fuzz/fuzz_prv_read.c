/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a .prv, handed out in small pieces; what is read is written again.
 */
#include "formats/prv_read.h"
#include "formats/prv_write.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *data;
    size_t left;
};

static ssize_t read_piece(void *source, char *buffer, size_t size)
{
    struct input *input = source;
    size_t n = size < input->left ? size : input->left;
    if (n > 4099)
        n = 4099;
    memcpy(buffer, input->data, n);
    input->data += n;
    input->left -= n;
    return (ssize_t)n;
}

static bool drop(void *sink, const char *bytes, size_t size)
{
    return bytes && size;
}

static struct tnd_prv_writer *writer;

static bool on_header(void *self, const struct tnd_prv_header *header)
{
    struct tnd_prv_header plain = *header;
    plain.n_communicators = 0;
    writer = tnd_prv_write_open(drop, NULL, &plain, NULL);
    return writer != NULL;
}

static bool on_state(void *self, const struct tnd_prv_state *state)
{
    tnd_prv_write_state(writer, state);
    return true;
}

static bool on_event(void *self, const struct tnd_prv_event *event)
{
    tnd_prv_write_event(writer, event);
    return true;
}

static bool on_message(void *self, const struct tnd_prv_message *message)
{
    tnd_prv_write_message(writer, message);
    return true;
}

static void on_fault(void *self, enum tnd_prv_severity severity, uint64_t line_number, const char *what)
{
    if (!what[0])
        __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tnd_prv_visitor visitor = {
        .header = on_header, .state = on_state, .event = on_event, .message = on_message, .fault = on_fault};
    struct input input = {data, size};
    writer = NULL;
    tnd_prv_read(read_piece, &input, &visitor, NULL);
    if (writer && !tnd_prv_write_close(writer))
        __builtin_trap();
    return 0;
}
