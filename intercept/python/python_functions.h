/* SPDX-License-Identifier: Apache-2.0
 *
 * Which functions of Python there are and which of them are recorded.  A function is looked at once, when it first
 * runs: it gets its name, and by that its number, which a DEFINE tells.  Code objects with the same name, file and line
 * (a module that is run again) are one function.
 *
 * Code objects that are freed leave the table: we stand before what their type is freed by.  (CPython would tell of it
 * through what one may attach to a code object, too; but then it calls all others who attach something, for all code
 * objects, and to the interpreter's very end, which some are not prepared for.)
 *
 * Context: with the interpreter's lock, not in a handler.  The first look at a function allocates and calls CPython; a
 * further one is a hash and a comparison, about 1 ns.
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
    uint32_t number;   /* of its DEFINE, the value of its ENTER; 0: it has none */
    bool is_chosen;    /* it is recorded */
    bool is_timed;     /* and judged by how long it takes: `auto` */
    uint32_t n_calls;  /* timed ones */
    uint64_t in_ticks; /* all of those */
};

/* Reads what the user chose.  False: functions are neither to be recorded (or the list of those cannot be read, which
 * is told) nor to be known for samples. */
bool tnd_python_functions_start(void);

/* The interpreter has begun: code objects that are freed from now on are seen. */
void tnd_python_functions_attach(void);

/* The slow half of the next: never NULL. */
struct tnd_python_function *tnd_python_functions_look(const void *frame);

/* The function that a frame runs. */
static inline struct tnd_python_function *tnd_python_functions_of(const void *frame)
{
    struct tnd_python_function *function = tnd_python_table_look(tnd_python_api_code(frame));
    return __builtin_expect(function != NULL, 1) ? function : tnd_python_functions_look(frame);
}

/* What describes a function: its name, of at most so many bytes, a newline, "file:line". */
#define TND_PYTHON_NAME_BYTES 500
#define TND_PYTHON_TEXT_BYTES 1032

/* Makes one known by its description, the first n_name bytes of which are its name; the text is changed.  Never NULL.
 */
struct tnd_python_function *tnd_python_functions_add(const void *key, char *text, size_t n_name);

/* The function that is recorded by this number. */
struct tnd_python_function *tnd_python_functions_numbered(uint32_t number);

/* A timed function has run for so long. */
void tnd_python_functions_time(struct tnd_python_function *function, uint64_t ticks);

/* The function begins, in a thread of tnd_thread_get: when. */
static inline uint64_t tnd_python_functions_enter(struct tnd_thread *thread, const struct tnd_python_function *function)
{
    uint64_t begin = tnd_clock_ticks();
    tnd_place_note(thread, begin);
    tnd_emit_head(&thread->main, begin, TND_RECORD_ENTER, TND_TYPE_PYTHON_FUNCTION, (uint16_t)function->number);
    tnd_counting_mark(thread, begin, TND_COUNTING_PYTHON);
    return begin;
}

/* What was told to begin is told to end, though the program has switched recording off meanwhile: else whatever runs
 * once it is on again would be within it. */
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

/* Which patterns of the list met a function: WISHes.  System calls only. */
void tnd_python_functions_tell(struct tnd_thread *thread);

#endif
