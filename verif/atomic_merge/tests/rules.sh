#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 2
# What docs/atomic_merge.md says of single requests: modes, what is ignored, errors, NaNs, widths.
. verif/tests/lib.sh
. verif/atomic_merge/tests/bench_lib.sh
source=verif/atomic_merge/tests/rules_test.c

operations=(ATOMIC_WRAP=wait ATOMIC_MOD=wait ATOMIC_FMIN=wait ATOMIC_FMAX=wait)
bad() { planted "$source" "^BROKEN $1" "$2" "$3" "${operations[@]}"; }

always try "rules: the program builds" -- builds rules "$source"
try "rules of single requests hold" "[AM-1 AM-2 AM-16]" -- "$tmp/rules" "${operations[@]}"
try "rules of single requests hold: other numbers of misses and temporary lines" "[AM-1 AM-2 AM-16]" -- \
  "$tmp/rules" "${operations[@]}" MISSES=4 MAX_TEMPS=3 LINE_BYTES=32 MERGE_LANES=4
try "rules: a store that answers what was there is seen" "[AM-2]" -- bad 'a store of mode 0 answers 0' atomic_merge/values.c 's/return r->op == AM_LOAD ||/return r->op == AM_LOAD || r->op == AM_STORE ||/'
try "rules: a mode 3 that is taken is seen" "[AM-16]" -- bad 'mode 3 is refused' atomic_merge/values.c 's/ || r->mode >= AM_MODES//'
try "rules: a fence that looks at its address is seen" "[AM-2]" -- bad 'a fence or flush ignores' atomic_merge/values.c 's/if (r->op == AM_FENCE || r->op == AM_FLUSH) return false;//'
try "rules: NaNs that win are seen" "[AM-1]" -- bad 'a number goes before a NaN' atomic_merge/floats.c 's/return x_none ? y : x;/return x_none ? x : y;/'
exit $failed
