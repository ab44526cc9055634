#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 900
# Protocol copy: faults planted in RTL and model alike, which only the golden model can see: the rules that the source leaves open.
. verif/tests/lib.sh
rtl=rtl_templates/const_cache model=cmodel/const_cache
golden='^GOLDEN MODEL: '
copy=(const_cache -q -p PROTOCOL=copy -p SMS=3 -p CONSTANTS=100 -p L1_ENTRIES=16 -p L2_ENTRIES=16 -p GEN_W=2 --seed 1 --cycles 400000)
bare() { # a write into an SM with an old version, without the copy
  found "$golden" $rtl/const_copy.v 's/targets = idle \& .*/targets = idle;/' $model/copy.c 's/n.even ? n.idle : n.idle & y->current/n.idle/' -- "${copy[@]}"
}
try "both: a write goes into an SM with an old version without a copy" "[CC-7]" -- bare
stale() { # the L1 of an SM whose version is old is not emptied
  found "$golden" $rtl/const_copy.v 's/| (completes \& (~current_q | {SMS{write_o}}))//' $model/copy.c 's/ | (w->completes & (w->done_write ? n->all : ~y->current))//' -- "${copy[@]}"
}
try "both: an L1 of an old version is not emptied" "[CC-8]" -- stale
filled() { # a fill replaces a locked word
  found "$golden" $rtl/const_l1.v 's/ \&\& !locked_q\[ans_slot_i\]//' $model/l1.c 's/ && !c->slot\[ans->slot\].locked//' -- "${copy[@]}"
}
try "both: a fill replaces a locked word" "[CC-5]" -- filled
# With most seeds model and RTL differ first: what they make of a row with two owners is not the same.
ignored() { # a write replaces a locked word of another address
  found "$golden" $rtl/const_copy.v 's/|targets \&\& !e_other_q/|targets/' $model/copy.c 's/n.targets && !y->e_other \&\& !y->launder/n.targets \&\& !y->launder/' \
    -- "${copy[@]:0:${#copy[@]}-4}" --seed 4 --cycles 400000
}
try "both: a write replaces a locked word of another address" "[CC-5]" -- ignored
too_early() { # L2 leaves its version while an SM uses it
  found "$golden" $rtl/const_copy.v 's/head_first = some_q ? first_q\[head_q\] : ahead_q;/head_first = |first_q || ahead_q;/' $model/copy.c 's/n.head_first = .*/n.head_first = y->first || y->ahead;/' -- "${copy[@]}"
}
try "both: L2 takes a version although an older one is in use" "[CC-8]" -- too_early
half() { # the epoch ends although writes came since the walk began
  found "$golden" $rtl/const_copy.v 's/update_done \&\& exact_q \&\& head_first/update_done \&\& head_first/' $model/copy.c 's/n.update_done && y->exact && n.head_first/n.update_done \&\& n.head_first/' -- "${copy[@]}"
}
try "both: an update counts for a version that it did not bring" "[CC-6 CC-8]" -- half
halts=("${copy[@]:0:${#copy[@]}-4}" -p STATUS=one_hot --seed 1 --cycles 300000)
unsaved() { # locked words are not in the context
  found "$golden" $rtl/const_copy.v "s/saved_some_o = saved_q \&\& /saved_some_o = 1'b0 \&\& saved_q \&\& /" $model/context.c 's/r = {.some = has \&\& y->n/r = {.some = false \&\& has \&\& y->n/' -- "${halts[@]}" --stimulus random:halts
}
try "both: locked words of an L1 are not in the context" "[CC-14 CC-6]" -- unsaved
steps() { # the steps between the versions of active SMs do not come back
  found "$golden" $rtl/const_copy.v "s/comes ? put_head_i\[30\] : ahead_q/comes ? 1'b0 : ahead_q/" $model/context.c 's/cc_copy_append(y, sm, x->head >> 30 \& 1);/cc_copy_append(y, sm, false);/' -- "${halts[@]/#1/2}" --stimulus random:halts
}
try "both: the order of versions does not come back" "[CC-14 CC-8]" -- steps
twice() { # an SM is in the list of a context twice
  found '^(MISMATCH|GOLDEN MODEL): ' $rtl/const_context.v "s/w\[28:16\] || over/w[28:16] \&\& 1'b0 || over/" -- \
    "${halts[@]:0:${#halts[@]}-4}" --seed 4 --cycles 300000 --stimulus random:halts
}
try "RTL: bits of an SM that no save writes are taken" "[CC-14 US-9]" -- twice
walks() { # the walk does not stop, so that no halt request in its midst ends in time
  found "$golden" $rtl/const_copy.v 's/walk_moves = walking_q \&\& (settle_q/walk_moves = walking_q \&\& (run_q || settle_q/' $model/copy.c 's/y->walking \&\& (y->settle ||/y->walking \&\& (y->run || y->settle ||/' -- \
    const_cache -q -p PROTOCOL=copy -p SMS=3 -p CONSTANTS=100 -p L1_ENTRIES=64 -p L2_ENTRIES=64 -p GEN_W=2 -p STATUS=one_hot \
    --seed 1 --cycles 300000 --stimulus random:halt_often
}
given() { # a work item takes effect in the cycle in which the request comes, and leaves when its SM may be halted
  found "$golden.*work_valid_o announces something" $rtl/const_copy.v 's/!copying_q \&\& !stops_i;/!copying_q \&\& !closed_i;/' $model/copy.c 's/w->done_work = !w->stops/w->done_work = n.open/' -- "${halts[@]}" --stimulus random:halt_often
}
try "both: a work item is given behind a halt request" "[CC-14 US-14]" -- given
try "both: a halt waits for the end of a walk that has stopped" "[CC-14 US-4]" -- walks
try "RTL: a walk reads rows while halted" "[CC-14]" -- found '^(MISMATCH|GOLDEN MODEL): ' $rtl/const_copy.v 's/{SMS{run_q \&\& room_q \&\& !closed_i}}/{SMS{run_q \&\& room_q}}/' -- "${halts[@]}" --stimulus random:halt_often
lost() { # rows that a walk has read are lost in a halt
  found "$golden" $rtl/const_copy.v 's/wire u_push = word_valid_q \&\& !copying_q;/wire u_push = word_valid_q \&\& !copying_q \&\& !closed_i;/; s/wire copies = word_valid_q \&\& copying_q;/wire copies = word_valid_q \&\& copying_q \&\& !closed_i;/' \
    $model/copy.c 's/const bool copies = y->word.valid \&\& y->copying;/const bool copies = y->word.valid \&\& y->copying \&\& n->open;/; s/const bool push = y->word.valid \&\& !n->copying;/const bool push = y->word.valid \&\& !n->copying \&\& n->open;/' -- "${halts[@]}" --stimulus random:halt_often
}
try "both: what a walk has read when the halt comes is lost" "[CC-14 CC-7]" -- lost
cause() { # an update that a copy waits for is counted as the copy's
  found "$golden.*register 0xf8" $rtl/const_copy.v 's/walking_q ? BY_UPDATE : BY_COPY;/BY_COPY;/' $model/copy.c 's/y->walking ? BY_UPDATE : BY_COPY;/BY_COPY;/' -- \
    const_cache -q -p PROTOCOL=copy -p SMS=3 -p CONSTANTS=100 -p L1_ENTRIES=16 -p L2_ENTRIES=16 -p GEN_W=2 --stimulus directed:update_waits --seed 1
}
try "both: a wait for an update is counted as one for a copy" "[CC-16]" -- cause
behind() { # a sweep goes on to unlock rows behind a wrap of the epochs
  found "$golden" $rtl/const_l1.v "s/pass_launders_q <= launder \&\& (pass_launders_q || !sweeping_q);/if (!sweeping_q) pass_launders_q <= launder;/" \
    $model/l1.c 's/c->pass_launders = launder \&\& (c->pass_launders || !sweeping);/if (!sweeping) c->pass_launders = launder;/' -- \
    const_cache -q -p PROTOCOL=copy -p SMS=2 -p CONSTANTS=256 -p L1_ENTRIES=256 -p L2_ENTRIES=16 -p GEN_W=2 --seed 1 --cycles 100000
}
try "both: a sweep unlocks rows of the next epoch" "[CC-5 CC-8]" -- behind
exit $failed
