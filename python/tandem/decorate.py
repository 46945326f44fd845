# SPDX-License-Identifier: Apache-2.0
"""Regions around functions.  What is decorated stays what it was: a generator function is one, a coroutine function too.

A generator or coroutine is in the region while it runs, not while it is suspended: each resume begins it and each yield or
await ends it, so that regions nest in a thread whatever order its tasks take.
"""
import functools
import inspect


class Resumed:
    """Drives a generator, coroutine or one step of an asynchronous generator, inside the region whenever it runs."""

    __slots__ = ("region", "generator")

    def __init__(self, region, generator):
        self.region, self.generator = region, generator

    def __iter__(self):
        resume, arguments = self.generator.send, [None]  # popped: an exception that our frame keeps would keep our frame
        while True:
            try:
                with self.region:
                    yielded = resume(arguments.pop())
            except StopIteration as end:
                return end.value
            try:
                arguments.append((yield yielded))
                resume = self.generator.send
            except GeneratorExit:
                with self.region:
                    self.generator.close()
                raise
            except BaseException as error:
                arguments.append(error)
                resume = self.generator.throw

    __await__ = __iter__


def around_function(region, function):
    @functools.wraps(function)
    def inside(*arguments, **named):
        with region:
            return function(*arguments, **named)

    return inside


def around_generator(region, function):
    @functools.wraps(function)
    def inside(*arguments, **named):
        return (yield from Resumed(region, function(*arguments, **named)))

    return inside


def around_coroutine(region, function):
    @functools.wraps(function)
    async def inside(*arguments, **named):
        return await Resumed(region, function(*arguments, **named))

    return inside


def around_asynchronous_generator(region, function):
    @functools.wraps(function)
    async def inside(*arguments, **named):
        generator = function(*arguments, **named)
        step = generator.asend(None)
        while True:
            try:
                yielded = await Resumed(region, step)
            except StopAsyncIteration:
                return
            try:
                step = generator.asend((yield yielded))
            except GeneratorExit:
                await Resumed(region, generator.aclose())
                raise
            except BaseException as error:
                step = generator.athrow(error)

    return inside


KINDS = (
    (inspect.isasyncgenfunction, around_asynchronous_generator),
    (inspect.iscoroutinefunction, around_coroutine),
    (inspect.isgeneratorfunction, around_generator),
    (inspect.isroutine, around_function),
)


def decorate(region, function):
    """The function, in the region.  What is none, a class say, stays as it is."""
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(decorate(region, function.__func__))
    return next((around(region, function) for is_kind, around in KINDS if is_kind(function)), function)
