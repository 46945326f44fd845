# SPDX-License-Identifier: Apache-2.0
"""Traces as NumPy arrays and pandas frames: what `tandem histogram`, `tandem timeline` and tview show.

    import tandem.trace

    with tandem.trace.open("app.prv") as trace:
        calls = trace.view("mpi-calls")              # by the names of `tandem histogram --help`, a formula, or FILE.cfg[:N]
        calls.bursts(rows="rank:0-3").frame()        # row, begin_ns, end_ns, value, label
        calls.histogram("time-percent").frame()      # a row for each thread, a column for each call
        calls.grid(1000)                             # rows x 1000 columns of time, for imshow()
        trace.messages().frame()
        trace.samples().frame()
        trace.events(50000003).value                 # one column, as an array

Times are whole ns from the begin of the trace, in int64.  Arrays and frames stay valid when the trace is closed.  NumPy
is imported when the first array is asked for, pandas when the first frame is.  What fails raises `Error` with the
sentence that `tandem` would print.  Ctrl-C interrupts long work, and `progress` tells of it:

    tandem.trace.open("app.prv", progress=lambda fraction: print(f"{fraction:.0%}"))

The work is done by libtandem-analysis, on all cores.  Its licence is the GPL, version 3 or later.
"""
import ctypes
import os
import sys
import threading
import weakref

from tandem._analysis import Error, _call, _decode, _encode, _library, _names, _Options, _Place, _Selection, _take_text, _work

__all__ = ["Error", "Histogram", "Place", "Table", "Trace", "View", "add_view", "open", "statistics"]


def _numpy():
    try:
        import numpy
    except ImportError as error:
        raise ImportError("arrays need NumPy (Debian: python3-numpy)") from error
    return numpy


def _pandas():
    try:
        import pandas
    except ImportError as error:
        raise ImportError("frames need pandas (Debian: python3-pandas)") from error
    return pandas


def _unique(texts):
    """The texts, with a number after those that were there before: pandas wants them different."""
    seen, unique = {}, []
    for text in texts:
        seen[text] = seen.get(text, 0) + 1
        unique.append(text if seen[text] == 1 else f"{text} ({seen[text]})")
    return unique if len(set(unique)) == len(unique) else [f"{i}: {text}" for i, text in enumerate(texts)]


# Tables.


class _Memory:
    """A column in the table's memory, which lives as long as an array that is made of it."""

    def __init__(self, table, address, type, n):
        self._table = table
        self.__array_interface__ = {"version": 3, "typestr": type, "shape": (n,), "data": (address, False)}


class _Owned:
    """What the library has allocated; freed with the last one who uses it."""

    def __init__(self, pointer, free):
        self.pointer = pointer
        weakref.finalize(self, free, pointer).atexit = False  # others may still use it then


class Table:
    """Columns of equal length.  A column is an attribute, and an item: table.begin_ns, table["begin_ns"].

    `columns` has their names, `texts` the texts of those whose values are codes: table.texts["row"][table.row[0]].
    The arrays are the library's memory: nothing is copied, and they may be written to.
    """

    _TYPES = [("<" if sys.byteorder == "little" else ">") + type for type in ("i1", "i2", "i4", "i8", "f8")]

    def __init__(self, pointer):
        self._owned = _Owned(pointer, _library.tandem_table_free)
        self._n_lines = _library.tandem_table_n_lines(pointer)
        self.columns = _names(_library.tandem_table_name, pointer, _library.tandem_table_n_columns(pointer))
        self.texts = {}
        for column, name in enumerate(self.columns):
            if _library.tandem_table_has_codes(pointer, column):
                n_texts = _library.tandem_table_n_texts(pointer, column)
                self.texts[name] = [_decode(_library.tandem_table_text(pointer, column, code)) for code in range(n_texts)]

    def __len__(self):
        return self._n_lines

    def __repr__(self):
        return f"<tandem.trace.Table: {len(self)} lines of {', '.join(self.columns)}>"

    def __getitem__(self, name):
        if name not in self.columns:
            raise KeyError(name)
        column, pointer = self.columns.index(name), self._owned.pointer
        type = self._TYPES[_library.tandem_table_type(pointer, column)]
        values = _library.tandem_table_values(pointer, column)
        return _numpy().asarray(_Memory(self._owned, values, type, len(self)))

    def __getattr__(self, name):
        if name == "columns" or name not in self.columns:
            raise AttributeError(name)
        return self[name]

    def __dir__(self):
        return [*super().__dir__(), *self.columns]

    def frame(self):
        """A pandas frame of the same memory; codes are categories."""
        pandas = _pandas()
        columns = {}
        for name in self.columns:
            columns[name] = self[name]
            if name in self.texts:
                columns[name] = pandas.Categorical.from_codes(columns[name], _unique(self.texts[name]))
        return pandas.DataFrame(columns, copy=False)


