/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The keys of a .cfg, of windows and of histograms, and what each sets.  Keys of the appearance only are in the tables,
 * too, so that a key in neither table is an unknown one.
 *
 * cfg_read.c splits the file into keys and values; cfg_write.c writes them.
 */
#ifndef TND_CFG_KEYS_H
#define TND_CFG_KEYS_H

#include "analysis/cfg/cfg.h"

/* A file that is being read. */
typedef struct {
    TndCfg *cfg;
    TndCfgWindow *window;       /* the last one; NULL: none yet */
    TndCfgHistogram *histogram; /* the last one; NULL: none yet */
    char *next_name;            /* name of the next window, which begins with the key of its type */
    guint n_extra_given;        /* extra tops whose parameters were read */
    const char *wrong;          /* what is wrong with the present line; NULL: nothing */
} TndCfgReading;

typedef struct {
    const char *key;
    void (*set)(TndCfgReading *reading, const char *value); /* NULL: of the appearance, or without effect in Paraver */
    gboolean begins;                                        /* begins a window or a histogram */
} TndCfgKey;

/* A value of window_color_mode. */
#define TND_CFG_KEYS_POINTS "window_in_punctual_mode"

/* Each table ends with a NULL key. */
extern const TndCfgKey tnd_cfg_keys_window[], tnd_cfg_keys_histogram[];

/* The names in a file of a TndLevel, the `unit` of a window, a TndFilterKind and a TndFilterFunction, and of the places
 * of compose functions from TND_PLACE_COMPOSE on.  NULL ends each. */
extern const char *const tnd_cfg_keys_levels[], *const tnd_cfg_keys_units[], *const tnd_cfg_keys_filters[],
                                                                                 *const tnd_cfg_keys_filter_functions[],
                                                                                     *const tnd_cfg_keys_composes[];

/* Parse values; if one is faulty, they set reading->wrong. */
double tnd_cfg_keys_number(TndCfgReading *reading, const char *text);
gboolean tnd_cfg_keys_truth(TndCfgReading *reading, const char *text);
gboolean tnd_cfg_keys_pair(TndCfgReading *reading, const char *text, double numbers[2]);

/* Parses "N v v v", N and then N numbers.  *rest: what follows.  FALSE: the text is something else. */
gboolean tnd_cfg_keys_numbers(const char *text, TndNumbers *numbers, const char **rest);

void tnd_cfg_keys_text(char **text, const char *value);

#endif
