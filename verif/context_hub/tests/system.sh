#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 900
# Units on status_tree, front_end_monitor and context_hub, models alone: switched at random cycles between two
# workloads, every sum right. Then faults planted in the models.
. verif/tests/lib.sh
blocks="status_tree front_end_monitor context_hub" example=verif/tests/unit_status/cmodel/gather_sum

{
  echo '#include "simt.h"'
  for b in $blocks gather_sum; do echo "extern const struct simt_block simt_block_$b;"; done
  echo 'const struct simt_block *const simt_blocks[] = {'
  for b in $blocks gather_sum; do echo "  &simt_block_$b,"; done
  echo '  NULL};'
} > "$tmp/blocks.c"

build() { # PROGRAM [FILE SED]: with the edit
  local to=$1 b include=()
  rm -rf "$tmp/edited"
  mkdir "$tmp/edited" && cp -r cmodel/core $example "$tmp/edited" || return 1
  for b in $blocks; do cp -r "cmodel/$b" "$tmp/edited" || return 1; done
  if [ $# -gt 1 ]; then
    sed -i "$3" "$tmp/edited/$2"
    if cmp -s "$tmp/edited/$2" "cmodel/$2" || cmp -s "$tmp/edited/$2" "$(dirname $example)/$2"; then
      echo "the edit of $2 changes nothing: $3"
      return 1
    fi
  fi
  include=(-I"$tmp/edited" -I"$tmp/edited/core" -Iverif/core)
  gcc -std=gnu11 -O2 -Wall -Werror "${include[@]}" -Iverif -o "$tmp/$to" verif/context_hub/tests/system_test.c \
    "$tmp/blocks.c" verif/core/{memory,axi4_memory,rng}.c "$tmp"/edited/*/*.c -lm -lpthread
}
try "system: the test builds" "[US-8]" -- build system
[ $failed = 0 ] || exit 1

seed=0
while read -r switches parameters; do
  seed=$((seed + 1))
  # shellcheck disable=SC2086
  try "system: $switches switches, $parameters" "[US-8 US-9 US-14]" -- timeout 300 "$tmp/system" "$switches" $seed $parameters
done << 'END'
10000 0 4
2000 0 8 COMMANDS=group DOMAINS=2
2000 1 8 COMMANDS=unit DOMAINS=3
1000 0 16 GROUP=4
1000 1 7 COMMANDS=group DOMAINS=2 GROUP=2
END

stuck() { # HOW
  local seed
  for seed in 1 2 3 4 5; do
    timeout 60 "$tmp/system" "$1" $seed 0 4 && timeout 60 "$tmp/system" "$1" $seed 0 8 COMMANDS=unit DOMAINS=3 || return 1
  done
}
try "system: units that gather for ever are found, named, told to resume" "[US-10]" -- stuck gather
try "system: sums that nobody takes: found, named, reset by policy" "[US-10]" -- stuck blocked
try "system: accesses that nobody answers: found, named, reset by policy" "[US-10]" -- stuck unanswered
try "system: a refused access: no deadlock, an interrupt that names the unit" "[US-3 US-10 US-12]" -- stuck nack

found_by_it() { # FILE SED [HOW]
  build broken "$1" "$2" || return 1
  if timeout 60 "$tmp/broken" "${3:-500}" 1 0 4 > "$tmp/said"; then echo "not found: $(cat "$tmp/said")"; return 1; fi
}
try "system: a unit that forgets a count is found" "[US-9]" -- found_by_it gather_sum/model.c 's/s->count\[s->walk\] = w >> 24;/s->count[s->walk] = 0;/'
try "system: contexts of two units in one place are found" "[US-9]" -- \
  found_by_it context_hub/model.c 's/((uint64_t)s->unit << m->l.stride_lg)/((uint64_t)(s->unit \/ 2) << m->l.stride_lg)/'
try "system: units that gather and are reset are found" "[US-10]" -- \
  found_by_it front_end_monitor/model.c 's/bool spares = .*;/bool spares = spared(m, c) \&\& false;/' gather
try "system: a resume that does nothing is found" "[US-10]" -- found_by_it gather_sum/model.c 's/if (resume) s->flush = 1;/(void)resume;/' gather
try "system: a nack that is not reported is found" "[US-3]" -- found_by_it gather_sum/model.c 's/\.nack = now.refused/.nack = false/' nack
try "system: a unit that does not clear itself is found" "[US-10]" -- \
  found_by_it gather_sum/model.c 's/if (s->status.ctx_reset || s->context.abort) clear(m);//' unanswered
exit $failed
