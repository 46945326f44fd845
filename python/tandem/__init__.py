# SPDX-License-Identifier: Apache-2.0
"""What a Python program can tell tandem: the functions of tandem.h, in the recording library that is preloaded.

Functions of Python need none of it: `tandem record --python all -- python3 app.py` records them as they are.  This is for
what has no function of its own:

    import tandem

    with tandem.region("assembly"):            # a stretch of a thread's time; regions nest
        ...

    @tandem.region("solve")                    # likewise; of a generator or coroutine, whenever it runs
    def solve(matrix):
        ...

    tandem.event_label(4711, "Step")
    tandem.value_label(4711, 1, "first")
    tandem.event(4711, 1)                      # any type and value; 0 ends

    residual = tandem.counter("residual")
    residual.set(17)                           # holds until the thread sets the next one

    tandem.stop()                              # recording off and on, in all threads
    tandem.start()

Without tandem all of it does nothing: a decorated function is the function itself, and `ctypes` is not even imported.
Under tandem nothing raises either; what cannot be recorded is not.  All of it may be used in any thread, after fork()
and in sub-interpreters.

A `with` block that an `await` leaves stays open while other tasks of its thread run; it is what ends when it ends, though
others began later.  The decorator is exact there: it ends at each `await` and begins again after it.

docs/python.md says what a call costs.
"""
import functools
import os

__all__ = ["counter", "event", "event_label", "recording", "region", "start", "stop", "value_label"]

MAX_REGIONS = 65535  # more than the library tells apart are not recorded


def _find():
    """The recording library, or None.  It has named its run in the environment before Python starts."""
    if "TANDEM_RUN" not in os.environ:
        return None
    try:
        import ctypes

        library = ctypes.PyDLL(None)  # PyDLL: what is called is too short to let go of the interpreter's lock
        number, value, text = ctypes.c_uint32, ctypes.c_int64, ctypes.c_char_p
        library.tandem_version.restype = number
        for name, result, *arguments in (
            ("on", None),
            ("off", None),
            ("event", None, number, value),
            ("event_label", None, number, text),
            ("value_label", None, number, value, text),
            ("region_register", number, text),
            ("region_begin", None, number),
            ("region_end", None, number),
            ("counter_register", number, text),
            ("counter_set", None, number, value),
        ):
            function = getattr(library, "tandem_" + name)
            function.restype, function.argtypes = result, arguments
        return library if library.tandem_version() else None
    except Exception:
        return None


_library = _find()


def _recorded(function):
    """The function; without tandem one that does nothing under the same name."""
    if _library:
        return function

    @functools.wraps(function)
    def nothing(*arguments, **named):
        return None

    return nothing


def _text(text):
    return str(text).encode("utf-8", "replace")


def _convert(function, *arguments):
    """The call once more, after one of its numbers was none: NumPy's and others are made one."""
    try:
        function(*map(int, arguments))
    except Exception:
        pass


def recording():
    """True while records are being written."""
    return bool(_library and _library.tandem_recording())


@_recorded
def start():
    """From now on everything is recorded, in all threads."""
    _library.tandem_on()


@_recorded
def stop():
    """From now on nothing is recorded, in any thread; the trace shows the gap."""
    _library.tandem_off()


@_recorded
def event(type, value):
    """An event of a type (1 to 2147483647) and with a value of yours; the value 0 ends."""
    try:
        _event(type, value)
    except Exception:
        _convert(_event, type, value)


@_recorded
def event_label(type, label):
    """What the trace calls a type of event()."""
    try:
        _library.tandem_event_label(int(type), _text(label))
    except Exception:
        pass


@_recorded
def value_label(type, value, label):
    """What the trace calls a value of a type of event()."""
    try:
        _library.tandem_value_label(int(type), int(value), _text(label))
    except Exception:
        pass


class _Counter:
    __slots__ = ("_number",)

    def __init__(self, name):
        self._number = _library.tandem_counter_register(_text(name)) if _library else 0

    @_recorded
    def set(self, value):
        """From now on it has this value, a whole number, in this thread."""
        try:
            _counter_set(self._number, value)
        except Exception:
            _convert(_counter_set, self._number, value)


def counter(name):
    """The counter of this name: counter(name).set(value)."""
    return _Counter(name)


class _NoRegion:
    __slots__ = ()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def __call__(self, function):
        return function


class _Region:
    __slots__ = ("_number",)

    def __init__(self, name):
        self._number = _library.tandem_region_register(_text(name))

    def __enter__(self):
        number = self._number
        _open.numbers.append(number)
        _begin(number)
        return self

    def __exit__(self, *error):
        number, numbers = self._number, _open.numbers
        if numbers and numbers[-1] == number:
            numbers.pop()
            _end(number)
        elif number in numbers:
            _end_outer(number, numbers)

    def __call__(self, function):
        from tandem.decorate import decorate

        return decorate(self, function)


def _end_outer(number, numbers):
    """Ends one within which others are open, another task's: those end with it and begin again."""
    place = len(numbers) - 1 - numbers[::-1].index(number)
    inner = numbers[place + 1 :]
    for open_number in reversed(numbers[place:]):
        _end(open_number)
    numbers[place:] = inner
    for open_number in inner:
        _begin(open_number)


if _library:
    import threading

    class _Open(threading.local):
        """Numbers of the regions that this thread is in."""

        def __init__(self):
            self.numbers = []

    _open = _Open()
    _event, _counter_set = _library.tandem_event, _library.tandem_counter_set
    _begin, _end = _library.tandem_region_begin, _library.tandem_region_end

    @functools.lru_cache(MAX_REGIONS)
    def region(name):
        """The region of this name: `with` it, or decorate with it."""
        return _Region(name)

else:
    _no_region = _NoRegion()

    def region(name):
        """The region of this name: `with` it, or decorate with it."""
        return _no_region
