/* SPDX-License-Identifier: Apache-2.0
 *
 * The wrapper of a program's `main` (--wrap=main), for programs that do not start the recording by themselves.
 *
 * Context: at start.
 */
#include "targets/gr740/tandem_board.h"

int __real_main(int argc, char **argv, char **environment);
int __wrap_main(int argc, char **argv, char **environment);

int __wrap_main(int argc, char **argv, char **environment)
{
    tandem_board_start();
    return __real_main(argc, argv, environment);
}
