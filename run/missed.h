/* SPDX-License-Identifier: Apache-2.0
 *
 * The ledger of what a run has missed: programs that could not be recorded, by name, and why.  An entry is an empty
 * file in the run's directory, because who executes a program may have no stream to write to (a child of vfork), and a
 * name is there once however often the program runs.
 *
 * Context: no system calls, no allocation: any.
 */
#ifndef TND_MISSED_H
#define TND_MISSED_H

#include <stdbool.h>
#include <stddef.h>

/* X(kind, key, what is wrong, what cures it).  The kinds from STATIC on are in the order of enum tnd_executable_kind.
 */
#define TND_MISSED_TABLE(X)                                                                                            \
    X(STATIC, "static", "linked statically, so that no library can be loaded",                                         \
      "link it dynamically, or sample it by tandem attach")                                                            \
    X(LIBC, "libc", "of another C library (musl), and what it started neither",                                        \
      "link it with glibc, or sample it by tandem attach")                                                             \
    X(BITS, "bits", "of 32 bits, and what it started neither", "compile it for 64, or sample it by tandem attach")     \
    X(MACHINE, "machine", "made for another processor, and what it started neither",                                   \
      "record it on a machine of that kind")                                                                           \
    X(PRIVILEGED, "privileged", "run with more rights than its user has (set-user-id)",                                \
      "run it as the user that it becomes")                                                                            \
    X(APART, "apart",                                                                                                  \
      "where tandem's library cannot be read (another root, a container), and what it started neither",                \
      "make the library's directory visible there, by the same path")                                                  \
    X(HEAP, "heap", "its heap, because a malloc in front of tandem's library (a sanitizer's) has all calls",           \
      "build it without")                                                                                              \
    X(SECCOMP, "seccomp", "what it did once it had given up calls of the kernel that recording needs (seccomp)",       \
      "sample it by tandem attach")                                                                                    \
    X(HANDLER, "handler", "its samples, because it took the sampling signal's handler behind the C library",           \
      "--sampling-clock itimer, which has another signal, or tandem attach")                                           \
    X(NARROW, "narrow", "samples of a thread while its alternate signal stack had no room for a signal",               \
      "make it of sysconf(_SC_SIGSTKSZ) bytes")                                                                        \
    X(SHELL, "shell", "what it started by system() or popen() with an environment of its own",                         \
      "leave LD_PRELOAD and TANDEM_RUN in it")                                                                         \
    X(ENVIRONMENT, "environment", "given an environment of its own with too many variables to add to",                 \
      "give it fewer, or LD_PRELOAD and TANDEM_RUN")

#define TND_MISSED_KIND(kind, key, what, cure) TND_MISSED_##kind,
enum tnd_missed { TND_MISSED_NONE, TND_MISSED_TABLE(TND_MISSED_KIND) TND_MISSED_KINDS };

#define TND_MISSED_NAME_MAX 256

/* The name of the file that says that a program was missed; program: its path, of which the last part is kept. */
void tnd_missed_file(enum tnd_missed kind, const char *program, char name[static TND_MISSED_NAME_MAX]);

/* The program's name in the name of such a file, and the kind; NULL: it is no such file. */
const char *tnd_missed_program(const char *file, enum tnd_missed *kind);

/* What is wrong with programs of that kind, and what cures it: parts of sentences. */
const char *tnd_missed_reason(enum tnd_missed kind);
const char *tnd_missed_cure(enum tnd_missed kind);

#endif
