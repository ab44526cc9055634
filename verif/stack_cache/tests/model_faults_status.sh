#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# rotate: 3
# timeout: 600
# Faults planted in what STATUS adds to the model, without RTL: halt, flush, reset, context. What the golden model finds.
. verif/tests/lib.sh
block=stack_cache PLANTED_SECONDS=60
small="THREADS=3 ENTRIES=4 SET=2 ENTRY_W=17 INFLIGHT=2 STATUS=one_hot"
# shellcheck disable=SC2034
runs=("400000 1 random:halts $small" "400000 2 random:halt_often $small" "4000000 1 directed:nack $small"
      "4000000 1 directed:context_refused $small" "4000000 1 directed:context_broken $small" "4000000 1 directed:flush_refused $small"
      "4000000 1 directed:registers_kept $small" "4000000 1 directed:unit_reset $small"
      "4000000 1 directed:halt_keeps $small" "4000000 1 directed:entries_refused $small" "4000000 1 directed:halt_in_hand $small"
      "400000 1 random:halts THREADS=8 ENTRIES=8 SET=2 ENTRY_W=17 STATUS=binary")
m=model.c e=engine.c g=registers.c u=unit.c

always try "faults of STATUS: the sound model passes without RTL" "[SC-13]" -- passes
seen "an operation in the first cycle of a halt" SC-13 "can_go_o is 1" $u 's/shut = in\[u->shell.status_at.halt\] || /shut = /'
seen "operations go on in a flush" SC-13 "a flush|a reset|by halves|taken|expected|does not hold" $u 's/u->shell.closed || u->flush || sc_loads/u->shell.closed || sc_loads/'
seen "halted before the flush is over" SC-13 "does not hold|halted with|while halted|accesses are under way|takes a cycle" $u 's/u->ready = halt \&\& (u->ready || flushed || stopped)/u->ready = halt \&\& u->idle/'
seen "a flush ends before its writes are answered" SC-13 "a flush ends|halted with|accesses are under way" $u 's/ends = u->fin \&\& u->idle/ends = u->fin/'
seen "a flush leaves the last dirty set" SC-13 "does not hold" $e 's/l->spill = may \&\& t->nd;/l->spill = may \&\& t->nd > 1;/; s/l->dirty = t->nd \&\& /l->dirty = t->nd > 1 \&\& /'
seen "spills and restores begin under a halt" SC-13 "is read under a halt|not halted|a flush takes|does nothing|does not hold" $u 's/u->hold = (u->was_closed || u->flush)/u->hold = m->u.scan/'
seen "a part of a set is written whole" SC-13 "a part of it" $m 's/m->req_bytes > from ? m->req_bytes - from : 0/bytes/'
seen "a flush that visits a thread forty times" SC-13 "a flush takes|not halted|does nothing" $e 's/^  if (++l->scan < m->l.threads) return;/  static unsigned n;\n  if (m->u.scan \&\& ++n % 40) return;\n&/'
seen "a flush is ordered while halted" SC-13 "is done|reg_rsp_error_o" $g 's/return !m->u.shell.fsm.halt_req \&\& .*/return true;/'
seen "a reset leaves the stacks" SC-13 "expected|other content" $u 's/^    memset(m->thread, 0, m->l.threads .*//'
seen "a reset leaves the errors" SC-13 "ERROR|nack_o|of register 0x030" $u 's/  if (u->clear) sc_errors_clear(m);//'
seen "an error from before a reset is recorded" SC-13 "ERROR|nack_o" $e 's/if (m->u.clear | m->u.shell.clearing) return;//'
seen "a reset ends with accesses under way" SC-13 "used again|not answered|expected|under way|halted" $u 's/    *!m->under_way \&\& !u->walks/ !u->walks/'
seen "a refused load changes run-time registers" SC-13 "reads 0x|says 0x|that of no set|expected one of" $u 's/^  if (u->shell.port.r.commit) sc_registers_commit/  if (comes) sc_registers_commit/'
seen "a count above MAX_DEPTH is loaded" SC-13 "ends with error" $u 's/return field(word, 0, SC_HEAD_BURST) <= m->l.max_depth/return true/'
seen "a context that ends early is loaded" SC-13 "ends with error" $u 's/ || u->shell.to.ld_last != is_last(m)//'
seen "a loaded fault is lost" SC-13 "with fault|the faulted thread|expected|another stream|nothing need be moved" $u 's/, .fault = word >> SC_HEAD_FAULT//'
seen "a loaded stack is an entry short" SC-13 "expected|another stream|in which nothing need be moved|no restore of it is due" $u 's/.count = field(word, 0, m->l.count_w), /.count = field(word, 0, m->l.count_w) - ((word \& 0xffff) > 1), /'
seen "a loaded base is the old one" SC-13 "expected|says 0x|reads 0x|another stream|that of no set" $g 's/  r->base = from->base;//'
seen "an error that is loaded is not reported" SC-13 "nack_o" $u 's/says.nack_load = m->r_.error_valid/says.nack_load = false/'
seen "a halt without a flush begins one" SC-13 "no spill is due|without entries|other content|not halted in" $u 's/(halt \&\& !keeps \&\& !u->ready/(halt \&\& !u->ready/'
seen "a halt without a flush is slow" SC-13 "not halted in" $u 's/^  const bool keeps = u->keeps, stopped = keeps/  static unsigned n;\n  n = u->idle ? n + 1 : 0;\n  const bool keeps = u->keeps, stopped = n > 40 \&\& keeps/'
seen "a halt does not wait for what is in hand" SC-13 "halted with|while halted|not answered|expected" $u 's/stopped = keeps \&\& u->idle/stopped = keeps/'
seen "dirty sets are saved as clean" SC-13 "clean sets" $u 's/    return t->nd | (uint32_t)t->nv/    return 0 | (uint32_t)t->nv/'
seen "sets on chip are saved as if they were not" SC-13 "which is on chip|in slot" $u 's/ | (uint32_t)t->nv << SC_STATE_NV/ | (uint32_t)(t->nv > t->nd ? t->nv - 1 : t->nv) << SC_STATE_NV/'
seen "an entry is saved that the stack does not have" SC-13 "in slot" $u 's/ \&\& !(below == 0 \&\& pos \&\& place >= pos)//'
seen "an entry is not saved" SC-13 "in slot" $u 's/    if (valid) memcpy(/    if (valid \&\& part) memcpy(/'
seen "an entry is not loaded" SC-13 "expected|in slot|other content|another stream" $u 's/^    memcpy(to, \&word, bytes_of_part(m, part));//'
seen "dirty sets are loaded as clean" SC-13 "expected|another stream|clean sets|does not hold|of memory apart" $u 's/^  t->nd = .*/  t->nd = 0;/'
seen "more dirty sets than sets are loaded" SC-13 "ends with error" $u 's/return t->nd <= t->nv \&\& low/return low/'
seen "sets below the bottom are loaded" SC-13 "ends with error" $u 's/ \&\& low <= (unsigned)sc_end(m, t->count)//'
seen "more sets than fit are loaded" SC-13 "ends with error" $u 's/ \&\& low <= m->l.nsets//'
seen "a word of no entry is loaded" SC-13 "ends with error" $u 's/if ((!valid \&\& word) ||/if (/'
seen "bits above an entry are loaded" SC-13 "ends with error" $u 's/ || (bits < 32 \&\& word >> bits))/)/'
seen "a burst without thresholds is loaded" SC-13 "ends with error" $u 's/: field(word, SC_HEAD_BURST, 10) != 0) return false/: 0) return false/'
seen "HALT_FLUSH is not loaded" SC-13 "says 0x|reads 0x|another stream|other content|no spill is due" $g 's/  r->halt_flush = from->halt_flush;//'
exit $failed
