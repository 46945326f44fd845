/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding CPython in the process.  Context: python_api.h.
 */
#include "intercept/python/python_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/*
 * Frames of each version, as its own headers lay them out on 64-bit machines, tried with 3.9.18, 3.10.13, 3.11.2,
 * 3.11.7, 3.12.1 and 3.13.0.  From 3.12 on, with a frame evaluation function set, evaluations count against a limit on
 * nested C calls (1500 in 3.12.1), two for each call of a function; without one, calls of functions of Python do not
 * count.
 */
static const struct {
    int minor;
    uint16_t code_at, globals_at;
    bool has_qualified_names;
    uint32_t max_depth;
} versions[] = {
    {9, 32, 48, false, UINT32_MAX}, {10, 32, 48, false, UINT32_MAX}, {11, 32, 8, true, UINT32_MAX},
    {12, 0, 24, true, 500},         {13, 0, 24, true, 1000},
};

/* Offset of tp_dealloc in a type, in all of these versions on 64-bit machines. */
#define FREE_AT 48

struct tnd_python_api tnd_python_api;

static bool find_version(void)
{
    int major = 0, minor = 0;
    const char *version = tnd_python_api.version();
    if (sscanf(version, "%d.%d", &major, &minor) != 2 || major != 3 || strstr(version, "free-threading"))
        return false;
    for (unsigned i = 0; i < sizeof versions / sizeof *versions; i++)
        if (versions[i].minor == minor) {
            tnd_python_api.code_at = versions[i].code_at;
            tnd_python_api.globals_at = versions[i].globals_at;
            tnd_python_api.max_depth = versions[i].max_depth;
            tnd_python_api.has_qualified_names = versions[i].has_qualified_names;
            tnd_python_api.has_whole_frames = minor >= 11;
            tnd_python_api.leaves_stacks = minor == 11;
            return true;
        }
    return false;
}

const char *tnd_python_api_find(void)
{
    tnd_python_api.version = (__typeof__(tnd_python_api.version))dlsym(RTLD_DEFAULT, "Py_GetVersion");
    if (!tnd_python_api.version)
        return "";
    if (!find_version())
        return "tandem knows 3.9 to 3.13 with an interpreter lock";
#define FIND(result, name, parameters, symbol)                                                                         \
    void *found_##name = dlsym(RTLD_DEFAULT, symbol);                                                                  \
    if (!found_##name)                                                                                                 \
        return "it lacks " symbol;                                                                                     \
    tnd_python_api.name = (__typeof__(tnd_python_api.name))found_##name;
    TND_PYTHON_API_TABLE(FIND)
    char *code_type = dlsym(RTLD_DEFAULT, "PyCode_Type");
    tnd_python_api.method_type = dlsym(RTLD_DEFAULT, "PyMethodDescr_Type");
    tnd_python_api.class_method_type = dlsym(RTLD_DEFAULT, "PyClassMethodDescr_Type");
    if (!code_type || !tnd_python_api.method_type || !tnd_python_api.class_method_type)
        return "it lacks PyCode_Type or the types of methods";
    tnd_python_api.free_code = (void (**)(void *))(code_type + FREE_AT);
    return NULL;
}
