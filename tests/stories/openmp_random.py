# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes programs of random OpenMP constructs, whose output does not depend on which thread runs what.

A source file holds many programs, each a function (programs/openmp_random.h is what they have in common); `./binary FIRST
LAST` runs them one after another, each in a process, and prints a line for each: number, sum, process, and how many
regions, threads in them, tasks (but those of taskloops) and chunks of dynamic loops there were, which may differ from run to
run where something is cancelled.  The same seed makes the same file; the programs of a file do not depend on one another.
What is added to the sum commutes, but for chains of dependent tasks and doacross loops, whose sums are right in one order
only.

By hand: openmp_random.py SEED N_PROGRAMS LANGUAGE prints a file.  Languages: c, c++, and clang, which is C without what LLVM
14 gets wrong.
"""
import contextlib
import math
import random
import sys

# How often the code around a statement runs limits what the statement may be.
MANY, SOME, FEW = 3000, 400, 40


class Context:
    """Where a statement stands."""

    def __init__(self, team=False, held=False, times=1, depth=0, parallel=0):
        self.team = team  # all threads of a team come here, so that they may share work and wait for one another
        self.held = held  # inside a lock: nothing that could wait
        self.times, self.depth, self.parallel = times, depth, parallel

    def inner(self, times=1, **changes):
        new = Context(False, self.held, self.times * times, self.depth + 1, self.parallel)
        new.__dict__.update(changes)
        return new


class Program:
    def __init__(self, rng, number, language):
        self.rng, self.is_cxx, self.is_llvm = rng, language == "c++", language == "clang"
        self.lines, self.indent, self.n_names, self.shared = [], 1, 0, []
        self.number = number

    def write(self, *lines):
        self.lines += ["    " * self.indent * (line[:1] != "#") + line for line in lines if line]

    def pragma(self, *words):
        self.write("#pragma omp " + " ".join(word for word in words if word))

    def name(self, stem):
        self.n_names += 1
        return f"{stem}{self.n_names}"

    def maybe(self, text, chance=0.3):
        return text if self.rng.random() < chance else ""

    def number_up_to(self, n):
        return self.rng.randint(1, n)

    def share(self, stem, dimensions=""):
        """A variable that a team has in common."""
        name = self.name(stem)
        self.shared.append(f"uint64_t {name}{dimensions};")
        return name

    @contextlib.contextmanager
    def braces(self, head=""):
        self.write(f"{head} {{".strip())
        self.indent += 1
        yield
        self.indent -= 1
        self.write("}")

    # Statements: each writes itself for a context that allows it.

    def block(self, context):
        for _ in range(self.number_up_to(3 if context.depth < 3 else 1)):
            if len(self.lines) < 90:
                self.statement(context)
        self.plain(context)

    def statement(self, context):
        choices = [self.plain] * 2 + [self.atomic, self.simd]
        if not context.held:
            choices += [self.critical, self.locked, self.nest_locked]
        if not context.held and context.times <= MANY and context.depth < 6:
            choices += [self.tasks, self.task, self.taskloop, self.taskgroup, self.waits]
        if not context.held and context.times <= SOME and context.depth < 6:
            choices += [self.chain, self.mutexes, self.dependent_wait, self.target, self.detached]
        if not context.held and context.times <= FEW and context.parallel < 2 and context.depth < 5:
            choices += [self.parallel] * 4 + [self.parallel_for, self.parallel_sections] * 2
            choices += [self.parallel_cancelled]
        if context.team and context.depth < 6:
            choices += [self.loop, self.loop, self.nest, self.sections, self.single, self.master, self.barrier]
            choices += [self.ordered, self.doacross, self.cancelled_loop] + [self.scan] * (not self.is_llvm)
        if context.depth == 0 and not self.is_llvm:
            choices += [self.teams]
        if self.is_cxx and not context.held and context.times <= SOME:
            choices += [self.object_task, self.thrown]
        self.rng.choice(choices)(context)

    def plain(self, _):
        self.write(f"ADD({self.number_up_to(1000)});")

    def atomic(self, _):
        kind = self.rng.choice(["", "update", "capture", "seq_cst"])
        n = self.number_up_to(9)
        if kind == "capture":
            v = self.name("v")
            self.write(f"uint64_t {v};")
            self.pragma("atomic capture")
            self.write(f"{{ {v} = sum; sum += {n}; }}", f"(void){v};")
        else:
            self.pragma("atomic", kind)
            self.write(f"sum += {n};")

    def simd(self, _):
        v, n = self.name("v"), self.number_up_to(20)
        self.write(f"uint64_t {v} = 0;")
        self.pragma(f"simd reduction(+:{v})")
        self.write(f"for (int i = 0; i < {n}; i++) {v} += (uint64_t)i * i;", f"ADD({v});")

    def critical(self, context):
        self.pragma("critical", self.maybe(self.rng.choice(["(one)", "(two)"]), 0.6))
        with self.braces():
            self.block(context.inner(held=True))

    def locked(self, context):
        self.write(self.rng.choice(["omp_set_lock(&lock);", "while (!omp_test_lock(&lock)) sched_yield();"]))
        self.block(context.inner(held=True))
        self.write("omp_unset_lock(&lock);")

    def nest_locked(self, _):
        self.write("omp_set_nest_lock(&nest_lock);", "omp_set_nest_lock(&nest_lock);", "ADD(5);",
                   "omp_unset_nest_lock(&nest_lock);", "omp_unset_nest_lock(&nest_lock);")

    def waits(self, _):
        self.pragma(self.rng.choice(["taskwait", "taskwait", "taskyield", "flush"]))

    def barrier(self, _):
        self.pragma("barrier")

    # Regions.

    def region_clauses(self):
        return [self.maybe(f"num_threads({self.number_up_to(4)})"), self.maybe("if(0)", 0.1),
                self.maybe("proc_bind(close)", 0.1), self.maybe("default(shared)", 0.1)]

    def parallel(self, context):
        r, p, n = self.name("r"), self.name("p"), self.number_up_to(99)
        self.write(f"uint64_t {r} = 0, {p} = {n};", "COUNT(region, 1);")
        outer, self.shared, place = self.shared, [], len(self.lines)
        self.pragma("parallel", f"reduction({self.rng.choice(['task, +', '+', '+'])}:{r})" if self.maybe("x", 0.5)
                    else "", f"firstprivate({p})", *self.region_clauses())
        with self.braces():
            self.write("COUNT(part, 1);", f"ADD({p});")
            self.block(context.inner(4, team=True, parallel=context.parallel + 1))
        self.lines[place:place], self.shared = ["    " * self.indent + line for line in self.shared], outer
        self.write(f"ADD({r});")

    def bounds(self, context, may_be_empty=True):
        """A loop's header over i, its number of iterations, of a random type, from anywhere, in any direction."""
        n = self.number_up_to(24 if context.times <= FEW else 5)
        kind = self.rng.choice(["int", "int", "long", "unsigned long long", "unsigned"])
        step, start = self.number_up_to(3), self.rng.randint(1, 9)
        if may_be_empty and self.rng.random() < 0.1:
            n = 0
        end = start + step * n - (self.rng.randint(0, step - 1) if n else 0)
        # GCC 12 runs no iteration of a dynamic loop that counts an unsigned int down.
        if self.rng.random() < 0.3 and kind != "unsigned":
            start, end = end + 40, start + 40
            return f"for ({kind} i = {start}; i > {end}; i -= {step})", n, start, kind
        if kind == "unsigned long long" and self.rng.random() < 0.5:
            start, end = start + (1 << 63) - 12, end + (1 << 63) - 12
            return f"for ({kind} i = {start}u; i < {end}u; i += {step})", n, f"{start}u", kind
        return f"for ({kind} i = {start}; i < {end}; i += {step})", n, start, kind

    def schedule(self, n):
        """A clause, and how many chunks it makes; None where nobody knows."""
        chunk = self.number_up_to(4)
        kind = self.rng.choice(["", "static", "static_", "dynamic_", "dynamic", "guided", "runtime", "auto"])
        if not kind:
            return "", None
        if kind in ("dynamic", "dynamic_"):
            size = chunk if kind == "dynamic_" else 1
            modifier = self.rng.choice(["", "monotonic:", "nonmonotonic:"])
            text = f"schedule({modifier}dynamic{f', {size}' if size != 1 or kind == 'dynamic_' else ''})"
            return text, -(-n // size)
        return f"schedule({kind.rstrip('_')}{f', {chunk}' if kind == 'static_' else ''})", None

    def parallel_for(self, context):
        head, n, start, _ = self.bounds(context, may_be_empty=False)
        clause, n_chunks = self.schedule(n)
        self.write("COUNT(region, 1);")
        r = self.name("r")
        self.write(f"uint64_t {r} = 0;")
        self.pragma("parallel for", clause, f"reduction(+:{r})", *self.region_clauses())
        with self.braces(head):
            self.write(f"{r} += (uint64_t)i;", f"if (i == {start}) COUNT(part, omp_get_num_threads());")
            self.write(f"if (i == {start}) CHUNKS({n_chunks});" if n_chunks else "")
            self.block(context.inner(n, parallel=context.parallel + 1))
        self.write(f"ADD({r});")

    def parallel_sections(self, context):
        self.write("COUNT(region, 1);")
        self.pragma("parallel sections", *self.region_clauses())
        self.section_list(context.inner(4, parallel=context.parallel + 1), "COUNT(part, omp_get_num_threads());")

    def parallel_cancelled(self, context):
        self.write("COUNT(region, 1);")
        self.pragma("parallel", *self.region_clauses())
        with self.braces():
            self.write("COUNT(part, 1);")
            self.pragma(f"cancel parallel if({self.rng.randint(0, 1)})")
            self.pragma("cancellation point parallel")
            self.pragma("barrier")

    def teams(self, context):
        n = self.number_up_to(3)
        self.write("COUNT(region, 1);")
        self.pragma(f"teams num_teams({n}) thread_limit(4)")
        with self.braces():
            self.write("COUNT(part, 1);")
            self.pragma("distribute")
            self.write("for (int i = 0; i < 12; i++) ADD(i);")
            self.parallel_for(context.inner(n))

    # Worksharing.

    def loop(self, context):
        head, n, _, _ = self.bounds(context)
        clause, n_chunks = self.schedule(n)
        operator = self.rng.choice(["", "", "+", "max"])
        self.count_chunks(n_chunks)
        if operator:
            r = self.share("r")
            self.pragma("single")
            self.write(f"{r} = 0;")
            self.pragma("for", clause, f"reduction({operator}:{r})")
            self.write(head, f"    {r} += (uint64_t)i;" if operator == "+" else
                       f"    {r} = {r} > (uint64_t)i ? {r} : (uint64_t)i;")
            self.pragma("single")
            self.write(f"ADD({r});")
        else:
            self.pragma("for", clause, self.maybe("nowait"))
            with self.braces(head):
                self.write("ADD(i);")
                self.block(context.inner(max(n, 1)))

    def count_chunks(self, n_chunks):
        if n_chunks:
            self.pragma("single nowait")
            self.write(f"CHUNKS({n_chunks});")

    def nest(self, context):
        a, b, c = (self.number_up_to(4) for _ in range(3))
        clause, n_chunks = self.schedule(a * b * c)
        self.count_chunks(n_chunks)
        self.pragma("for collapse(3)", clause, self.maybe("nowait"))
        self.write(f"for (int i = 0; i < {a}; i++) for (long j = {b}; j > 0; j--)")
        with self.braces(f"for (unsigned k = 2; k < {2 + c}; k++)"):
            self.write("ADD(i * 100 + j * 10 + k);")
            self.block(context.inner(a * b * c))

    def section_list(self, context, first=""):
        with self.braces():
            for i in range(self.number_up_to(4)):
                self.pragma("section")
                with self.braces():
                    self.write(first if i == 0 else "")
                    self.block(context.inner())

    def sections(self, context):
        self.pragma("sections", self.maybe("nowait"))
        self.section_list(context)

    def single(self, context):
        if self.rng.random() < 0.3:
            v = self.name("v")
            self.write(f"uint64_t {v};")
            self.pragma(f"single copyprivate({v})")
            with self.braces():
                self.block(context.inner())
                self.write(f"{v} = {self.number_up_to(50)};")
            self.write(f"ADD({v});")
        else:
            self.pragma("single", self.maybe("nowait"))
            with self.braces():
                self.block(context.inner())

    def master(self, context):
        self.pragma("master")
        with self.braces():
            self.block(context.inner())

    def ordered(self, context):
        n, v = self.number_up_to(9), self.share("v")
        clause, n_chunks = self.schedule(n)
        self.pragma("single")
        self.write(f"{v} = 7;")
        self.count_chunks(n_chunks)
        self.pragma("for ordered", clause.replace("nonmonotonic:", ""))
        with self.braces(f"for (int i = 0; i < {n}; i++)"):
            self.plain(context)
            self.pragma("ordered")
            self.write(f"{v} = {v} * 31 + i;")
        self.pragma("single")
        self.write(f"ADD({v});")

    def doacross(self, _):
        dimensions = self.number_up_to(4)
        sizes = [self.number_up_to(4) for _ in range(dimensions)]
        n_cells = math.prod(size + 1 for size in sizes)
        v = self.share("v", "".join(f"[{size + 1}]" for size in sizes))
        self.pragma("single")
        self.write(f"for (int n = 0; n < {n_cells}; n++) (&{v}{'[0]' * dimensions})[n] = 1;")
        kind = self.rng.choice(["int", "long", "unsigned long long"])
        names = "ijkl"[:dimensions]
        at = "".join(f"[{n}]" for n in names)
        clause, n_chunks = self.schedule(sizes[0])
        self.count_chunks(n_chunks)
        self.pragma(f"for ordered({dimensions})", clause.replace("nonmonotonic:", ""))
        for name, size in zip(names, sizes):
            self.write(f"for ({kind} {name} = 1; {name} <= {size}; {name}++)" +
                       (" {" if name == names[-1] else ""))
        self.indent += 1
        sinks = [",".join(f"{n}-1" if i == d else n for i, n in enumerate(names)) for d in range(dimensions)]
        self.pragma("ordered", *(f"depend(sink: {sink})" for sink in sinks))
        before = " + ".join(v + "".join(f"[{n} - 1]" if i == d else f"[{n}]" for i, n in enumerate(names))
                            for d in range(dimensions))
        self.write(f"{v}{at} = ({before}) * 31 + {names[0]} + 1;")
        self.pragma("ordered depend(source)")
        self.indent -= 1
        self.write("}")
        self.pragma("single")
        self.write(f"ADD({v}" + "".join(f"[{size}]" for size in sizes) + ");")

    def scan(self, _):
        n = self.number_up_to(20)
        v, out = self.share("v"), self.share("o", f"[{n}]")
        self.pragma("single")
        self.write(f"{v} = 0;")
        self.pragma(f"for reduction(inscan, +:{v})")
        with self.braces(f"for (int i = 0; i < {n}; i++)"):
            self.write(f"{v} += i + 1;")
            self.pragma(f"scan inclusive({v})")
            self.write(f"{out}[i] = {v};")
        self.pragma("single")
        self.write(f"for (int i = 0; i < {n}; i++) ADD({out}[i] * (i + 1));")

    def cancelled_loop(self, _):
        if self.rng.random() < 0.6:
            clause, n_chunks = self.schedule(9)
            self.pragma("for", clause)
            with self.braces("for (int i = 0; i < 9; i++)"):
                self.write("COUNT(chunk, 1);" if n_chunks else "")
                self.pragma("cancel for")
        else:
            self.pragma("sections")
            with self.braces():
                for _ in range(3):
                    self.pragma("section")
                    with self.braces():
                        self.pragma("cancel sections")

    # Tasks.

    def task_clauses(self, merged=True):
        return [self.maybe(f"if({self.rng.randint(0, 1)})", 0.2), self.maybe("final(1)", 0.1), self.maybe("untied", 0.1),
                self.maybe("mergeable", 0.1 if merged else 0), self.maybe(f"priority({self.number_up_to(5)})", 0.1)]

    def task(self, context):
        a, n = self.name("a"), self.rng.choice([1, 1, 2, 3, 17, 600, 3000])
        seed = self.number_up_to(99)
        self.write(f"uint64_t {a}[{n}];", f"for (int i = 0; i < {n}; i++) {a}[i] = {seed} + i;")
        self.pragma("task", f"firstprivate({a})", *self.task_clauses())
        with self.braces():
            self.write("COUNT(task, 1);", f"for (int i = 0; i < {n}; i++) ADD({a}[i]++);")
            self.block(context.inner())
        if self.rng.random() < 0.5:
            self.pragma("taskwait")
        self.write(f"ADD({a}[0]);")

    def tasks(self, context):
        n, v = self.number_up_to(8), self.name("v")
        self.write(f"for (int {v} = 0; {v} < {n}; {v}++)")
        self.pragma("task", f"firstprivate({v})", *self.task_clauses())
        with self.braces():
            self.write("COUNT(task, 1);", f"ADD({v});")
            self.block(context.inner(n))

    def taskloop(self, context):
        head, n, _, _ = self.bounds(context)
        r, share = self.name("r"), self.rng.choice(["", "grainsize(2)", "num_tasks(3)", "grainsize(50)"])
        last = self.name("l")
        use = self.rng.choice(["", "reduction", "nogroup", "lastprivate"])
        self.write(f"uint64_t {r} = 0, {last} = 0;")
        clauses = {"": "", "reduction": f"reduction(+:{r})", "nogroup": "nogroup",
                   "lastprivate": f"lastprivate({last})"}[use]
        self.pragma("taskloop", share, clauses, self.maybe("collapse(1)", 0.1), self.maybe("untied", 0.1),
                    self.maybe("final(1)", 0.1), self.maybe("if(0)", 0.1), f"firstprivate({r})" if not use else "")
        with self.braces(head):
            self.write("ADD(i);", f"{r} += (uint64_t)i;" if use in ("", "reduction") else
                       f"{last} = (uint64_t)i;" if use == "lastprivate" else "")
            if use != "reduction":
                self.block(context.inner(max(n, 1)))
        if use == "nogroup":
            self.pragma("taskwait")
        elif use:
            self.write(f"ADD({r} + {last});" if n else "")

    def taskgroup(self, context):
        # libgomp 12 crashes where a task outside of any region makes a taskgroup with reductions.
        kind = self.rng.choice(["", "", "cancel", "reduction"][: 4 if context.parallel else 3])
        r = self.name("r")
        if kind == "reduction":
            self.write(f"uint64_t {r} = 0;")
            self.pragma(f"taskgroup task_reduction(+:{r})")
            with self.braces():
                self.write("for (int n = 0; n < 5; n++)")
                self.pragma(f"task in_reduction(+:{r}) firstprivate(n)")
                self.write(f"{{ COUNT(task, 1); {r} += n; }}")
            self.write(f"ADD({r});")
        elif kind == "cancel":
            self.pragma("taskgroup")
            with self.braces():
                self.write("for (int n = 0; n < 5; n++)")
                self.pragma("task")
                self.write("{", "    COUNT(task, 1);")
                self.pragma("cancel taskgroup")
                self.write("}")
        else:
            self.pragma("taskgroup")
            with self.braces():
                self.tasks(context)
                self.block(context.inner())

    def chain(self, context):
        """Tasks whose order their dependences give."""
        d, n = self.name("d"), self.number_up_to(12)
        self.write(f"uint64_t {d}[4] = {{1, 2, 3, 4}};")
        for i in range(n):
            a, b = self.rng.sample(range(4), 2)
            form = self.rng.choice(["plain", "plain", "plain", "iterator", "object", "all"])
            depend = f"depend(in: {d}[{a}]) depend(inout: {d}[{b}])"
            if form == "iterator":
                depend = f"depend(iterator(x=0:4), inout: {d}[x])"
            elif form == "object":
                o = self.name("o")
                self.write(f"omp_depend_t {o};")
                self.pragma(f"depobj({o}) depend(inout: {d}[{b}])")
                depend = f"depend(depobj: {o}) depend(in: {d}[{a}])"
            elif form == "all":
                depend = f"depend(inout: {d}[0], {d}[1], {d}[2], {d}[3])"
            self.pragma("task", f"shared({d})", depend, *self.task_clauses(False))
            self.write(f"{{ COUNT(task, 1); {d}[{b}] = {d}[{b}] * 31 + {d}[{a}] + {i}; }}")
            if form == "object":
                self.pragma(f"depobj({o}) destroy")
        self.pragma("taskwait")
        self.write(f"ADD({d}[0] ^ {d}[1] * 3 ^ {d}[2] * 5 ^ {d}[3] * 7);")

    def mutexes(self, _):
        d, n = self.name("d"), self.number_up_to(6)
        self.write(f"uint64_t {d} = 0;")
        self.pragma(f"task shared({d}) depend(out: {d})")
        self.write(f"{{ COUNT(task, 1); {d} = 5; }}")
        self.write(f"for (int n = 0; n < {n}; n++)")
        self.pragma(f"task shared({d}) depend(mutexinoutset: {d})")
        self.write(f"{{ COUNT(task, 1); {d} += n + 1; }}")
        self.pragma(f"task shared({d}) depend(in: {d})")
        self.write(f"{{ COUNT(task, 1); ADD({d}); }}")
        self.pragma("taskwait")

    def dependent_wait(self, _):
        d = self.name("d")
        self.write(f"uint64_t {d}[2] = {{0, 0}};")
        self.pragma(f"task shared({d}) depend(out: {d}[0])")
        self.write(f"{{ COUNT(task, 1); {d}[0] = 11; }}")
        self.pragma(f"task shared({d}) depend(out: {d}[1])")
        self.write(f"{{ COUNT(task, 1); {d}[1] = 13; }}")
        self.pragma(f"taskwait depend(in: {d}[0])")
        self.write(f"ADD({d}[0]);")
        self.pragma("taskwait")
        self.write(f"ADD({d}[1]);")

    def detached(self, _):
        # It fulfils its own event: where tasks are not deferred, no other task ever would.
        e = self.name("e")
        self.write(f"omp_event_handle_t {e};")
        self.pragma(f"task detach({e})")
        self.write(f"{{ COUNT(task, 1); ADD(3); omp_fulfill_event({e}); ADD(4); }}")
        self.pragma("taskwait")

    def target(self, _):
        v = self.name("v")
        self.write(f"uint64_t {v} = 3;")
        self.pragma(f"target map(tofrom: {v})" if self.rng.random() < 0.7 else
                    f"target data map(tofrom: {v})")
        self.write(f"{v} += 4;", f"ADD({v});")

    # C++.

    def object_task(self, _):
        o = self.name("o")
        self.write(f"copied {o}({self.number_up_to(99)});")
        if self.rng.random() < 0.5:
            self.pragma(f"task firstprivate({o})", *self.task_clauses(False))
            self.write(f"{{ COUNT(task, 1); ADD({o}.all()); }}")
        else:
            self.pragma(f"taskloop firstprivate({o}) num_tasks(3)")
            self.write(f"for (int i = 0; i < 6; i++) ADD({o}.all() + i);")
        self.pragma("taskwait")

    def thrown(self, context):
        with self.braces("try"):
            self.block(context.inner())
            self.write("throw 5;")
        with self.braces("catch (int n)"):
            self.write("ADD(n);")

    def text(self):
        for _ in range(2):
            with self.braces():
                self.block(Context())
        body = "\n".join(self.lines)
        return "\n".join([f"static void program_{self.number}(void)", "{", body, "}", ""])


def make(seed, n_programs, language):
    """The text of a file. language: c, c++ or clang."""
    parts = [f"/* openmp_random.py {seed} {n_programs} {language} */", '#include "tests/stories/programs/openmp_random.h"']
    for number in range(n_programs):
        rng = random.Random(f"{seed} {number} {language}")
        parts.append(Program(rng, number, language).text())
    names = ", ".join(f"program_{number}" for number in range(n_programs))
    parts.append(f"static program *const programs[] = {{{names}}};")
    parts += ["int main(int argc, char **argv)", "{", "    run_programs(programs, atoi(argv[1]), atoi(argv[2]));", "}", ""]
    return "\n".join(parts)


if __name__ == "__main__":
    print(make(sys.argv[1], int(sys.argv[2]), sys.argv[3]), end="")
