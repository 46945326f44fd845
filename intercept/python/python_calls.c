/* SPDX-License-Identifier: Apache-2.0
 *
 * The profile function, and names of functions of C.  Context: python_calls.h.
 */
#include "intercept/python/python_calls.h"

#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/run.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* CPython's numbers of what a profile function is called for. */
enum { C_CALL = 4, C_EXCEPTION = 5, C_RETURN = 6 };

/* The profile function is among so many first words of a thread's state, which has more in all versions. */
#define STATE_WORDS 32

/* The same in 3.9 to 3.13 on 64-bit machines: how a function of C is defined, its object, a type's descriptor. */
struct definition {
    const char *name;
    void *function;
    int flags;
};
enum { OF_CLASS = 0x10, OF_NOTHING = 0x20 };
struct object {
    intptr_t n_references;
    struct type *type;
};
struct type {
    struct object object;
    intptr_t n_items;
    const char *name;
};
struct callable {
    struct object object;
    struct definition *definition;
    struct object *self;
    void *module;
};
struct descriptor {
    struct object object;
    struct type *type;
};
struct whole_frame { /* a frame as Python sees it; from 3.11 on the interpreter's own frame is another structure */
    struct object object;
    void *outer, *frame;
};

bool tnd_python_calls_are_wanted;

static size_t profile_at; /* number of that word in a thread's state; 0: unknown */
static _Thread_local bool is_attaching __attribute__((tls_model("initial-exec")));

/*
 * A bug of 3.11.2, and perhaps of other 3.11: when a generator is resumed under a profile function, its frame keeps the
 * height of its stack of that moment, though the stack changes, and the garbage collector, which may visit the
 * generator while it runs, takes stale words there for objects: a crash, under cProfile, too.  While a generator runs
 * its stack must not be visited, so we wrap the functions by which the collector visits these types (tp_traverse).
 */
typedef int visit_references(void *object, int (*visit)(void *, void *), void *argument);
static visit_references visit_generator, visit_coroutine, visit_asynchronous_generator;
static struct {
    const char *type;
    visit_references *ours, *theirs;
} visits[] = {{"PyGen_Type", visit_generator, NULL},
              {"PyCoro_Type", visit_coroutine, NULL},
              {"PyAsyncGen_Type", visit_asynchronous_generator, NULL}};

/* Offsets in a type, and in a generator with its frame, in 3.11; and the state of one that runs. */
enum { VISIT_AT = 184, GENERATOR_STATE_AT = 75, STACK_AT = 80 + 64, RUNS = 0 };

static int visit_but_stack(visit_references *theirs, char *generator, int (*visit)(void *, void *), void *argument)
{
    int *height = (int *)(generator + STACK_AT), before = *height;
    bool runs = generator[GENERATOR_STATE_AT] == RUNS;
    if (runs)
        *height = -1; /* as it is without a profile function */
    int result = theirs(generator, visit, argument);
    if (runs)
        *height = before;
    return result;
}

static int visit_generator(void *object, int (*visit)(void *, void *), void *argument)
{
    return visit_but_stack(visits[0].theirs, object, visit, argument);
}

static int visit_coroutine(void *object, int (*visit)(void *, void *), void *argument)
{
    return visit_but_stack(visits[1].theirs, object, visit, argument);
}

static int visit_asynchronous_generator(void *object, int (*visit)(void *, void *), void *argument)
{
    return visit_but_stack(visits[2].theirs, object, visit, argument);
}

static void guard_stacks(void)
{
    for (size_t i = 0; i < sizeof visits / sizeof *visits; i++) {
        char *type = dlsym(RTLD_DEFAULT, visits[i].type);
        visit_references **place = (visit_references **)(type + VISIT_AT);
        if (type && *place != visits[i].ours) {
            visits[i].theirs = *place;
            *place = visits[i].ours;
        }
    }
}

/* The type that defines the name: the given one or one that it inherits from. */
static const struct type *find_owner(struct type *type, const char *name)
{
    void *text = tnd_python_api.new_text(name);
    const struct descriptor *found = text ? tnd_python_api.find_in_type(type, text) : NULL; /* borrowed */
    bool is_its = found && (found->object.type == tnd_python_api.method_type ||
                            found->object.type == tnd_python_api.class_method_type);
    if (text)
        tnd_python_api.release(text);
    return is_its ? found->type : type;
}

