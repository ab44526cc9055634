#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 4
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
  found "$golden" $rtl/const_l2.v 's/{!(is_walk \&\& s5_error_q), writes,/{!(is_walk \&\& s5_error_q), 1'"'"'b0,/' \
    $model/l2.c 's/op->addr >> m->l2_shift, true, w->writes}/op->addr >> m->l2_shift, true, false}/' -- "${small[@]}"
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
halted=("${small[@]:0:${#small[@]}-4}" -p STATUS=one_hot --stimulus random:halts)
halts=("${halted[@]}" --seed 1 --cycles 400000)
waiting() { # halted although memory has to answer
  found "$golden" $rtl/const_cache_core.v 's/!moves \&\& l2_idle \&\& \&quiet/!moves \&\& \&quiet/' $model/unit.c 's/!before->signals.proc \&\& !before->signals.mem \&\& before->quiet/!before->signals.proc \&\& before->quiet/' -- "${halts[@]}"
}
try "both: halted with an access to memory under way" "[CC-14 US-4]" -- waiting
unread() { # halted although an SM waits for an answer
  found "$golden" $rtl/const_cache_core.v 's/ \&\& \&quiet \&\& rest/ \&\& rest/; s/wire leaves = |rsp_valid/wire leaves = |quiet || |rsp_valid/' $model/unit.c 's/ && before->quiet && u->rest/ \&\& u->rest/; s/bool any = m->s->k.work/bool any = m->s->quiet || m->s->k.work/' -- "${halts[@]}"
}
try "both: halted with a read unanswered" "[CC-14 US-5]" -- unread
given() { # a command takes effect while halted
  found "$golden" $rtl/const_cache_core.v 's/.cmd_valid_i(op_valid \&\& !closed)/.cmd_valid_i(op_valid)/' $model/controller.c 's/w->op_valid = open \&\& (/w->op_valid = (/' -- "${halts[@]}"
}
try "both: commands go on under a halt request" "[CC-14 US-5 US-14]" -- given
announced() { # OUTPUT EDITS...: what has no ready leaves although nobody may hear it any more
  local output=$1
  shift
  found "$golden.*$output announces something" "$@" -- "${halts[@]/random:halts/random:halt_often}"
}
try "both: a work item is given behind a halt request" "[CC-14 US-14]" -- announced work_valid_o \
  $rtl/const_controller.v 's/|available \&\& !stops_i;/|available;/' $model/l2.c 's/w->works = !w->stops \&\& /w->works = /'
