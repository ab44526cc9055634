#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# The transaction level of the C library, under the sanitizers, from C and from C++.
set -u
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export UBSAN_OPTIONS=halt_on_error=1 ASAN_OPTIONS=detect_leaks=1
here=verif/branch_stack/tests
includes="-Icmodel/core -Icmodel/branch_stack -Icmodel/branch_unit -Icmodel/stack_cache"
failed=0
result() { # NAME STATUS
  if [ "$2" = 0 ]; then echo "ok $1"; else
    cat "$tmp/log" >&2
    echo "not ok $1: $(grep -m1 -E 'line |ERROR|error' "$tmp/log" || tail -n 1 "$tmp/log")"
    failed=1
  fi
}

echo '#include "simt.h"
extern const struct simt_block simt_block_branch_stack;
const struct simt_block *const simt_blocks[] = {&simt_block_branch_stack, NULL};' > "$tmp/blocks.c"
gcc -std=gnu11 -O1 -g -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all $includes \
  $here/api_test.c "$tmp/blocks.c" cmodel/core/*.c cmodel/{branch_stack,branch_unit,stack_cache}/*.c -lm -lpthread -o "$tmp/api" > "$tmp/log" 2>&1
result "branch_stack API: builds with the models alone" $?
[ $failed = 0 ] || exit 1

! timeout 100 "$tmp/api" plant > "$tmp/log" 2>&1 && grep -q "not ok" "$tmp/log"
result "branch_stack API: a bit lost in memory is seen" $?
# What the tests above must find in this level of the library.
flags="-std=gnu11 -O1 -w $includes"
for c in $here/api_test.c "$tmp/blocks.c" cmodel/core/*.c cmodel/branch_stack/{block,branch_stack_model}.c cmodel/{branch_unit,stack_cache}/*.c; do
  gcc $flags -c "$c" -o "$tmp/$(tr / _ <<< "$c").o"
done
planted() { # NAME SED
  sed "$2" cmodel/branch_stack/branch_stack.c > "$tmp/planted.c"
  ! cmp -s "$tmp/planted.c" cmodel/branch_stack/branch_stack.c && gcc $flags "$tmp/planted.c" "$tmp"/*.o -lm -lpthread -o "$tmp/planted" \
    && ! timeout 60 "$tmp/planted" > "$tmp/log" 2>&1 && grep -q "not ok" "$tmp/log"
  result "branch_stack API: $1 is seen" $?
}
planted "an instruction that has popped waits as if it had not" 's/i->pop_sync && !bs_synced(b->t.model, i->group)/i->pop_sync/'
planted "what needs no stack waits like a pop" 's/return steps ? b->ins.step : b->ins.pops;/return b->ins.pops;/'
planted "set-sync without its push" 's/|| (i->set_sync && !steps))/)/'
planted "a program counter of 32 bits" 's/if (b->pc_w > 32) to\[1\] = .*//'
planted "no wait told" 's/r.wait = wait;//'
timeout 150 "$tmp/api" > "$tmp/log" 2>&1 || failed=1
cat "$tmp/log"

echo '#include "branch_stack.h"
int main() {
  simt_diag diag = {};
  return branch_stack_create(nullptr, nullptr, &diag) ? 1 : 0;
}' > "$tmp/user.cpp"
g++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only $includes "$tmp/user.cpp" > "$tmp/log" 2>&1
result "branch_stack API: the header serves C++" $?
exit $failed
