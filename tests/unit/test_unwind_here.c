/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stack of ordinary code: the caller's frames, without those of the object that asks (here: the test itself).
 */
#include "sampler/unwind.h"

#include <dlfcn.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

static uint64_t frames[32];
static unsigned n_frames;

static int compare(const void *a, const void *b)
{
    n_frames = tnd_unwind_here(frames, 32);
    return *(const int *)a - *(const int *)b;
}

static bool is_libc(uint64_t address)
{
    Dl_info info;
    return dladdr((void *)address, &info) && strstr(info.dli_fname, "libc.so");
}

/* Called back by qsort: its frames come first, main's caller last, nothing of the test in between. */
static void test_called_back(void)
{
    int numbers[] = {3, 1, 2};
    Dl_info own, info;
    qsort(numbers, 3, sizeof numbers[0], compare);
    g_assert_cmpuint(n_frames, >=, 3);
    g_assert_true(is_libc(frames[0]));
    g_assert_true(dladdr((void *)&test_called_back, &own));
    for (unsigned i = 0; i < n_frames; i++)
        g_assert_true(!dladdr((void *)frames[i], &info) || info.dli_fbase != own.dli_fbase);
}

static void test_room_is_kept_to(void)
{
    memset(frames, 0xee, sizeof frames);
    g_assert_cmpuint(tnd_unwind_here(frames, 1), <=, 1);
    g_assert_cmphex(frames[1], ==, 0xeeeeeeeeeeeeeeee);
    g_assert_cmpuint(tnd_unwind_here(frames, 0), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/unwind_here/called_back", test_called_back);
    g_test_add_func("/unwind_here/room_is_kept_to", test_room_is_kept_to);
    return g_test_run();
}
