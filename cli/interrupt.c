/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Signals that cancel long work.  A second signal ends the process at once.
 */
#include "cli/interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction before[G_N_ELEMENTS(signals)];

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    interrupted = number;
}

void tnd_interrupt_begin(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    for (gsize i = 0; i < G_N_ELEMENTS(signals); i++) {
        sigaction(signals[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

gboolean tnd_interrupt_has_come(void)
{
    return interrupted != 0;
}

void tnd_interrupt_end(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(signals); i++)
        sigaction(signals[i], &before[i], NULL);
}

void tnd_interrupt_forget(void)
{
    interrupted = 0;
}

void tnd_interrupt_die(void)
{
    if (interrupted)
        raise(interrupted);
}

void tnd_interrupt_die_as(int number)
{
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    fflush(stdout);
    prctl(PR_SET_DUMPABLE, 0);
    signal(number, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
}
