#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 600
# Faults planted in the RTL, and in RTL and model alike, which only the golden model can see. Each is found.
. verif/tests/lib.sh
dir=rtl_templates/line_home/line_home_directory.v send=rtl_templates/line_home/line_home_send.v
memory=rtl_templates/line_home/line_home_backing.v
rules=cmodel/line_home/directory.c
base=(line_home -q --seed 1 --cycles 100000)
golden='^GOLDEN MODEL: ' any='^(MISMATCH|GOLDEN MODEL|STUCK): '

rtl() {
  try "RTL: an operation does not wait for the one in the last stage" "[AM-15]" -- found "$any" \
    $dir 's/|| (s4_valid \&\& s4_writes \&\& s4_set == c_set)//' -- "${base[@]}"
  try "RTL: beats that are promised do not count" "[AM-15]" -- found "$any" \
    $send 's/room_q <= used_q <= MOST/room_q <= level_q <= MOST/' -- "${base[@]}" --stimulus random:blocked
  try "RTL: a snoop behind a fill is forgotten" "[AM-15]" -- found "$any" \
    $dir "s/assign send_after_o = .*/assign send_after_o = 1'b0;/" -- "${base[@]}"
  try "RTL: a read is complete with its first beat" "[AM-15]" -- found "$any" \
    $memory 's/== {{LEFT_W-1{1.b0}}, 1.b1}) done_q/!= 0) done_q/' -- "${base[@]}"
}
turns() {
  try "both: the lowest number goes first" "[AM-15]" -- found "$golden" \
    $dir 's/after_owner\[i\] = i\[CACHE_W-1:0\] > owner;/after_owner[i] = 1'"'b0;/" \
    $rules 's/= e->waits \& ~(bit(e->owner) | (bit(e->owner) - 1))/= 0/' -- "${base[@]}" --stimulus random:hot
  try "both: a release without data makes memory good" "[AM-15]" -- found "$golden" \
    $dir 's/n_stale = stale || s3_dirty;/n_stale = s3_dirty;/' $rules 's/e->stale |= op->dirty/e->stale = op->dirty/' -- "${base[@]}"
}
room() {
  try "both: room for one message is promised to three" "[AM-15]" -- found "$any" \
    $send 's/DEPTH - 3 \* (BEATS + 1) - 1/DEPTH - (BEATS + 1)/' cmodel/line_home/model.c 's/o->used + 3 \* (m->l.beats + 1)/o->used + m->l.beats + 1/' -- \
    "${base[@]}" -p CACHES=2 --stimulus random:blocked
}
errors() {
  try "both: whoever releases a line is its owner" "[AM-16]" -- found "$golden" \
    $dir 's/state == OWNED \&\& owner == s3_cache/state == OWNED/' $rules 's/ || d->m->entry\[at\].owner != op->cache//' \
    cmodel/line_home/model.c 's/ \&\& m->entry\[at\].owner == op->cache//' -- "${base[@]}" --stimulus random:errors
  try "both: an error of a read is not noticed" "[AM-16]" -- found "$golden" \
    $dir "s/finishes = s3_write || !s3_error;/finishes = 1'b1;/" $rules 's/else if (op->error)/else if (op->error \&\& op->write)/' -- \
    "${base[@]}" --stimulus random:errors
  try "both: an error of a write is not counted" "[AM-16]" -- found "$golden" \
    $dir "s/lost = s3_write \&\& s3_error;/lost = 1'b0;/" $rules 's/    if (op->error) {/    if (op->error \&\& s->lost) {/' -- \
    "${base[@]}" --stimulus directed:write_error
}
idle() {
  try "both: idle while memory owes an answer" "[AM-17]" -- found "$golden" \
    $memory 's/|level || asks_q || |busy_q/|level || asks_q/' cmodel/line_home/model.c 's/any |= s->busy != 0 || /any |= /' -- "${base[@]}"
  try "both: idle with a message that is not taken" "[AM-17]" -- found "$golden" \
    $send 's/p_valid || |home_valid_o;/p_valid;/' cmodel/line_home/model.c 's/(s->offers | get_caches(m, &in\[m->at.fetch_valid\])/(get_caches(m, \&in[m->at.fetch_valid])/' -- "${base[@]}"
}

for part in rtl turns room errors idle; do $part > "$tmp/$part.out" & done
wait
cat "$tmp"/*.out
! grep -q '^not ok' "$tmp"/*.out
