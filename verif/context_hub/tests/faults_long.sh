#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# rotate: 1
# timeout: 900
# Faults planted in the RTL, in the model, and in both alike, which only the golden model can see. Each is found.
. verif/tests/lib.sh
core=rtl_templates/context_hub/context_hub_core.v mux=rtl_templates/context_hub/context_hub_mux.v
model=cmodel/context_hub/model.c
slots=(context_hub -q -p LOCAL_CONTEXTS=2 --seed 1 --cycles 400000)
golden='^(GOLDEN MODEL|STUCK): ' mismatch='^(MISMATCH|GOLDEN MODEL|STUCK): '
one() { found "$mismatch" "$@" -- "${slots[@]}"; }
both() { found "$golden" "$@" -- "${slots[@]}"; }

try "RTL: the words of one unit come with another's" "[US-9]" -- one $mux 's/data_i\[32\*U+:32\]/data_i[32*(U^(UNITS>1))+:32]/'
try "RTL: the ring takes a word too many" "[US-9]" -- one $core 's/- MUX\[RING_W:0\] - BESIDE/- MUX[RING_W:0] + BESIDE/'
try "RTL: a cut restore goes on asking" "[US-9]" -- one $core 's/memory_load \&\& !cut_q \&\& space/memory_load \&\& space/'
try "model: a slot that is too short is kept" "[US-9]" -- one $model 's/s->local \&\& !s->load \&\& !error/s->local \&\& !s->load/'
acked() { # done before the last write is acknowledged
  both $core "s/busy_q == {INFLIGHT{1'b0}} && !req_q && (load_q/!req_q \&\& (load_q/" $model 's/s->unit_done \&\& !s->busy \&\& !s->req/s->unit_done \&\& !s->req/'
}
try "both: a save ends with writes under way" "[US-8]" -- acked
deaf() { both $core "s/: failed_q ? BAD_MEMORY : 4'd0/: 4'd0/" $model 's/return s->failed ? SIMT_CONTEXT_BAD_MEMORY : /return 0 ? SIMT_CONTEXT_BAD_MEMORY : /'; }
try "both: a refused word of a save goes unnoticed" "[US-8]" -- deaf
slot() {
  both $core 's/(begins \&\& !load_q \&\& slot_q != 2.d0) || keeps/keeps/' $model 's/  if (s->local \&\& !s->load) m->stored\[place(m)\] = 0;//'
}
try "both: the slot of a failed save looks filled" "[US-9]" -- slot
reset() { # what the RAM holds then is not the same in both
  found "$mismatch" $core "s/(LOCAL_CONTEXTS > 0) ? CLEAR : IDLE;/IDLE;/" $model 's/m->s.phase = m->n_slots ? CLEAR : IDLE;/m->s.phase = IDLE;/' -- "${slots[@]}"
}
try "both: slots outlive a reset" "[US-7]" -- reset
far() {
  both $core "s/wire long = (|word\[31:REGION_W\]) || (&word\[REGION_W-1:2\])/wire long = (|word[31:REGION_W])/" \
    $model 's/s->index == LENGTH \&\& word > most)/s->index == LENGTH \&\& word > most + 4)/'
}
try "both: a length a little too large for the region is read" "[US-9]" -- far
magic() {
  both $core 's/magic_right = magic_came_q \&\& !magic_lost_q \&\& word_q == MAGIC/magic_right = magic_came_q \&\& !magic_lost_q/' \
    $model 's/!s->magic_lost \&\& s->word == SIMT_IMAGE_MAGIC/!s->magic_lost/'
}
try "both: a wrong magic word does not end the reading" "[US-9]" -- magic
try "RTL: a word leaves before its answer" "[US-9]" -- one $core 's/ \&\& !busy_q\[rp_q\[TAG_W-1:0\]\];/;/'
try "RTL: a word that a unit offers behind its end reaches a slot" "[US-9]" -- one $core 's/wire brings = a_valid \&\& hears \&\& !said_q;/wire brings = a_valid;/'
exit $failed
