#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# The AXI4 memory that gen writes: alone, with the rules of the bus watched, and behind the block, wide and with bursts.
. verif/tests/lib.sh

generate() { # DIR OPTION...
  "$SIMTGEN" gen stack_cache -n ms -p ENTRIES=8 -p SET=2 -p ENTRY_W=64 -p bus=axi4 --no-doc -q -o "$@" && quiet_lint "$1/tb/ms_memory.v"
}
quiet_lint() { verilator -Wall --lint-only "$1"; }
bench() { # DIR MODULE FILE...
  local dir=$1 top=$2 width=32
  [ "$dir" = "$tmp/narrow" ] || width=128
  shift 2
  iverilog -Wall -g2005 -DBUS_W="$width" -s "$top" -o "$tmp/bench" "$@" verif/stack_cache/tests/memory_axi4.v "$dir/tb/ms_checked.v" "$dir/tb/ms_axi4_check.v" "$dir"/rtl/*.v &&
    vvp -N "$tmp/bench" > "$tmp/said" && cat "$tmp/said" && [ "$(cat "$tmp/said")" = PASS ]
}
fault() { # SED PATTERN WORD
  edit "$tmp/narrow/tb/ms_memory.v" "$1" "$tmp/ms_memory.v" || return 1
  ! bench "$tmp/narrow" memory_alone "$tmp/ms_memory.v" && grep -q "$2" "$tmp/said"
}

try "axi4 memory: gen writes it, and it lints" -- generate "$tmp/wide"
try "axi4 memory: likewise for bursts" -- generate "$tmp/narrow" -p bus_width=32
try "axi4 memory: 40 levels of a stack in it" -- bench "$tmp/wide" memory_behind "$tmp/wide/tb/ms_memory.v"
try "axi4 memory: 40 levels in bursts" -- bench "$tmp/narrow" memory_behind "$tmp/narrow/tb/ms_memory.v"
try "axi4 memory: zeros, strobes, errors, latency, order, rules of the bus" -- bench "$tmp/narrow" memory_alone "$tmp/narrow/tb/ms_memory.v"
try "axi4 memory: an ignored strobe is found" -- fault "s,m_axi_wstrb.i / 8.,1'b1," strobes
try "axi4 memory: words unknown until written are found" -- fault "s,mem.at. = {DATA_W{1'b0}},mem[at] = {DATA_W{1'bx}}," zeros
try "axi4 memory: a missing error is found" -- fault "s/r_error_q <= |r_word.*/r_error_q <= 1'b0;/" error
try "axi4 memory: a latency too short is found" -- fault "s/WAIT = LATENCY/WAIT = LATENCY - 1/" latency
try "axi4 memory: an unmarked last beat is found" -- fault "s/r_last_q <= last/r_last_q <= 1'b0/" 'S: '
try "axi4 memory: an answer that does not hold still is found" -- fault "s/if (!r_valid_q || m_axi_rready)/if (1'b1)/" 'S: '
exit $failed
