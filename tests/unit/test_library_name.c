/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain names of symbols.
 */
#include "run/library_name.h"

#include <glib.h>
#include <string.h>

static const struct {
    const char *symbol, *name; /* NULL: it has none */
} cases[] = {
    {"_ZN7QWidget4showEv", "QWidget::show"},
    {"_ZNK7QWidget4sizeEv", "QWidget::size"},
    {"_Z5debugPKcz", "debug"},
    {"_ZN7QWidgetC1EPS_6QFlagsIN2Qt10WindowTypeEE", "QWidget::QWidget"},
    {"_ZN7QWidgetD0Ev", "QWidget::~QWidget"},
    {"_ZN4deep2in4here5OuterD2Ev", "deep::in::here::Outer::~Outer"},
    {"_ZNK4Base5valueB5cxx11Ev", "Base::value"},
    {"_ZNK4BasecvSsEv", "Base::operator"},
    {"_ZN1aplERKS_", "a::operator"},
    {"_ZSt9terminatev", "std::terminate"},
    {"_ZNSt6thread4joinEv", "std::thread::join"},
    {"_ZN3BoxIiE3getEv", "Box"},
    {"_ZNR3Box3getEv", "Box::get"},
    {"_ZTV7QWidget", NULL},
    {"_ZN", NULL},
    {"_Z", NULL},
    {"_ZN99999999999999999999x", NULL},
    {"_ZN9shortE", NULL},
    {"_ZNC1Ev", NULL},
    {"_ZNKVRO", NULL},
    {"printf", NULL},
    {"", NULL},
};

static void test_names(void)
{
    char name[64];
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        gboolean has = tnd_library_name_plain(cases[i].symbol, name, sizeof name);
        g_assert_cmpstr(has ? name : NULL, ==, cases[i].name);
    }
}

static void test_room(void)
{
    const char symbol[] = "_ZN26abcdefghijklmnopqrstuvwxyz26abcdefghijklmnopqrstuvwxyz3endEv";
    char name[80];
    for (gsize size = 1; size < sizeof name; size++) {
        memset(name, 'X', sizeof name);
        tnd_library_name_plain(symbol, name, size);
        g_assert_cmpuint(strlen(name), <, size);
        g_assert_cmpint(name[size], ==, 'X');
    }
    g_assert_cmpstr(name, ==, "abcdefghijklmnopqrstuvwxyz::abcdefghijklmnopqrstuvwxyz::end");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/library-name/names", test_names);
    g_test_add_func("/library-name/room", test_room);
    return g_test_run();
}