# Histograms.


class Histogram:
    """A table of a statistic: `rows` and `columns` have the names, `unit` is of the cells, `cells` an array, NaN: empty."""

    TOTALS = ("Total", "Average", "Maximum", "Minimum", "StDev", "Avg/Max")

    def __init__(self, pointer, owned=None):
        self._owned = owned or _Owned(pointer, _library.tandem_histogram_free)
        n_rows, n_columns = _library.tandem_histogram_n_rows(pointer), _library.tandem_histogram_n_columns(pointer)
        self.rows = _names(_library.tandem_histogram_row_name, pointer, n_rows)
        self.columns = _names(_library.tandem_histogram_column_name, pointer, n_columns)
        self.unit = _decode(_library.tandem_histogram_unit(pointer))
        self._pointer = pointer

    def __repr__(self):
        return f"<tandem.trace.Histogram: {len(self.rows)} rows, {len(self.columns)} columns>"

    @property
    def cells(self):
        cells = _numpy().empty((len(self.rows), len(self.columns)))
        _library.tandem_histogram_cells(self._pointer, cells.ctypes.data)
        return cells

    @property
    def totals(self):
        """A line for each of TOTALS: of the cells of a column that are not empty."""
        total = _library.tandem_histogram_total
        n_totals, n_columns = len(self.TOTALS), len(self.columns)
        values = [total(self._pointer, i, column) for i in range(n_totals) for column in range(n_columns)]
        return _numpy().array(values, dtype=float).reshape(n_totals, n_columns)

    def frame(self):
        return _pandas().DataFrame(self.cells, index=self.rows, columns=self.columns, copy=False)

    def table(self):
        """The cells that are not empty, as a table: row, column, value.  Also where all cells would not fit into memory."""
        return Table(_call(_library.tandem_histogram_table, self._pointer))

    def totals_frame(self):
        return _pandas().DataFrame(self.totals, index=self.TOTALS, columns=self.columns, copy=False)


def statistics():
    """The names of the statistics of histograms; "percentile-90-duration" and the like are others."""
    names = []
    while _library.tandem_histogram_statistic_name(len(names)):
        names.append(_decode(_library.tandem_histogram_statistic_name(len(names))))
    return names


# Traces and views.


class Place:
    """A row of a trace: its numbers, from 1 on, and its name; node 0: not known."""

    __slots__ = ("name", "application", "task", "thread", "node")

    def __init__(self, name, place):
        self.name = name
        self.application, self.task, self.thread, self.node = place.application, place.task, place.thread, place.node

    def __repr__(self):
        return f"<{self.name}: {self.application}.{self.task}.{self.thread} on node {self.node}>"


def _time(name, value, otherwise):
    """A time in ns for the library."""
    if value is None:
        return otherwise
    try:
        number = int(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name}: got {value!r}, takes a number of ns") from error
    if not 0 <= number < 1 << 63:
        raise ValueError(f"{name}: got {value!r}, takes a number of ns from 0 on")
    return number


def _stretch(begin, end):
    begin, end = _time("begin", begin, 0), _time("end", end, None)
    if end is not None and end <= begin:
        raise ValueError(f"end: got {end}, takes a time after begin, which is {begin}")
    return begin, end or 0


def _rows(rows):
    if rows is not None and not isinstance(rows, str):
        raise TypeError(f'rows: got {rows!r}, takes a text, as "1.2.*", "rank:0-3" or names, separated by commas')
    return _encode(rows)


def _selection(begin, end, rows, types=()):
    selection = _Selection(*_stretch(begin, end), _rows(rows), None, len(types))
    if types:
        selection.types = (ctypes.c_uint32 * len(types))(*types)
    return selection


