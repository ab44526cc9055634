#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# The transaction level of the C library, under the sanitizers, from C and from C++.
set -u
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export UBSAN_OPTIONS=halt_on_error=1 ASAN_OPTIONS=detect_leaks=1
here=verif/stack_cache/tests
includes="-Icmodel/core -Icmodel/stack_cache"
failed=0
result() { # NAME STATUS
  if [ "$2" = 0 ]; then echo "ok $1"; else
    cat "$tmp/log" >&2
    echo "not ok $1: $(grep -m1 -E 'line |ERROR|error' "$tmp/log" || tail -n 1 "$tmp/log")"
    failed=1
  fi
}

echo '#include "simt.h"
extern const struct simt_block simt_block_stack_cache;
const struct simt_block *const simt_blocks[] = {&simt_block_stack_cache, NULL};' > "$tmp/blocks.c"
gcc -std=gnu11 -O1 -g -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all $includes \
  $here/api_test.c "$tmp/blocks.c" cmodel/core/*.c cmodel/stack_cache/*.c -lm -lpthread -o "$tmp/api" > "$tmp/log" 2>&1
result "stack_cache API: builds with the models alone" $?
[ $failed = 0 ] || exit 1

! timeout 100 "$tmp/api" plant > "$tmp/log" 2>&1 && grep -q memcmp "$tmp/log"
result "stack_cache API: a bit lost in memory is seen" $?
timeout 150 "$tmp/api" > "$tmp/log" 2>&1 || failed=1
cat "$tmp/log"

echo '#include "stack_cache.h"
int main() {
  simt_diag diag = {};
  return stack_cache_create(nullptr, nullptr, &diag) ? 1 : 0;
}' > "$tmp/user.cpp"
g++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only $includes "$tmp/user.cpp" > "$tmp/log" 2>&1
result "stack_cache API: the header serves C++" $?
exit $failed
