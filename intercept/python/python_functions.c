/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of functions.  Context: python_functions.h.
 */
#include "intercept/python/python_functions.h"

#include "intercept/python/python_choice.h"
#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/names.h"

#include <stdlib.h>
#include <string.h>

#define OTHERS UINT16_MAX /* shared by all functions that are met when no number is left */

/* `auto`: a function is judged after every 1024 calls, and no longer recorded if a call, with what it calls, took less
 * than 2 us on average.  An enter and a leave take 0.05 us (measured), a fortieth of that. */
#define CALLS_TO_JUDGE 1024
#define WORTH_NS 2000

static void (*free_code)(void *code); /* CPython's own */
static struct tnd_clock_at started;

/* Functions by their numbers.  They are never freed, because frames may refer to them.  If two interpreters meet a
 * function at once, one of the two copies is left unused. */
static struct tnd_python_function *by_number[OTHERS + 1];
static struct tnd_python_function unnamed;
static struct tnd_python_function others[] = {{.number = OTHERS}, {.number = OTHERS, .is_chosen = true}};

/* CPython frees a code object: another one may get its address. */
static void forget(void *code)
{
    tnd_python_table_remove(code);
    free_code(code);
}

/* Appends an attribute that is a text. */
static void add_attribute(char *text, void *object, const char *name)
{
    size_t n = strlen(text);
    void *value = tnd_python_api.attribute(object, name);
    const char *utf8 = value ? tnd_python_api.text(value) : NULL;
    snprintf(text + n, TND_PYTHON_TEXT_BYTES - 32 - n, "%s", utf8 ? utf8 : "?");
    if (value)
        tnd_python_api.release(value);
}

static long line_of(void *code)
{
    void *value = tnd_python_api.attribute(code, "co_firstlineno");
    long line = value ? tnd_python_api.number(value) : 0;
    if (value)
        tnd_python_api.release(value);
    return line;
}

/* "module.name", and after a newline "file:line".  Returns the length of the former. */
static size_t describe(char text[static TND_PYTHON_TEXT_BYTES], const void *frame, void *code)
{
    void *globals = *(void *const *)((const char *)frame + tnd_python_api.globals_at);
    void *module =
        globals ? tnd_python_api.item(globals, "__name__") : NULL; /* there are none when the interpreter ends */
    const char *utf8 = module ? tnd_python_api.text(module) : NULL;
    snprintf(text, TND_PYTHON_NAME_BYTES / 2, "%s", utf8 ? utf8 : "?");
    strcat(text, ".");
    add_attribute(text, code, tnd_python_api.has_qualified_names ? "co_qualname" : "co_name");
    text[TND_PYTHON_NAME_BYTES] = '\0';
    size_t n = strlen(text);
    for (size_t i = 0; i < n; i++)
        text[i] = text[i] == '\n' ? ' ' : text[i];
    strcat(text, "\n");
    add_attribute(text, code, "co_filename");
    sprintf(text + strlen(text), ":%ld", line_of(code));
    return n;
}

/* The function of this description, made if it is new. */
static struct tnd_python_function *meet(char *text, size_t n_name)
{
    uint32_t number = tnd_names_number(TND_DEFINE_PYTHON, text);
    if (number == 0 && !tnd_thread_get())
        return NULL; /* recording is off now; it can get a number later */
    text[n_name] = '\0';
    if (number == 0)
        return &others[tnd_python_choice_takes(text)];
    if (number == OTHERS - 1)
        tnd_names_number(TND_DEFINE_PYTHON, "further functions\n:0"); /* gets the last number */
    struct tnd_python_function *function = __atomic_load_n(&by_number[number], __ATOMIC_ACQUIRE);
    if (function)
        return function;
    function = calloc(1, sizeof *function);
    if (!function)
        return &unnamed;
    function->number = number;
    function->is_chosen = tnd_python_choice_takes(text);
    function->is_timed = tnd_python_choice_is_auto();
    __atomic_store_n(&by_number[number], function, __ATOMIC_RELEASE);
    return function;
}

struct tnd_python_function *tnd_python_functions_add(const void *key, char *text, size_t n_name)
{
    struct tnd_python_function *function = meet(text, n_name);
    if (function)
        tnd_python_table_add(key, function);
    return function ? function : &unnamed;
}

struct tnd_python_function *tnd_python_functions_numbered(uint32_t number)
{
    struct tnd_python_function *function = number < OTHERS ? by_number[number] : NULL;
    return function ? function : &others[1];
}

struct tnd_python_function *tnd_python_functions_look(const void *frame)
{
    void *code = tnd_python_api_code(frame), *type, *value, *traceback;
    struct tnd_python_function *function = tnd_python_table_find(code);
    if (function)
        return function;
    char text[TND_PYTHON_TEXT_BYTES];
    tnd_python_api.fetch_error(&type, &value, &traceback);
    function = tnd_python_functions_add(code, text, describe(text, frame, code));
    tnd_python_api.restore_error(type, value, traceback);
    return function;
}

/* Ticks in ns, by the clock's rate since the start. */
static double ns_of(uint64_t ticks)
{
    struct tnd_clock_at now;
    tnd_clock_sample(&now, 1);
    return (double)ticks * (double)(now.monotonic_ns - started.monotonic_ns) / (double)(now.ticks - started.ticks);
}

void tnd_python_functions_time(struct tnd_python_function *function, uint64_t ticks)
{
    function->in_ticks += ticks;
    if (++function->n_calls < CALLS_TO_JUDGE)
        return;
    struct tnd_thread *thread = tnd_thread_get();
    if (thread && function->is_chosen && ns_of(function->in_ticks) < (double)CALLS_TO_JUDGE * WORTH_NS) {
        function->is_chosen = false;
        tnd_emit_text(&thread->main, tnd_clock_ticks(), TND_RECORD_DEFINE, function->number, TND_DEFINE_PYTHON_SHORT,
                      (const uint64_t[]){0, 0}, 2, "");
    }
    function->n_calls = 0;
    function->in_ticks = 0;
}

void tnd_python_functions_attach(void)
{
    if (*tnd_python_api.free_code != forget) {
        free_code = *tnd_python_api.free_code;
        *tnd_python_api.free_code = forget;
    }
}

bool tnd_python_functions_start(void)
{
    tnd_clock_sample(&started, 5);
    return (tnd_python_choice_start() || tnd_config.sampling_period_ns) && tnd_python_table_start();
}

void tnd_python_functions_tell(struct tnd_thread *thread)
{
    tnd_python_choice_tell(thread);
}
