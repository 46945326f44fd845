/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The keys that a .cfg can have, those of windows and those of histograms, and what each sets.  Those that are of looks
 * alone stand in the tables too, so that a key that is in neither is known to be a stranger.
 *
 * What it is not: how a file is cut into keys and values (cfg_read.c).  For that, and the tables.
 */
#ifndef TND_CFG_KEYS_H
#define TND_CFG_KEYS_H

#include "analysis/cfg/cfg.h"

/* While a file is read. */
typedef struct {
    TndCfg *cfg;
    TndCfgWindow *window;       /* the last, NULL: none yet */
    TndCfgHistogram *histogram; /* likewise */
    char *next_name;            /* of the window that begins with its type */
    guint n_extra_given;        /* extra tops whose numbers were read */
    const char *wrong;          /* with the present line */
} TndCfgReading;

typedef struct {
    const char *key;
    void (*set)(TndCfgReading *reading, const char *value); /* NULL: of looks, or without effect in Paraver too */
    gboolean begins;                                        /* what the other keys belong to */
} TndCfgKey;

/* Each ends with a NULL key. */
extern const TndCfgKey tnd_cfg_keys_window[], tnd_cfg_keys_histogram[];

/* What a value says; what is wrong with it goes to reading->wrong. */
double tnd_cfg_keys_number(TndCfgReading *reading, const char *text);
gboolean tnd_cfg_keys_truth(TndCfgReading *reading, const char *text);
gboolean tnd_cfg_keys_pair(TndCfgReading *reading, const char *text, double numbers[2]);

/* "N v v v": N numbers, what follows them in *rest. */
gboolean tnd_cfg_keys_numbers(const char *text, TndNumbers *numbers, const char **rest);

void tnd_cfg_keys_text(char **text, const char *value);

#endif
