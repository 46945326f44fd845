/* SPDX-License-Identifier: Apache-2.0
 *
 * How often a process called functions of a library, as it counts them in a file that it has mapped: a table with open
 * addressing, whose names stand behind it, each ending in 0.  `tandem wrap --check` has one made by each process
 * (intercept/library/library_audit.c) and reads it afterwards (cli/wrap_count.c), on the same machine.
 *
 * Context: layout only.
 */
#ifndef TND_CALL_COUNTS_H
#define TND_CALL_COUNTS_H

#include <stdatomic.h>
#include <stdint.h>

/* Environment variables: the directory where processes put the file, and the library, as --library takes it. */
#define TND_CALL_COUNTS_DIRECTORY "TANDEM_COUNT_DIRECTORY"
#define TND_CALL_COUNTS_LIBRARY "TANDEM_COUNT_LIBRARY"

enum { TND_CALL_COUNTS_FUNCTIONS = 1 << 17, TND_CALL_COUNTS_NAME_BYTES = 1 << 24 };

struct tnd_call_counts {
    _Atomic uint64_t n_bytes; /* of `names` in use; more than there are: functions are missing */
    struct tnd_call_count {
        _Atomic uint64_t name; /* its place in `names`, from 1; 0: this place is free */
        _Atomic uint64_t n;
    } of[TND_CALL_COUNTS_FUNCTIONS];
    char names[TND_CALL_COUNTS_NAME_BYTES + 1];
};

#endif
