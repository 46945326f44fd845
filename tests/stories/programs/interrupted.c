/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions one after another, and a handler that has an event each time, wherever it comes: mostly while what records
 * reads counters.  With "jump" it leaves by a jump every seventh time.  Ends after so many signals; prints how many
 * came.
 *
 *     interrupted SIGNALS [jump]
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <tandem.h>

static volatile sig_atomic_t n_signals;
static sigjmp_buf again;
static int jumps;

static void handle(int number)
{
    tandem_event(1234567, 1);
    if (++n_signals % 7 == 0 && jumps)
        siglongjmp(again, 1);
}

int main(int argc, char **argv)
{
    int enough = atoi(argv[1]);
    jumps = argc > 2;
    tandem_region region = tandem_region_register("region");
    tandem_region_begin(region);
    tandem_region_end(region);
    signal(SIGALRM, handle);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 200}, {0, 200}}, NULL);
    sigsetjmp(again, 1);
    while (n_signals < enough) {
        tandem_region_begin(region);
        tandem_region_end(region);
    }
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    printf("%d\n", (int)n_signals);
    return 0;
}
