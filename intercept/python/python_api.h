/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of CPython that we call, found in the process, and the layout of an interpreter's frame.  Only this
 * file and python_calls.c depend on CPython's version.  No header of CPython's is needed, so that one library serves
 * 3.9 to 3.13.
 *
 * Objects are `void *` here.  All of it is CPython's public C interface, but for PEP 523's two functions.
 *
 * Context: find at start.  Everything else as CPython says: with the interpreter's lock.
 */
#ifndef TND_PYTHON_API_H
#define TND_PYTHON_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Evaluates a frame: what PEP 523 lets others do. */
typedef void *tnd_python_evaluate(void *thread_state, void *frame, int is_throwing);

/* A profile function: gets an object, a frame, what happened, and the function that is called. */
typedef int tnd_python_profile(void *object, void *frame, int what, void *callable);

/* TND_PYTHON_API_TABLE(X): X(result, name, parameters, symbol) */
#define TND_PYTHON_API_TABLE(X)                                                                                        \
    X(int, add_audit_hook, (int (*)(const char *, void *, void *), void *), "PySys_AddAuditHook")                      \
    X(const char *, version, (void), "Py_GetVersion")                                                                  \
    X(void *, interpreter, (void), "PyInterpreterState_Get")                                                           \
    X(tnd_python_evaluate *, evaluator, (void *), "_PyInterpreterState_GetEvalFrameFunc")                              \
    X(void, set_evaluator, (void *, tnd_python_evaluate *), "_PyInterpreterState_SetEvalFrameFunc")                    \
    X(void *, evaluate, (void *, void *, int), "_PyEval_EvalFrameDefault")                                             \
    X(void *, frame, (void), "PyEval_GetFrame")                                                                        \
    X(void *, attribute, (void *, const char *), "PyObject_GetAttrString")                                             \
    X(void *, item, (void *, const char *), "PyDict_GetItemString")                                                    \
    X(const char *, text, (void *), "PyUnicode_AsUTF8")                                                                \
    X(long, number, (void *), "PyLong_AsLong")                                                                         \
    X(void *, new_text, (const char *), "PyUnicode_FromString")                                                        \
    X(void, release, (void *), "Py_DecRef")                                                                            \
    X(void *, find_in_type, (void *, void *), "_PyType_Lookup")                                                        \
    X(void, set_profile, (tnd_python_profile *, void *), "PyEval_SetProfile")                                          \
    X(void, fetch_error, (void **, void **, void **), "PyErr_Fetch")                                                   \
    X(void, restore_error, (void *, void *, void *), "PyErr_Restore")
#define TND_PYTHON_API_FIELD(result, name, parameters, symbol) result(*name) parameters;
struct tnd_python_api {
    TND_PYTHON_API_TABLE(TND_PYTHON_API_FIELD)
    uint32_t code_at, globals_at; /* bytes into a frame: of its code object, of the module's variables */
    uint32_t max_depth;           /* how deep evaluations may nest, so that CPython's own limit is not reached */
    bool has_qualified_names, has_whole_frames; /* the latter: a frame is not what Python programs see as one */
    bool leaves_stacks; /* profiled generators, while they run, say that their stack is as high as it was when they
                           began */
    const void *method_type, *class_method_type; /* types of the descriptors of a type's functions of C */
    void (**free_code)(void *code);              /* the slot tp_dealloc of the type of code objects */
};

extern struct tnd_python_api tnd_python_api __attribute__((visibility("hidden")));

/* Finds all of them.  NULL: found; else why not, as the end of a sentence; "" if this process has no CPython. */
const char *tnd_python_api_find(void);

static inline void *tnd_python_api_code(const void *frame)
{
    return *(void *const *)((const char *)frame + tnd_python_api.code_at);
}

#endif
