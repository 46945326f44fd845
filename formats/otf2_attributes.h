/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers of the attributes that tandem gives to events of OTF2 archives: what such events have no place for.
 *
 * Context: data only, no functions.
 */
#ifndef TND_OTF2_ATTRIBUTES_H
#define TND_OTF2_ATTRIBUTES_H

/* Who wrote an archive with these attributes. */
#define TND_OTF2_CREATOR "tandem"

enum { TND_OTF2_PHYSICAL_SEND, TND_OTF2_RECEIVE_POSTED, TND_OTF2_PHYSICAL_RECEIVE, TND_OTF2_SAMPLE_WEIGHT };

#endif
