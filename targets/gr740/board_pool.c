/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime's memory, for programs that do not define it by themselves: enough for 8 threads with buffers of 64 KiB
 * and samples.
 *
 * Context: any.
 */
#include "targets/gr740/board.h"

char tandem_pool[1 << 20] __attribute__((aligned(8)));
const size_t tandem_pool_bytes = sizeof tandem_pool;
