#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# rotate: 3
# The transaction level of the C library, under the sanitizers, from C and from C++; and what its tests must find in it.
set -- branch_stack branch_unit stack_cache
. verif/tests/api_lib.sh
api_tests "not ok"
api_planted "an instruction that has popped waits as if it had not" 's/i->pop_sync && !bs_synced(b->t.model, i->group)/i->pop_sync/' 'goes on while a pop waits'
api_planted "what needs no stack waits like a pop" 's/return steps ? b->ins.step : b->ins.pops;/return b->ins.pops;/' 'goes on while a pop waits'
api_planted "set-sync without its push" 's/|| (i->set_sync && !steps))/)/' 'one result for each'
api_planted "a program counter of 32 bits" 's/target\], 0, b->pc_w/target], 0, b->pc_w > 32 ? 32 : b->pc_w/' 'recursion through memory'
api_planted "a pc that is cut" 's/simt_fits(i->next, b->pc_w)/true/' 'one past'
api_planted "lanes that are cut" 's/masked \&\& /false \&\& /' 'one past'
api_planted "no wait told" 's/r.wait = wait;//' 'recursion through memory'
exit $failed
