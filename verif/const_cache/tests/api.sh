#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# rotate: 3
# The transaction level of the C library, under the sanitizers, from C and from C++.
set -- const_cache
. verif/tests/api_lib.sh
api_tests 'every version'
api_planted "a command withdrawn by a register access" 's/c->t.in\[c->at.cmd_valid\] = c->waiting;/c->t.in[c->at.cmd_valid] = c->waiting \&\& !c->t.in[c->t.reg.valid];/' 'registers between commands'
api_planted "the first item told of in place of the own one" 's/if (c->given\[i\].number == number)/if (i == 0)/' 'dispatch behind items sent'
api_planted "constants of wide vectors by word" 's/sm \* c->word_w, c->word_w)/sm * 32, c->word_w)/' 'every version'
api_planted "a value that is cut" 's/!simt_fits(values\[i\], c->word_w)/false/' 'one past'
api_planted "a work item that is cut" 's/!simt_fits(item, c->word_w)/false/' 'one past'
exit $failed
