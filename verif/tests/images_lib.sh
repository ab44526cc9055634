# SPDX-License-Identifier: Apache-2.0
# images_lib.sh: the test of images under the sanitizers, for images.sh and images_faults.sh. To be sourced from the repository root.
# shellcheck shell=bash
. verif/tests/lib.sh
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:exitcode=99 ASAN_OPTIONS=detect_leaks=1:exitcode=99
flags='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all'
S=$B/sanitize

build() { # with the objects of verif/tests/sanitize.sh, which may run now
  mkdir -p "$S"
  flock "$S" make -s "B=$S" "CFLAGS=$flags" "$S/images"
}

# Of each block the default and every EVERY-th configuration of the grid; buses, and topologies by the names of their units.
lines() {
  local block
  for block in $(blocks); do
    echo "$block"
    configurations "$block" | grep -v topology= | awk -v block="$block" -v every="${EVERY:-7}" 'NR % every == 0 { print block, $0 }'
  done
  cat <<'END'
atomic_merge LINES=4 WAYS=2 QUEUE=2 STALL_BUF=2 LINE_BYTES=16 MERGE_LANES=2 MISSES=2 MAX_TEMPS=1 OLD_LINES=2 TID_W=4 ADDR_W=16
atomic_system STATUS=one_hot
branch_stack bus=axi4 regs=axi4-lite
stack_cache STATUS=binary bus=axi4
const_cache STATUS=two_of_four
tracker STATUS=one_hot
status_tree units=a,b,c
status_tree units=a,b,d
front_end units=a,b bus=axi4
END
}

images() { timeout 300 "$1" "${CYCLES:-1000}" "${SEED:-1}" < "$tmp/lines"; }
