#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 2
# timeout: 600
# A block with two memory ports and two streams: each port plain or behind an AXI4 master of its own, at several widths, in
# lockstep and in the generated bench.
EXTRA=verif/tests/two_ports
. verif/tests/lib.sh
with_extra || { echo "not ok two ports: the program with the example block does not build"; exit 1; }
cd "$tmp" || exit 1

while read -r line; do
  parameters=()
  for p in $line; do parameters+=(-p "$p"); done
  try "two ports: $line, at random" -- timeout 100 "$SIMTGEN" check copy_words "${parameters[@]}" --cycles 100000 --seed 1 -q
  try "two ports: $line, without a stall" -- timeout 100 "$SIMTGEN" check copy_words "${parameters[@]}" --stimulus directed --cycles 1000 --seed 1 -q
done < "$root/$EXTRA/verif/copy_words/grid.txt"
one_of_each=(-p B_W=128 -p bus2=axi4 -p bus2_width=64)
try "two ports: every point, one port AXI4 and one plain" -- all_hit points copy_words --cycles 300000 --seed 2 "${one_of_each[@]}"
for engine in verilator-O0 icarus; do
  try "two ports: one AXI4, one plain, with $engine" -- timeout 200 "$SIMTGEN" check copy_words "${one_of_each[@]}" --cycles 20000 --seed 3 --engine $engine -q
done

# What gen writes: a port of each kind, a memory for the plain one, a bench that passes, no complaint of the tools.
benched() { # [-p NAME=VALUE]...
  rm -rf out && "$SIMTGEN" gen copy_words -n cw -o out -q --no-doc "$@" || return 1
  (cd out/tb && iverilog -g2005 -s cw_tb -o "$tmp/bench" cw_tb.v ../rtl/*.v $(ls cw_checked.v cw_axi4_check.v 2> /dev/null) &&
    timeout 60 vvp -N "$tmp/bench" | tee "$tmp/said" && grep -q PASS "$tmp/said" && ! grep -q FAIL "$tmp/said")
  [ $? = 0 ] && verilator --lint-only -Wall -y out/rtl out/rtl/cw.v
}
try "two ports: generated bench, both plain" -- benched
try "two ports: a memory for each plain port" -- test -e out/tb/cw_a_memory.v -a -e out/tb/cw_b_memory.v
try "two ports: generated bench, one AXI4 and one plain" -- benched "${one_of_each[@]}"
try "two ports: names of a bus are those of its port" -- grep -q 'b_m_axi_wdata' out/rtl/cw.v
try "two ports: the plain one stays as it is" -- grep -q 'a_mem_req_valid_o' out/rtl/cw.v
try "two ports: generated bench, both AXI4" -- benched -p bus=axi4 -p bus2=axi4 -p bus_width=8
refused() { # PATTERN ARGUMENTS...: exit status 2 and a message
  local pattern=$1 said got
  shift
  said=$("$SIMTGEN" gen copy_words -o refused "$@" 2>&1); got=$?
  [ $got = 2 ] && [ ! -e refused ] && grep -q "$pattern" <<<"$said" || { echo "$got: $said"; return 1; }
}
try "two ports: a width of the second bus without it is refused" "[]" -- refused 'bus2_width: got 32.*bus2 is plain' -p bus2_width=32
try "two ports: a bus wider than its own port is refused" "[]" -- refused 'bus_width: got 64.*at most the 32 bits' -p bus=axi4 -p bus_width=64
try "two ports: a third bus is refused" "[]" -- refused 'bus3' -p bus3=axi4

core=$EXTRA/rtl_templates/copy_words/copy_words_core.v model=$EXTRA/cmodel/copy_words/model.c
swap='s/assign a_mem_req_valid_o = phase_q == READ;/assign a_mem_req_valid_o = phase_q == WRITE;/; s/assign b_mem_req_valid_o = phase_q == WRITE;/assign b_mem_req_valid_o = phase_q == READ;/'
try "two ports, fault: the ports are swapped, in RTL" -- found MISMATCH $core "$swap" -- copy_words --cycles 20000 --seed 1
try "two ports, fault: a word beside its place, in both" -- found 'GOLDEN.*word' $core 's/<< (4 \* (to_q & PLACE))/<< 0/' \
  $model 's/0xfu << s->to % m->words \* 4/0xfu/' -- copy_words --cycles 20000 --seed 1
try "two ports, fault: the bus of the first port in front of the second" -- found 'bus|MISMATCH|GOLDEN' \
  cmodel/core/axi4_master.c 's/bind_block(&w->at, cfg->core, wrap);/bind_block(\&w->at, cfg->core, \&cfg->wrap[0]);/' -- \
  copy_words -p B_W=32 -p bus=axi4 -p bus2=axi4 --cycles 20000 --seed 1
exit $failed