dropped() { # what was under way leaves behind a reset
  found "$golden" $rtl/const_cache_core.v "s/wire drop = clear || clearing;/wire drop = 1'b0 \&\& clear;/" $model/state.h 's/return m->s->u.shell.clearing || simt_shell_clears(&m->s->u.shell);/(void)m; return false;/' -- "${halts[@]}"
}
try "both: answers of what a reset has ended leave" "[CC-14 US-7]" -- dropped
active() { # SMs stay active
  found "$golden" $rtl/const_cache_core.v 's/drop_q <= !rst_i \&\& (clear || /drop_q <= !rst_i \&\& (/' $model/unit.c 's/u->drop = simt_shell_clears(shell) || begins/u->drop = begins/' -- "${halts[@]}"
}
try "both: a reset of the unit leaves SMs active" "[CC-14 US-7]" -- active
try "RTL: a reset of the unit leaves the errors" "[CC-14 US-7]" -- found "$mismatch" $rtl/const_regs.v "s/kept = {9{!wipe_i}} \& (put_i/kept = {9{1'b1}} \& (put_i/" -- "${halts[@]}"
try "RTL: a reset of the unit clears the base" "[CC-14 US-7]" -- found "$mismatch" $rtl/const_regs.v 's/if (rst_i) base_q <= {ADDR_W-REGION/if (rst_i || wipe_i) base_q <= {ADDR_W-REGION/; s/if (rst_i) base_q\[31:REGION\]/if (rst_i || wipe_i) base_q[31:REGION]/' -- "${halts[@]}"
unsaved() { # old words of the backup are not in the context
  found "$golden" $rtl/const_l2_backup.v "s/entry_some_o = |entry_mask_o;/entry_some_o = 1'b0 \&\& |entry_mask_o;/" $model/context.c 's/r.some |= mask->w\[j\] != 0;/(void)r.some;/' -- "${halts[@]}"
}
try "both: old words are not in the context" "[CC-14 CC-9]" -- unsaved
kept() { # what was there stays beside what is loaded
  found "$golden" $rtl/const_cache_core.v 's/(load \&\& !was_load_q) || (drop_q/(drop_q/' $model/unit.c 's/(shell) || begins ||/(shell) || (begins \&\& false) ||/' -- "${halted[@]}" --seed 6 --cycles 400000
}
try "both: a load does not empty the unit first" "[CC-14 US-9]" -- kept
place() { # a row of L2 comes back although it is of another place
  found "$golden" $rtl/const_context.v "s/(rows \&\& first \&\& bad_row)/(rows \&\& first \&\& bad_row \&\& 1'b0)/" $model/context.c 's/case CC_S_ROWS: return first \&\& /case CC_S_ROWS: return false \&\& first \&\& /' -- "${halted[@]}" --seed 3 --cycles 400000
}
try "both: a row that is not of its place is taken" "[CC-14 US-9]" -- place
beyond() { # a line of a record that is not there
  found "$golden" $rtl/const_context.v "s/(!first \&\& !regs \&\& bad_body)/1'b0/" $model/context.c 's/ \&\& bad_body(m, v)) return true;/ \&\& bad_body(m, v) \&\& false) return true;/' -- "${small[@]:0:${#small[@]}-4}" -p STATUS=one_hot --stimulus directed:refused --seed 1
}
try "both: a line of no record is taken" "[CC-14 US-9]" -- beyond
slow() { # EDIT_OF_RTL EDIT_OF_MODEL WHAT: a bound of the page is passed by a cycle
  found "$golden.*$3" $rtl/const_controller.v "$1" $model/controller.c "$2" -- "${small[@]}"
}
try "both: the first command comes a cycle late" "[CC-3]" -- slow "s/cmd_ready_o <= init_q == INIT \&\&/cmd_ready_o <= cmd_late_q \&\&/; s/^  reg \[INIT_W-1:0\] init_q;/&\n  reg cmd_late_q; always @(posedge clk_i) cmd_late_q <= init_q == INIT;/" \
  's/k->ready = k->init == m->l.init_cycles \&\& k->count < CC_FIFO;/k->ready = k->init > m->l.init_cycles \&\& k->count < CC_FIFO;/; s/if (k->init != m->l.init_cycles) k->init++;/if (k->init <= m->l.init_cycles) k->init++;/' "no command is taken"
try "RTL: a load that is refused writes the base" "[CC-14 US-9]" -- found "$mismatch" $rtl/const_cache_core.v 's/.commit_i(commit), .put_base_i/.commit_i(commit || unused_abort), .put_base_i/' -- "${halts[@]}"
refused() { # EDIT_OF_RTL EDIT_OF_MODEL: of nack_o
  found "$golden"'.*nack_o' $rtl/const_cache_core.v "$1" $model/unit.c "$2" -- "${halts[@]}"
}
try "both: a memory error is not reported" "[CC-15 US-3]" -- refused "s/.st_nack_i(nack)/.st_nack_i(1'b0 \&\& nack)/" 's/.nack = failed \&\&/.nack = failed \&\& false \&\&/'
try "both: a write of CC_ERROR leaves the report" "[US-3]" -- refused "s/.nack_clear_i(!recorded)/.nack_clear_i(1'b0)/" 's/says.nack_clear = .*/says.nack_clear = false;/'
try "both: the report does not come back with its context" "[CC-14 US-3]" -- refused "s/.nack_load_i(recorded)/.nack_load_i(1'b0)/" 's/says.nack_clear = .*/says.nack_clear = !says.nack_load; says.nack_load = false;/'
unasked() { # an error of what a reset dropped
  found "$golden"'.*nack_o' $rtl/const_cache_core.v 's/write_failed) \&\& !clearing;/write_failed);/' $model/unit.c 's/.nack = failed \&\& !shell->clearing/.nack = failed/' -- "${halts[@]}"
}
try "both: an error of what a reset dropped is reported" "[US-3 US-7]" -- unasked
uncounted() { # codes of a context do not count as used when they come: a round over many SMs is longer than few rows of L2
  found "$golden"'.*load of' $rtl/const_controller.v "s/put_sm_i \&\& put_active_i}});/put_sm_i \&\& put_active_i \&\& 1'b0}});/" $model/context.c 's/cc_set(&k->found, code);//; s/cc_set(&k->used, code);//' -- "${many[@]}"
}
many=(const_cache -q -p SMS=33 -p CONSTANTS=64 -p L1_ENTRIES=4 -p L2_ENTRIES=4 -p BACKUP_ENTRIES=16 -p CODE_FACTOR=2 -p STATUS=one_hot --stimulus random:halts --seed 1 --cycles 100000)
try "both: the codes of a context do not count as used" "[CC-14 CC-11]" -- uncounted
exit $failed
