/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding sensors in a tree of files, reading them, being refused.
 */
#include "system/kernel_files.h"
#include "system/sensor_files.h"

#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static char *root;

static void put(const char *name, const char *text)
{
    char *path = g_build_filename(root, name, NULL), *directory = g_path_get_dirname(path);
    g_assert_cmpint(g_mkdir_with_parents(directory, 0755), ==, 0);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    g_free(directory);
    g_free(path);
}

/* A machine of two packages with two cores of two CPUs each, and what else there may be. */
static void make_tree(void)
{
    for (unsigned cpu = 0; cpu < 8; cpu++) {
        char *name = g_strdup_printf("sys/devices/system/cpu/cpu%u/topology/physical_package_id", cpu);
        put(name, cpu % 4 < 2 ? "0\n" : "1\n"); /* 0,1,4,5 and 2,3,6,7 */
        g_free(name);
        name = g_strdup_printf("sys/devices/system/cpu/cpu%u/topology/core_id", cpu);
        put(name, cpu % 2 ? "1\n" : "0\n");
        g_free(name);
    }
    put("sys/devices/system/cpu/cpufreq/x", "");
    put("sys/class/hwmon/hwmon10/name", "coretemp\n");
    put("sys/class/hwmon/hwmon10/temp1_label", "Package id 1\n");
    put("sys/class/hwmon/hwmon10/temp1_input", "51000\n");
    put("sys/class/hwmon/hwmon10/temp3_label", "Core 1\n");
    put("sys/class/hwmon/hwmon10/temp3_input", "-2000\n");
    put("sys/class/hwmon/hwmon2/name", "power_meter\n");
    put("sys/class/hwmon/hwmon2/power1_average", "123456789\n");
    put("sys/class/thermal/thermal_zone0/type", "x86_pkg_temp\n");
    put("sys/class/thermal/thermal_zone0/temp", "49000\n");
    put("sys/class/thermal/thermal_zone1/type", "power_meter\n");
    put("sys/class/thermal/thermal_zone1/hwmon2/name", "power_meter\n");
    put("sys/class/powercap/intel-rapl:1/name", "package-1\n");
    put("sys/class/powercap/intel-rapl:1/energy_uj", "77\n");
    put("sys/class/powercap/intel-rapl:1/max_energy_range_uj", "1000\n");
    put("sys/class/powercap/intel-rapl:1:0/name", "dram\n");
    put("sys/class/powercap/intel-rapl:1:0/energy_uj", "5\n");
    put("sys/class/powercap/intel-rapl:2/name", "psys\n");
    put("sys/class/power_supply/BAT0/status", "Discharging\n");
    put("sys/class/power_supply/BAT0/power_now", "8000000\n");
}

static void check(const struct tnd_sensor *sensor, enum tnd_sensor_kind kind, unsigned place, const char *name,
                  const char *cpus, enum tnd_sensor_share share)
{
    g_assert_cmpstr(sensor->name, ==, name);
    g_assert_cmpint(sensor->kind, ==, kind);
    g_assert_cmpuint(sensor->place, ==, place);
    g_assert_cmpstr(sensor->cpus, ==, cpus);
    g_assert_cmpint(sensor->share, ==, share);
}

static void test_find(void)
{
    struct tnd_sensor found[16];
    g_assert_cmpuint(tnd_sensor_files_find(root, found, 16), ==, 8);
    check(&found[0], TND_SENSOR_POWER, 1, "power_meter power1", "", TND_SENSOR_METER);
    check(&found[1], TND_SENSOR_TEMPERATURE, 101, "Package 1", "2-3,6-7", TND_SENSOR_PART);
    check(&found[2], TND_SENSOR_TEMPERATURE, 203, "Core 1 of package 1", "3,7", TND_SENSOR_PART);
    check(&found[3], TND_SENSOR_TEMPERATURE, 100, "Package 0", "0-1,4-5", TND_SENSOR_PART);
    check(&found[4], TND_SENSOR_ENERGY, 101, "Package 1", "2-3,6-7", TND_SENSOR_PACKAGES);
    check(&found[5], TND_SENSOR_ENERGY, 401, "Memory 1", "2-3,6-7", TND_SENSOR_PACKAGES);
    check(&found[6], TND_SENSOR_ENERGY, 502, "Platform 2", "", TND_SENSOR_PLATFORM);
    check(&found[7], TND_SENSOR_POWER, 2, "Battery 0", "", TND_SENSOR_BATTERY);
    g_assert_cmpuint(found[4].range, ==, 1000);
    g_assert_cmpuint(found[5].range, ==, 0);
    g_assert_cmpuint(tnd_sensor_files_find(root, found, 3), ==, 3);
    g_assert_cmpuint(tnd_sensor_files_find("/nowhere", found, 16), ==, 0);
}

static void test_read(void)
{
    struct tnd_sensor found[16];
    gint64 value = 1;
    tnd_sensor_files_find(root, found, 16);
    g_assert_cmpint(tnd_sensor_files_read(root, &found[0], &value), ==, 0);
    g_assert_cmpint(value, ==, 123456);
    g_assert_cmpint(tnd_sensor_files_read(root, &found[2], &value), ==, 0);
    g_assert_cmpint(value, ==, -2000);
    g_assert_cmpint(tnd_sensor_files_read(root, &found[6], &value), ==, ENOENT);
    static const char *const nonsense[] = {"", "x", "1x", "-", "12345678901234567890123", "1001", "-1"};
    for (gsize i = 0; i < G_N_ELEMENTS(nonsense); i++) {
        put("sys/class/powercap/intel-rapl:1/energy_uj", nonsense[i]);
        g_assert_cmpint(tnd_sensor_files_read(root, &found[4], &value), ==, ERANGE);
        g_assert_cmpint(value, ==, -2000);
    }
}

/* As the kernel refuses energy_uj to all but root. */
static void test_refused(void)
{
    struct tnd_sensor found[16];
    gint64 value;
    tnd_sensor_files_find(root, found, 16);
    char *path = g_build_filename(root, found[5].path, NULL);
    g_assert_cmpint(g_chmod(path, 0), ==, 0);
    gboolean is_root = geteuid() == 0 && seteuid(65534) == 0;
    g_assert_cmpint(tnd_sensor_files_read(root, &found[5], &value), ==, EACCES);
    g_assert_true(!is_root || seteuid(0) == 0);
    g_free(path);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    root = g_dir_make_tmp("tandem-sensors-XXXXXX", NULL);
    g_assert_nonnull(root);
    g_assert_cmpint(g_chmod(root, 0755), ==, 0);
    make_tree();
    g_test_add_func("/sensor_files/find", test_find);
    g_test_add_func("/sensor_files/read", test_read);
    g_test_add_func("/sensor_files/refused", test_refused);
    int status = g_test_run();
    char *command[] = {"rm", "-rf", root, NULL};
    g_spawn_sync(NULL, command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
    g_free(root);
    return status;
}
