#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
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
ignored() { # a write replaces a locked word of another address
  found "$golden" $rtl/const_copy.v 's/|targets \&\& !e_other_q/|targets/' $model/copy.c 's/n.targets && !y->e_other \&\& !y->launder/n.targets \&\& !y->launder/' -- "${copy[@]}"
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
exit $failed
