# SPDX-License-Identifier: GPL-3.0-or-later
"""Uses all of the package `tandem`, and prints what has to be the same with and without it."""
import asyncio
import inspect
import os
import sys
import threading

import tandem

REGIONS = {}  # name: how often its function has run, by itself


def counted(name):
    REGIONS[name] = REGIONS.get(name, 0) + 1


@tandem.region("function")
def function(n):
    """Calls itself."""
    counted("function")
    return function(n - 1) + 1 if n else 0


class Kinds:
    @tandem.region("static")
    @staticmethod
    def static(value):
        counted("static")
        return value

    @tandem.region("class")
    @classmethod
    def of_class(cls, value):
        counted("class")
        return cls, value

    @tandem.region("method")
    def method(self):
        counted("method")
        return self


@tandem.region("generator")
def generator(n):
    counted("generator")
    received, thrown = [], 0
    for i in range(n):
        try:
            received.append((yield i))
        except KeyError:
            thrown += 1
        counted("generator")
    return received, thrown


@tandem.region("coroutine")
async def coroutine(n):
    counted("coroutine")
    for _ in range(n):
        await asyncio.sleep(0)
        counted("coroutine")
    return n


@tandem.region("stream")
async def stream(n):
    counted("stream")
    for i in range(n):
        await asyncio.sleep(0)
        counted("stream")
        yield i
        counted("stream")


@tandem.region("raises")
def raises():
    counted("raises")
    raise LookupError("as it does without")


@tandem.region("A class stays one")
class Plain:
    pass


async def overlap(name, before, after):
    with tandem.region(name):
        counted(name)
        await asyncio.sleep(before)
        counted(name) if name == "late" else None  # begun again, as the one around it has ended
        await asyncio.sleep(after)


async def tasks():
    print(await asyncio.gather(coroutine(2), coroutine(3)))
    print([i async for i in stream(3)])
    await asyncio.gather(overlap("early", 0.01, 0), overlap("late", 0.05, 0))
    assert inspect.iscoroutinefunction(coroutine) and inspect.isasyncgenfunction(stream)


def drive():
    assert inspect.isgeneratorfunction(generator) and generator.__name__ == "generator"
    items = generator(3)
    print(next(items), items.send("a"), items.throw(KeyError()))
    try:
        items.send("c")
    except StopIteration as end:
        print(end.value)
    closed = generator(3)
    next(closed)
    closed.close()
    counted("generator")  # close() runs it once more


def tell():
    tandem.event_label(4711, "Step of mine")
    tandem.value_label(4711, 2, "second")
    for value in (1, 2, True, 2.5, -7, 0):
        tandem.event(4711, value)
    counter = tandem.counter("residual")
    for value in (3, 1 << 40):
        counter.set(value)
    for bad in ("x", None, [], float("nan")):  # nothing raises with tandem that does not without it
        tandem.event(bad, 1)
        tandem.event(1, bad)
        tandem.event_label(bad, bad)
        tandem.value_label(1, bad, bad)
        counter.set(bad)


def loop(name):
    for _ in range(50):
        with tandem.region(name):
            with tandem.region("shared"):
                pass


def main():
    print(function(4), Kinds.static(1), Kinds.of_class(2)[1], type(Kinds().method()), isinstance(Plain(), Plain))
    try:
        raises()
    except LookupError as error:
        print(error, function.__doc__)
    drive()
    asyncio.run(tasks())
    tell()
    threads = [threading.Thread(target=loop, args=(f"thread {i}",)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    REGIONS.update({f"thread {i}": 50 for i in range(3)}, shared=150)
    tandem.stop()
    assert not tandem.recording()
    function(2)
    REGIONS["function"] -= 3
    tandem.start()
    child = os.fork()
    if child == 0:
        function(0)
        os._exit(0)
    os.waitpid(child, 0)
    REGIONS["function"] += 1
    print(REGIONS)
    print("recording", tandem.recording(), "ctypes" in sys.modules, file=sys.stderr)
    sys.exit(3)


if __name__ == "__main__":
    main()
