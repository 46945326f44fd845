# SPDX-License-Identifier: Apache-2.0
"""libtandem-analysis by ctypes, for tandem.trace: the functions of tandem_analysis.h, errors as exceptions, long work."""
import ctypes
import os
import sysconfig
import threading

LIBRARY = "libtandem-analysis.so.0"
WAKE_SECONDS = 0.1  # how often long work looks for Ctrl-C, and tells its progress


class Error(Exception):
    """What cannot be done, as a sentence."""

    __module__ = "tandem.trace"


_Callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, ctypes.c_void_p)


class _Place(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("application", "task", "thread", "node")]


class _Selection(ctypes.Structure):
    _fields_ = [
        ("begin_ns", ctypes.c_uint64),
        ("end_ns", ctypes.c_uint64),
        ("rows", ctypes.c_char_p),
        ("types", ctypes.POINTER(ctypes.c_uint32)),
        ("n_types", ctypes.c_size_t),
    ]


class _Options(ctypes.Structure):
    _fields_ = [
        ("statistic", ctypes.c_char_p),
        ("begin_ns", ctypes.c_uint64),
        ("end_ns", ctypes.c_uint64),
        ("rows", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("within", ctypes.c_void_p),
        ("within_value", ctypes.c_double),
        ("minimum", ctypes.c_double),
        ("maximum", ctypes.c_double),
        ("width", ctypes.c_double),
        ("n_columns", ctypes.c_size_t),
    ]


def _prototypes():
    """Of each function of tandem_analysis.h that is used here: its name, result and arguments."""
    pointer, text, size, number, double = (
        ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_double)  # fmt: skip
    u32, u64, i64, error, out = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int64, ctypes.POINTER(pointer), ctypes.POINTER
    return (
        ("watch", None, _Callback, pointer),
        ("trace_open", pointer, text, error),
        ("trace_close", None, pointer),
        ("trace_duration_ns", u64, pointer),
        ("trace_n_faults", u64, pointer),
        ("trace_n_rows", size, pointer),
        ("trace_row_name", text, pointer, size),
        ("trace_row_place", number, pointer, size, out(_Place)),
        ("trace_type", number, pointer, size, out(u32), out(u64)),
        ("trace_type_label", text, pointer, u32),
        ("trace_value_label", text, pointer, u32, i64),
        ("trace_events", pointer, pointer, out(_Selection), error),
        ("trace_messages", pointer, pointer, out(_Selection), error),
        ("trace_samples", pointer, pointer, out(_Selection), error),
        ("view_name", text, size),
        ("view_help", text, size),
        ("view_is_available", number, pointer, text),
        ("view_add_file", number, text, error),
        ("view_open", pointer, pointer, text, error),
        ("view_close", None, pointer),
        ("view_title", text, pointer),
        ("view_unit", text, pointer),
        ("view_has_codes", number, pointer),
        ("view_n_rows", size, pointer),
        ("view_row_name", text, pointer, size),
        ("view_text", pointer, pointer, double),
        ("view_find", number, pointer, text, out(double)),
        ("view_bursts", pointer, pointer, out(_Selection), error),
        ("view_grid", number, pointer, u64, u64, size, text, pointer, error),
        ("table_free", None, pointer),
        ("table_n_lines", size, pointer),
        ("table_n_columns", size, pointer),
        ("table_name", text, pointer, size),
        ("table_type", number, pointer, size),
        ("table_values", pointer, pointer, size),
        ("table_has_codes", number, pointer, size),
        ("table_n_texts", size, pointer, size),
        ("table_text", text, pointer, size, size),
        ("histogram_new", pointer, pointer, out(_Options), error),
        ("histogram_free", None, pointer),
        ("histogram_n_rows", size, pointer),
        ("histogram_n_columns", size, pointer),
        ("histogram_row_name", text, pointer, size),
        ("histogram_column_name", text, pointer, size),
        ("histogram_unit", text, pointer),
        ("histogram_cells", None, pointer, pointer),
        ("histogram_table", pointer, pointer, error),
        ("histogram_total", double, pointer, number, size),
        ("histogram_statistic_name", text, size),
        ("planes_new", pointer, pointer, text, size, out(_Options), error),
        ("planes_n", size, pointer),
        ("planes_name", text, pointer, size),
        ("planes_histogram", pointer, pointer, size),
        ("planes_free", None, pointer),
    )


def _places():
    """Where the library may be: in the build tree that TANDEM_BUILD names, near this package, or where the loader looks."""
    if os.environ.get("TANDEM_BUILD"):
        yield os.path.join(os.environ["TANDEM_BUILD"], "analysis", LIBRARY)
    place = os.path.dirname(os.path.realpath(__file__))
    architecture = sysconfig.get_config_var("MULTIARCH") or ""
    while place != os.path.dirname(place):
        place = os.path.dirname(place)
        for below in (os.path.join("lib", architecture), "lib64", "lib", os.path.join("build", "analysis")):
            yield os.path.join(place, below, LIBRARY)
    yield LIBRARY


def _load():
    for place in _places():
        if os.path.isabs(place) and not os.path.exists(place):
            continue
        try:
            library = ctypes.CDLL(place)
        except OSError:
            continue
        for name, result, *arguments in _prototypes():
            function = getattr(library, "tandem_" + name, None)
            if not function:
                raise ImportError(f"{library._name} is of another version of tandem: it has no tandem_{name}")
            function.restype, function.argtypes = result, arguments
        return library
    raise ImportError(f"{LIBRARY} is not found; it comes with tandem (TANDEM_BUILD may name a build tree)")


_library = _load()
_free = ctypes.CDLL(None).free
_free.argtypes = [ctypes.c_void_p]


def _decode(text):
    return text.decode("utf-8", "surrogateescape") if text is not None else None


def _encode(text):
    return os.fsencode(text) if text is not None else None


def _take_text(pointer):
    """A text that the library has allocated."""
    text = _decode(ctypes.string_at(pointer))
    _free(pointer)
    return text


def _call(function, *arguments):
    """A function that tells an error by NULL or 0, and by its last argument."""
    error = ctypes.c_void_p()
    result = function(*arguments, ctypes.byref(error))
    if not result:
        raise Error(_take_text(error.value))
    return result


def _work(progress, function, *arguments):
    """A long one: done by another thread, so that this one hears Ctrl-C, and tells the progress."""
    state = {"fraction": 0.0, "goes_on": 1}
    done = threading.Event()

    @_Callback
    def tell(fraction, _):
        state["fraction"] = fraction
        return state["goes_on"]

    def run():
        _library.tandem_watch(tell, None)
        try:
            state["result"] = _call(function, *arguments)
        except BaseException as error:
            state["error"] = error
        done.set()

    worker = threading.Thread(target=run, name="tandem", daemon=True)
    worker.start()
    try:
        while not done.wait(WAKE_SECONDS):
            if progress:
                progress(state["fraction"])
        if progress and "result" in state:
            progress(1.0)
    finally:
        state["goes_on"] = 0
        worker.join()
    if "error" in state:
        raise state["error"]
    return state["result"]


def _names(function, pointer, n):
    return [_decode(function(pointer, i)) for i in range(n)]
