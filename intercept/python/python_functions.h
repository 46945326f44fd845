/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of Python that have run, and which of them are recorded.  When a function first runs it is described:
 * its name gives it a number, which a DEFINE records.  Code objects with the same name, file and line (a module that is
 * run again) are one function.
 *
 * Code objects that are freed are taken out of the table: we wrap the function by which CPython frees them
 * (tp_dealloc).  (Extra data that is attached to a code object has a free function, too, but then CPython calls the
 * free functions of all users of extra data for all code objects, until the very end of the interpreter, which some of
 * them cannot stand.)
 *
 * Context: with the interpreter's lock, not in a handler.  Describing a function allocates and calls CPython; finding
 * it again is a hash and a comparison, about 1 ns.
 */
#ifndef TND_PYTHON_FUNCTIONS_H
#define TND_PYTHON_FUNCTIONS_H

#include "formats/event_types.h"
#include "intercept/python/python_api.h"
#include "intercept/python/python_table.h"
#include "runtime/counting.h"
#include "runtime/emit.h"
#include "runtime/place.h"
#include "runtime/run.h"

struct tnd_python_function {
    uint32_t number;   /* the number of its DEFINE and the value of its ENTER; 0: it has none */
    bool is_chosen;    /* it is recorded */
    bool is_timed;     /* its time is measured, for `auto` */
    uint32_t n_calls;  /* timed ones */
    uint64_t in_ticks; /* the time of these calls */
};

/* Reads the user's choice.  False: functions are neither recorded (or the user's list cannot be read, which a NOTE
 * says) nor needed for samples. */
bool tnd_python_functions_start(void);

/* The interpreter has started: from now on code objects that are freed are noticed. */
void tnd_python_functions_attach(void);

/* The slow half of tnd_python_functions_of: never NULL. */
struct tnd_python_function *tnd_python_functions_look(const void *frame);

/* The function that a frame runs. */
static inline struct tnd_python_function *tnd_python_functions_of(const void *frame)
{
    struct tnd_python_function *function = tnd_python_table_look(tnd_python_api_code(frame));
    return __builtin_expect(function != NULL, 1) ? function : tnd_python_functions_look(frame);
}

/* A function's description: its name, of at most so many bytes, a newline, "file:line". */
#define TND_PYTHON_NAME_BYTES 500
#define TND_PYTHON_TEXT_BYTES 1032

/* Finds or makes the function of a description, whose first n_name bytes are the name, and puts it into the table;
 * changes the text.  Never NULL.
 */
struct tnd_python_function *tnd_python_functions_add(const void *key, char *text, size_t n_name);

/* The function that is recorded by this number. */
struct tnd_python_function *tnd_python_functions_numbered(uint32_t number);

/* A timed function has run for so long. */
void tnd_python_functions_time(struct tnd_python_function *function, uint64_t ticks);

/* The function begins, in a thread of tnd_thread_get.  Returns the time. */
static inline uint64_t tnd_python_functions_enter(struct tnd_thread *thread, const struct tnd_python_function *function)
{
    uint64_t begin = tnd_clock_ticks();
    tnd_place_note(thread, begin);
    tnd_emit_head(&thread->main, begin, TND_RECORD_ENTER, TND_TYPE_PYTHON_FUNCTION, (uint16_t)function->number);
    tnd_counting_mark(thread, begin, TND_COUNTING_PYTHON);
    return begin;
}

/* A function whose ENTER was recorded gets its LEAVE even if the program has switched recording off meanwhile; else all
 * that runs after it is switched on again would seem to be inside the function. */
static inline void tnd_python_functions_leave(struct tnd_python_function *function, uint64_t begin)
{
    struct tnd_thread *thread = tnd_thread_get();
    if (!thread && tnd_run_is_off())
        thread = tnd_thread_self;
    if (!thread)
        return;
    uint64_t end = tnd_clock_ticks();
    tnd_emit_head(&thread->main, end, TND_RECORD_LEAVE, TND_TYPE_PYTHON_FUNCTION, 0);
    tnd_counting_mark(thread, end, TND_COUNTING_PYTHON);
    if (__builtin_expect(function->is_timed, 0))
        tnd_python_functions_time(function, end - begin);
}

/* Records which patterns of the list matched a function (WISH).  System calls only. */
void tnd_python_functions_tell(struct tnd_thread *thread);

#endif
