#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 4
# timeout: 600
# The float unit alone: corner values crossed and random ones against the host's IEEE arithmetic, bit for bit, and that against
# GNU MPFR. Faults planted in the unit, and a host that rounds another way, are found.
. verif/tests/lib.sh

include=$(verilator --getenv VERILATOR_ROOT)/include
run_time() { # of Verilator: compiled once
  for e in verilated verilated_threads; do
    g++ -O1 -I"$include" -I"$include/vltstd" -c -o "$tmp/$e.o" "$include/$e.cpp" || return 1
  done
}
run_time || { echo "not ok float unit: Verilator's run time does not compile"; exit 1; }
build() { # FILE DIR STEPS [FLAG]: a program of that unit, DIR/run
  mkdir -p "$2" && cp "$1" "$2/atomic_merge_float.v" &&
    verilator -Wall --cc -O3 -GSTEPS="$3" --Mdir "$2/obj" --top-module atomic_merge_float \
      rtl_templates/atomic_merge/atomic_merge_step.v "$2/atomic_merge_float.v" > "$2/log" 2>&1 &&
    cat "$2"/obj/*.cpp > "$2/all.cpp" && # one reading of the headers
    g++ -O1 -ffp-contract=off -DSTEPS="$3" ${4:-} -I"$2/obj" -I"$include" -I"$include/vltstd" "$2/all.cpp" \
      verif/atomic_merge/tests/float_test.cpp "$tmp"/verilated{,_threads}.o -lmpfr -lgmp -lpthread -latomic -o "$2/run" \
      > "$2/log" 2>&1 || { tail -n 5 "$2/log"; return 1; }
}
agrees() { # STEPS NUMBER
  build rtl_templates/atomic_merge/atomic_merge_float.v "$tmp/right$1" "$1" && "$tmp/right$1/run" "$2"
}
faulty() { # SED
  local dir
  dir=$(mktemp -d "$tmp/fault.XXXXXX")
  edit rtl_templates/atomic_merge/atomic_merge_float.v "$1" "$dir/edited.v" && build "$dir/edited.v" "$dir" 6 &&
    seen_by 'the host says' "$dir/run" 100000
}

# The host's arithmetic is made another one.
host() { build rtl_templates/atomic_merge/atomic_merge_float.v "$tmp/host" 6 -DPLANT && seen_by 'MPFR says' "$tmp/host/run" 1000; }

try "float add, multiply, minimum, maximum are the host's" "[AM-1]" -- agrees 6 3000000
for steps in 2 3 4 5; do try "the same in $steps cycles" "[AM-1]" -- agrees "$steps" 300000; done
try "planted: halves are rounded up" "[AM-1]" -- faulty 's/e_guard && (e_sticky || e_part\[0\])/e_guard \&\& (e_sticky || 1'"'"'b1)/'
try "planted: what is shifted out of a subnormal product is lost" "[AM-1]" -- faulty 's/down\[0\] | lost/down[0] | (lost \& 1'"'"'b0)/'
try "planted: the smaller operand's last bits are lost" "[AM-1]" -- faulty 's/|moved\[56:0\]}/1'"'"'b0 \& |moved[56:0]}/'
try "planted: infinity less infinity is infinity" "[AM-1]" -- faulty 's/a_inf_s && a_sb != a_ss/a_inf_s \& 1'"'"'b0/'
try "planted: the host rounds down" "[AM-1]" -- host
exit $failed
