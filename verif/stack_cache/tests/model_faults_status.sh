#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 600
# Faults planted in what STATUS adds to the model, without RTL: halt, flush, reset, context. What the golden model finds.
. verif/tests/lib.sh
block=stack_cache PLANTED_SECONDS=60
small="THREADS=3 ENTRIES=4 SET=2 ENTRY_W=17 INFLIGHT=2 STATUS=one_hot"
# shellcheck disable=SC2034
runs=("400000 1 random:halts $small" "400000 2 random:halt_often $small" "4000000 1 directed:nack $small"
      "4000000 1 directed:context_refused $small" "4000000 1 directed:context_broken $small" "4000000 1 directed:flush_refused $small"
      "4000000 1 directed:registers_kept $small" "4000000 1 directed:unit_reset $small"
      "400000 1 random:halts THREADS=8 ENTRIES=8 SET=2 ENTRY_W=17 STATUS=binary")
m=model.c e=engine.c g=registers.c u=unit.c

try "faults of STATUS: the sound model passes without RTL" "[SC-13]" -- passes
seen "an operation in the first cycle of a halt" SC-13 "can_go_o is 1" $u 's/shut = in\[u->shell.status_at.halt\] || /shut = /'
seen "operations go on in a flush" SC-13 "a flush|a reset|by halves|taken|expected|does not hold" $u 's/u->shell.closed || u->flush || sc_loads/u->shell.closed || sc_loads/'
seen "halted before the flush is over" SC-13 "does not hold|halted with|while halted|accesses are under way|takes a cycle" $u 's/u->flushed = halt \&\& (u->flushed || ends)/u->flushed = halt \&\& u->idle/'
seen "a flush ends before its writes are answered" SC-13 "a flush ends|halted with|accesses are under way" $u 's/ends = u->fin \&\& u->idle/ends = u->fin/'
seen "a flush leaves the last dirty set" SC-13 "does not hold" $e 's/l->spill = may \&\& t->nd;/l->spill = may \&\& t->nd > 1;/; s/l->dirty = t->nd \&\& /l->dirty = t->nd > 1 \&\& /'
seen "spills and restores begin under a halt" SC-13 "is read under a halt|not halted|a flush takes|does nothing|does not hold" $u 's/u->hold = (u->closed_1 || u->flush)/u->hold = m->u.scan/'
seen "a part of a set is written whole" SC-13 "a part of it" $m 's/m->req_bytes > from ? m->req_bytes - from : 0/bytes/'
seen "a flush that visits a thread forty times" SC-13 "a flush takes|not halted|does nothing" $e 's/^  if (++l->scan < m->l.threads) return;/  static unsigned n;\n  if (m->u.scan \&\& ++n % 40) return;\n&/'
seen "a flush is ordered while halted" SC-13 "is done|reg_rsp_error_o" $g 's/return !m->u.shell.fsm.halt_req \&\& .*/return true;/'
seen "a reset leaves the stacks" SC-13 "expected" $u 's/^    memset(m->thread, 0, m->l.threads .*//'
seen "a reset leaves the errors" SC-13 "ERROR|nack_o|of register 0x030" $u 's/  if (u->clear) sc_errors_clear(m);//'
seen "an error from before a reset is recorded" SC-13 "ERROR|nack_o" $e 's/if (m->u.clear | m->u.shell.clearing) return;//'
seen "a reset ends with accesses under way" SC-13 "used again|not answered|expected|under way|halted" $u 's/    *!m->under_way \&\& !u->walks/ !u->walks/'
seen "a refused load changes run-time registers" SC-13 "reads 0x|says 0x|that of no set" $u 's/^  if (u->shell.port.r.commit) sc_registers_commit/  if (comes) sc_registers_commit/'
seen "a count above MAX_DEPTH is loaded" SC-13 "ends with error" $u 's/(word \& 0x7fffffff) <= m->l.max_depth/true/'
seen "a context that ends early is loaded" SC-13 "ends with error" $u 's/ || u->shell.to.ld_last != is_last(m)//'
seen "a loaded fault is lost" SC-13 "with fault|expected|another stream|nothing need be moved" $u 's/, .fault = m->u.shell.port.r.word >> 31//'
seen "a loaded stack is an entry short" SC-13 "expected|another stream|in which nothing need be moved|no restore of it is due" $u 's/.count = count, /.count = count - (count > 1), /'
seen "a loaded base is the old one" SC-13 "expected|says 0x|reads 0x|another stream|that of no set" $g 's/  r->base = from->base;//'
seen "an error that is loaded is not reported" SC-13 "nack_o" $u 's/says.nack_load = m->r_.error_valid/says.nack_load = false/'
exit $failed
