#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 4
# timeout: 400
# 10,000 context switches of the model alone, in the middle of its work: halted, saved, reset, other work, loaded, released; the
# answers and registers are those of a model that was never stopped. How long halts take. Then faults planted in the model.
. verif/tests/lib.sh
main=verif/stack_cache/tests/switch_test.c PLANTED_SECONDS=60 block=
always try "switch: the test builds" "[SC-13]" -- models sound $main
[ $failed = 0 ] || exit 1

run() { timeout 300 "$tmp/sound" "$@"; }
seed=0
while read -r switches parameters; do
  seed=$((seed + 1))
  # shellcheck disable=SC2086
  try "switch: $switches of $parameters, equal answers" "[SC-13]" -- run "$switches" $seed answers $parameters
done << 'END'
900 STATUS=one_hot
1300 STATUS=two_of_four THREADS=3 ENTRIES=4 SET=1 ENTRY_W=33 STEAL=1 INFLIGHT=4
1300 STATUS=binary THREADS=5 ENTRIES=8 SET=2 POLICY=threshold FLAGS=per_entry OUT_REG=1 COUNTERS=2
1100 STATUS=one_hot THREADS=3 ENTRIES=8 SET=4 ENTRY_W=17 FLAGS=per_entry MEM_W=entry
1300 STATUS=two_of_four THREADS=1 ENTRIES=2 SET=1 MAX_DEPTH=2
1100 STATUS=binary THREADS=2 ENTRIES=2 SET=1 ENTRY_W=9 POLICY=threshold
900 STATUS=one_hot THREADS=8 ENTRIES=16 SET=8 ENTRY_W=65 STEAL=255
1200 STATUS=two_of_four THREADS=9 ENTRIES=8 SET=4 ENTRY_W=40 ADDR_W=40 STEAL=2 MEM_W=entry OUT_REG=1
900 STATUS=one_hot THREADS=1 ENTRIES=32 SET=2 POLICY=threshold INFLIGHT=2
END

# Halts without a flush: in the same cycles as a model that is halted and released without a switch.
while read -r switches parameters; do
  seed=$((seed + 1))
  # shellcheck disable=SC2086
  try "switch: $switches of $parameters, equal cycles" "[SC-13]" -- run "$switches" $seed cycles $parameters
  # shellcheck disable=SC2086
  try "switch: quick halts of $parameters" "[SC-13]" -- run 1000 $seed quick $parameters
done << 'END'
100 STATUS=one_hot
500 STATUS=two_of_four THREADS=3 ENTRIES=4 SET=1 ENTRY_W=33 STEAL=1 INFLIGHT=4
400 STATUS=binary THREADS=5 ENTRIES=8 SET=2 POLICY=threshold FLAGS=per_entry OUT_REG=1
600 STATUS=one_hot THREADS=3 ENTRIES=8 SET=4 ENTRY_W=17 MEM_W=entry
500 STATUS=two_of_four THREADS=1 ENTRIES=2 SET=1 MAX_DEPTH=2
100 STATUS=one_hot THREADS=8 ENTRIES=16 SET=8 ENTRY_W=65 STEAL=255
200 STATUS=two_of_four THREADS=9 ENTRIES=8 SET=4 ENTRY_W=40 ADDR_W=40 STEAL=2 MEM_W=entry OUT_REG=1
300 STATUS=one_hot THREADS=4 ENTRIES=16 SET=2 POLICY=threshold INFLIGHT=64
END

# How long halts take, each with its flush, against SC-13 and FLUSH_OWN; SHOW=1 prints the figures.
figures() { # PARAMETERS...
  run 500 1 figures "$@" > "$tmp/figures" || { cat "$tmp/figures"; return 1; }
  echo "$*: $(head -n 1 "$tmp/figures")" >> "$tmp/table"
}
while read -r parameters; do
  # shellcheck disable=SC2086
  try "switch: halts of $parameters" "[SC-13]" -- figures $parameters
done << 'END'
STATUS=one_hot
STATUS=one_hot THREADS=64
STATUS=one_hot THREADS=128 ENTRIES=8 SET=2
STATUS=one_hot THREADS=8 ENTRIES=64 INFLIGHT=64
STATUS=one_hot THREADS=3 ENTRIES=4 SET=1 INFLIGHT=4 OUT_REG=1
STATUS=one_hot THREADS=5 ENTRIES=8 SET=2 POLICY=threshold
STATUS=one_hot THREADS=5 ENTRIES=8 SET=4 MEM_W=entry
STATUS=one_hot THREADS=1 ENTRIES=32 SET=2 INFLIGHT=2
STATUS=one_hot THREADS=1 ENTRIES=1024 SET=4 INFLIGHT=64
END

