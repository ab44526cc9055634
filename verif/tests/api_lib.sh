# SPDX-License-Identifier: Apache-2.0
# api_lib.sh: the transaction level of a block, verif/BLOCK/tests/api_test.c, under the sanitizers, from C and from C++. To
# be sourced from the repository root after `set -- BLOCK [BLOCK-INSIDE]...`; then api_tests and, if wanted, api_planted.
# CREATE: the arguments of BLOCK_create where they are others than parameters, memory and diag.
# shellcheck shell=bash
. verif/tests/lib.sh
export UBSAN_OPTIONS=halt_on_error=1:exitcode=99 ASAN_OPTIONS=detect_leaks=1:exitcode=99 # no planted fault is seen by these
block=$1 test=verif/$1/tests/api_test.c
includes=(-Icmodel/core -Icmodel "${@/#/-Icmodel/}")
models=("$tmp/blocks.c" cmodel/core/*.c)
for part in "$@"; do models+=(cmodel/"$part"/*.c); done
cat > "$tmp/blocks.c" <<C
#include "simt.h"
extern const struct simt_block simt_block_$block;
const struct simt_block *const simt_blocks[] = {&simt_block_$block, NULL};
C

result() { # NAME STATUS
  if [ "$2" = 0 ]; then echo "ok $block API: $1"; else
    cat "$tmp/log" >&2
    echo "not ok $block API: $1: $(grep -m1 -E 'line |ERROR|error' "$tmp/log" || tail -n 1 "$tmp/log")"
    failed=1
  fi
}

# api_tests PATTERN: what the test says of the bit that it loses itself with the argument `plant`.
api_tests() {
  gcc -std=gnu11 -O1 -g -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all "${includes[@]}" "$test" \
    "${models[@]}" -lm -lpthread -o "$tmp/api" > "$tmp/log" 2>&1
  result "builds with the models alone" $?
  [ $failed = 0 ] || exit 1
  seen_by "$1" "$tmp/api" plant > "$tmp/log"
  result "a bit lost in memory is seen" $?
  timeout 150 "$tmp/api" > "$tmp/log" 2>&1 || failed=1
  cat "$tmp/log"
  cat > "$tmp/user.cpp" <<C
#include "$block.h"
int main() {
  simt_diag diag = {};
  return ${block}_create(${CREATE:-nullptr, nullptr, &diag}) ? 1 : 0;
}
C
  g++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only "${includes[@]}" "$tmp/user.cpp" > "$tmp/log" 2>&1
  result "the header serves C++" $?
}

# api_planted NAME SED PATTERN: the tests find a fault in cmodel/BLOCK/BLOCK.c, in a test whose name matches; when it is its turn.
api_planted() {
  tries=$((${tries:-0} + 1))
  its_turn || { echo "later $block API: $1 is seen"; return; }
  models planted "$test" "cmodel/$block/$block.c" "$2" > "$tmp/log" 2>&1 &&
    PLANTED_SECONDS=60 seen_by "^not ok $block API: .*($3)" "$tmp/planted" > "$tmp/log"
  result "$1 is seen" $?
}
