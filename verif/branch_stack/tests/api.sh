#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# The transaction level of the C library, under the sanitizers, from C and from C++; and what its tests must find in it.
set -- branch_stack branch_unit stack_cache
. verif/tests/api_lib.sh
api_tests "not ok"
api_planted "an instruction that has popped waits as if it had not" 's/i->pop_sync && !bs_synced(b->t.model, i->group)/i->pop_sync/' 'goes on while a pop waits'
api_planted "what needs no stack waits like a pop" 's/return steps ? b->ins.step : b->ins.pops;/return b->ins.pops;/' 'goes on while a pop waits'
api_planted "set-sync without its push" 's/|| (i->set_sync && !steps))/)/' 'one result for each'
api_planted "a program counter of 32 bits" 's/if (b->pc_w > 32) to\[1\] = .*//' 'recursion through memory'
api_planted "no wait told" 's/r.wait = wait;//' 'recursion through memory'
exit $failed
