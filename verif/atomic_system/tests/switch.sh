#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 300
# Context switches of the model alone, in the middle of its work: halted, saved, mostly reset, another workload's context loaded, released. In
# every cycle the outputs are those of a model that has this workload alone. Then faults planted in the model.
. verif/tests/lib.sh
main=verif/atomic_system/tests/switch_test.c PLANTED_SECONDS=60 block=
small='CACHES=2 LINE_BYTES=16 LINES=4 WAYS=2 QUEUE=2 STALL_BUF=2 MERGE_LANES=2 MISSES=2 MAX_TEMPS=1 OLD_LINES=2 TID_W=4 ADDR_W=16 HOME_ENTRIES=16 MEM_SLOTS=2'
long='CACHES=3 LINE_BYTES=32 LINES=8 WAYS=2 STALL_BUF=17 TID_W=5 ADDR_W=38 HOME_ENTRIES=16 STAGES=1'
groups='CACHES=12 LINES=8 WAYS=2 HOME_ENTRIES=64'
always try "switch: the test builds" "[AM-17]" -- models sound $main
[ $failed = 0 ] || exit 1

run() { timeout 100 "$tmp/sound" "$@"; }
while read -r switches parameters; do
  # shellcheck disable=SC2086
  try "switch: $switches of $parameters, equal cycles" "[AM-17 US-9]" -- run "$switches" 1 $parameters
done << END
1000 STATUS=one_hot $small
500 STATUS=two_of_four $long
150 STATUS=binary $groups
150 STATUS=one_hot CACHES=2 TID_CHECK=1 TID_W=4 ATOMIC_MUL=extra STAGES=16 LINES=8 WAYS=2 HOME_ENTRIES=32
END

# shellcheck disable=SC2034
runs=("300 1 STATUS=one_hot $small" "100 1 STATUS=two_of_four $long" "100 1 STATUS=one_hot $groups")
s=atomic_system/status.c h=line_home/model.c c=atomic_merge/status.c
again='a save right behind a load gives another stream'
seen "whose turn it is outlives a halt" AM-17 "an output differs" $s 's/  if (now->settles) lh_settle.*//'
seen "whose fetch is next outlives a halt" AM-17 "an output differs" $h 's/^  simt_rr_clear(&m->s->fetches);\r*$/  if (m->s->idle) return;/'
seen "whose release is next outlives a halt" AM-17 "an output differs" $h '/^void lh_settle/,/^}/s/  m->s->selected_last = .*//'
seen "which line is recalled next outlives a halt" AM-17 "an output differs" $h '/^void lh_settle/,/^}/s/  m->s->victim = 0;//'
seen "records of a load go to other caches" AM-17 "$again|an output differs" $s 's/cache = record - AS_RECORD_CACHE;/cache = m->caches + 1 - record;/'
seen "a line that is not loaded" AM-17 "$again|an output differs" $c 's/^  s->lost_line = line;//'
seen "the upper word of a line that is not loaded" AM-17 "$again|a load fails" $s 's/else next->record.line |= .*/else if (w->word == 1) next->record.line = word;/'
seen "what the home lost is not loaded" AM-17 "$again|an output differs" $h '/^void lh_put_lost/,/^}/s/  s->lost = count;//'
seen "nack_o is not loaded" "AM-17 US-3" "$again|an output differs" $s 's/now.says.nack_load = u->s.nack;/now.says.nack_load = false;/'
exit $failed