class _Open:
    """What is closed at the end.  One call of a trace at a time: each uses all cores."""

    def __init__(self, pointer, lock):
        self._open_pointer = pointer
        self._lock = lock

    @property
    def _pointer(self):
        if not self._open_pointer:
            raise ValueError(f"the {type(self).__name__.lower()} is closed")
        return self._open_pointer

    def _work(self, progress, function, *arguments):
        with self._lock:
            return _work(progress, function, self._pointer, *arguments)

    def __enter__(self):
        self._pointer
        return self

    def __exit__(self, *error):
        self.close()

    def __del__(self):
        if getattr(self, "_open_pointer", None):
            self.close()


class View(_Open):
    """One value on each row at each moment.  `unit` is that of the values, or "" if they are codes with labels."""

    def __init__(self, trace, name):
        super().__init__(None, trace._lock)
        with self._lock:
            self._open_pointer = _call(_library.tandem_view_open, trace._pointer, _encode(name))
        self._trace = trace
        self.name = name
        self.title, self.unit = _decode(_library.tandem_view_title(self._pointer)), _decode(_library.tandem_view_unit(self._pointer))
        self.has_codes = bool(_library.tandem_view_has_codes(self._pointer))
        trace._views.add(self)

    def close(self):
        with self._lock:
            pointer, self._open_pointer = self._open_pointer, None
            if pointer and self._trace._open_pointer:  # the collector may have closed the trace first
                _library.tandem_view_close(pointer)

    def __repr__(self):
        return f"<tandem.trace.View {self.name}>"

    @property
    def rows(self):
        """The names of the rows."""
        return _names(_library.tandem_view_row_name, self._pointer, _library.tandem_view_n_rows(self._pointer))

    def text(self, value):
        """What is shown for a value: "MPI_Send", "1.5 ms"."""
        return _take_text(_library.tandem_view_text(self._pointer, value))

    def value(self, text):
        """The value in the trace that has this text.  KeyError: there is none."""
        value = ctypes.c_double()
        with self._lock:
            if not _library.tandem_view_find(self._pointer, _encode(text), ctypes.byref(value)):
                raise KeyError(text)
        return value.value

    def bursts(self, begin=None, end=None, rows=None, progress=None):
        """A table: row, begin_ns, end_ns, value, and label where values are codes.

        begin, end: only bursts that end after the one time and begin before the other, not shortened.
        rows: only these, as in `tandem cut`: "1.2.*", "rank:0-3", or names with * and ?.
        """
        selection = _selection(begin, end, rows)
        return Table(self._work(progress, _library.tandem_view_bursts, ctypes.byref(selection)))

    def grid(self, columns, begin=None, end=None, mode=None, progress=None):
        """An array of a row for each row and a column for each of equal parts of a stretch of time, for pictures.

        mode: which value of a part is taken, as in tview: "average" (of quantities), "majority" (of codes), "time",
        "maximum", "minimum", "first", "last" or "random".
        """
        values = _numpy().zeros((_library.tandem_view_n_rows(self._pointer), columns))
        begin, end = _stretch(begin, end)
        self._work(progress, _library.tandem_view_grid, begin, end, columns, _encode(mode), values.ctypes.data)
        return values

    def histogram(self, statistic="time", begin=None, end=None, rows=None, data=None, within=None, limits=None,
                  width=None, columns=None, progress=None):  # fmt: skip
        """A table of rows by values of this view; of statistics of messages, by the rows at the other end.

        data: the view that gives the values, for statistics of values (this one).
        within: (view, value or its text), only where that view has this value.
        limits, width, columns: of the columns, (minimum, maximum), the width of each, or how many.
        """
        begin, end = _stretch(begin, end)
        options = _Options(_encode(statistic), begin, end, _rows(rows), data and data._pointer)
        if within:
            view, value = within
            options.within = view._pointer
            options.within_value = view.value(value) if isinstance(value, str) else value
        options.minimum, options.maximum = limits or (0, 0)
        options.width, options.n_columns = width or 0, columns or 0
        return Histogram(self._work(progress, _library.tandem_histogram_new, ctypes.byref(options)))


