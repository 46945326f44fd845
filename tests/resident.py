# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that stay: their main function is called once for each command (calls_main.c), so that a thousand commands cost one
start of a process.  Sanitizers look for leaks when it ends.  What needs a process of its own (signals, limits, standard input,
--help, which exits) is for subprocess."""
import os
import pathlib
import select
import subprocess
import tempfile

from processes import clean_environment

BUILD = pathlib.Path(os.environ.get("TANDEM_BUILD", pathlib.Path(__file__).resolve().parent.parent / "build")).resolve()
residents = {}  # by the path of the program


class Resident:
    """A process, the pipes of its questions and answers, and the files of its output."""

    def __init__(self, program):
        (theirs, self.questions), (self.answers, to_us) = os.pipe(), os.pipe()
        self.streams = [tempfile.TemporaryFile(buffering=0) for _ in range(2)]
        library = BUILD / "tests" / "libcalls-main.so"
        assert library.exists(), f"{library} is not built"
        environment = {**clean_environment(), "LD_PRELOAD": str(library), "CALLS_MAIN": f"{theirs} {to_us}"}
        # The runtime of sanitizers wants to be the first library; it need not be.
        environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        self.process = subprocess.Popen([program], stdin=subprocess.DEVNULL, stdout=self.streams[0], stderr=self.streams[1],
                                        env=environment, pass_fds=(theirs, to_us))
        os.close(theirs)
        os.close(to_us)

    def ask(self, directory, words, timeout):
        """The status of the command, or None if it ended the process."""
        question = b"".join(os.fsencode(word) + b"\0" for word in (directory, *words))
        with open(self.questions, "wb", closefd=False) as pipe:
            pipe.write(b"%d\n" % len(question) + question)
        status = b""
        while not status.endswith(b"\n"):
            if not select.select([self.answers], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(words, timeout)
            read = os.read(self.answers, 16)
            if not read:
                return None
            status += read
        return int(status) & 255

    def said(self):
        """On both streams since it was asked the last time."""
        texts = []
        for file in self.streams:
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
            file.seek(0)  # for the process, too: it has the same position
            file.truncate()
        return texts

    def end(self, kill=False):
        """The status of the process."""
        if kill:
            self.process.kill()
        os.close(self.questions)
        os.close(self.answers)
        return self.process.wait(timeout=120)


def run(program, *words, cwd=None, timeout=120, check=False):
    """As subprocess.run, with the output captured: CompletedProcess.  If the program dies of it, another one begins the next time."""
    program, words = str(program), [str(word) for word in words]
    if program not in residents:
        residents[program] = Resident(program)
    resident = residents[program]
    try:
        status = resident.ask(str(cwd or os.getcwd()), words, timeout)
    except subprocess.TimeoutExpired:
        residents.pop(program).end(kill=True)
        raise
    if status is None:
        status = residents.pop(program).end()
    done = subprocess.CompletedProcess([program, *words], status, *resident.said())
    assert not check or status == 0, done
    return done


def end_all():
    """What they say at their end is an error: that of a sanitizer."""
    while residents:
        program, resident = residents.popitem()
        status = resident.end()
        said = [status, *resident.said()]
        assert said == [0, "", ""], f"{program} ended so: {said}"
