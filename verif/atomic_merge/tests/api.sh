#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# rotate: 3
# The transaction level of the C library, under the sanitizers, from C and from C++.
set -- atomic_merge
. verif/tests/api_lib.sh
CREATE='nullptr, &diag' api_tests 'one after the other|permutation'
api_planted "an operand of 32 bits" 's/simt_put64(&in\[at->req_data\], r->data);/simt_put64(\&in[at->req_data], (uint32_t)r->data);/' 'one after the other'
api_planted "an answer told of with the ticket of another" 's/    if (i->ticket != ticket) continue;//' 'tickets'
api_planted "cycles counted from creation on" 's/.begin = c->t.cycle, .ticket/.begin = 0, .ticket/' 'tickets'
api_planted "an address that is cut" 's/simt_fits(r->addr, m->l.addr_w)/true/' 'one past'
api_planted "an operand that is cut" 's/ && operands_fit(r)//' 'one past'
exit $failed
