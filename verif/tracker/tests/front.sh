#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# The front end that plays memory traces, alone with an ideal tracker and under the sanitizers: every excerpt in every
# mode ends with all accesses issued; trackers with a planted fault are each found.
set -u
B=${B:-build}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export UBSAN_OPTIONS=halt_on_error=1 ASAN_OPTIONS=detect_leaks=1
traces=verif/tracker/traces
failed=0
result() { # NAME STATUS
  if [ "$2" = 0 ]; then echo "ok $1"; else
    echo "not ok $1: $(tail -n 1 "$tmp/log")"
    failed=1
  fi
}
build() { # IDEAL_C TO FLAGS
  # shellcheck disable=SC2086
  gcc -std=gnu11 $3 -Icmodel/core -Iverif/core -Icmodel -Iverif verif/tracker/tests/front_test.c \
    verif/tracker/{front,front_tags,front_memory,trace}.c "$1" verif/core/trace_reader.c cmodel/core/*.c \
    -lz -lm -o "$2" > "$tmp/log" 2>&1
}
build verif/tracker/ideal.c "$tmp/front" "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"
result "front end: builds" $?
gzip -dc $traces/shoc_bfs.mem.gz | head -n 500 > "$tmp/short.mem"
for mode in 1 2 3 4; do
  for trace in $traces/{tinybvh_ailalaine,nv_volume_render}.mem.gz "$tmp/short.mem"; do
    timeout 100 "$tmp/front" "$trace" $mode > "$tmp/out" 2> "$tmp/log"
    result "front end: $(basename "${trace%.mem*}") is played to its end, mode $mode [TR-2]" $?
  done
done
grep -Eq "closes [1-9]" "$tmp/out" && grep -Eq "counts [1-9]" "$tmp/out"
result "front end: close packets were sent, and counts kept from saturating [TR-10 TR-13]" $?

. verif/tests/planted.sh
planted_in_ideal() { # NAME MESSAGE SED-EXPRESSION
  sed "$3" verif/tracker/ideal.c > "$tmp/ideal.c"
  ! cmp -s "$tmp/ideal.c" verif/tracker/ideal.c && build "$tmp/ideal.c" "$tmp/broken" -O1 &&
    seen_by "^$2" "$tmp/broken" "$tmp/short.mem" 4 > "$tmp/log"
  result "front end: $1 is seen" $?
}
planted_in_ideal "a wavefront without its data" "a wavefront left before its data was there" 's/if (e->waits || e->ready/if (e->ready/'
planted_in_ideal "a younger wavefront first" "a wavefront left before an older one" 's/if (!ray) return w->warp % part;/if (!ray) return (unsigned)(t->tail % part);/'
planted_in_ideal "a wavefront that leaves twice" "a wavefront on lg_out that was not sent there" 's/^  q->commit = e->next;/  if (t->cycle % 64) q->commit = e->next;/'
planted_in_ideal "a tracker that loses a fill" "nothing moved" 's/^  s->valid |= (uint8_t)(1u << sector);/  if (t->cycle % 64 == 0) return;\n&/'
planted_in_ideal "a data slot that is never reported free" "nothing moved" 's/if (!--d->count) report/if (!--d->count \&\& t->cycle < 2000) report/'
exit $failed
