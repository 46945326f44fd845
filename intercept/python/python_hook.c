/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of Python as they run: CPython calls our function to evaluate each frame (PEP 523), which costs nothing
 * where no function is called.  The same is used for 3.12 and later: where every function is recorded, sys.monitoring
 * costs more (facts in docs/decisions/0010-python-frames.md).
 *
 * An audit hook, which may be added before the interpreter is initialized, tells when the program begins: so the
 * interpreter's own start is not recorded, and its command line, environment and modules are not changed.  Another
 * interpreter in the process is noticed when it first runs code.
 *
 * With our function set, each call of one function of Python by another takes C stack, which it otherwise does not
 * (from 3.11 on).  Near the end of the stack our function is unset until the frame there has returned: deeper calls are
 * not recorded, and the program can recurse as deep as without us.
 *
 * An audit hook that is added so early must be removed before the interpreter ends: python_audit.h.
 *
 * Context: the interpreter's own threads, with its lock.
 */
#include "intercept/python/python_audit.h"
#include "intercept/python/python_calls.h"

#include "formats/event_types.h"
#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/run.h"
#include "runtime/source.h"
#include "sampler/scripted.h"

#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define STACK_KEPT ((uintptr_t)768 << 10) /* left for CPython and its modules below our last frame */

/* Near the end of the stack: below this address our function is unset.  Its first value: unknown. */
static _Thread_local uintptr_t stack_end __attribute__((tls_model("initial-exec"))) = UINTPTR_MAX;

static tnd_python_evaluate *evaluate; /* the evaluation function before ours */
static bool has_begun;                /* the program */
static bool was_deep;
static bool may_pass; /* functions that are not recorded may run without a node */

/* run_frame's code is a section of its own, so that the linker says where it is. */
extern const char __start_tnd_run_frame[] __attribute__((visibility("hidden")));
extern const char __stop_tnd_run_frame[] __attribute__((visibility("hidden")));
static tnd_python_evaluate run_frame;

static void find_stack_end(void)
{
    pthread_attr_t attributes;
    void *low = NULL;
    size_t size = 0;
    stack_end = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0)
        stack_end = (uintptr_t)low + (size / 4 < STACK_KEPT ? size / 4 : STACK_KEPT);
    pthread_attr_destroy(&attributes);
}

/* For a frame near the end of the stack, and the thread's first one.  True: it was near, and was run here without being
 * recorded. */
__attribute__((noinline)) static bool run_deep_frame(void *state, void *frame, int is_throwing,
                                                     const struct tnd_scripted *node, uint64_t frame_pointer,
                                                     void **result)
{
    if (stack_end == UINTPTR_MAX) {
        find_stack_end();
        tnd_scripted_code.below = frame_pointer - (uintptr_t)node;
    }
    if ((uintptr_t)__builtin_frame_address(0) > stack_end && node->depth < tnd_python_api.max_depth)
        return false;
    void *interpreter = tnd_python_api.interpreter();
    bool is_ours = tnd_python_api.evaluator(interpreter) == run_frame;
    if (is_ours)
        tnd_python_api.set_evaluator(interpreter, evaluate);
    if (!was_deep)
        tnd_run_note("python: functions that were called near the end of the stack are not recorded");
    was_deep = true;
    *result = evaluate(state, frame, is_throwing);
    if (is_ours)
        tnd_python_api.set_evaluator(interpreter, run_frame);
    return true;
}

/* Runs a frame, with a node for it in our own stack frame. */
__attribute__((section("tnd_run_frame"), noinline)) static void *
run_noted_frame(void *state, void *frame, int is_throwing, struct tnd_python_function *function)
{
    struct tnd_python_run run = {.node.outer = tnd_scripted_top};
    void *result;
    run.node.depth = run.node.outer ? run.node.outer->depth + 1 : 0;
    if (__builtin_expect((uintptr_t)&run < stack_end || run.node.depth >= tnd_python_api.max_depth, 0) &&
        run_deep_frame(state, frame, is_throwing, &run.node, (uintptr_t)__builtin_frame_address(0), &result))
        return result;
    if (__builtin_expect(tnd_python_calls_are_wanted, 0))
        tnd_python_calls_attach(&run, state);

    if (!function)
        function = tnd_python_functions_of(frame);
    struct tnd_thread *thread = function->is_chosen ? tnd_thread_get() : NULL;
    uint64_t begin = 0;
    run.node.number = function->number;
    run.node.is_told = thread != NULL;
    run.mark = tnd_python_calls_mark(&run, frame);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    tnd_scripted_top = &run.node;
    if (thread)
        begin = tnd_python_functions_enter(thread, function);
    result = evaluate(state, frame, is_throwing);
    tnd_scripted_top = run.node.outer;
    if (__builtin_expect(run.called != 0, 0))
        tnd_python_calls_leave(&run);
    if (run.node.is_told)
        tnd_python_functions_leave(function, begin);
    return result;
}

/* The evaluation function that CPython calls.  A function that is not recorded gets no node on the stack, unless
 * samples need it or CPython counts how deep calls are. */
__attribute__((section("tnd_run_frame"), noinline)) static void *run_frame(void *state, void *frame, int is_throwing)
{
    bool is_deep = (uintptr_t)__builtin_frame_address(0) < stack_end;
    struct tnd_python_function *function = __builtin_expect(is_deep, 0) ? NULL : tnd_python_functions_of(frame);
    if (function && may_pass && !function->is_chosen)
        return evaluate(state, frame, is_throwing);
    return run_noted_frame(state, frame, is_throwing, function);
}

