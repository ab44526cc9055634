#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# Reading and replaying call/return traces: what is refused and where, the pickers, the committed excerpts.
. verif/tests/lib.sh
simtgen=$SIMTGEN
export UBSAN_OPTIONS=halt_on_error=1:exitcode=99 ASAN_OPTIONS=detect_leaks=1:exitcode=99
excerpts=verif/stack_cache/traces
result() { # NAME STATUS LOG
  if [ "$2" = 0 ]; then echo "ok $1"; else
    echo "not ok $1: $(tail -n 1 "$3")"
    failed=1
  fi
}
sim() { timeout 60 "$simtgen" sim stack_cache --trace "$@"; }

# NAME, place and text of the message, then the trace on standard input.
refused() {
  local name=$1 expected=$2 file=$tmp/t.stk
  shift 2
  cat > "$file"
  sim "$file" "$@" > "$tmp/out" 2> "$tmp/log"
  local status=$? wanted="simtgen: $file$expected"
  [ $status = 2 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l < "$tmp/log")" = 1 ] &&
    [ "$(head -c ${#wanted} "$tmp/log")" = "$wanted" ]
  result "trace refused: $name" $? "$tmp/log"
}

printf '0 + 1\n0 + 2\n0 - 1\n' | refused "wrong order" \
  ":3:5: value popped: got 1, expected 2 (the top of thread 0: last in, first out)"
printf '0 + 1\n0 - 1\n0 - 1' | refused "pop of an empty stack" ":3:3: pop: got -, expected a push before it"
printf '# x\n24 + 1\n' | refused "thread out of range" \
  ":2:1: thread: got 24, expected a thread number 0..23 (THREADS - 1); set -p THREADS=25"
printf '0 + 1ff\n0 + 200\n' | refused "value wider than an entry" \
  ":2:5: value: got 200, expected a value of at most 9 bits (ENTRY_W)" -p ENTRY_W=9
printf '0 + 1\n0 + 2\n0 + 3\n' | refused "deeper than the block" \
  ":3:3: push: got +, expected at most 2 entries on the stack of thread 0 (MAX_DEPTH)" -p MAX_DEPTH=2 
printf '0 + 12345678123456781\n' | refused "17 digits" ":1:5: value: got 12345678123456781, expected 1 to 16"
printf '0 * 1\n' | refused "unknown operation" ":1:3: operation: got *, expected + (push) or - (pop)"
printf '0 + 1 2\n' | refused "more after the value" ":1:7: line: got 2, expected nothing after the value"
printf '0 +\n' | refused "no value" ":1:4: value: got nothing, expected 1 to 16 hexadecimal digits"
printf '\n' | refused "empty line" ":1:1: thread: got nothing"
printf '0 + 1\n\000\001\377 garbage\n' | refused "bytes that are no text" ":2:1: thread: got a zero byte"
printf '' | refused "empty file" ":1:1: trace: got no operation, expected lines like"
printf '# only headers\n' | refused "no operation" ":1:1: trace: got no operation"
{ printf '0 + 1\n'; head -c 5000 /dev/zero | tr '\0' a; } | refused "line too long" \
  ":2:4097: line: got a longer one, expected at most 4096 characters"
gzip -dc $excerpts/weiss_chess.stk.gz | head -n 2000 | gzip -nc > "$tmp/whole.gz"
head -c 3000 "$tmp/whole.gz" | refused "gzip cut short" ":"
grep -q "trace: got a gzip stream that is cut short" "$tmp/log"
result "trace refused: gzip cut short, says so" $? "$tmp/log"
{ head -c 2000 "$tmp/whole.gz"; head -c 100 /dev/zero; tail -c +2101 "$tmp/whole.gz"; } | refused "broken gzip" ":"
behind="trace: got something else from byte $(stat -c %s "$tmp/whole.gz") of the file, expected nothing, or one more gzip stream"
{ cat "$tmp/whole.gz"; printf 'garbage'; } | refused "garbage behind gzip" ":2001:1: $behind"
{ cat "$tmp/whole.gz"; printf '\037'; } | refused "one byte behind gzip" ":2001:1: $behind"
{ cat "$tmp/whole.gz"; head -c 70000 /dev/zero; } | refused "zeros behind gzip" ":2001:1: $behind"
{ cat "$tmp/whole.gz"; head -c 20 "$tmp/whole.gz"; } | refused "a second gzip stream cut short" \
  ":2001:1: trace: got a gzip stream that is cut short"
sim "$tmp" 2> "$tmp/log" > /dev/null
[ $? = 2 ] && grep -q "$tmp:1:1: trace: got Is a directory" "$tmp/log"
result "trace refused: a folder" $? "$tmp/log"
sim "$tmp/missing" 2> "$tmp/log" > /dev/null
[ $? = 2 ] && grep -q "$tmp/missing: got No such file" "$tmp/log"
result "trace refused: no such file" $? "$tmp/log"
printf '0 + 1\n' > "$tmp/good.stk"
sim "$tmp/good.stk" --picker lowest_indx 2> "$tmp/log" > /dev/null
[ $? = 2 ] && grep -q "did you mean lowest_index" "$tmp/log"
result "trace refused: unknown picker, with a proposal" $? "$tmp/log"

