#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 300
# The example bench, written from the datasheet alone, on the block as generated, in Icarus; and two planted faults.
. verif/tests/lib.sh
cd "$root" || exit 1

# bench DIR: runs the example bench on the block in DIR.
bench() {
  (cd "$1" && iverilog -g2005 -o bench.vvp -c "rtl/stack_cache.f.here" "$root"/docs/example_bench/*.v) || return 1
  timeout 120 vvp -N "$1/bench.vvp" > "$1/log" 2>&1
  tail -n 4 "$1/log"
  grep -q '^PASS$' "$1/log"
}
passes() {
  "$SIMTGEN" gen stack_cache -o "$tmp/good" > /dev/null && sed 's/^\([^/ ]*\.v\)/rtl\/\1/' "$tmp/good/rtl/stack_cache.f" \
    > "$tmp/good/rtl/stack_cache.f.here" && bench "$tmp/good"
}
# fails SED: the bench fails on the block with this change of its top module.
fails() {
  rm -rf "$tmp/bad" && cp -r "$tmp/good" "$tmp/bad" && edit "$tmp/good/rtl/stack_cache.v" "$1" "$tmp/bad/rtl/stack_cache.v" || return 1
  (cd "$tmp/bad" && iverilog -g2005 -o bench.vvp -c "rtl/stack_cache.f.here" "$root"/docs/example_bench/*.v) || return 1
  seen_by '^FAIL: ' vvp -N "$tmp/bad/bench.vvp"
}

try "the example bench passes" "[SC-3 SC-11 SC-12]" -- passes
try "the example bench finds a bit lost on the way back" "[SC-10]" -- fails \
  "s/\.mem_rsp_data_i(mem_rsp_data_i)/.mem_rsp_data_i({mem_rsp_data_i[255:1], 1'b0})/"
try "the example bench finds a memory error that is lost" "[SC-12]" -- fails \
  "s/\.mem_rsp_error_i(mem_rsp_error_i)/.mem_rsp_error_i(2'd0)/"
exit $failed
