/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stack of ordinary code: the caller's frames, without those of the object that asks (here: the test itself).
 */
#include "runtime/config.h"
#include "runtime/modules.h"
#include "sampler/unwind.h"

#include <dlfcn.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

struct tnd_config tnd_config;
_Thread_local struct tnd_thread *tnd_thread_self;
uint64_t tnd_modules_generation;

static uint64_t frames[32];
static unsigned n_frames;

static int compare(const void *a, const void *b)
{
    n_frames = tnd_unwind_here(__builtin_frame_address(0), frames, 32);
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

/* Asked again at a place that is known by now, with the stack's bounds known: the same. */
static void test_said_again(void)
{
    static struct tnd_thread thread;
    pthread_attr_t attributes;
    size_t size;
    int numbers[] = {3, 1};
    uint64_t first[32];
    g_assert_cmpint(pthread_getattr_np(pthread_self(), &attributes), ==, 0);
    pthread_attr_getstack(&attributes, &thread.stack_low, &size);
    pthread_attr_destroy(&attributes);
    thread.stack_high = (char *)thread.stack_low + size;
    for (int i = 0; i < 4; i++) {
        tnd_thread_self = i < 2 ? NULL : &thread;
        qsort(numbers, 2, sizeof numbers[0], compare);
        if (i == 0)
            memcpy(first, frames, sizeof first);
        g_assert_cmpmem(frames, n_frames * sizeof frames[0], first, n_frames * sizeof first[0]);
    }
    tnd_thread_self = NULL;
}

static void test_room_is_kept_to(void)
{
    memset(frames, 0xee, sizeof frames);
    g_assert_cmpuint(tnd_unwind_here(__builtin_frame_address(0), frames, 1), <=, 1);
    g_assert_cmphex(frames[1], ==, 0xeeeeeeeeeeeeeeee);
    g_assert_cmpuint(tnd_unwind_here(__builtin_frame_address(0), frames, 0), ==, 0);
}

/* The C library's frames are those of all others here.  The last test: they stay left out. */
static void test_another_is_left_out(void)
{
    int numbers[] = {3, 1};
    qsort(numbers, 2, sizeof numbers[0], compare);
    g_assert_cmpuint(n_frames, >=, 1);
    tnd_unwind_leave_out((const void *)&test_another_is_left_out); /* the program itself: it is not */
    qsort(numbers, 2, sizeof numbers[0], compare);
    g_assert_true(n_frames >= 1 && is_libc(frames[0]));
    tnd_unwind_leave_out((const void *)dlsym(RTLD_DEFAULT, "qsort"));
    qsort(numbers, 2, sizeof numbers[0], compare);
    for (unsigned i = 0; i < n_frames; i++)
        g_assert_false(is_libc(frames[i]));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/unwind_here/called_back", test_called_back);
    g_test_add_func("/unwind_here/said_again", test_said_again);
    g_test_add_func("/unwind_here/room_is_kept_to", test_room_is_kept_to);
    g_test_add_func("/unwind_here/another_is_left_out", test_another_is_left_out);
    return g_test_run();
}
