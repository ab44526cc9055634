#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 400
# Faults planted in the RTL, in the model, and in both alike (the golden model's to find). Each is found.
. verif/tests/lib.sh
row=rtl_templates/status_tree/status_tree_row.v branch=rtl_templates/status_tree/status_tree_branch.v
fan=rtl_templates/status_tree/status_tree_fan.v core=rtl_templates/status_tree/status_tree_core.v
model=cmodel/status_tree/model.c topology=cmodel/core/topology.c
small=(status_tree -q -p UNITS=7 -p GROUP=3 -p COMMANDS=group --seed 1 --cycles 20000)
golden='^GOLDEN MODEL: ' mismatch='^MISMATCH: '

try "RTL: the last unit of a group is left out" "[US-1]" -- found "$mismatch" $row 's/i < LOW + COUNT; i/i < LOW + COUNT - 1; i/' -- "${small[@]}"
try "RTL: flags are joined by AND" "[US-10]" -- found "$mismatch" $row 's/= |flags_i/= \&flags_i/' -- "${small[@]}"
try "RTL: reports survive rst_i" "[US-7]" -- found "$mismatch" $row 's/flags_o <= rst_i ? {4\*WIDTH{1.b0}} : flags/flags_o <= flags/' -- "${small[@]}"
try "RTL: two commands change places" "[US-7]" -- found "$mismatch" \
  $core 's/\.command_i(mon_reset_i\[c +: RUN\])/.command_i(mon_resume_i[c +: RUN])/' -- "${small[@]}"
try "RTL: commands come a cycle early" "[US-6 US-7]" -- found "$mismatch" $fan 's/if (s == STAGES)/if (s >= STAGES - 1)/' -- \
  status_tree -q -p UNITS=4 --seed 1 --cycles 20000
try "model: a report is one cycle late" "[US-6]" -- found 'golden model: connection 0' $model 's/make_pipe(&m->up, cfg, m->l.stages, /make_pipe(\&m->up, cfg, m->l.stages + 1, /' -- "${small[@]}"
try "both: flags are joined by AND" "[US-10]" -- found "$golden" $row 's/= |flags_i/= \&flags_i/' \
  $model '/^static uint32_t any_bit/,/^}/{s/(words/(~words/;s/return 1;/return 2;/;s/return 0;/return 1;/;s/return 2;/return 0;/}' \
  -- "${small[@]}"
try "both: a group in a group is a connection of its own" "[US-6]" -- found "$golden" $topology \
  's/root\[i\] = (unsigned)at;/root[i] = (unsigned)i;/' \
  -- status_tree -q -p topology=verif/status_tree/four_caches.yaml -p COMMANDS=group --seed 1 --cycles 20000
exit $failed
