#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 900
# Units on status_tree, front_end_monitor and context_hub, models alone: switched at random cycles between two
# workloads, every sum right. Then faults planted in the models.
EXTRA=verif/tests/unit_status
. verif/tests/lib.sh
example=$EXTRA/cmodel main=verif/context_hub/tests/system_test.c PLANTED_SECONDS=60
with_extra || { echo "not ok system: the program with the example unit does not build"; exit 1; }
always try "system: the test builds" "[US-8]" -- models system $main
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

try "driver: stops by errors of memory and by a timeout; retry, abort, results, counts" "[US-8 US-11 US-12 US-15]" -- stuck stop

found_by_it() { # PATTERN FILE SED [HOW]
  models planted $main "$2" "$3" || return 1
  seen_by "^cycle [0-9]+, switch [0-9]+: .*($1)" "$tmp/planted" "${4:-500}" 1 0 4
}
try "system: a unit that forgets a count is found" "[US-9]" -- found_by_it "a sum that is not (the one )?owed" $example/gather_sum/model.c 's/s->count\[s->walk\] = w >> 24;/s->count[s->walk] = 0;/'
try "system: contexts of two units in one place are found" "[US-9]" -- \
  found_by_it "the hub ends with an error|a sum that is not" cmodel/context_hub/model.c 's/((uint64_t)s->unit << m->l.stride_lg)/((uint64_t)(s->unit \/ 2) << m->l.stride_lg)/'
try "system: units that gather and are reset are found" "[US-10]" -- \
  found_by_it "it only gathers" cmodel/front_end_monitor/model.c 's/bool spares = .*;/bool spares = spared(m, c) \&\& false;/' gather
try "system: a resume that does nothing is found" "[US-10]" -- found_by_it "reset, and it only gathers" $example/gather_sum/model.c 's/if (resume) s->flush = 1;/(void)resume;/' gather
by_driver() { # PATTERN SED: a fault of the driver, a header that only the test includes
  sed "$2" cmodel/front_end/simt_front_end.h > "$tmp/driver.h"
  ! cmp -s cmodel/front_end/simt_front_end.h "$tmp/driver.h" || { echo "the edit changes nothing"; return 1; }
  local edited
  edited=$(mktemp "$tmp/main.XXXXXX.c") # models compiles each main once
  sed "s|front_end/simt_front_end.h|$tmp/driver.h|" $main > "$edited"
  models planted "$edited" && seen_by "^cycle [0-9]+, switch [0-9]+: .*($1)" "$tmp/planted" stop 1 0 4
}
try "driver: a retry that begins anew is found" "[US-8]" -- by_driver "retry|driver" 's/simt_fe_write(fe, 0x024, (uint32_t)command)/simt_fe_write(fe, 0x024, command == SIMT_FE_RETRY ? 2 : (uint32_t)command)/'
try "driver: interrupts that are not cleared are found" "[US-12]" -- by_driver "not cleared" 's/return \*irqs ? simt_fe_write(fe, 0x018, \*irqs) : SIMT_FE_OK;/return SIMT_FE_OK;/'
try "driver: a stop that is taken for the end is found" "[US-8]" -- by_driver "that memory refuses" 's/if (result->stage == 7) return SIMT_FE_STOPPED;/if (result->stage == 7) return SIMT_FE_OK;/'
try "driver: contexts that are loaded from where they were saved are found" "[US-9]" -- by_driver "owed|ends with" 's/(uint32_t)place\[i\]->base/(uint32_t)place[0]->base/'
try "driver: counts that are taken for cycles are found" "[US-11]" -- by_driver "do not add up" '/cycles\[i\] \*= fe->interval;/d'
try "system: a nack that is not reported is found" "[US-3]" -- found_by_it "no interrupt" $example/gather_sum/model.c 's/\.nack = now.refused/.nack = false/' nack
try "system: a unit that does not clear itself is found" "[US-10]" -- \
  found_by_it "a sum that is not (the one )?owed" $example/gather_sum/model.c 's/if (simt_shell_clears(&s->shell)) clear(m);//' unanswered
exit $failed