/* Whether the file has only the interpreter, by its name, and is not another program that embeds one. */
static bool is_interpreter(const char *path)
{
    char program[PATH_MAX];
    ssize_t n = path[0] ? 0 : readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    path = path[0] ? path : program;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return strncmp(name, "libpython", 9) == 0 || strncmp(name, "python", 6) == 0;
}

/* Fills in what the sampler must know of the code (scripted.h). */
static void tell_code(void)
{
    struct dl_find_object object;
    if (_dl_find_object((void *)tnd_python_api.evaluate, &object) != 0)
        return;
    if (is_interpreter(object.dlfo_link_map->l_name)) {
        tnd_scripted_code.interpreter_low = (uintptr_t)object.dlfo_map_start;
        tnd_scripted_code.interpreter_size = (uintptr_t)object.dlfo_map_end - (uintptr_t)object.dlfo_map_start;
    }
    tnd_scripted_code.is_direct = evaluate == tnd_python_api.evaluate;
    tnd_scripted_code.low = (uintptr_t)__start_tnd_run_frame;
    tnd_scripted_code.size = (uintptr_t)(__stop_tnd_run_frame - __start_tnd_run_frame);
}

/* Sets our function in an interpreter that begins to run the program's code. */
static void install(void)
{
    void *interpreter = tnd_python_api.interpreter();
    has_begun = true;
    tnd_python_evaluate *before = tnd_python_api.evaluator(interpreter);
    if (before == run_frame || (evaluate && before != evaluate))
        return;
    evaluate = before;
    tell_code();
    tnd_python_functions_attach();
    tnd_python_api.set_evaluator(interpreter, run_frame);
}

/* The audit hook.  CPython's main program announces what it runs; a program that embeds CPython only runs code, outside
 * of any frame. */
static int hear(const char *event, void *arguments, void *data)
{
    (void)arguments, (void)data;
    if (strcmp(event, "cpython._PySys_ClearAuditHooks") == 0)
        tnd_python_audit_remove();
    if (strcmp(event, "sys.setprofile") == 0)
        tnd_python_calls_hear_other();
    bool is_main = strncmp(event, "cpython.run_", 12) == 0;
    bool is_code = strcmp(event, "exec") == 0;
    if (is_main || (is_code && (has_begun || !tnd_python_api.frame())))
        install();
    return 0;
}

/* Samples need the names of functions, too, even if none of them is recorded. */
static bool start(void)
{
    bool is_wanted =
        strcmp(tnd_config.python, "none") != 0 || tnd_config.python_c_calls || tnd_config.sampling_period_ns != 0;
    const char *why = is_wanted ? tnd_python_api_find() : "";
    if (why && why[0]) {
        char sentence[200];
        const char *version = tnd_python_api.version();
        snprintf(sentence, sizeof sentence, "python: functions of this interpreter (%.*s) are not recorded: %s",
                 (int)strcspn(version, " "), version, why);
        tnd_run_note(sentence);
    }
    if (why)
        return false;
    tnd_python_calls_start();
    may_pass = tnd_config.sampling_period_ns == 0 && tnd_python_api.max_depth == UINT32_MAX &&
               !tnd_python_calls_are_wanted; /* a call of C is kept in the node of its caller */
    return tnd_python_functions_start() && tnd_python_audit_add(hear);
}

/* Whether the node may be read: it lies on the thread's stack, not below `low`. */
static bool is_readable(const struct tnd_scripted *node, const void *low, const struct tnd_thread *thread)
{
    return (const void *)node >= low && low >= thread->stack_low && (uintptr_t)node % 8 == 0 &&
           (uintptr_t)node <= (uintptr_t)thread->stack_high - sizeof(struct tnd_python_run);
}

static void tell_again(struct tnd_thread *thread, uint32_t number)
{
    tnd_emit_word(&thread->main, tnd_clock_ticks(), TND_RECORD_ENTER, TND_TYPE_PYTHON_FUNCTION, (uint16_t)number, 1);
}

/* In the child of a fork the functions that it is in begin with it.  They are recorded from the outermost on: the list
 * is reversed, and then restored.  It ends where a node does not lie above the one before; what follows is left
 * alone. */
static void thread_start(struct tnd_thread *thread)
{
    struct tnd_scripted *node = tnd_scripted_top, *inner = NULL, *rest;
    const void *low = __builtin_frame_address(0);
    while (is_readable(node, low, thread)) {
        struct tnd_scripted *outer = node->outer;
        node->outer = inner;
        inner = node;
        low = node + 1;
        node = outer;
    }
    for (rest = node, node = inner; node; node = inner) {
        const struct tnd_python_run *run = (const struct tnd_python_run *)node;
        if (node->is_told)
            tell_again(thread, node->number);
        if (run->called)
            tell_again(thread, run->called);
        inner = node->outer;
        node->outer = rest;
        rest = node;
    }
}

static void stop(void)
{
    if (tnd_thread_self)
        tnd_python_functions_tell(tnd_thread_self);
}

static const struct tnd_source python_source = {.name = "python",
                                                .rank = 210,
                                                .start = start,
                                                .thread_start = thread_start,
                                                .fork_child = tnd_python_table_fork_child,
                                                .stop = stop};
TND_SOURCE(python_source);
