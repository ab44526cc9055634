#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 200
# US-11: counts saturate. 48 bits are not filled in a test's time: in a copy of the tree RTL, model and golden model have counts of
# 8 bits, each by its own constant. Then counts that wrap, in RTL alone, and in RTL and model alike.
. verif/tests/lib.sh
stats=rtl_templates/front_end_monitor/front_end_monitor_stats.v model=cmodel/front_end_monitor/stats.c
narrow=($stats 's/parameter COUNT_W = 48/parameter COUNT_W = 8/' $model 's/COUNT_W = 48/COUNT_W = 8/'
  verif/front_end_monitor/golden_stats.c 's/COUNT_BITS = 48/COUNT_BITS = 8/')
sampled=(front_end_monitor -q --engine verilator-O0 -p UNITS=2 --seed 1 --cycles 60000)
exact=(front_end_monitor -q --engine verilator-O0 -p UNITS=1 -p STATS=exact --seed 1 --cycles 60000)

sound() { status 0 planted "${narrow[@]}" -- "$@"; } # with narrow counts alone nothing is found
wraps_rtl() { found MISMATCH "${narrow[@]}" $stats 's/new_q\[COUNT_W\] ? {COUNT_W{1.b1}} : //' -- "$@"; }
wraps() {
  found 'GOLDEN MODEL.*register 0x0[ab]. reads' "${narrow[@]}" $stats 's/new_q\[COUNT_W\] ? {COUNT_W{1.b1}} : //' \
    $model 's/sum > COUNT_MAX ? COUNT_MAX : sum/sum \& COUNT_MAX/' -- "$@"
}
try "counts of 8 bits saturate: sampled" "[US-11]" -- sound "${sampled[@]}"
try "counts of 8 bits saturate: exact" "[US-11]" -- sound "${exact[@]}"
try "counts that wrap in RTL are found" "[US-11]" -- wraps_rtl "${exact[@]}"
try "counts that wrap in RTL and model are found: sampled" "[US-11]" -- wraps "${sampled[@]}"
try "counts that wrap in RTL and model are found: exact" "[US-11]" -- wraps "${exact[@]}"
exit $failed