[ -z "${SHOW:-}" ] || cat "$tmp/table"

# shellcheck disable=SC2034
runs=("300 1 answers STATUS=one_hot THREADS=5 ENTRIES=8 SET=2 POLICY=threshold FLAGS=per_entry"
      "300 1 answers STATUS=one_hot THREADS=3 ENTRIES=8 SET=4 MEM_W=entry" "300 1 figures STATUS=one_hot THREADS=5 ENTRIES=8 SET=2"
      "500 1 cycles STATUS=one_hot THREADS=3 ENTRIES=16 SET=2 ENTRY_W=33 POLICY=threshold INFLIGHT=8" "1000 1 quick STATUS=one_hot THREADS=3 ENTRIES=4 SET=2 INFLIGHT=64")
e=stack_cache/engine.c u=stack_cache/unit.c g=stack_cache/registers.c
seen "a dirty set that stays on chip" SC-13 "the answers differ" $e 's/l->spill = may \&\& t->nd;/l->spill = may \&\& t->nd > 1;/; s/l->dirty = t->nd \&\& /l->dirty = t->nd > 1 \&\& /'
seen "halted before the writes are answered" SC-13 "the answers differ|not halted|a load fails|under way|used again" $u 's/ends = u->fin \&\& u->idle/ends = u->fin/'
seen "a part of a set without its strobes" SC-13 "the answers differ" stack_cache/model.c 's/m->req_bytes > from ? m->req_bytes - from : 0/0/'
seen "a fault that is not loaded" SC-13 "a loaded fault is lost" $u 's/, .fault = word >> SC_HEAD_FAULT//'
seen "a stack that is loaded an entry short" SC-13 "the answers differ" $u 's/.count = field(word, 0, m->l.count_w), /.count = field(word, 0, m->l.count_w) - ((word \& 0xffff) > 1), /'
seen "a base that is not loaded" SC-13 "the answers differ|a register differs" $g 's/  r->base = from->base;//'
seen "a limit that is not loaded" SC-13 "the answers differ|a register differs" $g 's/  r->limit = from->limit;//'
seen "an error that is not loaded" SC-13 "a loaded error is lost|a register differs" $g 's/^    r->error_valid = v >> 31;//'
seen "what was on chip outlives a load" SC-13 "the answers differ" $u 's/^  t->nv = (uint16_t).*/  if (word >> SC_STATE_FULL) t->nv = (uint16_t)field(word, SC_STATE_NV, num_w);/; s/^    \*t = (struct sc_thread){.count = \(field([^)]*)\), .fault = \(.*\)};/    t->count = \1;\n    t->fault = \2;/'
seen "a flush that visits a thread forty times" SC-13 "a halt takes longer|an output differs" $e 's/^  if (++l->scan < m->l.threads) return;/  static unsigned n;\n  if (m->u.scan \&\& ++n % 40) return;\n&/'
for lost in "held = |SC_STATE_HELD" "drain = |SC_STATE_DRAIN"; do
  seen "a state without ${lost%% *}" SC-13 "an output differs|a load fails" $u "s/^  t->${lost%%|*}word >> ${lost##*|} \\& 1;/  t->${lost%%|*}0;/"
done
seen "a burst that is not loaded" SC-13 "an output differs" $u 's/^    if (m->l.policy == SC_THRESHOLD) t->burst = .*//'
seen "a clean set that is loaded as dirty" SC-13 "an output differs" $u 's/^  t->nd = .*/  t->nd = t->nv;/; s/^  t->nv = \(.*\)/  t->nv = \1\n  t->nd = t->nv;/'
seen "a set that is not on chip any more" SC-13 "an output differs|a load fails" $u 's/^  t->nv = .*/  t->nv = t->nd;/'
seen "hints that outlive a halt" SC-13 "an output differs" $u 's/m->look.kept = m->look.hints/m->look.hints/; s/^  m->look.kept = 0;//'
seen "a scan that outlives a halt" SC-13 "an output differs" $u 's/ = m->look.scan = 0;/ = 0;/'
seen "a halt that waits for a drain" SC-13 "a halt takes longer" $e 's/^      if (m->u.hold) {/      if (false) {/'
exit $failed
