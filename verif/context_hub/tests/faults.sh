#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 200
# Faults planted in the model, without RTL: what the golden model finds at the ports. (A fault in RTL alone differs from the model in
# lockstep; in both it looks like these. With RTL: faults_long.sh.)
. verif/tests/lib.sh
EDIT=-E block=context_hub PLANTED_SECONDS=60
runs=("200000 1 random UNITS=4 LOCAL_CONTEXTS=2" "1000000 1 directed UNITS=4 LOCAL_CONTEXTS=2")

always try "the sound model passes without RTL" "[US-8 US-9]" -- passes
seen "a save ends with writes under way" "US-8" "requests under way" model.c 's/s->unit_done && !s->busy && !s->req/s->unit_done \&\& !s->req/'
seen "a refused word of a save goes unnoticed" "US-8" "error 0, not 6" model.c 's/return s->failed \? SIMT_CONTEXT_BAD_MEMORY : /return 0 ? SIMT_CONTEXT_BAD_MEMORY : /'
seen "the slot of a failed save looks filled" "US-9" "error 4, not 7" model.c 's/  if \(s->local && !s->load\) m->stored\[place\(m\)\] = 0;//'
seen "a slot that is too short is kept" "US-9" "error [04], not" model.c 's/s->local && !s->load && !error/s->local \&\& !s->load/'
seen "a length a little too large for the region is read" "US-9" "beyond what the header says" model.c 's/s->index == LENGTH && word > most\)/s->index == LENGTH \&\& word > most + 4)/'
seen "a wrong magic word does not end the reading" "US-9" "before the magic word was right" model.c 's/!s->magic_lost \&\& s->word == SIMT_IMAGE_MAGIC/!s->magic_lost/'
seen "a wrong checksum is taken for good" "US-9" "error 0, not 5" model.c 's/s->crc != ~UINT32_C\(0\) \? SIMT_STREAM_BAD_SUM : 0/0/'
seen "a save that failed gets a checksum that is right" "US-9" "that failed would be restored" model.c 's/spoilt \? s->crc : ~s->crc/~s->crc/'
seen "a word that memory refused is forgotten when the unit says nothing of it" "US-9" "which nobody gave" model.c 's/return s->failed \? SIMT/return s->failed \&\& !s->load ? SIMT/'
seen "slots outlive a reset" "US-7" "error 0, not 7" model.c 's/m->s.phase = m->n_slots \? CLEAR : IDLE;/m->s.phase = IDLE;/'
exit $failed
