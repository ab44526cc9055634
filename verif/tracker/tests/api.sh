#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# rotate: 3
# The transaction level of the C library, under the sanitizers, from C and from C++.
set -- tracker
. verif/tests/api_lib.sh
api_tests 'leaves once'
api_planted "a sector asked for twice" 's/s->coming |= (uint8_t)(1u << sector);/s->coming \&= s->there;/' 'leaves once'
api_planted "a report that counts although the data slot was named again" 's/if (s->refs || !s->named) return;/if (!s->named) return;/' 'leaves once|tokens'
api_planted "outputs read that nobody keeps" 's/t->reads = t->dones < KEPT;/t->reads = true;/' 'kept until'
api_planted "a token that nobody waits for" 's/if (s->kept || !s->free) continue;/if (!s->free) continue;/; s/s->kept = s->free && token_waits(t, s);/s->kept = false;/' 'tokens'
api_planted "a payload of a packet that is cut" '/unsigned kind, uint64_t payload) {$/,/^}/s/!simt_fits(payload, t->l.payload_w)/false/' 'one past'
api_planted "a payload of a wavefront that is cut" 's/ || !simt_fits(w->payload, t->l.payload_w)//' 'one past'
exit $failed
