#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 3
# timeout: 500
# Mutated configuration files, command lines and traces: 100,000 through the program's entry functions
# under the sanitizers, 500 through the program itself. No crash, no hang, no leak, one message each.
set -u
B=${B:-build} SIMTGEN=${SIMTGEN:-$B/simtgen}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export SIMTGEN_DATA=${SIMTGEN_DATA:-$PWD} UBSAN_OPTIONS=halt_on_error=1 ASAN_OPTIONS=detect_leaks=1
failed=0

result() { # NAME STATUS
  if [ "$2" = 0 ]; then echo "ok $1"; else
    cat "$tmp/log" >&2
    echo "not ok $1: $(grep -m2 -aE 'fuzz:|ERROR|runtime error|rror:' "$tmp/log" | tr -d '\r' | tr '\n' ' ')"
    failed=1
  fi
}

flags='-O0 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all'
mkdir -p "$B/sanitize" # with the objects of verif/tests/sanitize.sh, which may run now
flock "$B/sanitize" make -s "B=$B/sanitize" "CFLAGS=$flags" "$B/sanitize/fuzz" > "$tmp/log" 2>&1
result "the fuzzer builds" $?
[ $failed = 0 ] || exit 1
fuzz=$(realpath "$B/sanitize/fuzz") SIMTGEN=$(realpath "$SIMTGEN")

# The first lines of every trace that a block keeps, without comments, as text and compressed.
samples=()
for f in verif/*/traces/*.gz; do
  [ -e "$f" ] || continue
  name=$tmp/$(basename "$f" .gz)
  gzip -dc "$f" 2> /dev/null | grep -v '^#' | head -n 150 > "$name"
  gzip -nc "$name" > "$name.gz"
  samples+=("$name" "$name.gz")
done

run() { # OPTIONS: in an empty folder
  rm -rf "$tmp/work"
  mkdir "$tmp/work"
  (cd "$tmp/work" && timeout 400 "$fuzz" "$@" "${samples[@]}") > "$tmp/log" 2>&1
}

plant() { # FAULT WHAT-IS-SAID
  run -n 20 -s 1 -x "$1"
  [ $? != 0 ] && grep -qa "$2" "$tmp/log"
  result "a planted $1 is found" $?
}
plant crash heap-buffer-overflow
plant hang 'no end within'
plant leak 'LeakSanitizer: detected'
plant message 'not a message'
run -n "${FUZZ_INPUTS:-100000}" -s "${FUZZ_SEED:-1}"
result "mutated files, command lines and traces under the sanitizers" $?
run -n 500 -s 2 -r "$SIMTGEN"
result "mutated files, command lines and traces through the program" $?
exit $failed
