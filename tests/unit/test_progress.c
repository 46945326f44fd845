/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the line of progress says.
 */
#include "cli/progress.h"

static void check(guint64 n_bytes, double fraction, double seconds, const char *wanted)
{
    const TndProgress progress = {.what = "merging", .n_bytes = n_bytes};
    char *text = tnd_progress_text(&progress, fraction, (gint64)(seconds * G_USEC_PER_SEC));
    g_assert_cmpstr(text, ==, wanted);
    g_free(text);
}

static void test_text(void)
{
    check(0, 0, 1, "merging:   0 %");
    check(0, 0.25, 2, "merging:  25 %, 6 s left");
    check(300000000, 0.5, 2, "merging:  50 %, 150 MB/s, 2 s left");
    check(300000000, 0.01, 10, "merging:   1 %, 30 MB/s, 16 min left");
    check(1000000, 0.001, 10, "merging:   0 %, 0 MB/s, 3 h left");
    check(0, 1, 10, "merging: 100 %, 0 s left");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/progress/text", test_text);
    return g_test_run();
}
