#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 4
# each: first
# The program under the address and undefined-behaviour sanitizers: a block described and generated over its grid of
# configurations, by rotation, and run for a moment; the others with OTHERS=1.
set -u
B=${B:-build}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 ASAN_OPTIONS=detect_leaks=1
failed=0
flags='-O0 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all'

result() { # NAME LOG STATUS
  if [ "$3" = 0 ]; then echo "ok $1"; else
    cat "$2" >&2
    echo "not ok $1: $(grep -m1 -E 'ERROR|runtime error|simtgen:|not ok' "$2" || tail -n 1 "$2")"
    failed=1
  fi
}

export SIMTGEN_CACHE=${SIMTGEN_CACHE:-$(realpath "$B")/cache} # of the RTL that other scripts run as well

mkdir -p "$B/sanitize" # several scripts use it, maybe at once
flock "$B/sanitize" make -s "B=$B/sanitize" "CFLAGS=$flags" "$B/sanitize/simtgen" > "$tmp/log" 2>&1
result "the program builds with sanitizers" "$tmp/log" $?
[ $failed = 0 ] || exit 1
simtgen=$B/sanitize/simtgen
export SIMTGEN_DATA=$PWD

# The check itself: a leak and an overflow are seen with these flags.
printf '#include <stdlib.h>\nint main(int n, char **v) { (void)v; char *p = malloc((size_t)n);\n'`
     `'  p[n] = 1; return p[0]; }\n' > "$tmp/bad.c"
gcc $flags "$tmp/bad.c" -o "$tmp/bad" && "$tmp/bad" > "$tmp/log" 2>&1
[ $? != 0 ] && grep -q heap-buffer-overflow "$tmp/log"
result "a planted overflow is seen" "$tmp/log" $?

blocks=$(PYTHONPATH=verif/tools python3 -c 'import sys, testlib; print(*testlib.blocks_here(sys.argv[1]))' "$simtgen") ||
  { echo "not ok list: failed"; exit 1; }
options() { # the line of a grid as -p options
  local word
  for word in $1; do printf -- '-p %s ' "$word"; done
}
for block in $blocks; do
  n=0
  while read -r line; do
    n=$((n + 1))
    [ "${PART:-all}" = all ] || [ $((n % ${PART#*/})) = "${PART%/*}" ] || continue
    # shellcheck disable=SC2046
    "$simtgen" describe "$block" $(options "$line") --json > "$tmp/log" 2>&1 &&
      "$simtgen" gen "$block" $(options "$line") -o "$tmp/$block$n" >> "$tmp/log" 2>&1 ||
      { result "$block: describe and gen: $line" "$tmp/log" 1; continue; }
    rm -rf "$tmp/$block$n"
  done < <(echo; sed 's/#.*//; /^ *!/d; /^ *$/d' "verif/$block/grid.txt")
  [ $failed = 0 ] && echo "ok $block: describe and gen over the grid"
  "$simtgen" check "$block" --cycles 20000 --seed 1 > "$tmp/log" 2>&1
  result "$block: a short run in lockstep" "$tmp/log" $?
done
exit $failed
