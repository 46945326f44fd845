/* SPDX-License-Identifier: Apache-2.0
 *
 * The settings of a recording as one table: the library reads them from the environment (runtime/config.h), the command
 * makes its options and its manual from them.
 *
 * Context: any.
 */
#ifndef TND_SETTING_H
#define TND_SETTING_H

#include "formats/value.h"

/* Default and bounds of a thread's ring: a board has little memory. */
#ifdef TND_BOARD
#define TND_SETTING_BUFFER "64k"
#define TND_SETTING_BUFFER_TAKES "8k to 64M"
#else
#define TND_SETTING_BUFFER "256k"
#define TND_SETTING_BUFFER_TAKES "64k to 64M"
#endif

/*
 * TND_SETTING_TABLE(X): X(kind, field, name, also, default, takes, help)
 *   kind      period, size, number, flag, text or list: formats/value.h reads each
 *   field     its name in C
 *   name      the option is "--" name, the variable TANDEM_ and the name in capitals with _ for -
 *   also      a second variable with the same meaning, or ""
 *   default   as the user would type it
 *   takes     which values it takes, for messages, help and the check: see formats/value.h
 *   help      what it is, in a few words
 */
#define TND_SETTING_TABLE(X)                                                                                           \
    X(period, sampling_period_ns, "sampling-period", "SAMPLING_PERIOD", "0", "500us, 1ms, 0.5s; 0: no sampling",       \
      "CPU time between two samples of a thread; tandem record: 10ms")                                                 \
    X(text, sampling_clock, "sampling-clock", "", "auto", "auto|perf|real|cpu|itimer|fake|perf:EVENT@N|papi:EVENT@N",  \
      "what the sampling period is counted in: real: a timer, corrected for the time in which the thread does not "    \
      "run; perf: perf_event of its CPU time; cpu: CPU-time timer; itimer: one for the process; fake: no clock, "      \
      "tests ask; auto: real; perf:EVENT@N, papi:EVENT@N: no period, but every N counts of a counter")                 \
    X(number, sampling_share, "sampling-share", "", "5", "1 to 50",                                                    \
      "percent of a thread's time that samples take at most; a period that would make them take more is raised")       \
    X(number, sampling_depth, "sampling-depth", "", "100", "0 to 128",                                                 \
      "frames kept of a sample's stack; 0: none, not even where")                                                      \
    X(text, unwind, "unwind", "", "auto", "auto|fp|tables|none|libunwind",                                             \
      "how a sample's stack is walked: fp: frame pointers; tables: unwind tables; none: only where; libunwind: "       \
      "tables, and callers of MPI calls by that library")                                                              \
    X(size, buffer_bytes, "buffer", "", TND_SETTING_BUFFER, TND_SETTING_BUFFER_TAKES,                                  \
      "ring of a thread, written out when full")                                                                       \
    X(text, output, "output", "", "", "a file's name, x.prv", "the trace; default: the program's name, beside you")    \
    X(text, local_directory, "local-directory", "", "", "a directory of the node's own",                               \
      "where the run directory is while ranks run; that of other nodes is brought together in MPI_Finalize")           \
    X(flag, force, "force", "", "0", "0|1", "overwrite an existing trace")                                             \
    X(flag, keep, "keep", "", "0", "0|1", "keep the run directory after the merge")                                    \
    X(flag, merge, "merge", "", "1", "0|1", "make the trace when the run ends")                                        \
    X(number, callers, "callers", "", "0", "0 to 99",                                                                  \
      "levels of callers kept of every MPI call, with function and line; 0: none")                                     \
    X(flag, openmp, "openmp", "", "1", "0|1", "record OpenMP")                                                         \
    X(list, openmp_functions, "openmp-functions", "", "", "patterns, separated by commas",                             \
      "of OpenMP, only parallel regions and such constructs: barrier,task*")                                           \
    X(list, openmp_exclude, "openmp-exclude", "", "", "patterns, separated by commas",                                 \
      "constructs of OpenMP that are not recorded: chunk,lock")                                                        \
    X(flag, task_creation, "task-creation", "", "0", "0|1",                                                            \
      "draw lines from where a task of OpenMP was made to where it began, too")                                        \
    X(text, pthread, "pthread", "", "waits", "none|waits|all",                                                         \
      "calls of threads that are recorded: waits: threads made and ended, condition variables, barriers, and locks "   \
      "and semaphores that were not free; all: those that were, too, and unlocks and signals")                         \
    X(list, pthread_functions, "pthread-functions", "", "", "patterns, separated by commas",                           \
      "of these, only calls with such names: pthread_barrier_wait,pthread_cond_*")                                     \
    X(list, pthread_exclude, "pthread-exclude", "", "", "patterns, separated by commas",                               \
      "of these, calls that are not recorded: pthread_mutex_lock,sem_*")                                               \
    X(text, python, "python", "", "none", "none, all, auto or a file of names",                                        \
      "functions of Python that are recorded: auto: all but those that turn out too short to be worth it; a file: "    \
      "the names in it, module.function, one a line, * and ? for more; samples know them all in any case")             \
    X(list, python_exclude, "python-exclude", "", "", "patterns, separated by commas",                                 \
      "functions of Python that are not, by names with * and ?: importlib.*")                                          \
    X(flag, python_c_calls, "python-c-calls", "", "0", "0|1",                                                          \
      "record functions of C that Python calls, too: builtins.len, math.sqrt, those of extensions")                    \
    X(flag, mpi, "mpi", "", "1", "0|1", "record MPI calls")                                                            \
    X(text, mpi_local, "mpi-local", "", "counted", "all|counted",                                                      \
      "calls that only ask the own process, as MPI_Wtime and MPI_Comm_rank; counted: those that take less than 1 us "  \
      "are counted instead of recorded")                                                                               \
    X(list, mpi_functions, "mpi-functions", "", "", "patterns, separated by commas",                                   \
      "only MPI calls with such names are recorded: MPI_Send,MPI_*reduce*; the others are as if excluded")             \
    X(list, mpi_exclude, "mpi-exclude", "", "", "patterns, separated by commas",                                       \
      "MPI calls that are not recorded: MPI_Iprobe,MPI_Test*; of those that test, the ones that found something are")  \
    X(text, mpi_library, "mpi-library", "", "auto", "auto|openmpi|mpich",                                              \
      "which MPI to record; auto: the one that the command links, else its launcher's, else Open MPI")                 \
    X(list, library, "library", "", "", "names, sonames or paths, with * and ?, separated by commas",                  \
      "libraries whose exported functions are recorded, where they are called from outside")                           \
    X(list, library_functions, "library-functions", "", "", "patterns, separated by commas",                           \
      "of these libraries, only functions with such names: fftwf_execute*,QWidget::*")                                 \
    X(list, library_exclude, "library-exclude", "", "", "patterns, separated by commas",                               \
      "functions of these libraries that are not recorded")                                                            \
    X(text, library_short, "library-short", "", "counted", "all|counted",                                              \
      "calls of functions that turn out to take less than 1 us; counted: after the first thousand of a function they " \
      "are counted instead of recorded")                                                                               \
    X(flag, library_internal, "library-internal", "", "0", "0|1",                                                      \
      "record calls between a library's own functions, too, where they go through its table of functions")             \
    X(flag, library_dlsym, "library-dlsym", "", "0", "0|1",                                                            \
      "record calls of functions of these libraries that the program looks up by dlsym, too")                          \
    X(list, library_values, "library-values", "", "", "functions with their values, separated by commas; none",        \
      "arguments and results that are recorded: 'fftwf_plan_many_dft(rank,n) *->return'; default: those that the "     \
      "libraries' descriptions choose; none: none")                                                                    \
    X(text, library_default, "library-default", "", "", "set by tandem",                                               \
      "functions that are recorded of libraries whose descriptions choose some")                                       \
    X(text, library_plan, "library-plan", "", "", "set by tandem", "where these arguments and results are")            \
    X(flag, stack, "stack", "", "0", "0|1",                                                                            \
      "record how deep each thread is in its stack, at samples, regions and calls, and how much of it was ever used")  \
    X(list, counters, "counters", "", "", "names, separated by commas; / between sets, which may end in @TIME",        \
      "counters that are read of each thread: PAPI's presets and natives, and the kernel's: task-clock, page-faults, " \
      "context-switches, cpu-migrations, instructions, cycles, ...; A,B@100ms/C,D@1s: sets that take turns")           \
    X(list, counters_at, "counters-at", "", "mpi,openmp,pthread,regions,samples",                                      \
      "some of mpi, openmp, pthread, regions, samples, python",                                                        \
      "where counters are read: at enter and leave of these")                                                          \
    X(text, heap, "heap", "", "none", "none|values|sites|leaks|calls",                                                 \
      "record the heap: values: bytes that are live, and how often is allocated; sites: and who has them, by a "       \
      "sample of the blocks; leaks: by all of them, so that what was never freed is listed to the byte; calls: as "    \
      "sites, and each call")                                                                                          \
    X(period, heap_period_ns, "heap-period", "", "10ms", "1ms, 0.1s; 0: no limit",                                     \
      "time between two values of the heap, on average at least")                                                      \
    X(size, heap_sample_bytes, "heap-sample", "", "512k", "1k to 1G",                                                  \
      "bytes allocated to one block whose site is kept, on average")                                                   \
    X(size, heap_threshold_bytes, "heap-threshold", "", "0", "0 to 1G",                                                \
      "with --heap calls, size from which a call is recorded")                                                         \
    X(flag, heap_python, "heap-python", "", "0", "0|1",                                                                \
      "with --heap, each object of Python's is in it: memory that Python shares out by itself comes from malloc then") \
    X(list, sensors, "sensors", "", "none", "some of temperature, power, other, process, numa, all, none",             \
      "sensors that are read: other: fans, voltages, currents; process: memory, faults, switches, bytes of the "       \
      "process; numa: pages of NUMA nodes")                                                                            \
    X(period, sensors_period_ns, "sensors-period", "", "100ms", "1ms to 3600s", "time between two readings of them")   \
    X(text, power_model, "power-model", "", "", "a table of milliwatts",                                               \
      "with sensors: compute the node's power by it from how busy its CPUs are")                                       \
    X(text, sysfs_root, "sysfs-root", "", "", "a directory",                                                           \
      "read the kernel's files of sensors below it, for tests; default: the machine's own")                            \
    X(flag, record, "record", "", "1", "0|1", "record before the first tandem_on()")                                   \
    X(text, run, "run", "", "", "set by tandem", "run directory that this process belongs to")

#endif
