#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 600
# Faults planted in the RTL, in the model, and in both alike, which only the golden model can see. Each is found. The faults of
# both are those that the source leaves open and the block's page counts.
. verif/tests/lib.sh
rtl=rtl_templates/const_cache model=cmodel/const_cache
small=(const_cache -q -p CONSTANTS=100 -p L1_ENTRIES=16 -p L2_ENTRIES=16 -p BACKUP_ENTRIES=16 -p BACKUP_WAYS=1 -p CODE_FACTOR=2 -p GEN_W=2 --seed 1 --cycles 400000)
golden='^GOLDEN MODEL: ' mismatch='^(MISMATCH|GOLDEN MODEL|STUCK): '

try "RTL: a fill of an error is kept" "[CC-15]" -- found "$mismatch" $rtl/const_l1.v \
  's/arrives \&\& !ans_error_i \&\&/arrives \&\&/' -- "${small[@]}"
try "RTL: the sweep clears a row of the present generation" "[CC-3]" -- found "$mismatch" $rtl/const_l1.v \
  's/(!p2_same_gen || (pass_launders_q/(1'"'"'b1 || (pass_launders_q/; s/cleans = p2_same_gen/cleans = 1'"'"'b0/' -- "${small[@]}"
try "model: a version begins at every write" "[CC-10]" -- found "$mismatch" $model/controller.c \
  's/else if (w->writes) k->dispatched = false;/(void)0;/' -- "${small[@]}"
old() { # an item reads what was written after it
  found "$golden" $rtl/const_l2.v 's/save = writes \&\& needed;/save = 1'"'"'b0;/' $model/l2.c 's/w->save = w->writes \&\& w->needed;/w->save = false;/' -- "${small[@]}"
}
try "both: the old word is not saved" "[CC-2 CC-10]" -- old
keeps() { # the L1 of an SM whose version is old is not emptied when it completes
  found "$golden" $rtl/const_controller.v 's/hold_q | (completes \& stale)/hold_q/' $model/controller.c 's/k->hold | (w->completes \& stale)/k->hold/' -- "${small[@]}"
}
try "both: an L1 of an old version is not emptied" "[CC-10]" -- keeps
again() { # a code is free while entries still have its bit
  found "$golden" $rtl/const_controller.v 's/scan_taken_i \&\& !urgent_q \&\& \&scan_set_q) drain/scan_taken_i) drain/; s/scan_taken_i \&\& !urgent_q \&\& \&scan_set_q) scan_q/scan_taken_i) scan_q/' \
    $model/controller.c 's/ends = mine \&\& k->scan_set == m->l.sets - 1/ends = w->scan_taken/' -- "${small[@]}"
}
try "both: a code is given again before the scan is through" "[CC-11]" -- again
early() { # completion with a read under way
  found "$golden" $rtl/const_l1.v 's/quiet_o <= !clear_q \&\& reads_d == .*/quiet_o <= !clear_q;/' $model/l1.c 's/!clear \&\& !reads_d)/!clear)/' -- "${small[@]}"
}
try "both: an SM completes with a read unanswered" "[CC-1]" -- early
clean() { # a written word is not written back
  found "$golden" $rtl/const_l2.v 's/s6_data_q <= {!(is_walk \&\& s5_error_q), writes,/s6_data_q <= {!(is_walk \&\& s5_error_q), 1'"'"'b0,/' \
    $model/l2.c 's/op->addr \/ m->l.l2_rows, true, w->writes}/op->addr \/ m->l.l2_rows, true, false}/' -- "${small[@]}"
}
try "both: a written word is not written back" "[CC-3]" -- clean
waits() { # protocol shared: a write takes effect beside active SMs
  found "$golden" $rtl/const_l2.v 's/SHARED != 0 \&\& any_active_i;/1'"'"'b0;/' $rtl/const_controller.v 's/SHARED != 0 \&\& DROP_REPEATS == 0 \&\& any_active_o;/1'"'"'b0;/' \
    $model/l2.c 's/blocked = m->l.protocol == CC_SHARED \&\& k->active_any/blocked = false/' $model/controller.c 's/m->l.protocol == CC_SHARED \&\& !m/m->l.protocol > CC_SHARED \&\& !m/' -- \
    const_cache -q -p PROTOCOL=shared --seed 1 --cycles 400000
}
try "both: protocol shared does not wait for active SMs" "[CC-13]" -- waits
word() { # the first word of a line is read in place of the one that was asked for
  found "$golden" $rtl/const_l1.v 's/p1_off_q <= rd_off;/p1_off_q <= 2'"'"'d0;/' $model/l1.c 's/\.word = held\[take ? addr \& (entries \* words - 1) : 0\]/.word = held[take ? addr \& (entries * words - 1) \& ~(words - 1) : 0]/; s/slot->addr & (words - 1)\]/0]/' -- \
    const_cache -q -p WRITE_WORDS=4 --seed 1 --cycles 400000
}
try "both: reads look at the first word of a line" "[CC-2 CC-3]" -- word
unaligned() { # a write that is not aligned goes to its line
  found "$golden" $rtl/const_cache_core.v 's/assign unaligned = |cmd_addr_i.*/assign unaligned = 1'"'"'b0;/' $model/controller.c 's/ || in\[at->cmd_addr\] & (m->l.words - 1)//' -- \
    const_cache -q -p WRITE_WORDS=4 --seed 1 --cycles 400000
}
try "both: a write that is not aligned is taken" "[CC-15]" -- unaligned
exit $failed
