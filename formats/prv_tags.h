/* SPDX-License-Identifier: Apache-2.0
 *
 * Tags of the communication lines of a trace that are no messages but tasks of OpenMP.  The size of such a line is the
 * number of the task that it leads to.
 *
 * Context: data only, no functions.
 */
#ifndef TND_PRV_TAGS_H
#define TND_PRV_TAGS_H

#define TND_PRV_TAG_CREATION 60000000   /* from where the task was made to its begin; Extrae's number */
#define TND_PRV_TAG_DEPENDENCE 60000001 /* from where a task that it waited for was complete to its begin */
#define TND_PRV_TAG_FULFILMENT 60000002 /* of a detached task: from its end to where it was complete */

#endif
