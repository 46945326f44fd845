/* SPDX-License-Identifier: Apache-2.0
 *
 * RAPL by PAPI, in a helper process.  PAPI's component calls exit() if a register cannot be read: some processors do
 * not have the register of the cores, which PAPI only finds out when it begins to count.  So this is tried in a child
 * first, and if the child ends, only packages are read.
 */
#include "sampler/sensors_papi.h"

#include "runtime/run.h"
#include "runtime/target.h"
#include "sampler/counter_papi.h"
#include "system/kernel_files.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ORIGIN "RAPL by PAPI"
#define MAX_PACKAGES 100
#define MAX_EVENTS 64
#define BEGIN_MS 5000
#define ASK_MS 100

static struct shared {
    struct tnd_target_helper helper; /* must be first */
    unsigned n;
    bool is_wrong; /* the last reading failed */
    char why[128]; /* why there are no sensors */
    struct {
        unsigned domain, package;
    } of[MAX_EVENTS];
    int64_t values[MAX_EVENTS]; /* nJ */
} * shared;                     /* NULL: there is no helper */

static int error; /* of the last reading */
static char why_nobody[128] = "who read it has ended";

static bool is_rapl(const struct tnd_sensor *sensor)
{
    return strcmp(sensor->origin, "RAPL") == 0;
}

static bool is_served(const char *root, const struct tnd_sensor *sensors, unsigned n)
{
    int64_t value;
    for (unsigned i = 0; i < n; i++)
        if (is_rapl(&sensors[i]) && tnd_sensor_files_read(root, &sensors[i], &value) == 0)
            return true;
    return false;
}

static bool is_needed(const char *root)
{
    size_t n_bytes = TND_SENSOR_FILES_MAX * sizeof(struct tnd_sensor);
    struct tnd_sensor *sensors = tnd_target_pages(n_bytes);
    if (!sensors)
        return false;
    bool served = is_served(root, sensors, tnd_sensor_files_find(root, sensors, TND_SENSOR_FILES_MAX));
    tnd_target_pages_free(sensors, n_bytes);
    return !served;
}

static void name_event(char *name, size_t size, unsigned domain, unsigned package)
{
    snprintf(name, size, "rapl:::%s:PACKAGE%u", tnd_sensor_domains[domain].papi, package);
}

/* This and the functions up to tnd_sensors_papi_begin run in the helper.  Finds the codes of the first n_domains
 * domains of each package; how many. */
static unsigned find_events(struct shared *to, unsigned n_domains, int codes[static MAX_EVENTS])
{
    char name[64];
    unsigned n = 0;
    for (unsigned package = 0, before = 1; package < MAX_PACKAGES && n != before; package++) {
        before = n;
        for (unsigned domain = 0; domain < n_domains && n < MAX_EVENTS; domain++) {
            name_event(name, sizeof name, domain, package);
            if (!tnd_counter_papi_find(name, "nJ", &codes[n]))
                continue;
            to->of[n].domain = domain;
            to->of[n++].package = package;
        }
    }
    return n;
}

/* PAPI's event set of these, which counts; -1, and *why: the reason. */
static int begin_counting(struct shared *to, unsigned n_domains, const char **why)
{
    int codes[MAX_EVENTS];
    *why = tnd_counter_papi_load();
    if (**why)
        return -1;
    to->n = find_events(to, n_domains, codes);
    if (to->n)
        return tnd_counter_papi_count(codes, to->n, why);
    *why = tnd_counter_papi_reason("rapl");
    *why = *why ? *why : "no energy of packages";
    return -1;
}

static bool try_all(struct shared *to)
{
    const char *why;
    int status = -1;
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL,
                                 NULL); /* not fork(), whose handlers would record the child */
    if (child == 0) {
        begin_counting(to, TND_SENSOR_DOMAINS, &why);
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void answer(struct tnd_target_helper *helper)
{
    static int events = -1;
    struct shared *to = (struct shared *)helper;
    const char *why = "";
    if (events < 0)
        events = begin_counting(to, try_all(to) ? TND_SENSOR_DOMAINS : 1, &why);
    if (events < 0) {
        snprintf(to->why, sizeof to->why, "%s", why);
        to->n = 0;
    }
    to->is_wrong = events < 0 || !tnd_counter_papi_read(events, (uint64_t *)to->values);
}

/* Whether there are registers that PAPI may read; else no helper is started. */
static bool has_registers(const char *root)
{
    static const char *const files[] = {"/dev/cpu/0/msr_safe", "/dev/cpu/0/msr"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s%s", root, files[i]);
        if (access(path, R_OK) == 0)
            return true;
    }
    snprintf(why_nobody, sizeof why_nobody, "%s: %s", files[1], strerrordesc_np(errno));
    return false;
}

void tnd_sensors_papi_begin(const char *root)
{
    if (!is_needed(root) || !has_registers(root))
        return;
    shared = tnd_target_shared_pages(sizeof *shared);
    if (shared && !tnd_target_helper_start(&shared->helper, answer))
        shared = NULL;
}

void tnd_sensors_papi_forget(void)
{
    shared = NULL;
}

void tnd_sensors_papi_end(void)
{
    if (shared)
        tnd_target_helper_end(&shared->helper);
    shared = NULL;
}

static void make(const char *root, unsigned i, struct tnd_sensor *sensor)
{
    unsigned domain = shared->of[i].domain, package = shared->of[i].package;
    *sensor = (struct tnd_sensor){.kind = TND_SENSOR_ENERGY, .divisor = 1000, .unit = "µJ", .origin = ORIGIN};
    tnd_sensor_files_place(root, &tnd_sensor_domains[domain], package, sensor);
    name_event(sensor->path, sizeof sensor->path, domain, package);
}

unsigned tnd_sensors_papi_replace(const char *root, struct tnd_sensor *sensors, unsigned n, unsigned room)
{
    if (is_served(root, sensors, n))
        return n;
    bool has_answered = shared && tnd_target_helper_ask(&shared->helper, BEGIN_MS) == 0;
    if (!has_answered || shared->n == 0) {
        char sentence[200];
        snprintf(sentence, sizeof sentence, "sensors (" ORIGIN "): %s", has_answered ? shared->why : why_nobody);
        tnd_run_note(sentence);
        tnd_sensors_papi_end();
        return n;
    }
    unsigned n_kept = 0;
    for (unsigned i = 0; i < n; i++)
        if (!is_rapl(&sensors[i]))
            sensors[n_kept++] = sensors[i];
    for (unsigned i = 0; i < shared->n && n_kept < room; i++)
        make(root, i, &sensors[n_kept++]);
    return n_kept;
}

void tnd_sensors_papi_read(void)
{
    error = shared ? tnd_target_helper_ask(&shared->helper, ASK_MS) : ESRCH;
    if (!error && shared->is_wrong)
        error = EIO;
}

int tnd_sensors_papi_value(const struct tnd_sensor *sensor, int64_t *value)
{
    for (unsigned i = 0; !error && i < shared->n; i++)
        if (tnd_sensor_domains[shared->of[i].domain].place + shared->of[i].package == sensor->place) {
            *value = shared->values[i] / sensor->divisor;
            return *value < 0 ? ERANGE : 0;
        }
    return error ? error : ENODEV;
}