/* "module.name" or "module.type.name". */
static void name_callable(char *text, size_t size, const struct callable *callable, bool is_maker)
{
    const struct definition *definition = callable->definition;
    const char *module = callable->module ? tnd_python_api.text(callable->module) : NULL;
    if (module || !callable->self) {
        snprintf(text, size, "%s.%s", module ? module : "?", definition->name);
        return;
    }
    bool is_of_class = is_maker || definition->flags & (OF_CLASS | OF_NOTHING);
    struct type *type = is_of_class ? (struct type *)callable->self : callable->self->type;
    const char *name = (is_maker ? type : find_owner(type, definition->name))->name;
    snprintf(text, size, "%s%s.%s", strchr(name, '.') ? "" : "builtins.", name, definition->name);
}

/* The file that has the function, "built-in" if that is the interpreter's own. */
static const char *file_of(const struct definition *definition)
{
    Dl_info info, own;
    if (!dladdr(definition->function, &info) || !info.dli_fname)
        return "?";
    bool is_own = dladdr((void *)tnd_python_api.evaluate, &own) && own.dli_fbase == info.dli_fbase;
    return is_own ? "built-in" : info.dli_fname;
}

/* The function of a callable, found by its definition, which all callables of one function share; only the __new__ of
 * all types share one, so that these are found by their type.  Keys are odd, because addresses of code objects are
 * even. */
static struct tnd_python_function *function_of(const struct callable *callable)
{
    const struct definition *definition = callable->definition;
    bool is_maker = callable->self && definition->name[0] == '_' && strcmp(definition->name, "__new__") == 0;
    const char *key = (is_maker ? (const char *)callable->self : (const char *)definition) + 1;
    struct tnd_python_function *function = tnd_python_table_look(key);
    if (!function)
        function = tnd_python_table_find(key);
    if (function)
        return function;
    char text[TND_PYTHON_TEXT_BYTES];
    void *type, *value, *traceback;
    tnd_python_api.fetch_error(&type, &value, &traceback);
    name_callable(text, TND_PYTHON_NAME_BYTES, callable, is_maker);
    size_t n = strlen(text);
    snprintf(text + n, sizeof text - n, "\n%s:0", file_of(definition));
    tnd_python_api.restore_error(type, value, traceback);
    return tnd_python_functions_add(key, text, n);
}

void tnd_python_calls_leave(struct tnd_python_run *run)
{
    struct tnd_python_function *function = tnd_python_functions_numbered(run->called);
    run->called = 0;
    tnd_python_functions_leave(function, run->called_ticks);
}

static void enter(struct tnd_python_run *run, const struct callable *callable)
{
    struct tnd_python_function *function = function_of(callable);
    struct tnd_thread *thread = function->is_chosen ? tnd_thread_get() : NULL;
    if (!thread)
        return;
    run->called_ticks = tnd_python_functions_enter(thread, function);
    run->called = function->number;
}

/* Our profile function.  A frame of Python calls one function of C at a time; functions of Python that this calls have
 * frames of their own.  So every event of a frame ends the call that was open in it.  Frames that the hook
 * (python_hook.c) does not see have no run. */
static int hear_call(void *object, void *frame, int what, void *callable)
{
    (void)object;
    struct tnd_python_run *run = (struct tnd_python_run *)tnd_scripted_top;
    if (what < C_CALL || what > C_RETURN || !run)
        return 0;
    if (tnd_python_api.has_whole_frames)
        frame = ((const struct whole_frame *)frame)->frame;
    if (run->mark != tnd_python_calls_mark(run, frame))
        return 0;
    if (run->called)
        tnd_python_calls_leave(run);
    if (what == C_CALL)
        enter(run, callable);
    return 0;
}

void tnd_python_calls_attach(struct tnd_python_run *run, const void *state)
{
    const struct tnd_python_run *outer = (const struct tnd_python_run *)run->node.outer;
    void *const *words = state;
    run->state = state;
    if ((outer && outer->state == state) || (profile_at && words[profile_at]))
        return;
    if (tnd_python_api.leaves_stacks)
        guard_stacks();
    is_attaching = true;
    tnd_python_api.set_profile(hear_call, NULL);
    is_attaching = false;
    for (size_t i = 1; !profile_at && i < STATE_WORDS; i++)
        if (words[i] == (void *)hear_call)
            profile_at = i;
}

void tnd_python_calls_hear_other(void)
{
    static bool is_told;
    if (!tnd_python_calls_are_wanted || is_attaching || is_told)
        return;
    is_told = true;
    tnd_run_note("python: the program has set a profile function, so that calls of functions of C are not recorded in "
                 "the thread that did");
}

void tnd_python_calls_start(void)
{
    bool are_functions = strcmp(tnd_config.python, "none") != 0;
    tnd_python_calls_are_wanted = tnd_config.python_c_calls && are_functions;
    if (tnd_config.python_c_calls && !are_functions)
        tnd_run_note("python: calls of functions of C are recorded with functions of Python only (--python)");
}
