#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# The memory model behind every block's environment; a fault planted in it is found.
. verif/tests/lib.sh
sources="verif/core/rng.c verif/core/axi4_memory.c cmodel/core/*.c verif/tests/memory_test.c"
flags="-std=gnu11 -O2 -Wall -Wextra -Wshadow -I$root/cmodel/core -I$root/cmodel -I$root/verif/core -I$root/verif"
mkdir "$tmp/o"
# shellcheck disable=SC2086
(files=$(realpath $sources) && cd "$tmp/o" && gcc $flags -c $files) || { echo "not ok memory: the test compiles"; exit 1; }
run() { # MEMORY.C
  gcc $flags "$1" "$tmp"/o/*.o -o "$tmp/memory_test" && timeout 60 "$tmp/memory_test"
}
run verif/core/memory.c || failed=1
[ $failed = 0 ] || exit 1

fault() { # SED PATTERN: with the fault, a test whose name matches fails
  edit verif/core/memory.c "$1" "$tmp/memory.c" && gcc $flags "$tmp/memory.c" "$tmp"/o/*.o -o "$tmp/planted" || return 1
  seen_by "^not ok memory: .*$2" "$tmp/planted"
}
try "memory: an answer one cycle late is found" -- fault 's/m->cycle + m->latency/&+ 1/' 'fixed latency'
try "memory: an ignored strobe is found" -- fault 's/ && (strb\[.*& 1);) n++/;) n++/' 'right data'
try "memory: accesses that all happen at once are found" -- fault 's/if (m->at_once)/if (true)/' 'old or the new'
try "memory: an answer after reset is found" -- fault 's/if (in\[at->rst\]) drop_all(m);//' 'reset drops'
exit $failed
