/* SPDX-License-Identifier: Apache-2.0
 *
 * The stack of the thread's last sample, from the outside inwards.
 *
 * Context: stacks.h.
 */
#include "sampler/stacks.h"

#define MOST_FRAMES 128 /* run/setting.h: the greatest depth */

static _Thread_local struct {
    unsigned n;
    uint64_t frames[MOST_FRAMES];
} last __attribute__((tls_model("initial-exec")));

unsigned tnd_stacks_common(const uint64_t *frames, unsigned n)
{
    unsigned common = 0, most = n < last.n ? n : last.n;
    while (common < most && last.frames[common] == frames[n - 1 - common])
        common++;
    return common;
}

unsigned tnd_stacks_take(const uint64_t *frames, unsigned n)
{
    unsigned common = tnd_stacks_common(frames, n);
    last.n = n < MOST_FRAMES ? n : MOST_FRAMES;
    for (unsigned i = common; i < last.n; i++)
        last.frames[i] = frames[n - 1 - i];
    return common;
}

unsigned tnd_stacks_last(void)
{
    return last.n;
}

void tnd_stacks_forget(void)
{
    last.n = 0;
}
