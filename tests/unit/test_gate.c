/* SPDX-License-Identifier: Apache-2.0
 *
 * Which environment programs get.
 */
#include "run/gate.h"

#include <glib.h>

#define OURS "/two/libtandem.so"

static const struct {
    const char *list, *sanitizer, *with, *without;
} lists[] = {
    {NULL, "", OURS, ""},
    {"", "", OURS, ""},
    {"a.so", "", OURS ":a.so", "a.so"},
    {"a.so:/other/libtandem-mpich-heap.so b.so", "", OURS ":a.so:b.so", "a.so:b.so"},
    {"/other/libasan.so.8:libjemalloc.so.2", "", "/other/libasan.so.8:" OURS ":libjemalloc.so.2",
     "/other/libasan.so.8:libjemalloc.so.2"},
    {"::a.so: ", "libasan.so.8", "libasan.so.8:" OURS ":a.so", "a.so"},
    {"/other/libasan.so.8", "libasan.so.8", "/other/libasan.so.8:" OURS, "/other/libasan.so.8"},
    {"libtandem-api.so:mylibtandem.so", "", OURS ":libtandem-api.so:mylibtandem.so", "libtandem-api.so:mylibtandem.so"},
};

static void test_lists(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(lists); i++) {
        for (int with = 0; with < 2; with++) {
            const char *library = with ? OURS : NULL, *sanitizer = with ? lists[i].sanitizer : "";
            gsize n = tnd_gate_list(lists[i].list, library, sanitizer, NULL);
            char *made = g_malloc0(n + 1);
            g_assert_cmpuint(tnd_gate_list(lists[i].list, library, sanitizer, made), ==, n);
            g_assert_cmpstr(made, ==, with ? lists[i].with : lists[i].without);
            g_free(made);
        }
    }
}

static const char *const settings[] = {"TANDEM_BUFFER=1M", "SAMPLING_PERIOD=1ms"};
static const struct tnd_gate gate = {OURS, "/r.tandem:1:0", settings, G_N_ELEMENTS(settings)};

/* Environments of words between blanks: as given, as the loader and our library read it, as the program does. */
static const struct {
    enum tnd_executable_kind kind;
    const char *sanitizer, *given, *read, *seen;
} cases[] = {
    {TND_EXECUTABLE_FINE, "", "A=1 LD_PRELOAD=" OURS " TANDEM_RUN=r", NULL, NULL},
    {TND_EXECUTABLE_FINE, "", "", "LD_PRELOAD=" OURS " TANDEM_RUN=/r.tandem:1:0 TANDEM_BUFFER=1M SAMPLING_PERIOD=1ms",
     ""},
    {TND_EXECUTABLE_FINE, "", "A=1 LD_PRELOAD=a.so TANDEM_BUFFER=2M B=",
     "LD_PRELOAD=" OURS ":a.so TANDEM_RUN=/r.tandem:1:0 SAMPLING_PERIOD=1ms A=1 TANDEM_LD_PRELOAD=a.so "
     "TANDEM_BUFFER=2M B=",
     "A=1 LD_PRELOAD=a.so TANDEM_BUFFER=2M B="},
    {TND_EXECUTABLE_FINE, "", "LD_PRELOAD=a.so:" OURS " TANDEM_RUN=r",
     "LD_PRELOAD=" OURS ":a.so TANDEM_LD_PRELOAD=a.so:" OURS " TANDEM_RUN=r", "LD_PRELOAD=a.so:" OURS " TANDEM_RUN=r"},
    {TND_EXECUTABLE_FINE, "libasan.so.8", "LD_PRELOAD=" OURS " TANDEM_RUN=r",
     "LD_PRELOAD=libasan.so.8:" OURS " TANDEM_LD_PRELOAD=" OURS " TANDEM_RUN=r", "LD_PRELOAD=" OURS " TANDEM_RUN=r"},
    {TND_EXECUTABLE_FINE, "", "LD_PRELOAD=a.so:/other/libtandem-heap.so TANDEM_RUN=r",
     "LD_PRELOAD=/other/libtandem-heap.so:a.so TANDEM_LD_PRELOAD=a.so:/other/libtandem-heap.so TANDEM_RUN=r",
     "LD_PRELOAD=a.so:/other/libtandem-heap.so TANDEM_RUN=r"},
    {TND_EXECUTABLE_FINE, "tsan", "LD_PRELOAD=" OURS " TANDEM_RUN=r", NULL, NULL},
    {TND_EXECUTABLE_FINE, "tsan", "LD_PRELOAD=/other/libtandem-heap.so TANDEM_RUN=r",
     "LD_PRELOAD=/other/libtandem.so TANDEM_LD_PRELOAD=/other/libtandem-heap.so TANDEM_RUN=r",
     "LD_PRELOAD=/other/libtandem-heap.so TANDEM_RUN=r"},
    {TND_EXECUTABLE_FINE, "", "TANDEM_RUN=none A=1", NULL, NULL},
    {TND_EXECUTABLE_STATIC, "", "A=1", NULL, NULL},
    {TND_EXECUTABLE_STATIC, "", "LD_PRELOAD=" OURS, NULL, NULL},
    {TND_EXECUTABLE_PRIVILEGED, "", "A=1", NULL, NULL},
    {TND_EXECUTABLE_LIBC, "", "A=1 LD_PRELOAD=a.so", NULL, NULL},
    {TND_EXECUTABLE_LIBC, "", "A=1 LD_PRELOAD=" OURS " TANDEM_RUN=r", "A=1 TANDEM_RUN=r", "A=1 TANDEM_RUN=r"},
    {TND_EXECUTABLE_FINE, "", "LD_TRACE_LOADED_OBJECTS=1 B=2", NULL, NULL},
    {TND_EXECUTABLE_FINE, "", "LD_PRELOAD=" OURS " LD_TRACE_LOADED_OBJECTS=1", "LD_TRACE_LOADED_OBJECTS=1",
     "LD_TRACE_LOADED_OBJECTS=1"},
    {TND_EXECUTABLE_BITS, "", "LD_PRELOAD=" OURS ":a.so B=2", "LD_PRELOAD=a.so B=2", "LD_PRELOAD=a.so B=2"},
};