# The same operations as text, gzip, with other line ends, without the last one.
printf '# h\n0 + 1F\n3 + 2\n0 - 1f\n' > "$tmp/a.stk"
gzip -nc "$tmp/a.stk" > "$tmp/b.stk.gz"
sed 's/$/\r/' "$tmp/a.stk" > "$tmp/c.stk"
printf '0 +  1f\n3\t+ 2\n0 - 01f' > "$tmp/d.stk"
{ head -c 8 "$tmp/a.stk" | gzip -nc; tail -c +9 "$tmp/a.stk" | gzip -nc; gzip -nc /dev/null; } > "$tmp/e.stk.gz"
for f in a.stk b.stk.gz c.stk d.stk e.stk.gz; do
  sim "$tmp/$f" --json 2> "$tmp/log" | grep -v '"trace"' > "$tmp/$f.json"
  [ -s "$tmp/$f.json" ] && cmp "$tmp/a.stk.json" "$tmp/$f.json" >> "$tmp/log" 2>&1 || { failed=1; echo "not ok trace form $f: $(tail -n 1 "$tmp/log")"; }
done
[ $failed = 0 ] && echo "ok trace: plain, gzip, two gzip streams, CRLF, no last line end"

# The pickers, each against a slow reading of its rule; then with one of them broken.
python3 - "$tmp" <<'PYTHON'
import random, sys
for name, threads, count in (("few", 5, 400), ("many", 70, 1500), ("one", 1, 50)):
    random.seed(name)
    stacks = [[] for _ in range(threads)]
    with open(f"{sys.argv[1]}/{name}.stk", "w") as f:
        for i in range(count):
            t = min(random.randrange(threads), random.randrange(threads))
            if stacks[t] and (random.random() < 0.5 or len(stacks[t]) > 60):
                f.write(f"{t} - {stacks[t].pop():x}\n")
            else:
                stacks[t].append(i)
                f.write(f"{t} + {i:x}\n")
PYTHON
build() { # REPLAY_C TO
  gcc -std=gnu11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -Icmodel/core -Icmodel \
    -Iverif/core -Iverif verif/stack_cache/tests/replay_test.c verif/stack_cache/trace.c verif/core/trace_reader.c "$1" verif/core/rng.c \
    "$tmp/blocks.c" cmodel/core/*.c -lz -lm -o "$2" > "$tmp/log" 2>&1
}
echo 'extern const void *const simt_blocks[]; const void *const simt_blocks[] = {0};' > "$tmp/blocks.c"
build verif/stack_cache/replay.c "$tmp/replay"
for t in "few 5" "many 70" "one 1"; do
  # shellcheck disable=SC2086
  set -- $t
  timeout 100 "$tmp/replay" "$tmp/$1.stk" "$2" >> "$tmp/log" 2>&1
  result "trace: all pickers choose as their rules say, $1 threads" $? "$tmp/log"
done
edit verif/stack_cache/replay.c 's/r->last + 1 < r->threads ? r->last + 1 : 0/r->last/' "$tmp/broken.c" > "$tmp/log" &&
  build "$tmp/broken.c" "$tmp/broken" && seen_by '^picker round.robin: ' "$tmp/broken" "$tmp/few.stk" 5 > "$tmp/log"
result "trace: a picker that starts at the last thread is seen" $? "$tmp/log"

# In lockstep with the RTL, to the answer of the last operation: all of them, by every picker, a set in beats too.
replayed() { # ARGUMENTS...
  timeout 100 "$simtgen" check stack_cache --trace "$tmp/few.stk" --latency 20 -p THREADS=5 -p ENTRIES=4 -p SET=2 -p ENTRY_W=16 \
    -p MAX_DEPTH=64 --json "$@" > "$tmp/out" 2> "$tmp/log" && grep -q '"operations": 400,' "$tmp/out" &&
    grep -A2 '"restore"' "$tmp/out" | grep -q '"count": [1-9]'
}
for picker in round_robin longest_remaining lowest_index global_order; do
  replayed --picker $picker
  result "trace: replayed in lockstep, $picker [SC-14]" $? "$tmp/log"
done
replayed -p MEM_W=entry -p OUT_REG=1
result "trace: replayed in lockstep, a set in beats [SC-14]" $? "$tmp/log"

# Excerpts: each has enough operations and simulates; provenance names all of them.
for f in "$excerpts"/*.stk.gz; do
  n=$(gzip -dc "$f" | grep -vc '^#')
  sim "$f" --json > "$tmp/out" 2> "$tmp/log" && [ "$n" -ge 20000 ] && grep -q "\"operations\": $n," "$tmp/out" &&
    grep -q "^$(basename "$f") " $excerpts/PROVENANCE.txt
  result "trace excerpt $(basename "$f" .stk.gz): $n operations" $? "$tmp/log"
done
exit $failed
