/* SPDX-License-Identifier: Apache-2.0 */
/* directed.h: scripted corners of an atomic_merge. */
#ifndef ATOMIC_MERGE_DIRECTED_H
#define ATOMIC_MERGE_DIRECTED_H

#include "atomic_merge/env.h"

bool am_choose_directed(struct am_env *e, struct am_choice *c);

#endif
