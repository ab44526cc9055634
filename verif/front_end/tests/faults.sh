#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 200
# Faults planted in the models of the parts, without RTL: what the golden model of contexts finds. (The RTL is compared
# with the model in lockstep, so a fault in both looks the same.)
. verif/tests/lib.sh
EDIT=-E block=front_end PLANTED_SECONDS=60
runs=("60000 1 random UNITS=4" "100000 2 random UNITS=6 COMMANDS=unit DOMAINS=2 LOCAL_CONTEXTS=2 LOCAL_WORDS=16")

always try "the sound models pass without RTL" "[US-8 US-9]" -- passes
seen "images of two units in one place" "US-8 US-9" "not what bank|does not hold|nothing was wrong" context_hub/model.c 's/\(uint64_t\)s->unit << m->l.stride_lg/(uint64_t)(s->unit \& ~1u) << m->l.stride_lg/'
seen "a restore from where was saved" "US-8 US-9" "not what bank|does not hold|nothing was wrong" front_end_monitor/walk.c 's/n->load \? m->s.regs.of\[i\].load : m->s.regs.of\[i\].save;/m->s.regs.of[i].save;/'
seen "a memory error in a store is not told" "US-8 US-9" "does not hold|nothing was wrong|not what bank" context_hub/model.c 's/return s->failed \? SIMT_CONTEXT_BAD_MEMORY/return s->failed \&\& s->load ? SIMT_CONTEXT_BAD_MEMORY/'
seen "a unit that is never reset" "US-8 US-9" "was saved" status_tree/model.c 's/one \? m->t.units : c->members\);/(one ? m->t.units : c->members) - (k == 1));/'
seen "a slot with a wrong length" "US-8 US-9" "nothing was wrong|does not hold" context_hub/model.c 's/m->stored\[place\(m\)\] = s->at;/m->stored[place(m)] = 7;/'
seen "every restore fails" "US-8 US-9" "nothing was wrong" context_hub/model.c 's/^  if \(in\[m->p.rsp_error\]\) s->failed = true;/  s->failed = s->load;/'
exit $failed
