# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions of all kinds, each called a known number of times.  The last line is {function: calls}, and how often one ran
within another, as worked out by hand for CPython 3.11: the call that makes a generator or coroutine counts, and each time
that it goes on; comprehensions are functions."""
import _thread
import _xxsubinterpreters
import asyncio
import json
import sys
import threading

CALLS, WITHIN = {}, {}


def plain():
    pass


def fact(n):
    return n * fact(n - 1) if n else 1


def functions():
    for _ in range(1000):
        plain()
    assert fact(40) == fact(20) * (fact(40) // fact(20))
    double = lambda n: 2 * n
    assert [double(i) for i in range(5)] == sorted({i: 0 for i in range(0, 10, 2)}, key=lambda n: n)
    assert sum(i for i in range(5)) == 10
    CALLS.update({"plain": 1000, "fact": 2 * 41 + 2 * 21, "functions": 1})
    CALLS.update({"functions.<locals>.<lambda>": 5 + 5, "functions.<locals>.<listcomp>": 1})
    CALLS.update({"functions.<locals>.<dictcomp>": 1, "functions.<locals>.<genexpr>": 1 + 6})
    WITHIN.update({"functions plain": 1000, "fact fact": 2 * 40 + 2 * 20, "functions.<locals>.<listcomp> functions.<locals>.<lambda>": 5})


class Thing:
    def __init__(self, value):
        self._value = value

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, value):
        self._value = value

    def __lt__(self, other):
        return self._value < other._value

    def __del__(self):
        self._value = None

    @staticmethod
    def static():
        pass

    @classmethod
    def of_class(cls):
        return cls(0)


def classes():
    things = [Thing(i) for i in range(4)]
    for thing in things:
        thing.value += 1
    assert min(things).value == 1
    Thing.static()
    Thing.of_class()
    del things, thing
    CALLS.update({"classes": 1, "classes.<locals>.<listcomp>": 1, "Thing": 1, "Thing.__init__": 5, "Thing.value": 4 + 4 + 1})
    CALLS.update({"Thing.__lt__": 3, "Thing.static": 1, "Thing.of_class": 1, "Thing.__del__": 5})
    WITHIN.update({"Thing.of_class Thing.__init__": 1, "classes Thing.value": 9, "classes Thing.__del__": 5})


def generate(n):
    try:
        for i in range(n):
            yield i
    except KeyError:
        yield "thrown"
    finally:
        plain_end()


def plain_end():
    pass


def outer(n):
    yield from generate(n)


def generators():
    assert list(generate(10)) == list(range(10))  # 1 + 11
    some = generate(10)
    assert next(some) == 0 and some.send(None) == 1 and some.throw(KeyError) == "thrown"  # 1 + 3
    some.close()  # 1
    some = generate(10)
    next(some)  # 1 + 1
    del some  # 1: closed
    generate(1).close()  # 1 + 1: CPython has it raise GeneratorExit, though it never began
    assert list(outer(3)) == [0, 1, 2]  # 1 + 4 of each
    CALLS.update({"generators": 1, "generate": 12 + 5 + 3 + 2 + 5, "plain_end": 4, "outer": 5})
    WITHIN.update({"generators generate": 22, "outer generate": 5, "generate plain_end": 4})


def fail(n):
    if n == 0:
        raise LookupError("deep")
    try:
        fail(n - 1)
    finally:
        plain_finally()


def plain_finally():
    pass


def catch():
    try:
        fail(5)
    except LookupError as error:
        return str(error)


def exceptions():
    for _ in range(10):
        assert catch() == "deep"
    CALLS.update({"exceptions": 1, "catch": 10, "fail": 60, "plain_finally": 50})
    WITHIN.update({"catch fail": 10, "fail fail": 50, "fail plain_finally": 50, "exceptions catch": 10})


async def pause(n):
    for _ in range(n):
        await asyncio.sleep(0)
    return n


async def waits(n):
    return await pause(n)


async def numbers(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i


async def consume():
    return [i async for i in numbers(3)]


async def main_task():
    assert await asyncio.gather(waits(3), waits(5)) == [3, 5]
    assert await consume() == [0, 1, 2]


def coroutines():
    asyncio.run(main_task())
    CALLS.update({"coroutines": 1, "pause": 5 + 7, "waits": 5 + 7})
    CALLS.update({"numbers": 1 + 3 + 3 + 1, "consume": 1 + 4, "main_task": 1 + 1 + 1 + 3, "consume.<locals>.<listcomp>": 1 + 4})
    WITHIN.update({"waits pause": 12, "main_task consume": 5})


def compiled():
    space = {"__name__": "__main__"}
    exec("def made(): pass\nfor _ in range(3): made()", space)
    assert eval("[made() for _ in range(2)]", space) == [None, None]
    eval(compile("made()", "elsewhere.py", "eval"), space)
    CALLS.update({"compiled": 1, "made": 6, "<listcomp>": 1, "<module>": 1 + 1 + 2})


def spin(n):
    for _ in range(n):
        thread_plain()


def thread_plain():
    pass


def low(n, lock):
    spin(n)
    lock.release()


def threads():
    running = [threading.Thread(target=spin, args=(500,)) for _ in range(4)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    locks = [_thread.allocate_lock() for _ in range(2)]
    for lock in locks:
        lock.acquire()
        _thread.start_new_thread(low, (500, lock))
    for lock in locks:
        lock.acquire()
    CALLS.update({"threads": 1, "threads.<locals>.<listcomp>": 2, "spin": 6, "thread_plain": 3000, "low": 2})
    WITHIN.update({"low spin": 2, "spin thread_plain": 3000})


def interpreters():
    for n in (4, 6):
        interpreter = _xxsubinterpreters.create()
        _xxsubinterpreters.run_string(interpreter, f"def elsewhere(): pass\nfor _ in range({n}): elsewhere()")
        _xxsubinterpreters.destroy(interpreter)
    CALLS.update({"interpreters": 1, "elsewhere": 10})
    CALLS["<module>"] += 2


functions()
classes()
generators()
exceptions()
coroutines()
compiled()
threads()
interpreters()
print("to stderr", file=sys.stderr)
print(json.dumps([CALLS, WITHIN]))
