#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 600
# The example cluster of docs/example_const_cache, built around a generated const_cache as its page says: it runs with each
# protocol, lints, is synthesized, and its bench finds faults planted in it.
. verif/tests/lib.sh
example=$root/docs/example_const_cache
parameters=$(sed -n 's/^simtgen gen const_cache \(.*\) -o out$/\1/p' "$example/README.md")

generate() { # PROTOCOL
  # shellcheck disable=SC2086
  "$SIMTGEN" gen const_cache $parameters -p PROTOCOL="$1" --no-doc -o "$tmp/$1" > "$tmp/gen.log" 2>&1 || { tail -n 3 "$tmp/gen.log"; return 1; }
}
runs() { # PROTOCOL CLUSTER LOG
  iverilog -g2005 -o "$tmp/cluster.vvp" "$tmp/$1"/rtl/*.v "$2" "$example/bench.v" > "$3" 2>&1 && timeout 390 vvp -N "$tmp/cluster.vvp" > "$3" 2>&1
}
passes() { generate "$1" && runs "$1" "$example/example_cluster.v" "$tmp/log" && grep '^PASS: 400 items' "$tmp/log" || { tail -n 3 "$tmp/log"; return 1; }; }
lints() { verilator --lint-only -Wall -Wno-fatal -Wno-PINCONNECTEMPTY "$tmp"/backup/rtl/*.v "$example/example_cluster.v" --top-module example_cluster > "$tmp/lint" 2>&1 &&
  ! grep -A3 'example_cluster.v' "$tmp/lint"; }
synthesizes() {
  yosys -q -p "read_verilog $(echo "$tmp"/backup/rtl/*.v) $example/example_cluster.v; hierarchy -check -top example_cluster; proc; opt -fast; check -assert" \
    > "$tmp/yosys" 2>&1 || { tail -n 3 "$tmp/yosys"; return 1; }
}
finds() { # MESSAGE SED-EXPRESSION
  sed "$2" "$example/example_cluster.v" > "$tmp/bad.v"
  cmp -s "$example/example_cluster.v" "$tmp/bad.v" && { echo "the edit changes nothing"; return 1; }
  runs backup "$tmp/bad.v" "$tmp/bad.log" && { echo "nothing was found"; return 1; }
  grep -E "^FAIL: $1" "$tmp/bad.log" || { tail -n 3 "$tmp/bad.log"; return 1; }
}

for protocol in backup copy shared; do
  try "example cluster, $protocol: 400 items read the constants of their place in the stream" "[CC-1 CC-2 CC-3]" -- passes $protocol
done
try "example cluster: no warning of Verilator" -- lints
try "example cluster: Yosys checks it" -- synthesizes
try "example cluster: a processor that takes another one's item is found" "[CC-1]" -- finds '(a result that is not due|the cache reports an error)' 's/work_valid \&\& work_sm == SELF/work_valid/'
try "example cluster: reads of the wrong constants are found" "[CC-2]" -- finds 'checksum of an item' 's/item_q\[7:0\] + {4.d0, asked_q}/item_q[7:0] + {4'"'"'d0, answered_q}/'
exit $failed
