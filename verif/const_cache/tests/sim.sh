#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# `simtgen sim const_cache`: every word that an item of a recorded stream reads is right (the program compares), the figures
# add up, small cases come out as reckoned by hand, and broken streams are refused.
. verif/tests/lib.sh
traces=verif/const_cache/traces

# CONDITIONS, ARGUMENTS...: conditions on the statistics `s` in Python.
holds() {
  timeout 100 "$SIMTGEN" sim const_cache "${@:2}" --json > "$tmp/out" || return 1
  python3 - "$tmp/out" "$1" <<'PYTHON'
import json, sys
from types import SimpleNamespace
s = json.load(open(sys.argv[1]), object_hook=lambda d: SimpleNamespace(**d))
for condition in sys.argv[2].split(";"):
    if not eval(condition.strip()):
        sys.exit(f"{condition.strip()} is false")
PYTHON
}

for t in es2gears glmark2_ideas glmark2_mixed xscreensaver_gears; do
  for p in "" "-p L1_ENTRIES=16 -p L2_ENTRIES=32 -p BACKUP_ENTRIES=16" "-p SMS=16 -p READS=16"; do
    # shellcheck disable=SC2086
    try "sim: $t $p" "[CC-2 CC-16]" -- holds 's.operations == s.hits + s.misses; s.items == s.works; s.shared.works == s.works;
      s.writes + s.repeats == s.shared.writes + s.shared.repeats; s.shared.saved == 0; abs(s.speed_up - s.shared.cycles / s.cycles) < 1e-4;
      s.idle_cycles < s.cycles; 0 < s.sm_percent <= 100; s.filled >= s.misses' --trace $traces/$t.cst.gz --picker batch32_cycles1 $p
  done
done
# Two items of 2 and 1 vertices and one of 100: the draw of 3 is not split, that of 100 is in four items.
printf 'C 0 a\nW 3 0 1\nC 0 b\nW 100 0 0\n' > "$tmp/t.cst"
try "sim: draws are split into items of 32 vertices" "[CC-16]" -- holds 's.draws == 2; s.items == 5; s.operations == 6; s.writes == 2' --trace "$tmp/t.cst" --picker batch32_cycles1
try "sim: whole draws are not" "[CC-16]" -- holds 's.items == 2; s.operations == 3; s.cycles > 16 * 100' --trace "$tmp/t.cst" --picker draw_cycles16
# An item of 1,000 x 16 cycles and a write behind it: `shared` waits for it, `backup` does not.
printf 'W 1000 5 5\nC 5 1\nW 1000 5 5\n' > "$tmp/w.cst"
try "sim: shared waits for the item before a write, backup does not" "[CC-13]" -- holds \
  's.shared.wait_active > 15900; s.wait_active == 0; 1.9 < s.speed_up < 2.1' --trace "$tmp/w.cst" --picker draw_cycles16
exit $failed
