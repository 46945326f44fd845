/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two small files of a merged trace: labels of events (.pcf), names of rows (.row).
 */
#ifndef TND_MERGE_LABELS_H
#define TND_MERGE_LABELS_H

#include "analysis/merge/base/merge_model.h"
#include "formats/pcf.h"

/* After the write pass, by which the types of events are known.  Free with tnd_pcf_free, tnd_row_free. */
struct tnd_pcf *tnd_merge_labels_pcf(const TndMerge *merge);
struct tnd_row *tnd_merge_labels_row(const TndMerge *merge);

#endif