static char *joined(char **words)
{
    return g_strjoinv(" ", words);
}

static void test_environments(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct tnd_executable program = {.kind = cases[i].kind, .is_there = true};
        program.is_tsan = g_str_equal(cases[i].sanitizer, "tsan");
        if (!program.is_tsan)
            g_strlcpy(program.sanitizer, cases[i].sanitizer, sizeof program.sanitizer);
        char **given = g_strsplit(cases[i].given, " ", -1);
        struct tnd_gate_plan plan = tnd_gate_plan(&gate, &program, given);
        g_assert_cmpint(plan.n_bytes > 0, ==, cases[i].read != NULL);
        if (plan.n_bytes) {
            void *room = g_malloc(plan.n_bytes); /* a byte too much is seen by the sanitizer build */
            char **made = tnd_gate_make(&plan, room);
            char *read = joined(made + (plan.adds ? 1 : 0)), *before = joined(given),
                 *seen = joined(tnd_gate_hide(made));
            g_assert_cmpstr(read, ==, cases[i].read);
            g_assert_cmpstr(seen, ==, cases[i].seen);
            g_assert_cmpstr(before, ==, cases[i].given);
            g_free(read);
            g_free(before);
            g_free(seen);
            g_free(room);
        }
        g_strfreev(given);
    }
}

/* A program that is not there, or a process without a run, changes nothing. */
static void test_nothing_to_add(void)
{
    char *given[] = {(char *)"A=1", NULL};
    struct tnd_executable program = {.is_there = false};
    g_assert_cmpuint(tnd_gate_plan(&gate, &program, given).n_bytes, ==, 0);
    const struct tnd_gate none = {OURS, "", NULL, 0};
    program.is_there = true;
    g_assert_cmpuint(tnd_gate_plan(&none, &program, given).n_bytes, ==, 0);
    g_assert_cmpuint(tnd_gate_plan(&gate, &program, NULL).n_bytes, >, 0);
    char *strange[] = {(char *)"TANDEM_HIDDEN=9", (char *)"HOME=/", NULL};
    g_assert_cmpstr(*tnd_gate_hide(strange), ==, "HOME=/");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gate/lists", test_lists);
    g_test_add_func("/gate/environments", test_environments);
    g_test_add_func("/gate/nothing_to_add", test_nothing_to_add);
    return g_test_run();
}