class Trace(_Open):
    """An open trace.  `rows` has its threads, `duration_ns` its length, `n_faults` how many faulty lines were left out."""

    def __init__(self, path, progress=None):
        super().__init__(None, threading.RLock())
        self.path = os.fspath(path)
        self._open_pointer = _work(progress, _library.tandem_trace_open, _encode(path))
        self._views = weakref.WeakSet()
        self.duration_ns = _library.tandem_trace_duration_ns(self._pointer)
        self.n_faults = _library.tandem_trace_n_faults(self._pointer)

    def close(self):
        """Closes the trace and its views; tables, arrays and frames stay."""
        with self._lock:
            for view in list(self._views):
                view.close()
            pointer, self._open_pointer = self._open_pointer, None
            if pointer:
                _library.tandem_trace_close(pointer)

    def __repr__(self):
        return f"<tandem.trace.Trace {self.path}>"

    @property
    def rows(self):
        places = []
        for row, name in enumerate(_names(_library.tandem_trace_row_name, self._pointer, _library.tandem_trace_n_rows(self._pointer))):
            place = _Place()
            _library.tandem_trace_row_place(self._pointer, row, ctypes.byref(place))
            places.append(Place(name, place))
        return places

    def views(self):
        """{name: what it shows} of the views that the trace has records for."""
        found, number = {}, 0
        while _library.tandem_view_name(number):
            name = _library.tandem_view_name(number)
            if _library.tandem_view_is_available(self._pointer, name):
                found[_decode(name)] = _decode(_library.tandem_view_help(number))
            number += 1
        return found

    def view(self, name):
        """A view by its name ("mpi-calls", "counter:PAPI_TOT_INS"), a formula ("heap / rss"), or FILE.cfg[:N]."""
        return View(self, name)

    def histograms(self, cfg, number=1, statistic=None, begin=None, end=None, rows=None, progress=None):
        """A histogram of a configuration of Paraver's, by its number in the file: {plane: histogram}.

        There is one plane, None, unless the histogram is of three windows; then there is one for each value of the third.
        The statistic, the time and the rows are those of the file unless they are given.
        """
        options = _Options(_encode(statistic), *_stretch(begin, end), _rows(rows))
        owned = _Owned(self._work(progress, _library.tandem_planes_new, _encode(cfg), number, ctypes.byref(options)),
                       _library.tandem_planes_free)  # fmt: skip
        return {
            _decode(_library.tandem_planes_name(owned.pointer, plane)): Histogram(_library.tandem_planes_histogram(owned.pointer, plane), owned)
            for plane in range(_library.tandem_planes_n(owned.pointer))
        }

    def types(self):
        """{event type: (label or None, number of events)} of the types that occur."""
        found, type, n_events = {}, ctypes.c_uint32(), ctypes.c_uint64()
        while _library.tandem_trace_type(self._pointer, len(found), ctypes.byref(type), ctypes.byref(n_events)):
            label = _library.tandem_trace_type_label(self._pointer, type)
            found[type.value] = _decode(label), n_events.value
        return found

    def label(self, type, value):
        """The label of a value of an event type; None: it has none."""
        return _decode(_library.tandem_trace_value_label(self._pointer, int(type), int(value)))

    def events(self, *types, begin=None, end=None, rows=None, progress=None):
        """A table: row, time_ns, type, value; of these event types only, if there are any."""
        selection = _selection(begin, end, rows, types)
        return Table(self._work(progress, _library.tandem_trace_events, ctypes.byref(selection)))

    def messages(self, begin=None, end=None, rows=None, progress=None):
        """A table: sender, receiver, logical_send_ns, ..., size_bytes, tag."""
        selection = _selection(begin, end, rows)
        return Table(self._work(progress, _library.tandem_trace_messages, ctypes.byref(selection)))

    def samples(self, begin=None, end=None, rows=None, progress=None):
        """A table: row, time_ns, weight_ns, kind, function, line, call_path."""
        selection = _selection(begin, end, rows)
        return Table(self._work(progress, _library.tandem_trace_samples, ctypes.byref(selection)))


def add_view(path):
    """Adds the view that a file NAME.view defines, as --view-file does, before any trace is opened."""
    _call(_library.tandem_view_add_file, _encode(path))


def open(path, progress=None):
    """Opens NAME.prv or NAME.prv.gz, with its .pcf and .row.  Close it, or use `with`."""
    return Trace(path, progress)
